// Plays one tile program on a machine: CTAs are launched, roles run their ops, units are shared, memory
// answers. Deterministic. Throws core::InvariantError naming who waits for what when a program dries up with
// work unfinished, and input::InputError-free: check `occupancy` first, an impossible launch is an invariant.
#pragma once

#include "hw/machine.hpp"
#include "hw/memory.hpp"
#include "hw/play/result.hpp"
#include "hw/tile_program.hpp"

namespace rooftile::hw {

struct PlayOptions {
  double stale_dirty = 0;        // dirty share of what L2 holds at the start
  bool cold_l2 = false;          // true: L2 is empty and clean at the start
  bool warm_inputs = false;      // every tensor is in L2 at the start
  bool profiled = false;         // under a profiler that flushes every cache before
  bool exact = false;            // play every CTA, however alike they are (docs/sweeps.md)
  PlayObserver* observer = nullptr;  // told about every CTA, so the play is exact
};

PlayResult play(const TileProgram& program, const Machine& machine, const PlayOptions& options = {});

}  // namespace rooftile::hw
