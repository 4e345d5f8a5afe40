// Where the time of a kernel goes: every picosecond of every role has one reason, and the reasons add up.
//
// A role lives in a slot (a place for a CTA on an SM). Over all slots, its time is slots x duration. The player counts
// working and waiting; launches and drain follow from the GPU's constants; what is left is a slot that has run out of
// work. Working time is split by the unit that paces each op, waiting for data by what held the reads of the whole
// kernel back: two averages, everything else is counted.
#pragma once

#include <string>
#include <vector>

#include "reports/program_view.hpp"
#include "workloads/predict.hpp"

namespace rooftile::reports {

struct Reason {
  std::string group;  // unit busy, dependency, no slot, bandwidth shared, launch, ...
  std::string what;
  double us = 0;      // of one slot; all reasons of a role add up to the kernel's time
};

struct RoleAccount {
  std::string role;
  std::vector<Reason> reasons;
  double waits_for_others_us = 0;  // data, free stages, turns: time that another role or the memory decides
};

std::vector<RoleAccount> account(const workloads::KernelPrediction& kernel, const ProgramView& program, const hw::GpuSpec& gpu,
                                 int cluster);
// The role that waits least for others: it sets the pace.
const RoleAccount& pacing_role(const std::vector<RoleAccount>& roles);

}  // namespace rooftile::reports
