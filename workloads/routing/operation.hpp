// Operators around a mixture of experts: the router's softmax and top-k, and the gather of rows in expert order.
#pragma once

#include <string>
#include <vector>

#include "workloads/operation.hpp"

namespace rooftile::workloads::routing {

class GatherRows final : public Operation {
 public:
  std::int64_t source_rows = 1, rows = 1, cols = 1;
  double bytes = 2;

  std::string op() const override { return "gather_rows"; }
  std::string describe() const override;
  double flops() const override { return 0; }
  double compulsory_bytes() const override;
  std::vector<std::string> implementations() const override { return {"torch_eager"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
};

class RouterTopK final : public Operation {
 public:
  std::int64_t tokens = 1, experts = 8, top_k = 2;

  std::string op() const override { return "router_softmax_topk"; }
  std::string describe() const override;
  double flops() const override { return 5.0 * static_cast<double>(tokens * experts); }
  double compulsory_bytes() const override { return static_cast<double>(tokens) * static_cast<double>(4 * experts + 12 * top_k); }
  std::vector<std::string> implementations() const override { return {"torch_eager"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
};

}  // namespace rooftile::workloads::routing
