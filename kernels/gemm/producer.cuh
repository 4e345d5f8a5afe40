// The producer role: one thread keeps the ring of stages filled through the copy engine.
#pragma once

#include "gemm/arguments.cuh"
#include "wgmma/tma.cuh"

namespace rooftile::kernels::gemm {

// In a cluster, CTAs of one row need the same A tile and CTAs of one column the same B tile. Each loads one slice of it
// and multicasts the slice to the others.
template <class Tile>
class Loader {
 public:
  __device__ explicit Loader(const Arguments& args) : args_(args) {
    const int rank = static_cast<int>(wgmma::cluster_rank());
    row_ = rank % args.cluster_m;
    column_ = rank / args.cluster_m;
    a_rows_ = args.a_rows / args.cluster_n;
    b_rows_ = Tile::n / args.cluster_m;
    for (int j = 0; j < args.cluster_n; ++j) a_mask_ |= 1u << (row_ + args.cluster_m * j);
    for (int i = 0; i < args.cluster_m; ++i) b_mask_ |= 1u << (column_ * args.cluster_m + i);
  }

  __device__ void load(const Work& work, int k_block, char* stage, std::uint64_t* full) const {
    const int k = k_block * Tile::k;
    const int a_slice = column_ * a_rows_;
    const int b_slice = row_ * b_rows_;
    slice(&args_.a, stage + a_slice * tiling::row_bytes, full, k, work.a_row + a_slice, args_.cluster_n, a_mask_);
    slice(&args_.b, stage + (Tile::m + b_slice) * tiling::row_bytes, full, k, work.b_row + b_slice, args_.cluster_m,
          b_mask_);
  }

 private:
  __device__ static void slice(const CUtensorMap* map, char* to, std::uint64_t* full, int k, int row, int receivers,
                               unsigned mask) {
    if (receivers == 1) {
      wgmma::tma_load_2d(to, map, full, k, row);
    } else {
      wgmma::tma_load_2d_multicast(to, map, full, k, row, static_cast<std::uint16_t>(mask));
    }
  }

  const Arguments& args_;
  int row_, column_, a_rows_, b_rows_;
  unsigned a_mask_ = 0, b_mask_ = 0;
};

template <class Tile, class Schedule>
__device__ void produce(const Arguments& args, const SharedMemory& shared) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(args.a_rows + Tile::n) * tiling::row_bytes;
  const Loader<Tile> loader(args);
  Schedule schedule(args, shared);
  wgmma::RingPosition ring;
  Work work;
  while (schedule.template next<Tile>(work)) {
    for (int i = 0; i < work.k_blocks; ++i, ring.advance(args.stages)) {
      wgmma::mbarrier_wait(&shared.empty[ring.stage], ring.parity ^ 1);
      wgmma::mbarrier_arrive_expect(&shared.full[ring.stage], bytes);
      loader.load(work, work.k_first + i, shared.stages + ring.stage * Tile::stage_bytes, &shared.full[ring.stage]);
    }
  }
}

}  // namespace rooftile::kernels::gemm
