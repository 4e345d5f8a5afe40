// A sweep file: a scenario, the fields that vary, conditions and objectives.
//
//   sweep: what would more L2 buy?
//   scenario: prefill.yaml            # beside this file, or a name in workloads/scenarios, or the map itself
//   vary:                             # crossed, the first one slowest
//     hardware.l2.capacity: [30 MB, 60 MB, 120 MB]
//     hardware.hbm.bandwidth: {from: 3 TB/s, to: 8 TB/s, steps: 6, scale: log}
//   zip:                              # each map is one axis whose fields advance together
//     - {ops.0.m: [1024, 2048], ops.0.batch: [2, 1]}
//   constraints: ["ops.0.m * ops.0.batch <= 2048", "time <= 2 ms"]
//   objectives: [time, energy]        # time, tokens_per_second, energy, memory, cost
//   price_per_hour: 2.5               # for cost
//
// Errors: input::InputError with every mistake, before anything runs.
#pragma once

#include <string>
#include <vector>

#include "workloads/sweep/axes.hpp"
#include "workloads/sweep/constraint.hpp"
#include "workloads/sweep/outcome.hpp"

namespace rooftile::workloads::sweep {

struct Sweep {
  std::string title;
  input::Node scenario;  // as written
  Space space;
  std::vector<Constraint> constraints;
  std::vector<Objective> objectives;
  double price_per_hour = 0;
  std::string hash;      // of the scenario, the axes and the conditions that decide which points run

  bool runs(PointId point) const;                           // meets the conditions on inputs
  bool counts(PointId point, const Outcome& outcome) const;  // ran, and meets those on outputs
};

Sweep read_sweep(const std::string& path);

}  // namespace rooftile::workloads::sweep
