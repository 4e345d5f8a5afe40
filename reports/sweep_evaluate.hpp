// How a sweep predicts one point: as `rooftile run` does, kept to the numbers that a sweep stores.
#pragma once

#include "workloads/sweep/outcome.hpp"

namespace rooftile::reports {

workloads::sweep::Outcome evaluate(const workloads::Scenario& scenario);

}  // namespace rooftile::reports
