#include "workloads/tune/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hw/play/compile.hpp"

namespace rooftile::workloads::tune {
namespace {

using hw::kSmResources;
using hw::player::Compiled;
using hw::player::OpKind;

struct Work {  // of one work item, all CTAs of its cluster
  std::array<double, kSmResources> cycles{};
  double read_bytes = 0;  // boxes loaded, a multicast once
};

// One iteration of each section: an item is then a sum over its repeats.
std::vector<Work> section_work(const Compiled& code) {
  std::vector<Work> work(code.sections.size());
  for (std::size_t s = 0; s < work.size(); ++s)
    for (std::uint32_t i = code.sections[s].first; i < code.sections[s].end; ++i) {
      const hw::player::Op& op = code.ops[i];
      for (int r = 0; r < kSmResources; ++r) work[s].cycles[r] += op.cycles[r];
      // Edge boxes are clipped and may be empty: the smallest that the tensor has.
      if (op.kind == OpKind::tma_load || op.kind == OpKind::load) {
        const auto& box = code.boxes[static_cast<std::size_t>(op.box)];
        work[s].read_bytes += static_cast<double>(std::min({box.bytes[0][0], box.bytes[0][1], box.bytes[1][0], box.bytes[1][1]}));
      }
    }
  return work;
}

struct Totals {
  Work all, least;  // over all items; the smallest item
};

Totals totals(const hw::TileProgram& p, const Compiled& code) {
  const std::vector<Work> sections = section_work(code);
  Totals t;
  t.least.cycles.fill(1e300);
  // Roles that share the items out (ping-pong) do each item once between them.
  for (const hw::WorkItem& item : p.items) {
    Work w;
    for (const auto& role : code.roles)
      for (std::uint32_t s = role.first_section; s < role.end_section; ++s) {
        const hw::Repeat& repeat = code.sections[s].repeat;
        const double n = (repeat.item_count >= 0 ? item.count[repeat.item_count] : repeat.constant) / static_cast<double>(role.item_stride);
        for (int r = 0; r < kSmResources; ++r) w.cycles[r] += n * sections[s].cycles[r];
        w.read_bytes += n * sections[s].read_bytes;
      }
    for (int r = 0; r < kSmResources; ++r) {
      t.all.cycles[r] += w.cycles[r];
      t.least.cycles[r] = std::min(t.least.cycles[r], w.cycles[r]);
    }
    t.all.read_bytes += w.read_bytes;
  }
  return t;
}

// One group of each tensor that is read and not left in L2 by the kernel before. Held for the programs of our
// operators, which read every element of a group.
double compulsory_read(const hw::TileProgram& p, const Compiled& code) {
  double bytes = 0;
  std::uint32_t base = 0;
  for (const hw::Tensor& t : p.tensors) {
    const bool read = std::any_of(code.ops.begin(), code.ops.end(), [&](const auto& op) {
      return (op.kind == OpKind::tma_load || op.kind == OpKind::load) && code.boxes[static_cast<std::size_t>(op.box)].base == base;
    });
    if (read && !t.warm) bytes += static_cast<double>(t.bytes().value) / static_cast<double>(t.groups);
    base += static_cast<std::uint32_t>(t.boxes());
  }
  return bytes;
}

}  // namespace

Bound lower_bound(const hw::TileProgram& p, const hw::Machine& m) {
  const Compiled code = hw::player::compile(p, m);
  const Totals t = totals(p, code);
  const auto items = static_cast<double>(p.items.size());
  const double sms = static_cast<double>(m.sms), cluster = p.cluster();
  // Some SM gets at least this many CTAs.
  const double most_ctas = std::ceil(items * cluster / sms);
  Bound bound{{}, "nothing"};
  const auto consider = [&](double seconds, const char* what) {
    const core::Time time{static_cast<std::int64_t>(seconds * 1e12)};
    if (time > bound.time) bound = {time, what};
  };
  for (int r = 0; r < kSmResources; ++r) {
    const double cycles = std::max(t.all.cycles[r] * cluster / sms, items > 0 ? most_ctas * t.least.cycles[r] : 0);
    consider(cycles / m.clock.frequency().value, hw::kSmResourceNames[static_cast<std::size_t>(r)]);
  }
  consider(t.all.read_bytes * cluster / m.l2_read.value, "L2");
  consider(compulsory_read(p, code) / m.hbm_read.value, "HBM");
  return bound;
}

std::string cannot_launch(const hw::TileProgram& p, const hw::Machine& m) {
  const auto fit = hw::player::occupancy(p, m);
  if (fit.ctas == 0) {
    const auto number = [](std::int64_t v) { return std::to_string(v); };
    if (fit.limit == "shared memory")
      return "shared memory: a CTA takes " + number(p.shared_memory.value + m.shared_reserved.value) + " bytes, an SM has " + number(m.shared_memory.value);
    if (fit.limit == "registers")
      return "registers: " + number(p.threads) + " threads with " + number(p.registers) + " each, an SM has " + number(m.registers);
    if (fit.limit == "warps") return "warps: " + number((p.threads + 31) / 32) + " in a CTA, an SM holds " + number(m.max_warps);
    return fit.limit;
  }
  const int largest = m.gpc_sms.empty() ? 0 : *std::max_element(m.gpc_sms.begin(), m.gpc_sms.end());
  if (p.cluster() > largest) return "cluster: " + std::to_string(p.cluster()) + " CTAs, a GPC has " + std::to_string(largest) + " SMs";
  return "";
}

}  // namespace rooftile::workloads::tune
