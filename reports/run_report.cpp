#include "reports/run_report.hpp"

#include <algorithm>

namespace rooftile::reports {
namespace {

using workloads::KernelPrediction;
using workloads::Prediction;

double megahertz(core::Hertz f) { return f.value / 1e6; }

// Busy shares over the whole operation, gaps included.
std::map<std::string, double> utilization(const Prediction& p, const hw::GpuSpec& gpu) {
  std::map<std::string, double> share;
  for (const char* unit : {"tensor", "MUFU", "FMA", "ALU", "shared memory path", "L2", "HBM"}) share[unit] = 0;
  const double total = p.time.seconds();
  for (const KernelPrediction& k : p.kernels) {
    const double sm_seconds = gpu.sm.count.value * k.clock.value;  // cycles a second of all SMs
    for (int r = 0; r < hw::kSmResources; ++r)
      share[hw::kSmResourceNames[static_cast<std::size_t>(r)]] += k.play.unit_cycles[static_cast<std::size_t>(r)] / sm_seconds / total;
    share["HBM"] += k.play.hbm_busy.seconds() / total;
    share["L2"] += k.play.l2_busy.seconds() / total;
    share["L2 link"] += k.play.link_busy.seconds() / total;
  }
  if (p.communication)
    for (const auto& [what, seconds] : p.communication->parts) share[what] += seconds / total;
  share["launch"] = p.gaps.seconds() / total;
  return share;
}

// The busiest resource binds; below half of the time nothing is really full and latency does.
std::string bottleneck(const std::map<std::string, double>& share) {
  const auto most = std::max_element(share.begin(), share.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == share.end() || most->second < 0.4 ? "latency" : most->first;
}

std::map<std::string, double> stalls(const Prediction& p) {
  std::map<std::string, double> ps;
  double total = 0;
  for (const KernelPrediction& k : p.kernels)
    for (const hw::RoleTime& role : k.play.roles)
      for (int i = 0; i < hw::kStalls; ++i) {
        ps[hw::kStallNames[static_cast<std::size_t>(i)]] += role.ps[static_cast<std::size_t>(i)];
        total += role.ps[static_cast<std::size_t>(i)];
      }
  if (total > 0)
    for (auto& [name, value] : ps) value /= total;
  return ps;
}

void add_communication(OpRow& row, const workloads::Communication& c) {
  row.communication = OpRow::Communication{.sms = c.sms, .sent_bytes = c.sent_bytes, .memory_bytes = c.memory_bytes};
  for (const auto& [what, seconds] : c.parts) row.communication->parts.emplace_back(what, seconds * 1e6);
  row.bytes["sent"] = c.sent_bytes;
}

void add_traffic(OpRow& row, const Prediction& p) {
  for (const char* level : {"hbm_read", "hbm_write", "l2_read", "l2_write", "l2_far", "shared"}) row.bytes[level] = 0;
  double hits = 0, lookups = 0;
  for (const KernelPrediction& k : p.kernels) {
    const hw::L2Traffic& t = k.play.traffic;
    row.bytes["hbm_read"] += static_cast<double>(t.dram_read.value);
    row.bytes["hbm_write"] += static_cast<double>(t.dram_written.value);
    row.bytes["l2_read"] += static_cast<double>(t.read.value);
    row.bytes["l2_write"] += static_cast<double>(t.written.value);
    row.bytes["l2_far"] += static_cast<double>(t.far.value);
    row.bytes["shared"] += k.play.shared_bytes;
    hits += static_cast<double>(t.hits.value);
    lookups += static_cast<double>(t.lookups.value);
  }
  row.l2_hit_rate = lookups > 0 ? hits / lookups : 0;
}

}  // namespace

OpRow collect_op(const workloads::NamedOperation& op, const Prediction& p, const hw::GpuSpec& gpu) {
  OpRow row;
  row.name = op.name;
  row.op = op.operation->op();
  row.impl = op.implementation;
  row.shape = op.operation->describe();
  row.schedule = p.schedule;
  row.repeat = op.repeat;
  row.time_us = p.time.us();
  row.clock_mhz = megahertz(p.clock);
  row.power_w = p.power.value;
  row.energy_mj = p.energy.value * 1e3;
  row.flops = op.operation->flops();
  row.compulsory_bytes = op.operation->compulsory_bytes();
  row.gaps_us = p.gaps.us();
  for (const KernelPrediction& k : p.kernels) {
    row.cycles += k.play.cycles;
    row.kernels.push_back({k.kernel, k.time.us(), k.play.cycles, megahertz(k.clock), k.play.ctas, k.play.ctas_per_sm, k.threads, k.registers,
                           static_cast<double>(k.shared_memory.value), k.launches, k.kind});
  }
  add_traffic(row, p);
  if (p.communication) add_communication(row, *p.communication);
  row.utilization = utilization(p, gpu);
  row.stalls = stalls(p);
  row.bottleneck = p.communication ? p.communication->bound : bottleneck(row.utilization);
  return row;
}

Roofs roofs(const hw::GpuSpec& gpu, double clock_mhz) {
  const double cycles = static_cast<double>(gpu.sm.count.value) * clock_mhz * 1e6;
  const hw::TensorSpec& t = gpu.sm.tensor;
  return {{{"bf16", t.bf16.value * cycles}, {"fp8", t.fp8.value * cycles}, {"tf32", t.tf32.value * cycles}, {"FP32 FMA", 2 * gpu.sm.fma.value * cycles}},
          {{"HBM", gpu.hbm.bandwidth.value.value}, {"L2", gpu.l2.read_bandwidth.value.value}}};
}

RunReport collect(const workloads::Scenario& s, const std::vector<Prediction>& predictions) {
  RunReport r;
  r.scenario = s.name;
  r.hardware = s.hardware_name;
  r.clock = workloads::clock_name(s.clock);
  double cycles = 0, busy = 0;
  for (std::size_t i = 0; i < s.ops.size(); ++i) {
    r.ops.push_back(collect_op(s.ops[i], predictions[i], s.gpu));
    const OpRow& row = r.ops.back();
    const auto n = static_cast<double>(row.repeat);
    r.time_us += n * row.time_us;
    r.energy_mj += n * row.energy_mj;
    cycles += n * row.cycles;
    busy += row.communication ? 0 : n * (row.time_us - row.gaps_us);
  }
  r.power_w = r.time_us > 0 ? r.energy_mj / r.time_us * 1e3 : 0;
  r.clock_mhz = busy > 0 ? cycles / busy : r.ops.empty() ? 0 : r.ops.front().clock_mhz;  // communication alone: no cycles are counted
  r.roofs = roofs(s.gpu, r.clock_mhz);
  return r;
}

}  // namespace rooftile::reports
