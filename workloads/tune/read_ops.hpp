// The tile ops of a program's YAML.
#pragma once

#include <string>
#include <vector>

#include "workloads/tune/program_spec.hpp"

namespace rooftile::workloads::tune {

struct Names {
  std::vector<std::string> loops, rings, tensors;
};

// One op, from a map with one key; mistakes go to `found`.
std::optional<hw::TileOp> read_op(const input::Node& node, const Names& names, input::Diagnostics& found);

}  // namespace rooftile::workloads::tune
