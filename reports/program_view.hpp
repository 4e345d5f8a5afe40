// A tile program as a table: what each role does, how often, and the cycles that it costs on each pipe.
//
// Counts are exact for roles that take every work item and for static schedules; where an atomic counter deals items
// out to roles that alternate, each role is given its even share. Cycles are those of one execution on an otherwise
// idle SM, at any clock.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hw/machine.hpp"
#include "hw/play/compile.hpp"
#include "hw/tile_program.hpp"

namespace rooftile::reports {

struct ProgramOp {
  std::string role, what;
  double per_item = 0;                             // executions for one work item, averaged over items
  double executions = 0;                           // in the whole kernel
  std::array<double, hw::kSmResources> cycles{};   // one execution, on each unit of the SM
  std::array<double, hw::kSmResources + 1> paced{};  // solo cycles by the unit that paces them; last: latency
  double solo = 0;                                 // cycles of one execution when alone
  bool is_mma = false, is_async = false;
};

struct ProgramView {
  std::string kernel, schedule, occupancy_limit;
  std::int64_t items = 0;
  int cluster_x = 1, cluster_y = 1, threads = 0, registers = 0, ctas_per_sm = 0;
  double shared_memory = 0;
  std::vector<std::string> rings, tensors, engines;
  std::vector<ProgramOp> ops;
};

ProgramView view(const hw::TileProgram& program, const hw::Machine& machine);

}  // namespace rooftile::reports
