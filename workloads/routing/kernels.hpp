// Tile programs of the small kernels around a mixture of experts, as PyTorch runs them: row gather, softmax of the
// router's logits, top-k by radix selection, and the sort of the chosen few.
//
// Modelled: CTAs with their dependent chains, issue slots and traffic. The chains are instruction counts times
// latencies of our microbenchmarks. Not modelled: data-dependent early exits of the selection.
#pragma once

#include "hw/tile_program.hpp"

namespace rooftile::workloads::routing {

// `rows` rows of `cols` elements, each drawn from `source_rows` ones in an order that looks random.
hw::TileProgram gather_rows(std::int64_t source_rows, std::int64_t rows, std::int64_t cols, double bytes);
hw::TileProgram softmax_warps(std::int64_t tokens, std::int64_t experts);
hw::TileProgram radix_top_k(std::int64_t tokens, std::int64_t experts, std::int64_t top_k);
hw::TileProgram bitonic_sort(std::int64_t tokens, std::int64_t top_k);

}  // namespace rooftile::workloads::routing
