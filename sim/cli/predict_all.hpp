// The predictions of a scenario's operations.
#pragma once

#include <tbb/parallel_for.h>

#include <vector>

#include "workloads/scenario.hpp"

namespace rooftile::cli {

// Operations are independent: each is predicted by itself, on any thread, into its own place.
inline std::vector<workloads::Prediction> predict_all(const workloads::Scenario& s) {
  std::vector<workloads::Prediction> predictions(s.ops.size());
  workloads::PredictOptions options;
  options.clock = s.clock;
  tbb::parallel_for(std::size_t{0}, s.ops.size(), [&](std::size_t i) {
    predictions[i] = workloads::predict(*s.ops[i].operation, s.ops[i].implementation, s.gpu, options);
  });
  return predictions;
}

}  // namespace rooftile::cli
