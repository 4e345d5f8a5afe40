// A loop of wgmma instructions of one shape, as a body for timed<>: used alone, beside shared-memory loads and beside
// copies.
#pragma once

#include "micro/probe.cuh"
#include "micro/wgmma_extra.cuh"
#include "wgmma/tma.cuh"
#include "wgmma/wgmma.cuh"

namespace rooftile::kernels::micro {

enum class Kind { bf16_ss, bf16_rs, e4m3_ss, e4m3_rs, tf32_ss };

inline constexpr int a_tile_bytes = 8 * 1024;   // 64 rows of 128 B
inline constexpr int b_tile_bytes = 32 * 1024;  // 256 rows of 128 B
inline constexpr int wgmma_smem_bytes = 2 * (a_tile_bytes + b_tile_bytes) + 1024;

__device__ __forceinline__ char* aligned_smem() {
  extern __shared__ char raw[];
  return raw + ((1024 - (wgmma::smem_address(raw) & 1023)) & 1023);
}

template <Kind kind, int N>
__device__ __forceinline__ void one_wgmma(float (&d)[N / 2], const std::uint32_t (&fragment)[4], std::uint64_t a,
                                          std::uint64_t b) {
  if constexpr (N == 8 && kind == Kind::bf16_ss) {
    Wgmma8::bf16_ss(d, a, b, 1);
  } else if constexpr (N == 8) {
    Wgmma8::bf16_rs(d, fragment, b, 1);
  } else if constexpr (kind == Kind::bf16_ss) {
    wgmma::Wgmma<N>::bf16_ss(d, a, b, 1);
  } else if constexpr (kind == Kind::bf16_rs) {
    wgmma::Wgmma<N>::bf16_rs(d, fragment, b, 1);
  } else if constexpr (kind == Kind::e4m3_ss) {
    wgmma::Wgmma<N>::e4m3_ss(d, a, b, 1);
  } else if constexpr (kind == Kind::e4m3_rs) {
    wgmma::Wgmma<N>::e4m3_rs(d, fragment, b, 1);
  } else if constexpr (N == 64) {
    WgmmaTf32N64::ss(d, a, b, 1);
  } else {
    WgmmaTf32N128::ss(d, a, b, 1);
  }
}

// `groups` groups of PerGroup instructions, all into the same accumulators; a group is waited for one group later, or,
// with Drain, before the next begins. Every warpgroup works on its own operands.
template <Kind kind, int N, int PerGroup, bool Drain>
__device__ __forceinline__ void wgmma_loop(int groups, int warpgroup) {
  char* const smem = aligned_smem() + warpgroup * (a_tile_bytes + b_tile_bytes);
  const std::uint64_t a = wgmma::make_descriptor(smem);
  const std::uint64_t b = wgmma::make_descriptor(smem + a_tile_bytes);
  float d[N / 2] = {};
  // From memory, so that the compiler does not know that they are zero and keeps them in registers.
  std::uint32_t fragment[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) fragment[i] = reinterpret_cast<const volatile std::uint32_t*>(smem)[i];
  for (int i = 0; i < groups; ++i) {
    wgmma::warpgroup_fence();
#pragma unroll
    for (int j = 0; j < PerGroup; ++j) {
      const int k = (j % 4) * 32;
      one_wgmma<kind, N>(d, fragment, wgmma::advance_descriptor(a, k), wgmma::advance_descriptor(b, k));
    }
    wgmma::warpgroup_commit();
    wgmma::warpgroup_wait<Drain ? 0 : 1>();
  }
  wgmma::warpgroup_wait<0>();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < N / 2; ++i) sum += d[i];
  sink(sum);
}

__device__ __forceinline__ void clear_operands() {
  char* const smem = aligned_smem();
  for (int i = static_cast<int>(threadIdx.x) * 4; i < wgmma_smem_bytes - 1024; i += static_cast<int>(blockDim.x) * 4) {
    *reinterpret_cast<std::uint32_t*>(smem + i) = 0;
  }
  wgmma::fence_proxy_async();
}

}  // namespace rooftile::kernels::micro
