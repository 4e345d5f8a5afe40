// A compiled kernel as a table entry.
#pragma once

#include "gemm/kernel.cuh"
#include "gemm/launch.hpp"

namespace rooftile::kernels::gemm {

template <class Tile, class Schedule>
Instance instance() {
  return {Tile::key, reinterpret_cast<const void*>(&gemm_kernel<Tile, Schedule>)};
}

}  // namespace rooftile::kernels::gemm
