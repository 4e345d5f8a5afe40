// The consumer role of warp-specialised Hopper GEMMs, dense or grouped.
#pragma once

#include "workloads/gemm/program.hpp"

namespace rooftile::workloads::gemm {

inline constexpr std::uint8_t kStages = 0;  // the ring of operand stages

// Bytes that the tensor core reads from shared memory for one k-step.
double operand_bytes(const Schedule& schedule);
// Consumer `index`: waits for stages, multiplies, then stores its tile in `epilogue_pieces` pieces to the boxes `d`.
hw::Role consumer(const Schedule& schedule, int index, int epilogue_pieces, double piece_elements, const hw::Box& d);

}  // namespace rooftile::workloads::gemm
