// The tile schedule of a Hopper GEMM: what a kernel is compiled for, what it is launched with, and what that costs in
// shared memory and registers. Shared by the CUDA kernels and by the simulator's tile programs.
//
// D[m, n] = A[m, k] * B[n, k]^T, both inputs K-major. One CTA has three warpgroups: a producer (one thread starts the
// copies) and two consumers. Cooperative consumers halve one output tile; ping-pong consumers own a tile each and take
// turns at the tensor cores, so that the stores of one hide behind the products of the other.
#pragma once

#include <array>
#include <cstdint>

namespace rooftile::workloads::gemm {

enum class Element : std::uint8_t { bf16, fp8_e4m3 };

constexpr int element_bytes(Element element) { return element == Element::bf16 ? 2 : 1; }

// What a kernel is compiled for.
struct CtaTile {
  int m = 128;
  int n = 128;
  bool ping_pong = false;
  Element element = Element::bf16;

  friend constexpr bool operator==(const CtaTile&, const CtaTile&) = default;
};

// A whole schedule; the last line is chosen at launch.
struct Tiling {
  int tile_m = 128;
  int tile_n = 128;
  bool ping_pong = false;
  int stages = 4, cluster_m = 1, cluster_n = 1, split_k = 1, raster_group = 8;

  friend constexpr bool operator==(const Tiling&, const Tiling&) = default;
};

constexpr CtaTile cta_tile(const Tiling& tiling, Element element) {
  return {tiling.tile_m, tiling.tile_n, tiling.ping_pong, element};
}

inline constexpr int row_bytes = 128;  // one k-block of one row: the widest swizzle
inline constexpr int consumers = 2;
inline constexpr int threads = 128 * (1 + consumers);
inline constexpr int launch_registers = 168;  // x 384 threads = what 40 + 232 + 232 add up to
inline constexpr int producer_registers = 40;
inline constexpr int consumer_registers = 232;
inline constexpr int max_stages = 12;

constexpr int tile_k(Element element) { return row_bytes / element_bytes(element); }

// What one consumer warpgroup accumulates: all of the tile in ping-pong, else half of it, along m where that leaves
// whole 64-row instructions.
struct WarpgroupTile {
  int m, n;
};

constexpr bool splits_rows(const CtaTile& tile) { return !tile.ping_pong && tile.m % 128 == 0; }

constexpr WarpgroupTile warpgroup_tile(const CtaTile& tile) {
  if (tile.ping_pong) return {tile.m, tile.n};
  return splits_rows(tile) ? WarpgroupTile{tile.m / 2, tile.n} : WarpgroupTile{tile.m, tile.n / 2};
}

// The epilogue leaves through shared memory in chunks of 64 rows, two buffers per consumer.
inline constexpr int chunk_rows = 64;
inline constexpr int chunk_bytes = chunk_rows * row_bytes;
inline constexpr int chunk_buffers = 2;

constexpr int chunk_columns(const CtaTile& tile) { return warpgroup_tile(tile).n % 64 == 0 ? 64 : 32; }

inline constexpr int store_bytes = consumers * chunk_buffers * chunk_bytes;
inline constexpr int control_bytes = 2048;  // barriers; group offsets of the grouped kernel
inline constexpr int shared_memory_limit = 232448;

constexpr int stage_bytes(int tile_m, int tile_n) { return (tile_m + tile_n) * row_bytes; }

constexpr int shared_memory_bytes(const Tiling& tiling) {
  return store_bytes + control_bytes + tiling.stages * stage_bytes(tiling.tile_m, tiling.tile_n);
}

constexpr int deepest_stages(int tile_m, int tile_n) {
  const int fit = (shared_memory_limit - store_bytes - control_bytes) / stage_bytes(tile_m, tile_n);
  return fit < max_stages ? fit : max_stages;
}

// Rows of A that one tile loads of a tensor of m rows: whole groups of 8 rows per multicast slice. Rows beyond the
// tensor would arrive as zeros, and dearly: at 16 x 8192 x 28672 with 64 x 64 tiles, whole boxes took 158 us, these 113
// us (one H200). What the tile then holds instead only reaches rows of D that nobody stores.
constexpr int loaded_rows(const Tiling& tiling, int m) {
  const int unit = 8 * tiling.cluster_n;
  const int rows = (m + unit - 1) / unit * unit;
  return rows < tiling.tile_m ? rows : tiling.tile_m;
}

// Every tile with a compiled kernel.
inline constexpr std::array built_tiles = {
    CtaTile{64, 64, true, Element::bf16},        CtaTile{64, 128, true, Element::bf16},
    CtaTile{64, 256, true, Element::bf16},       CtaTile{128, 128, true, Element::bf16},
    CtaTile{128, 128, false, Element::bf16},     CtaTile{128, 192, false, Element::bf16},
    CtaTile{192, 128, false, Element::bf16},     CtaTile{192, 192, false, Element::bf16},
    CtaTile{128, 256, false, Element::bf16},     CtaTile{256, 128, false, Element::bf16},
    CtaTile{64, 128, true, Element::fp8_e4m3},   CtaTile{128, 128, true, Element::fp8_e4m3},
    CtaTile{128, 256, false, Element::fp8_e4m3}, CtaTile{256, 128, false, Element::fp8_e4m3},
};

constexpr bool is_built(const CtaTile& tile) {
  for (const CtaTile& built : built_tiles) {
    if (built == tile) return true;
  }
  return false;
}

constexpr bool is_valid(const Tiling& tiling, Element element) {
  const int cluster = tiling.cluster_m * tiling.cluster_n;
  return is_built(cta_tile(tiling, element)) && tiling.stages >= 2 &&
         tiling.stages <= deepest_stages(tiling.tile_m, tiling.tile_n) && cluster >= 1 && cluster <= 2 &&
         tiling.split_k >= 1 && tiling.raster_group >= 1;
}

}  // namespace rooftile::workloads::gemm
