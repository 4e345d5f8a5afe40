// Bulk transfers as fluid: every flow takes its max-min fair share of the links on its route. Flows that are alike
// (same links by class, same bytes, same start) are one class with a count, so an all-to-all on a symmetric fabric is
// a handful of variables.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/fabric/topology.hpp"

namespace rooftile::hw::fabric {

// `uses` of a link by one flow of the class: its load is uses * count * rate.
struct LinkUse {
  std::uint32_t link = 0;
  double uses = 1;
};

struct FlowClass {
  std::vector<LinkUse> links;
  double bytes = 0;
  std::uint64_t count = 1;
  double start_seconds = 0;
  double latency_seconds = 0;
};

// Bytes per second of one flow of each class; capacities by link number. Progressive filling.
std::vector<double> max_min_rates(const std::vector<FlowClass>& flows, const std::vector<double>& capacity);

// When each class is done, in seconds. Rates change when a class starts or ends; ends within `batch` of each other
// (relative) share one solve.
std::vector<double> completion_seconds(const std::vector<FlowClass>& flows, const std::vector<double>& capacity,
                                       double batch = 0);

FlowClass flow_between(const Topology& topology, std::size_t from_gpu, std::size_t to_gpu, double bytes,
                       std::uint64_t flow = 0);
std::vector<double> capacities(const Topology& topology);

}  // namespace rooftile::hw::fabric
