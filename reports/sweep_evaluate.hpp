// How a sweep predicts one point: as `rooftile run` does, kept to the numbers that a sweep stores.
#pragma once

#include <memory>

#include "workloads/play_cache.hpp"
#include "workloads/sweep/outcome.hpp"

namespace rooftile::reports {

// Kernels that several points share are played once.
workloads::sweep::Evaluate evaluator(std::shared_ptr<workloads::PlayCache> plays = std::make_shared<workloads::PlayCache>());

}  // namespace rooftile::reports
