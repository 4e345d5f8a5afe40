// Tile program of a grouped GEMM on Hopper (CUTLASS pointer-array kernels): products of unequal row counts, one weight
// matrix each, tiles of all groups handed to persistent clusters in order.
//
// Modelled: a tile that sticks out of its group is computed whole, loaded and stored as far as rows exist; a cluster of
// two along m computes a tile without rows beside an odd last one; the tensor maps are rewritten when a cluster turns to
// another group. Not modelled: the order of groups within one tile row.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/gemm/program.hpp"

namespace rooftile::workloads::grouped_gemm {

struct Shape {
  std::vector<std::int64_t> rows_per_group;
  std::int64_t n = 1, k = 1;
  std::int64_t rows() const;
};

hw::TileProgram program(const Shape& shape, const gemm::Schedule& schedule, int sms);
// Reads the group ends and writes pointers and shapes for the kernel: one CTA, a thread a group.
hw::TileProgram prepare(std::int64_t groups);

}  // namespace rooftile::workloads::grouped_gemm
