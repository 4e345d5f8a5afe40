// The cuBLAS `nvjet` family on Hopper: which tiles exist, how a kernel name spells a schedule, and which
// schedules are worth simulating for a shape.
//
// cuBLAS computes y = x W^T with its m along the features, so the program's m side is the weights (n of the
// operator) and its n side the tokens (m of the operator). Source: launch shapes and names of 118 launches
// (reference table in docs/model.md).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "hw/gpu_spec.hpp"
#include "workloads/gemm/program.hpp"

namespace rooftile::workloads::gemm {

// `shape` has m = features, n = tokens.
std::vector<Schedule> cublas_candidates(const Shape& shape, hw::MathType type, double output_bytes, const hw::GpuSpec& gpu);

// The schedule spelled by a name such as nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_TNT; nothing for other names.
std::optional<Schedule> parse_nvjet(std::string_view name, hw::MathType type, double output_bytes);

// Cycles by a closed form (waves, operand path, HBM): only to decide what is worth simulating.
double rough_cycles(const Shape& shape, const Schedule& schedule, const hw::GpuSpec& gpu);

// The schedule of vLLM's CUTLASS kernel for per-tensor fp8: `m` of the shape are the tokens.
Schedule cutlass_fp8_schedule(std::int64_t tokens, double output_bytes);

}  // namespace rooftile::workloads::gemm
