// The `gemm` operator: y[m, n] = x[m, k] W[n, k]^T, optionally batched.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/gemm/program.hpp"
#include "workloads/operation.hpp"

namespace rooftile::workloads::gemm {

class Gemm final : public Operation {
 public:
  Shape shape;  // m tokens, n features
  std::string dtype = "bf16", out_dtype = "bf16";
  std::optional<Schedule> own_schedule;  // of implementation rooftile
  std::string known_kernel;  // a recorded kernel name whose schedule is to be used, or ""

  std::string op() const override { return "gemm"; }
  std::string describe() const override;
  double flops() const override { return shape.flops(); }
  double compulsory_bytes() const override;
  Derivation derivation() const override;
  std::vector<std::string> implementations() const override { return {"cublas", "rooftile", "cutlass_fp8"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
  std::vector<Variant> variants(const hw::GpuSpec& gpu) const override;
};

// One schedule for m features and n tokens, with the reduction that a split needs.
Plan plan(const Shape& swapped, const Schedule& schedule, const hw::GpuSpec& gpu);

// The kernel that adds split-K partials and converts them.
Kernel split_k_reduction(std::int64_t rows, std::int64_t cols, int splits, double output_bytes, const hw::GpuSpec& gpu);

}  // namespace rooftile::workloads::gemm
