// One-dimensional bulk copies by the copy engine (no descriptor), beside the tensor copies of wgmma/tma.cuh.
#pragma once

#include <cstdint>

#include "wgmma/mbarrier.cuh"

namespace rooftile::kernels::micro {

__device__ __forceinline__ void bulk_load(void* to, const void* from, std::uint32_t bytes, std::uint64_t* full) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   wgmma::smem_address(to)),
               "l"(from), "r"(bytes), "r"(wgmma::smem_address(full))
               : "memory");
}

// Keeps `stages` copies of `bytes` each in flight, `count` in total, round a span of global memory.
struct BulkStream {
  const char* base;
  std::uint64_t span;    // bytes, a power of two
  std::uint64_t stride;  // bytes between successive copies of this CTA
  std::uint32_t bytes;
  int stages;

  __device__ const char* source(std::uint64_t index, std::uint64_t first) const {
    return base + ((first + index * stride) & (span - 1));
  }
};

}  // namespace rooftile::kernels::micro
