// Streaming a weight matrix as grouped and small-m GEMMs do: clusters of two CTAs, each CTA loads half of a tile of
// 128 weight rows and 128 columns and multicasts it to both, a ring of stages freed by both.
//
// How: eight tiles a cluster over 0.55 GB, chain of 12 calls in a stream that rotate through 4 GiB; terabytes a second
// of unique bytes. Variants: multicast or not, stages, K-major (rows of 256 B, pitch 8 KB) or N-major (rows of 128 B).
#include "micro/probe.cuh"
#include "wgmma/mbarrier.cuh"
#include "wgmma/tensor_map.hpp"
#include "wgmma/tma.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr std::uint64_t kSpan = 4ull * GiB;
constexpr int kTiles = 8, kSteps = 32, kHalf = 16384, kMostStages = 6;

template <bool Multicast, bool KMajor>
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64, 1)
    stream_weights(const __grid_constant__ CUtensorMap map, int first_tile, int stages, int hold) {
  extern __shared__ char raw[];
  char* ring = raw + ((1024 - (wgmma::smem_address(raw) & 1023)) & 1023);
  __shared__ std::uint64_t full[kMostStages], empty[kMostStages];
  const std::uint32_t rank = wgmma::cluster_rank();
  if (threadIdx.x == 0)
    for (int s = 0; s < stages; ++s) {
      wgmma::mbarrier_init(&full[s], 1);
      wgmma::mbarrier_init(&empty[s], Multicast ? 2 : 1);
    }
  wgmma::mbarrier_init_fence();
  wgmma::cluster_sync();
  wgmma::RingPosition at;
  const int steps = kTiles * kSteps;
  if (threadIdx.x == 0) {
    for (int i = 0; i < steps; ++i, at.advance(stages)) {
      wgmma::mbarrier_wait(&empty[at.stage], at.parity ^ 1);
      wgmma::mbarrier_arrive_expect(&full[at.stage], Multicast ? 2 * kHalf : kHalf);
      const int tile = first_tile + static_cast<int>(blockIdx.x / 2) + i / kSteps * static_cast<int>(gridDim.x / 2);
      char* to = ring + at.stage * 2 * kHalf + static_cast<int>(rank) * kHalf;
      for (int half = 0; half < 2; ++half) {
        const int c0 = KMajor ? (i % kSteps) * 128 + half * 64 : (tile * 128 + static_cast<int>(rank) * 64) % 28672;
        const int c1 = KMajor ? tile * 128 + static_cast<int>(rank) * 64 : ((i % kSteps) * 128 + half * 64 + (tile * 128) / 28672 * 4096);
        if constexpr (Multicast) wgmma::tma_load_2d_multicast(to + half * 8192, &map, &full[at.stage], c0, c1, 3);
        else wgmma::tma_load_2d(to + half * 8192, &map, &full[at.stage], c0, c1);
      }
    }
  } else if (threadIdx.x == 32) {
    for (int i = 0; i < steps; ++i, at.advance(stages)) {
      wgmma::mbarrier_wait(&full[at.stage], at.parity);
      const std::uint64_t until = sm_clock() + static_cast<std::uint64_t>(hold);
      while (sm_clock() < until) {
      }
      if constexpr (Multicast) {
        wgmma::mbarrier_arrive_remote(&empty[at.stage], 0);
        wgmma::mbarrier_arrive_remote(&empty[at.stage], 1);
      } else {
        wgmma::mbarrier_arrive_remote(&empty[at.stage], rank);
      }
    }
  }
  __syncthreads();
  wgmma::cluster_sync();
}

template <bool Multicast, bool KMajor>
void measure(Session& session, const Buffer<char>& data, int stages, int hold) {
  auto kernel = stream_weights<Multicast, KMajor>;
  const int shared = kMostStages * 2 * kHalf + 1024;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "weights");
  const CUtensorMap map = KMajor ? wgmma::make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, data.get(), {{4096, kSpan / 8192}, {8192}, {64, 64}})
                                 : wgmma::make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, data.get(), {{28672, kSpan / 57344}, {57344}, {64, 64}});
  const std::string name = std::string("weights.") + (Multicast ? "multicast" : "unicast") + (KMajor ? ".k_major" : ".n_major") + ".stages" +
                           std::to_string(stages) + ".hold" + std::to_string(hold);
  constexpr int calls = 12, tiles_per_call = 66 * kTiles;
  session.measure(name, "TB/s", [&] {
    const double s = seconds([&] {
      for (int i = 0; i < calls; ++i) kernel<<<132, 64, static_cast<std::size_t>(shared)>>>(map, i % 7 * tiles_per_call, stages, hold);
    });
    finish("weights");
    return static_cast<double>(calls) * tiles_per_call * 128 * 8192 / s * 1e-12;
  });
}

void run(Session& session) {
  const Buffer<char> data(kSpan);
  check(cudaMemset(data.get(), 1, kSpan), "weights");
  for (const int stages : {2, 3, 4, 6})
    for (const int hold : {0, 450}) {
      measure<true, true>(session, data, stages, hold);
      measure<false, true>(session, data, stages, hold);
      if (stages == 4) measure<true, false>(session, data, stages, hold);
      if (stages == 4) measure<false, false>(session, data, stages, hold);
    }
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
