// Named CTA barriers (bar.sync / bar.arrive) among a multiple of 32 threads. Identifier 0 is __syncthreads().
#pragma once

namespace rooftile::kernels::wgmma {

__device__ __forceinline__ void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ __forceinline__ void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

}  // namespace rooftile::kernels::wgmma
