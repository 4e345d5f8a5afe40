// What one point of a sweep gives, and the objectives by which points are ranked.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "workloads/scenario.hpp"

namespace rooftile::workloads::sweep {

struct Outcome {
  double time_us = 0, energy_mj = 0, power_w = 0, clock_mhz = 0;
  std::optional<double> memory_bytes;       // of a model: weights, cache, activations, workspace
  std::optional<double> tokens_per_second;  // of a model: what a step advances
  std::string bottleneck;                   // of the operations that take most of the time
  std::string error;                        // why the point cannot run; the numbers are then meaningless
};

enum class Objective { time, tokens_per_second, energy, memory, cost };
inline constexpr std::array<std::pair<const char*, Objective>, 5> kObjectives{
    {{"time", Objective::time}, {"tokens_per_second", Objective::tokens_per_second}, {"energy", Objective::energy},
     {"memory", Objective::memory}, {"cost", Objective::cost}}};
const char* objective_name(Objective objective);
const char* objective_unit(Objective objective, const Outcome& sample);
constexpr bool more_is_better(Objective o) { return o == Objective::tokens_per_second; }

// Nothing when the outcome does not know it. Cost is that of a million tokens, or of a million runs when the
// scenario has no tokens, in the currency of `price_per_hour` (of all devices together).
std::optional<double> value(const Outcome& outcome, Objective objective, double price_per_hour);

// Predicts one point. Called from many threads at once.
using Evaluate = std::function<Outcome(const Scenario&)>;

}  // namespace rooftile::workloads::sweep
