// From the description of a fabric to its graph.
#pragma once

#include "hw/fabric/topology.hpp"

namespace rooftile::hw::fabric {

void wire(Topology& topology, const FabricSpec& spec);

// Spine switches that keep a two-level fabric non-blocking.
std::int64_t non_blocking_spines(const FabricSpec& spec);

}  // namespace rooftile::hw::fabric
