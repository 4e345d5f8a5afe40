// The `grouped_gemm` operator: y_g = x_g W_g^T for every group g, with unequal numbers of rows.
#pragma once

#include <string>
#include <vector>

#include "workloads/grouped_gemm/program.hpp"
#include "workloads/operation.hpp"

namespace rooftile::workloads::grouped_gemm {

class GroupedGemm final : public Operation {
 public:
  Shape shape;
  std::string dtype = "bf16";

  std::string op() const override { return "grouped_gemm"; }
  std::string describe() const override;
  double flops() const override;
  double compulsory_bytes() const override;  // weights of groups that have rows
  std::vector<std::string> implementations() const override { return {"torch_grouped_mm"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
};

}  // namespace rooftile::workloads::grouped_gemm
