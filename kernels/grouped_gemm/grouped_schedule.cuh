// The order in which persistent CTAs take the tiles of all groups, from row counts that only the device knows.
#pragma once

#include "gemm/dense_schedule.cuh"

namespace rooftile::kernels::grouped_gemm {

using gemm::Arguments;
using gemm::SharedMemory;
using gemm::Work;

// Items are numbered through the groups, so a CTA that steps by the number of clusters walks the list of groups once.
class GroupedSchedule {
 public:
  static constexpr bool shares_rows = false;  // the next rows are another group's

  template <class>
  static __device__ void prepare(const Arguments& args, const SharedMemory& shared) {
    for (int i = threadIdx.x; i < args.groups; i += blockDim.x) shared.group_ends[i] = args.group_ends[i];
  }

  __device__ GroupedSchedule(const Arguments& args, const SharedMemory& shared)
      : args_(args), ends_(shared.group_ends) {
    const int cluster = args.cluster_m * args.cluster_n;
    const int rank = blockIdx.x % cluster;
    inner_m_ = rank % args.cluster_m;
    inner_n_ = rank / args.cluster_m;
    units_n_ = (args.tiles_n + args.cluster_n - 1) / args.cluster_n;
    item_ = blockIdx.x / cluster;
    step_ = gridDim.x / cluster;
  }

  template <class Tile>
  __device__ bool next(Work& work) {
    const int unit_rows = Tile::m * args_.cluster_m;
    int units_m = 0;
    for (; group_ < args_.groups; ++group_) {
      units_m = (ends_[group_] - first_row_ + unit_rows - 1) / unit_rows;
      if (item_ < first_item_ + units_m * units_n_) break;
      first_item_ += units_m * units_n_;
      first_row_ = ends_[group_];
    }
    if (group_ == args_.groups) return false;
    const gemm::RasterTile unit = gemm::raster(item_ - first_item_, units_m, units_n_, args_.raster_group);
    work.a_row = first_row_ + (unit.m * args_.cluster_m + inner_m_) * Tile::m;
    work.column = (unit.n * args_.cluster_n + inner_n_) * Tile::n;
    work.b_row = group_ * args_.n + work.column;
    work.row_end = ends_[group_];
    work.k_first = 0;
    work.k_blocks = args_.k_blocks;
    work.split = 0;
    item_ += step_;
    return true;
  }

 private:
  const Arguments& args_;
  const int* ends_;
  int inner_m_, inner_n_, units_n_;
  int item_, step_;
  int group_ = 0, first_item_ = 0, first_row_ = 0;
};

}  // namespace rooftile::kernels::grouped_gemm
