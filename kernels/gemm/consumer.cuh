// The consumer role: one warpgroup multiplies the stages of its tiles and stores the result.
#pragma once

#include "gemm/epilogue.cuh"
#include "wgmma/named_barrier.cuh"
#include "wgmma/warpgroup.cuh"
#include "wgmma/wgmma.cuh"

namespace rooftile::kernels::gemm {

// A stage is free when the consumers of every CTA that multicasts into it, or gets its copy from the same load, say so:
// each warp arrives at the `empty` barrier of each CTA in its cluster row and column.
class StageRelease {
 public:
  __device__ explicit StageRelease(const Arguments& args) {
    const int rank = static_cast<int>(wgmma::cluster_rank());
    const int lane = threadIdx.x % wgmma::warp_threads;
    const int row = rank % args.cluster_m;
    const int column = rank / args.cluster_m;
    clustered_ = args.cluster_m * args.cluster_n > 1;
    if (lane < args.cluster_n) {
      peer_ = row + args.cluster_m * lane;
    } else if (lane < args.cluster_n + args.cluster_m - 1) {
      const int other = lane - args.cluster_n;
      peer_ = column * args.cluster_m + other + (other >= row ? 1 : 0);
    }
  }

  __device__ void operator()(std::uint64_t* empty) const {
    if (peer_ < 0) return;
    if (clustered_) {
      wgmma::mbarrier_arrive_remote(empty, static_cast<std::uint32_t>(peer_));
    } else {
      wgmma::mbarrier_arrive(empty);
    }
  }

 private:
  int peer_ = -1;
  bool clustered_;
};

constexpr __host__ __device__ int release_arrivals(bool ping_pong, int cluster_m, int cluster_n) {
  return 4 * (ping_pong ? 1 : tiling::consumers) * (cluster_m + cluster_n - 1);
}

// All products of one stage: four k-steps of 32 bytes, for each 64 rows of the warpgroup's tile.
template <class Tile>
__device__ __forceinline__ void multiply_stage(float (&acc)[Tile::row_blocks][Tile::part_n / 2], const char* a,
                                               const char* b, bool accumulate) {
  const std::uint64_t a_base = wgmma::make_descriptor(a);
  const std::uint64_t b_base = wgmma::make_descriptor(b);
#pragma unroll
  for (int step = 0; step < tiling::row_bytes / 32; ++step) {
    const std::uint64_t b_step = wgmma::advance_descriptor(b_base, 32 * step);
#pragma unroll
    for (int i = 0; i < Tile::row_blocks; ++i) {
      const std::uint64_t a_step = wgmma::advance_descriptor(a_base, 64 * tiling::row_bytes * i + 32 * step);
      if constexpr (!Tile::fp8) {
        wgmma::Wgmma<Tile::part_n>::bf16_ss(acc[i], a_step, b_step, accumulate || step > 0);
      } else {
        wgmma::Wgmma<Tile::part_n>::e4m3_ss(acc[i], a_step, b_step, accumulate || step > 0);
      }
    }
  }
}

// One k-block stays in flight while the next is waited for; the stage before it is then free.
template <class Tile>
__device__ __forceinline__ void main_loop(float (&acc)[Tile::row_blocks][Tile::part_n / 2], const Work& work,
                                          int stages, const SharedMemory& shared, int a_offset, int b_offset,
                                          const StageRelease& release, wgmma::RingPosition& ring) {
  constexpr int bytes = Tile::stage_bytes;
  int previous = ring.stage;
  for (int i = 0; i < work.k_blocks; ++i) {
    wgmma::mbarrier_wait(&shared.full[ring.stage], ring.parity);
    const char* stage = shared.stages + ring.stage * bytes;
    wgmma::warpgroup_fence();
    multiply_stage<Tile>(acc, stage + a_offset, stage + b_offset, i > 0);
    wgmma::warpgroup_commit();
    wgmma::warpgroup_wait<1>();
    if (i > 0) release(&shared.empty[previous]);
    previous = ring.stage;
    ring.advance(stages);
  }
}

template <class Tile, class Schedule>
__device__ void consume(const Arguments& args, const SharedMemory& shared, int consumer) {
  const int first_row = Tile::splits_rows ? consumer * Tile::part_m : 0;
  const int first_column = Tile::splits_columns ? consumer * Tile::part_n : 0;
  const int a_offset = first_row * tiling::row_bytes;
  const int b_offset = (Tile::m + first_column) * tiling::row_bytes;
  const StageRelease release(args);
  Schedule schedule(args, shared);
  wgmma::RingPosition ring;
  Work work;
  float acc[Tile::row_blocks][Tile::part_n / 2];
  for (int turn = 0; schedule.template next<Tile>(work); ++turn) {
    if (Tile::ping_pong && turn % 2 != consumer) {
      ring.skip(work.k_blocks, args.stages);
      continue;
    }
    if (Tile::ping_pong) wgmma::named_barrier_sync(order_barrier + consumer, 2 * wgmma::warpgroup_threads);
    main_loop<Tile>(acc, work, args.stages, shared, a_offset, b_offset, release, ring);
    if (Tile::ping_pong) wgmma::named_barrier_arrive(order_barrier + 1 - consumer, 2 * wgmma::warpgroup_threads);
    wgmma::warpgroup_wait<0>();
#pragma unroll
    for (int i = 0; i < Tile::row_blocks; ++i) wgmma::pin_registers(acc[i]);
    release(&shared.empty[(ring.stage == 0 ? args.stages : ring.stage) - 1]);
    store<Tile, Schedule::shares_rows>(acc, args, work, shared, consumer, first_row, first_column);
  }
  wgmma::tma_store_wait<0>();
}

}  // namespace rooftile::kernels::gemm
