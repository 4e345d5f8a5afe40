// What a GEMM kernel gets at launch: descriptors, the schedule's run-time half, and where split-K partials go.
#pragma once

#include <cuda.h>
#include <cuda_bf16.h>

#include "gemm/geometry.cuh"
#include "wgmma/mbarrier.cuh"

namespace rooftile::kernels::gemm {

struct Arguments {
  CUtensorMap a, b, d;
  int m, n, k_blocks;
  int tiles_m, tiles_n;
  int a_rows;  // rows of A that a tile loads: all, or few when the tensor has few
  int stages, cluster_m, cluster_n, raster_group, splits;
  float* partial;         // [splits][m][pitch], only when splits > 1
  __nv_bfloat16* out;     // D again, for rows that the copy engine may not store (grouped kernel)
  int pitch;              // elements between rows of D and of the partials
  const int* group_ends;  // grouped kernel: rows of A up to and including each group
  int groups;
};

// One output tile, or one split of it.
struct Work {
  int a_row;    // first row of A and D
  int b_row;    // first row of B
  int column;   // first column of D
  int row_end;  // rows from here on belong to someone else
  int k_first;  // in k-blocks
  int k_blocks;
  int split;
};

// Dynamic shared memory: store buffers, barriers and group ends, then the stages; each 1024-byte aligned, as the
// 128-byte swizzle wants. Multicast needs the same offsets in all CTAs of a cluster.
struct SharedMemory {
  char* store;
  std::uint64_t* full;
  std::uint64_t* empty;
  int* group_ends;
  char* stages;

  __device__ explicit SharedMemory(char* base)
      : store(base),
        full(reinterpret_cast<std::uint64_t*>(base + tiling::store_bytes)),
        empty(full + tiling::max_stages),
        group_ends(reinterpret_cast<int*>(empty + tiling::max_stages)),
        stages(base + tiling::store_bytes + tiling::control_bytes) {}
};

}  // namespace rooftile::kernels::gemm
