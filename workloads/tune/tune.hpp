// Ranks the schedules of an operation by predicted time.
//
// Every schedule that compiles and launches gets a lower bound; they are played in the order of their bounds, at
// the nominal clock, until the next bound is worse than the last place of the ranking. The best are then
// predicted at the scenario's clock. The result does not depend on the number of threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "workloads/operation.hpp"
#include "workloads/predict.hpp"
#include "workloads/tune/bounds.hpp"

namespace rooftile::workloads::tune {

struct Options {
  std::size_t places = 10;  // of the ranking
  PredictOptions predict;
  std::vector<Variant> own;  // programs of the user: always played and shown
  std::function<void(std::size_t done, std::size_t all)> progress;
};

struct Ranked {
  std::string name;
  Bound bound;
  core::Time nominal;     // played at the nominal clock, as schedules are compared
  Prediction prediction;  // at the scenario's clock
  Plan plan;
  std::size_t place = 0;  // from 1
  bool own = false;
};

struct Refused {
  std::string name, why;
  bool own = false;
};

struct Ranking {
  std::vector<Ranked> best;      // fastest first; the user's own programs in their places, also beyond the last
  std::vector<Refused> refused;  // cannot be compiled or launched
  std::size_t considered = 0, played = 0, pruned = 0;
};

Ranking rank(const Operation& operation, const hw::GpuSpec& gpu, const Options& options);

}  // namespace rooftile::workloads::tune
