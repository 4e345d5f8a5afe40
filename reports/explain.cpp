#include "reports/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rooftile::reports {
namespace {

using workloads::KernelPrediction;
using workloads::Prediction;

constexpr const char* kTypeNames[] = {"bf16", "fp16", "tf32", "fp8", "int8"};

// Math at the full rate of the tensor cores, without padding.
BoundRow math_bound(const OpRow& row, const Prediction& p, const hw::GpuSpec& gpu) {
  const KernelPrediction& k = p.kernels.front();
  const hw::Machine m = hw::resolve(gpu, k.clock);
  const double rate = m.tensor_flops[0][static_cast<std::size_t>(k.engine.type)], hz = m.clock.frequency().value;
  return {"tensor pipe, useful FLOPs only", "FLOPs / (SMs x FLOP per cycle x clock)",
          fmt::format("{:.0f} / ({} x {} x {:.0f} MHz), {}", row.flops, m.sms, rate, hz / 1e6, kTypeNames[static_cast<int>(k.engine.type)]),
          row.flops / (m.sms * rate * hz) * 1e6};
}

BoundRow hbm_bound(const OpRow& row, const hw::GpuSpec& gpu) {
  const double bandwidth = gpu.hbm.bandwidth.value.value;
  return {"HBM, compulsory bytes only", "compulsory bytes / pin bandwidth",
          fmt::format("{:.0f} / {} TB/s", row.compulsory_bytes, bandwidth / 1e12), row.compulsory_bytes / bandwidth * 1e6};
}

// Busy time of every unit as played: padding, re-reads and instruction mixes included.
void add_unit_bounds(std::vector<BoundRow>& out, const Prediction& p, const workloads::Plan& plan, const hw::GpuSpec& gpu) {
  const double sms = static_cast<double>(gpu.sm.count.value);
  for (int r = 0; r < hw::kSmResources; ++r) {
    double us = 0, cycles = 0;
    for (const KernelPrediction& k : p.kernels) {
      cycles += k.play.unit_cycles[static_cast<std::size_t>(r)];
      us += k.play.unit_cycles[static_cast<std::size_t>(r)] / (sms * k.clock.value) * 1e6;
    }
    if (us > 0)
      out.push_back({hw::kSmResourceNames[static_cast<std::size_t>(r)], "busy cycles of all SMs / (SMs x clock)",
                     fmt::format("{:.4g} / ({} x {:.0f} MHz)", cycles, sms, p.kernels.front().clock.value / 1e6), us});
  }
  double hbm = 0, l2 = 0, link = 0, read = 0, written = 0, l2_read = 0, l2_written = 0, far = 0;
  for (const KernelPrediction& k : p.kernels) {
    hbm += k.play.hbm_busy.us(), l2 += k.play.l2_busy.us(), link += k.play.link_busy.us();
    read += static_cast<double>(k.play.traffic.dram_read.value), written += static_cast<double>(k.play.traffic.dram_written.value);
    l2_read += static_cast<double>(k.play.traffic.read.value), l2_written += static_cast<double>(k.play.traffic.written.value);
    far += static_cast<double>(k.play.traffic.far.value);
  }
  const auto tera = [](double v) { return v / 1e12; };
  const double bandwidth = gpu.hbm.bandwidth.value.value;
  out.push_back({"HBM", "read / (bandwidth x read efficiency) + written / (bandwidth x write efficiency)",
                 fmt::format("{:.4g} / {:.3g} TB/s + {:.4g} / {:.3g} TB/s", read, tera(bandwidth * gpu.hbm.read_efficiency.value), written,
                             tera(bandwidth * gpu.hbm.write_efficiency.value)), hbm});
  out.push_back({"L2", "read / read bandwidth + written / write bandwidth (reductions count twice)",
                 fmt::format("{:.4g} / {:.3g} TB/s + {:.4g} / {:.3g} TB/s", l2_read, tera(gpu.l2.read_bandwidth.value.value), l2_written,
                             tera(gpu.l2.write_bandwidth.value.value)), l2});
  if (link > 0)
    out.push_back({"L2 link", "crossed between partitions / link bandwidth",
                   fmt::format("{:.4g} / {:.3g} TB/s", far, tera(gpu.l2.link_bandwidth.value.value)), link});
  std::int64_t launches = 0;
  for (const KernelPrediction& k : p.kernels) launches += k.launches;
  const auto memsets = std::count_if(plan.kernels.begin(), plan.kernels.end(), [](const workloads::Kernel& k) { return k.memset_node; });
  out.push_back({"launch", "kernels x gap + memsets x node time",
                 fmt::format("{} x {} ns + {} x {} ns", launches, static_cast<double>(gpu.launch.graph_gap.value.ps) / 1e3, memsets,
                             static_cast<double>(gpu.launch.memset_node.value.ps) / 1e3), p.gaps.us()});
}

// One reason for every microsecond of the operation: the pacing role of each kernel, and the gaps.
std::vector<Reason> where(const std::vector<KernelExplained>& kernels, double gaps_us) {
  std::vector<Reason> all;
  const auto add = [&](const Reason& r) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Reason& a) { return a.group == r.group && a.what == r.what; });
    if (same == all.end()) all.push_back(r);
    else same->us += r.us;
  };
  for (const KernelExplained& k : kernels)
    for (const RoleAccount& role : k.roles)
      if (role.role == k.pacing_role) {
        for (const Reason& r : role.reasons) add(r);
        break;
      }
  add({"launch", "gaps between kernels", gaps_us});
  std::erase_if(all, [](const Reason& r) { return r.us == 0; });
  std::stable_sort(all.begin(), all.end(), [](const Reason& a, const Reason& b) { return a.us > b.us; });
  return all;
}

OpExplained explain_op(const workloads::NamedOperation& op, const Prediction& p, const OpRow& row, const hw::GpuSpec& gpu, const Bands& bands) {
  OpExplained e{.row = row, .derivation = op.operation->derivation(), .candidates = p.candidates, .capped = p.capped};
  if (p.communication) {
    for (const auto& [what, seconds] : p.communication->parts) {
      e.where.push_back({"communication", what, seconds * 1e6});
      e.bounds.push_back({what, "a part of " + p.schedule, "", seconds * 1e6});
    }
    std::stable_sort(e.bounds.begin(), e.bounds.end(), [](const BoundRow& a, const BoundRow& b) { return a.us > b.us; });
    std::erase_if(e.where, [](const Reason& r) { return r.us == 0; });
    e.band = bands.find(gpu.name, row.op, row.impl, row.flops, row.compulsory_bytes);
    return e;
  }
  const workloads::Plan plan = op.operation->plans(gpu, op.implementation).at(p.taken);
  for (std::size_t i = 0; i < p.kernels.size(); ++i) {
    const hw::TileProgram& program = plan.kernels.at(i).program;
    KernelExplained k{.program = view(program, hw::resolve(gpu, p.kernels[i].clock)), .time_us = p.kernels[i].time.us()};
    k.roles = account(p.kernels[i], k.program, gpu, program.cluster());
    k.pacing_role = pacing_role(k.roles).role;
    e.kernels.push_back(std::move(k));
  }
  if (row.flops > 0) e.bounds.push_back(math_bound(row, p, gpu));
  e.bounds.push_back(hbm_bound(row, gpu));
  add_unit_bounds(e.bounds, p, plan, gpu);
  std::stable_sort(e.bounds.begin(), e.bounds.end(), [](const BoundRow& a, const BoundRow& b) { return a.us > b.us; });
  e.where = where(e.kernels, row.gaps_us);
  e.band = bands.find(gpu.name, row.op, row.impl, row.flops, row.compulsory_bytes);
  return e;
}

// The model's limits that matter here; each is stated in the header of the part that makes it.
std::vector<std::string> assumptions(const Explanation& e) {
  std::vector<std::string> out{
      "Kernels run back to back on one stream in a CUDA graph; nothing else uses the GPU.",
      "L2 starts full of what a repetition of the same kernel would have left, not of the operation before.",
      "L2 is modelled per tile, least recently used, in two partitions: no sets, hashing or compression.",
      "HBM is one queue with a rate for reads and one for writes: no channels, banks or request order.",
      "Data are random: zeros or repeated values draw less power and run at a higher clock.",
      "A matrix instruction takes the longer of its math and its operand reads; register bank conflicts and instruction cache misses are not modelled.",
      "No temperature and no difference between two chips of one type."};
  if (std::any_of(e.ops.begin(), e.ops.end(), [](const OpExplained& o) { return o.candidates > 1; }))
    out.emplace_back("Where a library chooses a schedule by its own rule, the fastest simulated candidate stands for its choice.");
  if (std::any_of(e.ops.begin(), e.ops.end(), [](const OpExplained& o) { return !o.band; }))
    out.emplace_back("Some operators have no measured record here: their error is unknown, and two digits are printed.");
  return out;
}

}  // namespace

Explanation explain(const workloads::Scenario& s, const std::vector<Prediction>& predictions, const Bands& bands, const ExplainOptions& options) {
  Explanation e;
  e.run = collect(s, predictions);
  std::vector<std::size_t> order;
  double weighted = 0, total = 0;
  std::vector<ProgramView> programs;
  for (std::size_t i = 0; i < s.ops.size(); ++i) {
    e.ops.push_back(explain_op(s.ops[i], predictions[i], e.run.ops[i], s.gpu, bands));
    const double us = e.run.ops[i].time_us * static_cast<double>(e.run.ops[i].repeat);
    weighted += us * e.ops.back().band_percent();
    total += us;
    order.push_back(i);
    for (const KernelExplained& k : e.ops.back().kernels) programs.push_back(k.program);
  }
  e.band_percent = total > 0 ? weighted / total : kUnknownBand;
  const auto cost = [&](std::size_t i) { return e.run.ops[i].time_us * static_cast<double>(e.run.ops[i].repeat); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
  if (order.size() > static_cast<std::size_t>(options.levers_for)) order.resize(static_cast<std::size_t>(options.levers_for));
  options.for_each(order.size(), [&](std::size_t i) { e.ops[order[i]].levers = levers(s.ops[order[i]], predictions[order[i]], s.gpu, s.clock); });
  e.constants = provenance_of(s.gpu, programs);
  e.assumptions = assumptions(e);
  return e;
}

}  // namespace rooftile::reports
