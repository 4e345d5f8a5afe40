#include "hw/play/compile.hpp"

#include <algorithm>

#include "sim/core/errors.hpp"

namespace rooftile::hw::player {
namespace {

// Busy cycles of each pipe for work spread over the partitions that `warps` warps reach.
std::array<double, kSmResources> pipe_cycles(const PipeWork& w, int warps, const Machine& m) {
  const double spread = std::min(1.0, static_cast<double>(warps) / m.schedulers);
  const double lane_ops = w.fma + w.alu + w.mufu + w.convert + w.issue_only + w.shared_bytes / 16;
  std::array<double, kSmResources> c{};
  const auto& rate = m.lanes_per_cycle;
  c[kIssue] = lane_ops / (rate[kIssue] * spread);
  c[kFma] = w.fma / (rate[kFma] * spread);
  c[kAlu] = w.alu / (rate[kAlu] * spread);
  c[kMufu] = w.mufu / (rate[kMufu] * spread);
  c[kConvert] = w.convert / (rate[kConvert] * spread);
  c[kSharedPath] = w.shared_bytes / rate[kSharedPath];
  return c;
}

class Compiler {
 public:
  Compiler(const TileProgram& program, const Machine& machine) : p_(program), m_(machine) {}

  Compiled run() {
    std::uint32_t base = 0;
    for (const Tensor& t : p_.tensors) {
      tensor_base_.push_back(base);
      core::ensure(t.boxes() >= 0 && t.boxes() < (1LL << 28), "a tensor is cut into too many boxes");
      base += static_cast<std::uint32_t>(t.boxes());
    }
    out_.box_count = base;
    for (const Ring& ring : p_.rings) {
      out_.stage_offset.push_back(out_.stages);
      out_.stages += ring.stages;
    }
    for (const Role& role : p_.roles) add_role(role);
    return std::move(out_);
  }

 private:
  void add_role(const Role& role) {
    warps_ = role.warps;
    CompiledRole r{role.name, role.first_item, role.item_stride, role.turn, static_cast<std::uint32_t>(out_.sections.size()), 0};
    for (const Section& section : role.sections) add_section(section);
    r.end_section = static_cast<std::uint32_t>(out_.sections.size());
    out_.roles.push_back(r);
  }

  void add_section(const Section& section) {
    CompiledSection s{section.repeat, section.counts_steps, section.restarts_steps, static_cast<std::uint32_t>(out_.ops.size()), 0};
    std::vector<int> acquires(p_.rings.size());
    for (const TileOp& op : section.ops) {
      std::visit([this](const auto& o) { add(o); }, op);
      if (const auto* a = std::get_if<Acquire>(&op)) ++acquires[a->ring];
    }
    for (std::size_t r = 0; r < acquires.size(); ++r)
      if (acquires[r] > 0) out_.fills.push_back({static_cast<int>(r), section.repeat, acquires[r]});
    s.end = static_cast<std::uint32_t>(out_.ops.size());
    out_.sections.push_back(s);
  }

  Op& push(OpKind kind, std::uint8_t a = 0) {
    out_.ops.push_back(Op{.kind = kind, .a = a});
    return out_.ops.back();
  }

  std::int32_t box(const Box& b) {
    const Tensor& t = p_.tensors.at(b.tensor);
    BoxTable table{b.group, b.row, b.col, tensor_base_[b.tensor], static_cast<std::int32_t>(t.groups),
                   static_cast<std::int32_t>(t.row_boxes()), static_cast<std::int32_t>(t.col_boxes()), {}};
    const std::int64_t last_rows = t.rows - (t.row_boxes() - 1) * t.box_rows;
    const std::int64_t last_cols = t.cols - (t.col_boxes() - 1) * t.box_cols;
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c)
        table.bytes[r][c] = static_cast<std::int64_t>(static_cast<double>((r ? last_rows : t.box_rows) *
                                                                          (c ? last_cols : t.box_cols)) *
                                                      t.element_bytes);
    const double rows_in_run = t.box_cols >= t.cols ? static_cast<double>(t.box_rows) : 1;
    table.run = rows_in_run * static_cast<double>(std::min(t.box_cols, t.cols)) * t.element_bytes;
    table.rows_count = b.rows_count;
    table.row_bytes = table.bytes[0][0] / t.box_rows;
    out_.boxes.push_back(table);
    return static_cast<std::int32_t>(out_.boxes.size() - 1);
  }

  void set_work(Op& op, const std::array<double, kSmResources>& cycles, double solo_cycles) {
    op.solo_ps = solo_cycles * ps_per_cycle();
    for (int r = 0; r < kSmResources; ++r) {
      op.cycles[r] = static_cast<float>(cycles[r] * spread(r));
      op.demand[r] = solo_cycles > 0 ? static_cast<float>(op.cycles[r] / solo_cycles) : 0.0F;
    }
  }
  static void add_paced(Op& op, const std::array<double, kSmResources>& cycles) {
    const auto most = std::max_element(cycles.begin(), cycles.end());
    op.paced[static_cast<std::size_t>(most - cycles.begin())] += static_cast<float>(*most);
  }
  // A role of one warp keeps one partition busy: its use of the whole SM's pipes is a quarter.
  double spread(int r) const {
    if (r == kTensor || r == kSharedPath) return 1;
    return std::min(1.0, static_cast<double>(warps_) / m_.schedulers);
  }
  double ps_per_cycle() const { return 1e12 / m_.clock.frequency().value; }

  void add(const Acquire& o) { push(OpKind::acquire, o.ring); }
  void add(const TmaLoad& o) {
    const std::int32_t b = box(o.box);
    Op& op = push(OpKind::tma_load, o.ring);
    op.box = b;
    op.b = static_cast<std::uint8_t>(o.multicast);
  }
  void add(const WaitFull& o) { push(OpKind::wait_full, o.ring); }
  void add(const Release& o) { push(OpKind::release, o.ring).b = o.lag; }
  void add(const Mma& o) {
    const TensorEngine& e = p_.engines.at(o.engine);
    const double math = o.flops / m_.tensor_flops[static_cast<std::size_t>(e.family)][static_cast<std::size_t>(e.type)];
    auto cycles = pipe_cycles(o.beside, warps_, m_);
    cycles[kTensor] = math;
    cycles[kSharedPath] += o.operand_bytes / m_.lanes_per_cycle[kSharedPath];
    double solo = 0;
    for (const double c : cycles) solo = std::max(solo, c);
    solo += o.exposed_cycles;
    Op& op = push(OpKind::mma);
    set_work(op, cycles, solo);
    add_paced(op, cycles);
    op.paced[kSmResources] = static_cast<float>(o.exposed_cycles);
    op.flag = o.async;
    op.flops = o.flops;
    op.shared_bytes = o.operand_bytes + o.beside.shared_bytes;
    op.latency_ps = m_.mma_latency_cycles * ps_per_cycle();
    op.name = "mma";
  }
  void add(const MmaWait& o) { push(OpKind::mma_wait, o.pending); }
  void add(const Vector& o) {
    std::array<double, kSmResources> total{};
    double solo = o.latency_cycles, shared = 0;
    Op& op = push(OpKind::vector);
    op.paced[kSmResources] = static_cast<float>(o.latency_cycles);
    for (const PipeWork& phase : o.phases) {
      const auto cycles = pipe_cycles(phase, warps_, m_);
      solo += *std::max_element(cycles.begin(), cycles.end());
      for (int r = 0; r < kSmResources; ++r) total[r] += cycles[r];
      shared += phase.shared_bytes;
      add_paced(op, cycles);
    }
    set_work(op, total, solo);
    op.shared_bytes = shared;
    op.name = o.name;
  }
  void add(const Load& o) {
    const std::int32_t b = box(o.box);
    Op& op = push(OpKind::load);
    op.box = b;
    op.flag = o.commit;
  }
  void add(const WaitLoads& o) { push(OpKind::wait_loads, o.pending); }
  void add(const Store& o) {
    const std::int32_t b = box(o.box);
    Op& op = push(OpKind::store);
    op.box = b;
    op.flag = o.bulk;
    op.flag2 = o.reduce;
  }
  void add(const WaitStores& o) { push(OpKind::wait_stores).flag = o.global; }
  void add(const TurnWait& o) { push(OpKind::turn_wait, o.token); }
  void add(const TurnPass& o) { push(OpKind::turn_pass, o.token); }
  void add(const Sync& o) { push(OpKind::sync, o.barrier).b = o.roles; }

  const TileProgram& p_;
  const Machine& m_;
  Compiled out_;
  std::vector<std::uint32_t> tensor_base_;
  int warps_ = 4;
};

}  // namespace

Compiled compile(const TileProgram& program, const Machine& machine) { return Compiler(program, machine).run(); }

Occupancy occupancy(const TileProgram& p, const Machine& m) {
  const int warps = (p.threads + 31) / 32;
  // Registers are given out per warp in units of 256.
  const std::int64_t warp_registers = (static_cast<std::int64_t>(p.registers) * 32 + 255) / 256 * 256;
  const std::int64_t shared = p.shared_memory.value + m.shared_reserved.value;
  const std::pair<std::int64_t, const char*> limits[] = {
      {m.registers / std::max<std::int64_t>(1, warp_registers * warps), "registers"},
      {m.shared_memory.value / std::max<std::int64_t>(1, shared), "shared memory"},
      {m.max_warps / warps, "warps"},
      {m.max_ctas, "CTA slots"}};
  const auto* least = std::min_element(std::begin(limits), std::end(limits),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return {static_cast<int>(least->first), least->second};
}

}  // namespace rooftile::hw::player
