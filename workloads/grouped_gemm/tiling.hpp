// The tile schedule of a grouped GEMM: products of unequal row counts against one weight matrix each, in one launch.
//
// Rows of A and D are packed: group g owns the rows between the ends of groups g - 1 and g. Every group is cut into
// tiles of its own; a tile that sticks out of its group is computed whole and stored up to the group's end. The counts
// are read on the device, so the grid is always one CTA per multiprocessor.
#pragma once

#include <array>

#include "workloads/gemm/tiling.hpp"

namespace rooftile::workloads::grouped_gemm {

using gemm::CtaTile;
using gemm::Element;
using gemm::Tiling;

// Every tile with a compiled kernel. Stages, cluster and raster are chosen at launch, split_k is 1.
inline constexpr std::array built_tiles = {
    CtaTile{64, 128, true, Element::bf16},
    CtaTile{64, 256, true, Element::bf16},
    CtaTile{128, 128, true, Element::bf16},
    CtaTile{128, 256, false, Element::bf16},
};

constexpr bool has_kernel(const CtaTile& tile) {
  for (const CtaTile& built : built_tiles) {
    if (built == tile) return true;
  }
  return false;
}

constexpr bool is_valid(const Tiling& tiling) {
  return has_kernel(gemm::cta_tile(tiling, Element::bf16)) && gemm::is_valid(tiling, Element::bf16) &&
         tiling.split_k == 1;
}

// Group ends share a page of shared memory with the barriers of the stages.
inline constexpr int most_groups = (gemm::control_bytes - 16 * gemm::max_stages) / 4;

}  // namespace rooftile::workloads::grouped_gemm
