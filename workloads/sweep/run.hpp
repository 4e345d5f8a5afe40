// Runs the points of a sweep on all cores and puts them into a store.
//
// Points are independent; how many threads there are does not change the rows. What the store
// holds already is not run again. A point whose scenario cannot be read or launched becomes a row that says
// why; a broken invariant stops the sweep (core::InvariantError), with what was committed kept.
#pragma once

#include <functional>

#include "workloads/sweep/store.hpp"
#include "workloads/sweep/sweep.hpp"

namespace rooftile::workloads::sweep {

// Every `count`-th point, from the `index`-th (counted from 1).
struct Shard {
  PointId index = 1, count = 1;
};

struct RunProgress {
  PointId done = 0, all = 0;
  std::optional<double> best;  // of the first objective
};

struct RunOptions {
  int jobs = 0;  // 0: all cores
  Shard shard;
  std::function<void(const RunProgress&)> progress;
};

void run(const Sweep& sweep, Store& store, const Evaluate& evaluate, const RunOptions& options);

}  // namespace rooftile::workloads::sweep
