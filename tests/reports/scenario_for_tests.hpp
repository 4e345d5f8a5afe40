// A small scenario with the three kinds of schedules: persistent, one item a CTA with refills, split with a second kernel.
#pragma once

#include "reports/run_report.hpp"
#include "sim/core/input/yaml.hpp"

namespace rooftile::reports {

inline workloads::Scenario small_scenario() {
  return workloads::read_scenario(input::parse_yaml(R"(
scenario: "small <b>mix</b> | one"
hardware: h200
ops:
  - {op: gemm, name: projection, m: 2048, n: 2048, k: 1024}
  - {op: attention, name: prefill, batch: 2, q_heads: 16, kv_heads: 4, q_len: 1024, kv_len: 1024, head_dim: 128, mask: causal, impl: flash2}
  - {op: attention, name: decode, batch: 2, q_heads: 32, kv_heads: 8, q_len: 1, kv_len: 8192, head_dim: 128, impl: flash2, repeat: 3}
  - {op: attention, name: "<img src=x onerror=alert(1)>", batch: 1, q_heads: 8, kv_heads: 8, q_len: 2048, kv_len: 2048, head_dim: 128, impl: flash3}
)", "small.yaml"), {});
}

inline std::vector<workloads::Prediction> predictions_of(const workloads::Scenario& s) {
  std::vector<workloads::Prediction> all;
  for (const auto& op : s.ops) all.push_back(workloads::predict(*op.operation, op.implementation, s.gpu, {.clock = s.clock}));
  return all;
}

}  // namespace rooftile::reports
