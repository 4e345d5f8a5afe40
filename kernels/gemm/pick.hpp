// One reasonable schedule per shape for the records of group "kernels". A rule of thumb of a few lines, not a model:
// the simulator's tuner is what has to beat it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

namespace tiling = workloads::gemm;

// What makes the rule choose well on an H200, searched over sweeps of all built tiles: on the 34 shapes of cases.cpp
// its picks took 1.013 times the fastest schedule on average, 1.07 times at worst. Bytes per clock: what an SM takes in
// from L2, what HBM delivers. Cycles: from a load to its arrival, and what a tile, a cluster and the reduction add.
inline constexpr std::int64_t sm_bytes = 48, hbm_bytes = 3000, load_latency = 1800;
inline constexpr std::int64_t tile_overhead = 500, cluster_overhead = 1500, reduce_overhead = 2000;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Cycles of one stage: the slowest of the tensor cores, the loads (rows that do not start on 128 bytes touch one line
// more) and a ring too short to cover a load's way.
constexpr std::int64_t stage_cycles(const tiling::Tiling& t, bool aligned) {
  const std::int64_t math = t.tile_m * t.tile_n / 32;
  const std::int64_t load = (t.tile_m / t.cluster_n + t.tile_n / t.cluster_m) * tiling::row_bytes / sm_bytes;
  return std::max({math, aligned ? load : load * 3 / 2, load_latency / (t.stages - 1)});
}

// Cycles of the whole grid: waves of tiles, but no faster than the weights arrive.
constexpr std::int64_t estimate(const tiling::Tiling& t, int m, int n, int k, tiling::Element element, int sms) {
  const std::int64_t blocks = divide_up(divide_up(k, tiling::tile_k(element)), t.split_k);
  const bool aligned = k * tiling::element_bytes(element) % tiling::row_bytes == 0;
  const std::int64_t store = t.ping_pong ? 0 : t.tile_m * t.tile_n / 8;
  const std::int64_t cluster = t.cluster_m * t.cluster_n;
  const std::int64_t units =
      divide_up(divide_up(m, t.tile_m), t.cluster_m) * divide_up(divide_up(n, t.tile_n), t.cluster_n) * t.split_k;
  const std::int64_t waves = divide_up(units * cluster, sms);
  const std::int64_t tiles = waves * (blocks * stage_cycles(t, aligned) + store + tile_overhead);
  const std::int64_t weights = std::int64_t{n} * k * tiling::element_bytes(element) / hbm_bytes;
  const std::int64_t partials = std::int64_t{8} * m * n * t.split_k / hbm_bytes;
  return std::max(tiles, weights) + (t.split_k > 1 ? partials + reduce_overhead : 0) +
         (cluster > 1 ? cluster_overhead : 0);
}

// The cheapest of the built tiles at full depth: alone, in clusters of two, or split along k.
constexpr tiling::Tiling pick(int m, int n, int k, tiling::Element element, int sms = 132) {
  struct Launch {
    int cluster_m, cluster_n, split_k;
  };
  constexpr Launch launches[] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1, 1, 4}, {1, 1, 8}};
  tiling::Tiling best{};
  std::int64_t best_cycles = INT64_MAX;
  for (const tiling::CtaTile& tile : tiling::built_tiles) {
    if (tile.element != element) continue;
    for (const Launch& launch : launches) {
      const tiling::Tiling candidate{
          tile.m,           tile.n,           tile.ping_pong, tiling::deepest_stages(tile.m, tile.n),
          launch.cluster_m, launch.cluster_n, launch.split_k};
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
