// What a sweep says: the best points, the Pareto front, what each axis moves, and where the binding resource
// changes. Read from the store row by row; only the answers are kept in memory.
//
// The effect of an axis compares neighbouring values with everything else equal: the ratio of the results, as a
// geometric mean over all such pairs. The slope is d ln(result) / d ln(value): -1 means that doubling the value
// halves the result. Points that cannot run or miss a constraint take no part.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workloads/sweep/store.hpp"
#include "workloads/sweep/sweep.hpp"

namespace rooftile::workloads::sweep {

struct Chosen {
  PointId point = -1;
  std::vector<std::string> inputs;  // by axis
  std::vector<std::optional<double>> values;  // by objective
  std::string bottleneck;
};

struct AxisStep {  // from one value of an axis to the next
  std::string from, to;
  PointId pairs = 0;
  std::vector<double> ratio;  // by objective
  std::map<std::pair<std::string, std::string>, PointId> changes;  // of the binding resource, and at how many pairs
};

struct AxisEffect {
  std::string axis;
  std::vector<AxisStep> steps;
  std::vector<double> ratio;                 // last value over first, by objective
  std::vector<std::optional<double>> slope;  // when the values are numbers
};

struct Answers {
  std::string title;
  std::vector<std::string> axes;
  std::vector<Objective> objectives;
  std::vector<std::string> units;   // by objective
  PointId points = 0, predicted = 0, failed = 0, excluded = 0;
  std::vector<Chosen> best;         // by objective; point -1 when none is known
  std::vector<Chosen> front;        // sorted by the first objective, best first
  std::vector<AxisEffect> effects;
  std::map<std::string, PointId> failures;  // reasons, the first ten of them
};

Answers answer(const Sweep& sweep, const Store& store);

}  // namespace rooftile::workloads::sweep
