// Large kernels repeat themselves: their CTAs do the same on every SM. Instead of all of them, a part is played on
// a part of the machine: some SMs with their own work items, an equal share of the L2, link and HBM bandwidth, and
// what each access meets in L2 taken from a walk of the whole kernel through the cache (traffic_pass).
//
// Exact: traffic by level as far as the walk's order is the kernel's, work on the units, tile steps.
// Approximate: time. The property tests compare it with the full play (tests/hw/play/fold_test.cpp).
#pragma once

#include <optional>

#include "hw/play/play.hpp"

namespace rooftile::hw::player {

// Nothing when the kernel is small or too uneven to be played in part.
std::optional<PlayResult> play_folded(const TileProgram& program, const Machine& machine, const PlayOptions& options);

}  // namespace rooftile::hw::player
