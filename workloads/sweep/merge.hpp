// Joins the stores of the shards of one sweep. Idempotent: a row that is there already must be the same.
#pragma once

#include <string>
#include <vector>

#include "workloads/sweep/store.hpp"

namespace rooftile::workloads::sweep {

struct Merged {
  StoreIdentity identity;
  PointId points = 0, repeated = 0;
};

// `output` may exist: it then counts as an input. It is replaced as a whole or left as it is. InputError when a
// store is of another sweep or version, or when two stores hold different rows for a point.
Merged merge(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace rooftile::workloads::sweep
