#include "workloads/grouped_gemm/operation.hpp"

#include <algorithm>

#include "workloads/types.hpp"

namespace rooftile::workloads::grouped_gemm {
namespace {

constexpr int kSharedLimit = 232448;

// The rule of torch._grouped_mm on Hopper: few rows a group take small ping-pong tiles.
gemm::Schedule torch_schedule(const Shape& shape, hw::MathType type, double bytes) {
  gemm::Schedule s;
  s.type = type;
  s.input_bytes = bytes;
  const auto groups = static_cast<std::int64_t>(std::max<std::size_t>(1, shape.rows_per_group.size()));
  const bool small = shape.rows() / groups <= 128 || shape.n <= 128;
  s.tile_m = small ? 64 : 128;
  s.tile_n = small ? 128 : 256;
  s.tile_k = static_cast<int>((small ? 256 : 128) / bytes);
  s.consumers = small ? gemm::Consumers::ping_pong : gemm::Consumers::split_m;
  s.cluster_m = 2;
  s.cluster_n = 1;
  const int stage = static_cast<int>((s.tile_m + s.tile_n) * s.tile_k * bytes) + 16;
  s.stages = (kSharedLimit - s.epilogue_bytes - 208) / stage;
  return s;
}

}  // namespace

std::string GroupedGemm::describe() const {
  const auto most = shape.rows_per_group.empty() ? 0 : *std::max_element(shape.rows_per_group.begin(), shape.rows_per_group.end());
  return std::to_string(shape.rows()) + " rows over " + std::to_string(shape.rows_per_group.size()) + " groups (at most " +
         std::to_string(most) + "), " + std::to_string(shape.n) + "x" + std::to_string(shape.k) + " " + dtype;
}

double GroupedGemm::flops() const {
  return 2.0 * static_cast<double>(shape.rows()) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

double GroupedGemm::compulsory_bytes() const {
  const double e = element_bytes(dtype), rows = static_cast<double>(shape.rows());
  const auto used = static_cast<double>(std::count_if(shape.rows_per_group.begin(), shape.rows_per_group.end(), [](std::int64_t r) { return r > 0; }));
  const auto n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  return used * n * k * e + rows * k * e + rows * n * 2;
}

std::vector<Plan> GroupedGemm::plans(const hw::GpuSpec& gpu, const std::string&) const {
  const gemm::Schedule s = torch_schedule(shape, math_type(dtype), element_bytes(dtype));
  Plan p;
  p.schedule = "cutlass_grouped_" + gemm::name(s);
  p.kernels.push_back({prepare(static_cast<std::int64_t>(shape.rows_per_group.size())), false, {}});
  p.kernels.push_back({program(shape, s, static_cast<int>(gpu.sm.count.value)), false, {}});
  return {p};
}

}  // namespace rooftile::workloads::grouped_gemm
