// The predictions of a scenario's operations, with a recording of each when asked for.
#pragma once

#include <tbb/parallel_for.h>

#include <functional>
#include <memory>
#include <vector>

#include "reports/trace.hpp"
#include "workloads/scenario.hpp"

namespace rooftile::cli {

inline void in_parallel(std::size_t n, const std::function<void(std::size_t)>& f) { tbb::parallel_for(std::size_t{0}, n, f); }

using Traces = std::vector<std::unique_ptr<reports::OpTrace>>;

// Operations are independent: each is predicted by itself, on any thread, into its own place.
inline std::vector<workloads::Prediction> predict_all(const workloads::Scenario& s, Traces* traces = nullptr, int sms = 2) {
  std::vector<workloads::Prediction> predictions(s.ops.size());
  if (traces)
    for (std::size_t i = 0; i < s.ops.size(); ++i) traces->push_back(std::make_unique<reports::OpTrace>(reports::limits_for(s.ops.size(), sms)));
  tbb::parallel_for(std::size_t{0}, s.ops.size(), [&](std::size_t i) {
    workloads::PredictOptions options{.clock = s.clock, .exact = s.exact, .observer = traces ? (*traces)[i].get() : nullptr};
    predictions[i] = workloads::predict(*s.ops[i].operation, s.ops[i].implementation, s.gpu, options);
  });
  return predictions;
}

}  // namespace rooftile::cli
