// The finish of a tile: accumulators to bf16, through swizzled shared memory, out by the copy engine. Split-K partials
// go straight from registers to fp32 global memory.
#pragma once

#include "gemm/arguments.cuh"
#include "wgmma/named_barrier.cuh"
#include "wgmma/tma.cuh"
#include "wgmma/warpgroup.cuh"

namespace rooftile::kernels::gemm {

// Named barriers 1..2 order ping-pong turns, 3..4 belong to each consumer's epilogue.
inline constexpr int order_barrier = 1;
inline constexpr int store_barrier = 3;

__device__ __forceinline__ std::uint32_t pack(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
}

// Address of 16-byte piece `piece` of a row in a chunk, as the copy engine swizzles it: rows of 128 bytes exchange
// their 8 pieces by row % 8, rows of 64 bytes their 4 pieces by row / 2 % 4.
template <int Columns>
__device__ __forceinline__ char* chunk_piece(char* chunk, int row, int piece) {
  constexpr int pieces = Columns / 8;
  const int swizzled = piece ^ (Columns == 64 ? row % 8 : row / 2 % 4);
  return chunk + (row * pieces + swizzled) * 16;
}

// 64 rows x `Columns` of accumulators: two 8x8 blocks below each other and two beside each other per instruction.
template <int Columns>
__device__ __forceinline__ void write_chunk(const float* acc, char* chunk) {
  const int lane = threadIdx.x % 32;
  const int row = threadIdx.x % 128 / 32 * 16 + lane % 16;
#pragma unroll
  for (int pair = 0; pair < Columns / 16; ++pair) {
    const float* block = acc + 8 * pair;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     wgmma::smem_address(chunk_piece<Columns>(chunk, row, 2 * pair + lane / 16))),
                 "r"(pack(block[0], block[1])), "r"(pack(block[2], block[3])), "r"(pack(block[4], block[5])),
                 "r"(pack(block[6], block[7]))
                 : "memory");
  }
}

// Rows before `row_end` only, 16 bytes at a time; the pitch of D is a multiple of that.
__device__ __forceinline__ void copy_rows(const Arguments& args, char* chunk, int row, int column, int row_end) {
  const int piece = threadIdx.x % 8;
  if (column + 8 * piece >= args.n) return;
  for (int r = threadIdx.x % 128 / 8; r < min(tiling::chunk_rows, row_end - row); r += 16) {
    __nv_bfloat16* to = args.out + static_cast<std::int64_t>(row + r) * args.pitch + column + 8 * piece;
    *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(chunk_piece<64>(chunk, r, piece));
  }
}

template <int Count>
__device__ __forceinline__ void store_partial(const float (&acc)[Count], const Arguments& args, int split, int row,
                                              int column) {
  const int lane = threadIdx.x % 32;
  row += threadIdx.x % 128 / 32 * 16 + lane / 4;
  column += lane % 4 * 2;
  float* to = args.partial + (static_cast<std::int64_t>(split) * args.m + row) * args.pitch + column;
#pragma unroll
  for (int j = 0; j < Count / 4; ++j) {
    if (column + 8 * j >= args.pitch) break;
    if (row < args.m) *reinterpret_cast<float2*>(to + 8 * j) = {acc[4 * j], acc[4 * j + 1]};
    if (row + 8 < args.m) {
      *reinterpret_cast<float2*>(to + 8 * args.pitch + 8 * j) = {acc[4 * j + 2], acc[4 * j + 3]};
    }
  }
}

template <class Tile, bool SharesRows, int RowBlocks, int Count>
__device__ __forceinline__ void store(const float (&acc)[RowBlocks][Count], const Arguments& args, const Work& work,
                                      const SharedMemory& shared, int consumer, int first_row, int first_column) {
  constexpr int columns = Tile::chunk_columns;
  constexpr int chunks = 2 * Count / columns;
  static_assert(SharesRows || columns == 64, "copy_rows reads 64-column chunks");
  const bool issuer = threadIdx.x % wgmma::warpgroup_threads == 0;
  char* buffers = shared.store + consumer * tiling::chunk_buffers * tiling::chunk_bytes;
#pragma unroll
  for (int i = 0; i < RowBlocks; ++i) {
    const int row = work.a_row + first_row + tiling::chunk_rows * i;
    if (args.splits > 1) {
      store_partial(acc[i], args, work.split, row, work.column + first_column);
      continue;
    }
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      const int column = work.column + first_column + c * columns;
      char* chunk = buffers + (i * chunks + c) % tiling::chunk_buffers * tiling::chunk_bytes;
      if (issuer) wgmma::tma_store_wait_read<tiling::chunk_buffers - 1>();
      wgmma::named_barrier_sync(store_barrier + consumer, wgmma::warpgroup_threads);
      write_chunk<columns>(&acc[i][c * columns / 2], chunk);
      wgmma::fence_proxy_async();
      wgmma::named_barrier_sync(store_barrier + consumer, wgmma::warpgroup_threads);
      if (SharesRows || row + tiling::chunk_rows <= work.row_end) {
        if (issuer) wgmma::tma_store_2d(&args.d, chunk, column, row);
      } else {
        copy_rows(args, chunk, row, column, work.row_end);
      }
      if (issuer) wgmma::tma_store_commit();
    }
  }
}

}  // namespace rooftile::kernels::gemm
