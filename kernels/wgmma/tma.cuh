// Tensor copies by the copy engine (TMA): device side. Descriptors are made on the host by tensor_map.hpp and passed as
// `const __grid_constant__ CUtensorMap` parameters.
//
// Coordinates are elements, innermost dimension first. Loads fill what lies outside the tensor with zeros and still
// count the whole box in bytes; stores drop it. Every call below is made by one thread.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "wgmma/mbarrier.cuh"

namespace rooftile::kernels::wgmma {

__device__ __forceinline__ void tma_prefetch_descriptor(const CUtensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

__device__ __forceinline__ void tma_load_2d(void* to, const CUtensorMap* map, std::uint64_t* full, int c0, int c1) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
          smem_address(to)),
      "l"(map), "r"(smem_address(full)), "r"(c0), "r"(c1)
      : "memory");
}

__device__ __forceinline__ void tma_load_3d(void* to, const CUtensorMap* map, std::uint64_t* full, int c0, int c1,
                                            int c2) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::
          "r"(smem_address(to)),
      "l"(map), "r"(smem_address(full)), "r"(c0), "r"(c1), "r"(c2)
      : "memory");
}

__device__ __forceinline__ void tma_load_4d(void* to, const CUtensorMap* map, std::uint64_t* full, int c0, int c1,
                                            int c2, int c3) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], "
      "[%2];" ::"r"(smem_address(to)),
      "l"(map), "r"(smem_address(full)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}

// Writes the box to the same offset in the shared memory of every CTA of `mask` and signals each one's `full`.
__device__ __forceinline__ void tma_load_2d_multicast(void* to, const CUtensorMap* map, std::uint64_t* full, int c0,
                                                      int c1, std::uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, "
      "%4}], [%2], %5;" ::"r"(smem_address(to)),
      "l"(map), "r"(smem_address(full)), "r"(c0), "r"(c1), "h"(mask)
      : "memory");
}

__device__ __forceinline__ void tma_store_2d(const CUtensorMap* map, const void* from, int c0, int c1) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(smem_address(from)), "r"(c0), "r"(c1)
               : "memory");
}

__device__ __forceinline__ void tma_store_3d(const CUtensorMap* map, const void* from, int c0, int c1, int c2) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
               "r"(smem_address(from)), "r"(c0), "r"(c1), "r"(c2)
               : "memory");
}

__device__ __forceinline__ void tma_store_4d(const CUtensorMap* map, const void* from, int c0, int c1, int c2, int c3) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
               "r"(smem_address(from)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
               : "memory");
}

// Adds the box to global memory (element type of the descriptor) instead of overwriting it.
__device__ __forceinline__ void tma_reduce_add_3d(const CUtensorMap* map, const void* from, int c0, int c1, int c2) {
  asm volatile("cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
               "r"(smem_address(from)), "r"(c0), "r"(c1), "r"(c2)
               : "memory");
}

__device__ __forceinline__ void tma_reduce_add_4d(const CUtensorMap* map, const void* from, int c0, int c1, int c2,
                                                  int c3) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
      "r"(smem_address(from)), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}

__device__ __forceinline__ void tma_store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// Waits until all but the newest `Pending` groups of this thread have read their shared memory (which may be reused).
template <int Pending>
__device__ __forceinline__ void tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

// The same, until their writes are done.
template <int Pending>
__device__ __forceinline__ void tma_store_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}

// Orders this thread's ordinary shared-memory accesses before later accesses by the copy engine or by wgmma; a barrier
// follows before another thread starts them.
__device__ __forceinline__ void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

}  // namespace rooftile::kernels::wgmma
