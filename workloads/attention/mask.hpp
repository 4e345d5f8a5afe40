// `mask` as people write it: a name, or a mapping with a kind and its numbers.
#pragma once

#include "sim/core/input/fields.hpp"
#include "workloads/attention/shape.hpp"

namespace rooftile::workloads::attention {

// Fills the mask of `shape`; mistakes go to `found`. A null node means no mask.
void read_mask(const input::Node& node, Shape& shape, input::Diagnostics& found);

}  // namespace rooftile::workloads::attention
