// Every Hopper GEMM schedule that `rooftile tune` considers: tiles, consumers, stages, clusters, splits.
#include <algorithm>

#include "workloads/gemm/cublas.hpp"
#include "workloads/gemm/operation.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::gemm {
namespace {

constexpr int kTileM[] = {64, 128, 192, 256};
constexpr int kTileN[] = {8, 16, 32, 64, 96, 128, 160, 192, 224, 256};
constexpr std::pair<int, int> kClusters[] = {{1, 1}, {2, 1}, {1, 2}};
constexpr int kSplits[] = {1, 2, 4, 8};
constexpr int kSharedLimit = 232448;
constexpr int kMostTiles = 200'000;
// setmaxnreg gives consumers 232 registers at most beside a producer; addresses and barriers take about 24.
constexpr int kConsumerRegisters = 232, kOtherRegisters = 24;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::string impossible(const Schedule& s) {
  const int accumulators = s.tile_m * s.tile_n / (s.consumers == Consumers::ping_pong ? 128 : 256);
  if (accumulators + kOtherRegisters <= kConsumerRegisters) return "";
  return "registers: a consumer thread accumulates " + std::to_string(accumulators) + " values and addresses take " +
         std::to_string(kOtherRegisters) + ", it has " + std::to_string(kConsumerRegisters);
}

// Worth a look for this shape: not mostly padding, not more splits than the SMs can take.
bool sensible(const Shape& shape, const Schedule& s, std::int64_t sms) {
  if (s.tile_n > 2 * shape.n && s.tile_n > kTileN[0]) return false;
  if (s.tile_m > 2 * shape.m && s.tile_m > kTileM[0]) return false;
  const std::int64_t tiles = ceil_div(shape.m, s.tile_m) * ceil_div(shape.n, s.tile_n) * shape.batch;
  if (tiles * s.split_k > kMostTiles) return false;
  const std::int64_t steps = ceil_div(shape.k, s.tile_k);
  return s.split_k == 1 || (tiles * s.split_k <= 2 * sms && steps / s.split_k >= 4);
}

}  // namespace

std::vector<Variant> Gemm::variants(const hw::GpuSpec& gpu) const {
  Shape swapped = shape;
  std::swap(swapped.m, swapped.n);
  std::vector<Variant> all;
  const auto add = [&](Schedule s) {
    if (!sensible(swapped, s, gpu.sm.count.value)) return;
    all.push_back({"gemm_" + name(s), [swapped, s, gpu] { return plan(swapped, s, gpu); }, impossible(s)});
  };
  Schedule s;
  s.type = math_type(dtype);
  s.input_bytes = element_bytes(dtype);
  s.output_bytes = element_bytes(out_dtype);
  s.tile_k = static_cast<int>(128 / s.input_bytes);
  for (s.tile_m = 0; const int m : kTileM)
    for (const int n : kTileN)
      for (const Consumers consumers : {Consumers::ping_pong, Consumers::split_m, Consumers::split_n}) {
        s.tile_m = m;
        s.tile_n = n;
        s.consumers = consumers;
        // Halves are whole instructions: 64 rows, 8 columns.
        if ((consumers == Consumers::split_m && m % 128 != 0) || (consumers == Consumers::split_n && (n < 16 || m % 128 == 0))) continue;
        const int most = std::min(16, (kSharedLimit - s.epilogue_bytes - 208) / ((m + n) * 128 + 16));
        for (const int stages : {most, most / 2})
          for (const auto& [cluster_m, cluster_n] : kClusters)
            for (const int split : kSplits) {
              if (stages < 2) continue;
              s.stages = stages;
              s.cluster_m = cluster_m;
              s.cluster_n = cluster_n;
              s.split_k = split;
              add(s);
            }
      }
  return all;
}

}  // namespace rooftile::workloads::gemm
