// The kernel: barriers, roles and register budgets.
#pragma once

#include "gemm/consumer.cuh"
#include "gemm/dense_schedule.cuh"
#include "gemm/producer.cuh"

namespace rooftile::kernels::gemm {

template <class Tile>
__device__ void prepare_barriers(const Arguments& args, const SharedMemory& shared) {
  wgmma::tma_prefetch_descriptor(&args.a);
  wgmma::tma_prefetch_descriptor(&args.b);
  wgmma::tma_prefetch_descriptor(&args.d);
  const int arrivals = release_arrivals(Tile::ping_pong, args.cluster_m, args.cluster_n);
  for (int stage = 0; stage < args.stages; ++stage) {
    wgmma::mbarrier_init(&shared.full[stage], 1);
    wgmma::mbarrier_init(&shared.empty[stage], arrivals);
  }
  wgmma::mbarrier_init_fence();
}

template <class Tile, class Schedule>
__global__ void __launch_bounds__(tiling::threads, 1) gemm_kernel(const __grid_constant__ Arguments args) {
  extern __shared__ __align__(1024) char dynamic_shared[];
  const SharedMemory shared(dynamic_shared);
  const int warp = wgmma::warp_index();
  const bool clustered = args.cluster_m * args.cluster_n > 1;

  if (threadIdx.x == 0) prepare_barriers<Tile>(args, shared);
  Schedule::template prepare<Tile>(args, shared);
  __syncthreads();
  if (clustered) wgmma::cluster_sync();

  if (warp < 4) {
    wgmma::release_registers<tiling::producer_registers>();
    if (warp == 0 && wgmma::elect_one()) produce<Tile, Schedule>(args, shared);
    __syncwarp();
  } else {
    wgmma::acquire_registers<tiling::consumer_registers>();
    const int consumer = warp / 4 - 1;
    if (Tile::ping_pong && consumer == 1) {
      wgmma::named_barrier_arrive(order_barrier, 2 * wgmma::warpgroup_threads);
    }
    consume<Tile, Schedule>(args, shared, consumer);
  }
  // Peers may still multicast into this CTA's stages or arrive at its barriers.
  if (clustered) wgmma::cluster_sync();
}

}  // namespace rooftile::kernels::gemm
