// How a launch is timed: calls rotate over enough sets of inputs to exceed L2 twice (at most 48), inside one CUDA graph of
// about 4 ms; `burst` is one replay after 0.12 s idle, its launch included; `sustained` the median of the last third of
// the replays of 0.35 s. Clock and power are read from the driver near the end.
#pragma once

#include <optional>

#include "harness/nvml.hpp"
#include "harness/suite.hpp"

namespace rooftile::measure {

struct Timing {
  double sustained_us = 0, burst_us = 0;  // a call
  double spread = 0;                      // (p90 - p10) / median of the replays that count
  std::optional<double> sm_mhz, power_w;
  int sets = 0, calls = 0, replays = 0;
};

int rotation_sets(std::size_t bytes_per_set);
Timing time_case(const Case& c, const Nvml& nvml, double seconds = 0.35);

}  // namespace rooftile::measure
