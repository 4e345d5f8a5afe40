// The ranks of a collective on a fabric, reduced to what one rank and one node see. On switched fabrics every rank of a
// node and every node look alike, so one of each stands for all; where NVLink joins pairs or a mesh, the ring's
// bandwidth is found from its routes on the graph.
// Not modelled: ranks that share a node unevenly, several collectives at once (schedule.hpp plays those).
#pragma once

#include <cstdint>
#include <string>

#include "hw/fabric/spec.hpp"

namespace rooftile::workloads::collective {

struct Group {
  hw::fabric::FabricSpec fabric;
  std::int64_t ranks = 1, nodes = 1, per_node = 1;
  double wire = 0;     // bytes per second between neighbours of a ring inside a node, each direction
  double longer_hop = 0;  // seconds that the ring's longest hop takes beyond an NVLink hop (PCIe between pairs)
  double network = 0;  // bytes per second in and out of a node, each direction; 0 without a network
  double one_flow = 0; // bytes per second of one send to another node

  bool across() const { return nodes > 1; }
};

// `nodes` 0: as few as hold the ranks. Throws std::invalid_argument when the fabric cannot hold or join them.
Group make_group(const hw::fabric::FabricSpec& fabric, std::int64_t ranks, std::int64_t nodes = 0);

// A name in hw/fabrics, or a path to a YAML file. Throws InputError with the known names.
hw::fabric::FabricSpec load_fabric(const std::string& name_or_path);
// The fabric that lists `system`; with none stated, the smallest of `hardware` that joins as many nodes.
// Throws std::invalid_argument when there is none.
hw::fabric::FabricSpec fabric_for(const std::string& system, const std::string& hardware, std::int64_t nodes);

}  // namespace rooftile::workloads::collective
