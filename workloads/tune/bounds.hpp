// The least time that a tile program can take, without playing it: the busiest unit of the SM that gets the most
// CTAs, the bytes that have to come from HBM, and the bytes that L2 has to give. Never above what playing gives
// (tests/workloads/tune holds it to that), so a program whose bound is worse than a played one needs no play.
// Not in it: latencies, waiting, launch. They only add.
#pragma once

#include <string>

#include "hw/machine.hpp"
#include "hw/tile_program.hpp"

namespace rooftile::workloads::tune {

struct Bound {
  core::Time time;
  std::string by;  // the unit or stretch that sets it
};

Bound lower_bound(const hw::TileProgram& program, const hw::Machine& machine);

// Why the program cannot be launched on the machine, with the numbers; empty when it can.
std::string cannot_launch(const hw::TileProgram& program, const hw::Machine& machine);

}  // namespace rooftile::workloads::tune
