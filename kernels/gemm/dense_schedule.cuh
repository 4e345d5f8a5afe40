// The order in which persistent CTAs take the output tiles of one matrix product.
#pragma once

#include "gemm/arguments.cuh"

namespace rooftile::kernels::gemm {

// Position of a tile in a raster that runs through `group` rows of tiles column by column before it moves on, so that
// the CTAs at work at one time share rows of A and of B in L2.
struct RasterTile {
  int m, n;
};

__device__ __forceinline__ RasterTile raster(int index, int rows, int columns, int group) {
  const int first = index / (group * columns) * group;
  const int height = min(group, rows - first);
  const int inside = index - first * columns;
  const int column = inside / height;
  return {first + inside - column * height, column};
}

// Cluster c takes items c, c + clusters, ...; an item is a cluster of tiles, and all tiles of one split come before the
// next split's. Every role walks the same sequence on its own.
class DenseSchedule {
 public:
  static constexpr bool shares_rows = true;  // rows past a tile's end do not exist: the copy engine drops them

  template <class>
  static __device__ void prepare(const Arguments&, const SharedMemory&) {}

  __device__ DenseSchedule(const Arguments& args, const SharedMemory&) : args_(args) {
    const int cluster = args.cluster_m * args.cluster_n;
    const int rank = blockIdx.x % cluster;
    units_m_ = (args.tiles_m + args.cluster_m - 1) / args.cluster_m;
    units_n_ = (args.tiles_n + args.cluster_n - 1) / args.cluster_n;
    inner_m_ = rank % args.cluster_m;
    inner_n_ = rank / args.cluster_m;
    item_ = blockIdx.x / cluster;
    step_ = gridDim.x / cluster;
  }

  template <class Tile>
  __device__ bool next(Work& work) {
    const int units = units_m_ * units_n_;
    if (item_ >= units * args_.splits) return false;
    work.split = item_ / units;
    const RasterTile unit = raster(item_ - work.split * units, units_m_, units_n_, args_.raster_group);
    work.a_row = (unit.m * args_.cluster_m + inner_m_) * Tile::m;
    work.column = (unit.n * args_.cluster_n + inner_n_) * Tile::n;
    work.b_row = work.column;
    work.row_end = args_.m;
    work.k_first = work.split * args_.k_blocks / args_.splits;
    work.k_blocks = (work.split + 1) * args_.k_blocks / args_.splits - work.k_first;
    item_ += step_;
    return true;
  }

 private:
  const Arguments& args_;
  int units_m_, units_n_, inner_m_, inner_n_;
  int item_, step_;
};

}  // namespace rooftile::kernels::gemm
