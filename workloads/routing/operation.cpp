#include "workloads/routing/operation.hpp"

#include <algorithm>

#include "workloads/routing/kernels.hpp"

namespace rooftile::workloads::routing {

std::string GatherRows::describe() const {
  return std::to_string(rows) + "x" + std::to_string(cols) + " from " + std::to_string(source_rows) + " rows";
}

double GatherRows::compulsory_bytes() const {
  const auto c = static_cast<double>(cols) * bytes;
  return c * static_cast<double>(std::min(source_rows, rows)) + c * static_cast<double>(rows) + 8.0 * static_cast<double>(rows);
}

std::vector<Plan> GatherRows::plans(const hw::GpuSpec&, const std::string&) const {
  Plan p;
  p.schedule = "vectorized_gather";
  p.kernels.push_back({routing::gather_rows(source_rows, rows, cols, bytes), false, {}});
  return {p};
}

std::string RouterTopK::describe() const {
  return std::to_string(tokens) + " tokens, " + std::to_string(experts) + " experts, top " + std::to_string(top_k);
}

std::vector<Plan> RouterTopK::plans(const hw::GpuSpec&, const std::string&) const {
  Plan p;
  p.schedule = "softmax_warp + radix top-k + bitonic sort";
  p.kernels.push_back({softmax_warps(tokens, experts), false, {}});
  p.kernels.push_back({radix_top_k(tokens, experts, top_k), false, {}});
  p.kernels.push_back({bitonic_sort(tokens, top_k), false, {}});
  return {p};
}

}  // namespace rooftile::workloads::routing
