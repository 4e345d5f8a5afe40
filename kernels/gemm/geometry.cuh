// The constants of one compiled tile as a type, evaluated here so that device code needs no constexpr calls.
#pragma once

#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

namespace tiling = workloads::gemm;

// (A CtaTile itself as the template argument of a kernel is more than nvcc 13.0 can print into its host stub.)
template <int M, int N, bool PingPong, tiling::Element Type>
struct Tile {
  static constexpr tiling::CtaTile key = {M, N, PingPong, Type};
  static constexpr int m = M, n = N;
  static constexpr bool ping_pong = PingPong;
  static constexpr bool fp8 = Type == tiling::Element::fp8_e4m3;
  static constexpr int k = tiling::tile_k(Type);
  static constexpr int stage_bytes = tiling::stage_bytes(M, N);
  static constexpr bool splits_rows = tiling::splits_rows(key);
  static constexpr bool splits_columns = !PingPong && !splits_rows;
  static constexpr int part_m = tiling::warpgroup_tile(key).m;
  static constexpr int part_n = tiling::warpgroup_tile(key).n;
  static constexpr int row_blocks = part_m / 64;
  static constexpr int chunk_columns = tiling::chunk_columns(key);
  static_assert(tiling::is_built(key), "the list of built tiles must know every kernel");
  static_assert(part_m % 64 == 0 && part_n % 16 == 0, "no wgmma instruction of this shape");
};

}  // namespace rooftile::kernels::gemm
