#include "reports/program_view.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rooftile::reports {
namespace {

using namespace hw;

struct Describe {
  const TileProgram& p;

  const std::string& tensor(const Box& b) const { return p.tensors.at(b.tensor).name; }
  std::string ring(std::uint8_t r) const { return p.rings.at(r).name; }
  std::string box(const Box& b) const {
    const Tensor& t = p.tensors.at(b.tensor);
    return fmt::format("{} [{} x {}], {:.0f} B", t.name, t.box_rows, t.box_cols,
                       static_cast<double>(t.box_rows * t.box_cols) * t.element_bytes);
  }
  std::string operator()(const Acquire& o) const { return "acquire a stage of " + ring(o.ring); }
  std::string operator()(const TmaLoad& o) const {
    return "TMA load " + box(o.box) + (o.multicast == Multicast::none ? "" : ", multicast");
  }
  std::string operator()(const WaitFull& o) const { return "wait for a full stage of " + ring(o.ring); }
  std::string operator()(const Release& o) const {
    return "release a stage of " + ring(o.ring) + (o.lag > 0 ? fmt::format(", keeping {}", o.lag) : "");
  }
  std::string operator()(const Mma& o) const {
    const TensorEngine& e = p.engines.at(o.engine);
    return fmt::format("{} {:.0f} FLOP, {:.0f} B of operands from shared memory", e.family == MmaFamily::wgmma ? "wgmma" : "mma.sync",
                       o.flops, o.operand_bytes);
  }
  std::string operator()(const MmaWait& o) const { return fmt::format("wait until {} matrix ops are unfinished", o.pending); }
  std::string operator()(const Vector& o) const { return o.name; }
  std::string operator()(const Load& o) const { return "load " + box(o.box); }
  std::string operator()(const WaitLoads& o) const { return fmt::format("wait until {} load groups are in flight", o.pending); }
  std::string operator()(const Store& o) const {
    return std::string(o.reduce ? "reduce-add " : o.bulk ? "TMA store " : "store ") + box(o.box);
  }
  std::string operator()(const WaitStores& o) const { return o.global ? "wait until stores are visible" : "wait until stores have read"; }
  std::string operator()(const TurnWait&) const { return "wait for its turn"; }
  std::string operator()(const TurnPass&) const { return "pass the turn"; }
  std::string operator()(const Sync& o) const { return fmt::format("barrier of {} roles", o.roles); }
};

// Executions of a section by one role over all items.
double executions(const TileProgram& p, const Role& role, const Repeat& repeat, int slots) {
  const auto stride = static_cast<std::size_t>(std::max(1, role.item_stride));
  const bool dealt = p.schedule == Schedule::static_persistent;
  const std::size_t streams = std::max<std::size_t>(1, static_cast<std::size_t>(slots));
  double total = 0;
  for (std::size_t i = 0; i < p.items.size(); ++i) {
    const double n = repeat.item_count >= 0 ? p.items[i].count[repeat.item_count] : repeat.constant;
    if (stride == 1) total += n;
    else if (!dealt) total += n / static_cast<double>(stride);
    else if (i / streams % stride == static_cast<std::size_t>(role.first_item)) total += n;
  }
  return total * p.cluster();
}

const char* schedule_name(Schedule s) {
  switch (s) {
    case Schedule::one_item_a_cta: return "one work item a CTA";
    case Schedule::static_persistent: return "persistent, CTA c takes items c, c + grid, ...";
    default: return "persistent, an atomic counter hands out items";
  }
}

ProgramOp row(const Role& role, const TileOp& op, const player::Op& compiled, const Machine& m, const Describe& describe) {
  ProgramOp r;
  r.role = role.name;
  r.what = std::visit(describe, op);
  for (std::size_t i = 0; i < r.cycles.size(); ++i) r.cycles[i] = compiled.cycles[i];
  for (std::size_t i = 0; i < r.paced.size(); ++i) r.paced[i] = compiled.paced[i];
  r.solo = compiled.solo_ps * 1e-12 * m.clock.frequency().value;
  r.is_mma = compiled.kind == player::OpKind::mma;
  r.is_async = r.is_mma && compiled.flag;
  return r;
}

void describe_parts(ProgramView& v, const TileProgram& p) {
  for (const Ring& r : p.rings) v.rings.push_back(fmt::format("{}: {} stages", r.name, r.stages));
  for (const Tensor& t : p.tensors)
    v.tensors.push_back(fmt::format("{}: {} x {} x {} of {} B, boxes of {} x {}", t.name, t.groups, t.rows, t.cols, t.element_bytes, t.box_rows, t.box_cols));
  constexpr const char* types[] = {"bf16", "fp16", "tf32", "fp8", "int8"};
  for (const TensorEngine& e : p.engines)
    v.engines.push_back(std::string(e.family == MmaFamily::wgmma ? "wgmma " : "mma.sync ") + types[static_cast<int>(e.type)]);
}

}  // namespace

ProgramView view(const TileProgram& p, const Machine& m) {
  const player::Compiled code = player::compile(p, m);
  const player::Occupancy fit = player::occupancy(p, m);
  ProgramView v{.kernel = p.kernel, .schedule = schedule_name(p.schedule), .occupancy_limit = fit.limit,
                .items = static_cast<std::int64_t>(p.items.size()), .cluster_x = p.cluster_x, .cluster_y = p.cluster_y,
                .threads = p.threads, .registers = p.registers, .ctas_per_sm = fit.ctas,
                .shared_memory = static_cast<double>(p.shared_memory.value)};
  describe_parts(v, p);
  const int slots = std::min<int>(static_cast<int>(v.items), (p.grid > 0 ? p.grid : m.sms * fit.ctas) / p.cluster());
  std::size_t at = 0;
  for (const Role& role : p.roles)
    for (const Section& section : role.sections) {
      const double n = executions(p, role, section.repeat, slots);
      for (const TileOp& op : section.ops) {
        ProgramOp r = row(role, op, code.ops.at(at++), m, Describe{p});
        r.executions = n;
        r.per_item = v.items > 0 ? n / static_cast<double>(v.items * p.cluster()) : 0;
        v.ops.push_back(std::move(r));
      }
    }
  return v;
}

}  // namespace rooftile::reports
