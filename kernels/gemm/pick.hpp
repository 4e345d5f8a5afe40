// One reasonable schedule per shape for the records of group "kernels". A rule of thumb of a few lines, not a model:
// the simulator's tuner is what has to beat it.
#pragma once

#include <array>
#include <cstdint>

#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

namespace tiling = workloads::gemm;

// Rates of a Hopper GPU that the rule assumes, per clock: bytes an SM takes in from L2, bytes HBM delivers.
inline constexpr std::int64_t sm_bytes = 44, hbm_bytes = 2500;
inline constexpr std::int64_t tile_overhead = 1500, reduce_overhead = 5000;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Cycles of the whole grid: waves of tiles, each at the slower of the tensor cores and the loads.
constexpr std::int64_t estimate(const tiling::Tiling& t, int m, int n, int k, tiling::Element element, int sms) {
  const std::int64_t blocks = divide_up(divide_up(k, tiling::tile_k(element)), t.split_k);
  const std::int64_t math = t.tile_m * t.tile_n / 32;
  const std::int64_t load = (t.tile_m / t.cluster_n + t.tile_n / t.cluster_m) * tiling::row_bytes / sm_bytes;
  const std::int64_t store = t.ping_pong ? 0 : t.tile_m * t.tile_n / 16;
  const std::int64_t units =
      divide_up(divide_up(m, t.tile_m), t.cluster_m) * divide_up(divide_up(n, t.tile_n), t.cluster_n) * t.split_k;
  const std::int64_t waves = divide_up(units * t.cluster_m * t.cluster_n, sms);
  const std::int64_t partials = std::int64_t{8} * m * n * t.split_k / hbm_bytes;
  return waves * (blocks * (math > load ? math : load) + store + tile_overhead) +
         (t.split_k > 1 ? partials + reduce_overhead : 0);
}

// The cheapest of the built tiles at full depth, clusters of two for grids of more than a wave, splits for less.
constexpr tiling::Tiling pick(int m, int n, int k, tiling::Element element, int sms = 132) {
  tiling::Tiling best{};
  std::int64_t best_cycles = INT64_MAX;
  for (const tiling::CtaTile& tile : tiling::built_tiles) {
    if (tile.element != element) continue;
    const int stages = tiling::deepest_stages(tile.m, tile.n);
    const bool tall = tile.m >= tile.n;
    const tiling::Tiling pair{tile.m, tile.n, tile.ping_pong, stages, tall ? 1 : 2, tall ? 2 : 1, 1, 8};
    const tiling::Tiling one{tile.m, tile.n, tile.ping_pong, stages};
    std::array candidates = {one, pair, one, one, one};
    for (int i = 2; i < 5; ++i) candidates[static_cast<std::size_t>(i)].split_k = 1 << (i - 1);
    for (const tiling::Tiling& candidate : candidates) {
      const std::int64_t cycles = estimate(candidate, m, n, k, element, sms);
      if (cycles < best_cycles) {
        best = candidate;
        best_cycles = cycles;
      }
    }
  }
  return best;
}

}  // namespace rooftile::kernels::gemm
