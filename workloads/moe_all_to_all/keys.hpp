// moe_dispatch and moe_combine as scenarios and records write them.
#pragma once

#include <array>

#include "workloads/common_keys.hpp"
#include "workloads/moe_all_to_all/cost.hpp"
#include "workloads/operation.hpp"

namespace rooftile::workloads::moe_all_to_all {

inline constexpr std::array<const char*, 2> kOps{"moe_dispatch", "moe_combine"};

struct Keys : CommonKeys {
  std::int64_t ranks = 8, nodes = 0, hidden_size = 7168, tokens_per_rank = 1, top_k = 8, experts = 256, sms = 20, redundant_experts = 0;
  std::vector<double> expert_loads;
  std::optional<std::string> fabric, system;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    const input::Range size{1, kLargestSize};
    v.field("ranks", &Keys::ranks, "GPUs that share the experts", input::Range{1, 1 << 20});
    v.field("nodes", &Keys::nodes, "nodes that they are on; 0: as few as hold them", input::Range{0, 1 << 20}).optional();
    v.field("hidden_size", &Keys::hidden_size, "elements of a token", size);
    v.field("tokens_per_rank", &Keys::tokens_per_rank, "tokens that one rank sends", size);
    v.field("top_k", &Keys::top_k, "experts of a token", input::Range{1, 1024});
    v.field("experts", &Keys::experts, "experts of the layer", input::Range{1, 1 << 13});
    v.field("sms", &Keys::sms, "SMs of the throughput kernels", input::Range{2, 1024}).optional();
    v.field("expert_loads", &Keys::expert_loads, "relative load of every expert; empty: equal", input::Range{0, 1e12}).optional();
    v.field("redundant_experts", &Keys::redundant_experts, "copies of hot experts beyond the first", input::Range{0, 1 << 13}).optional();
    v.field("fabric", &Keys::fabric, "a name in hw/fabrics, or a path; default: the usual one of the hardware");
    v.field("system", &Keys::system, "a published machine's name; its fabric lists it");
  }
  void check(const input::Node& at, input::Diagnostics& found) const;
  OperationPtr make() const;
};

struct MoeAllToAll : Operation {
  std::string name, fabric, system;
  Shape shape;
  std::int64_t ranks = 8, nodes = 0;

  std::string op() const override { return name; }
  std::string describe() const override;
  double flops() const override;
  double compulsory_bytes() const override;
  std::vector<std::string> implementations() const override { return {"deepep_normal", "deepep_low_latency"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
  bool is_communication() const override { return true; }
  std::optional<Communication> communication(const std::string& hardware, const std::string& implementation) const override;
};

}  // namespace rooftile::workloads::moe_all_to_all
