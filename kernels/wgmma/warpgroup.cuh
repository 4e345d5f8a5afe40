// Warp and warpgroup roles: who am I, one thread of a warp, and register budgets.
#pragma once

#include <cstdint>

namespace rooftile::kernels::wgmma {

inline constexpr int warp_threads = 32;
inline constexpr int warpgroup_threads = 128;

// The same value in all lanes, in a form the compiler knows to be warp-uniform.
__device__ __forceinline__ int warp_index() { return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0); }

__device__ __forceinline__ int warpgroup_index() { return warp_index() / 4; }

// True in exactly one lane of a converged warp.
__device__ __forceinline__ bool elect_one() {
  std::uint32_t elected;
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "elect.sync _|p, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, p;\n"
      "}"
      : "=r"(elected));
  return elected != 0;
}

// Registers per thread of the calling warpgroup; multiples of 8 in 24..240. The sum over the warpgroups must not exceed
// what the kernel was launched with (168 x 384 threads: 24 + 240 + 240 or 40 + 232 + 232).
template <int Registers>
__device__ __forceinline__ void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

template <int Registers>
__device__ __forceinline__ void acquire_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

}  // namespace rooftile::kernels::wgmma
