#include "hw/gpu_spec.hpp"

namespace rooftile::hw {

Machine resolve(const GpuSpec& s, core::Hertz clock) {
  Machine m;
  m.clock = core::Clock(clock);
  m.sms = static_cast<int>(s.sm.count.value);
  for (const std::int64_t n : s.sm.gpcs) m.gpc_sms.push_back(static_cast<int>(n));
  m.schedulers = static_cast<int>(s.sm.issue.value / 32);
  m.lanes_per_cycle[kTensor] = 0;
  m.lanes_per_cycle[kSharedPath] = s.sm.shared_path.value;
  m.lanes_per_cycle[kIssue] = s.sm.issue.value;
  m.lanes_per_cycle[kFma] = s.sm.fma.value;
  m.lanes_per_cycle[kAlu] = s.sm.alu.value;
  m.lanes_per_cycle[kMufu] = s.sm.mufu.value;
  m.lanes_per_cycle[kConvert] = s.sm.convert.value;
  const TensorSpec& t = s.sm.tensor;
  m.tensor_flops[0] = {t.bf16.value, t.bf16.value, t.tf32.value, t.fp8.value, t.fp8.value};
  for (std::size_t i = 0; i < 5; ++i) m.tensor_flops[1][i] = m.tensor_flops[0][i] * t.mma_sync_share.value;
  m.mma_latency_cycles = t.latency.value;
  m.barrier_cycles = s.sm.barrier.value;
  m.tma_issue_cycles = s.sm.tma_issue.value;
  m.tma_fill_cycles = s.sm.tma_fill.value;
  m.tma_latency_cycles = s.sm.tma_latency.value;
  m.tma_descriptor = s.sm.tma_descriptor.value;
  m.cluster_sync = s.sm.cluster_sync.value;
  m.max_warps = static_cast<int>(s.sm.warps.value);
  m.max_ctas = static_cast<int>(s.sm.ctas.value);
  m.registers = s.sm.registers.value;
  m.shared_memory = s.sm.shared_memory.value;
  m.shared_reserved = s.sm.shared_reserved.value;
  m.l2_partitions = static_cast<int>(s.l2.partitions.value);
  m.l2_partition_capacity = {s.l2.capacity.value.value / s.l2.partitions.value};
  m.l2_latency = s.l2.latency.value;
  m.l2_far_latency = s.l2.far_latency.value;
  m.hbm_latency = s.hbm.latency.value;
  m.hbm_latency_tail = s.hbm.latency_tail.value;
  m.sm_port_bytes_per_cycle = s.l2.sm_port.value;
  m.sm_bytes_in_service = s.l2.sm_in_service.value;
  m.l2_read = s.l2.read_bandwidth.value;
  m.l2_write = s.l2.write_bandwidth.value;
  m.l2_link = s.l2.link_bandwidth.value;
  m.hbm_read = {s.hbm.bandwidth.value.value * s.hbm.read_efficiency.value};
  m.hbm_write = {s.hbm.bandwidth.value.value * s.hbm.write_efficiency.value};
  m.hbm_half_load = s.hbm.half_load.value;
  m.hbm_turnaround = s.hbm.turnaround.value;
  m.hbm_run_bytes = static_cast<double>(s.hbm.run_cost.value.value);
  m.kernel_gap = s.launch.graph_gap.value;
  m.cta_interval = s.launch.cta_interval.value;
  m.cta_start = s.launch.cta_start.value;
  m.first_fetch = s.launch.first_fetch.value;
  m.profiled_start = s.launch.profiled_start.value;
  m.cta_refill = s.launch.cta_refill.value;
  m.kernel_drain = s.launch.drain.value;
  return m;
}

}  // namespace rooftile::hw
