#include "workloads/sweep/answers.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::workloads::sweep {
namespace {

using Values = std::vector<std::optional<double>>;

class Collector {
 public:
  Collector(const Sweep& sweep, const Store& store) : sweep_(sweep), store_(store) {
    out_.title = sweep.title;
    out_.objectives = sweep.objectives;
    out_.points = sweep.space.size();
    out_.best.resize(sweep.objectives.size());
    for (const Axis& axis : sweep.space.axes()) {
      out_.axes.push_back(axis.name());
      AxisEffect effect{axis.name(), {}, {}, {}};
      for (std::size_t i = 0; i + 1 < axis.size(); ++i)
        effect.steps.push_back({axis.value(i), axis.value(i + 1), 0, std::vector<double>(sweep.objectives.size()), {}});
      out_.effects.push_back(std::move(effect));
    }
  }

  Answers run() {
    store_.each([this](const Row& row) { see(row); });
    finish_effects();
    const auto better_first = [this](const Chosen& a, const Chosen& b) {
      return better(0, *a.values[0], *b.values[0]) || (*a.values[0] == *b.values[0] && a.point < b.point);
    };
    std::sort(out_.front.begin(), out_.front.end(), better_first);
    if (out_.units.empty())
      for (const Objective o : sweep_.objectives) out_.units.emplace_back(objective_unit(o, {}));
    return std::move(out_);
  }

 private:
  bool better(std::size_t objective, double a, double b) const { return more_is_better(sweep_.objectives[objective]) ? a > b : a < b; }

  Values values_of(const Outcome& outcome) const {
    Values v;
    for (const Objective o : sweep_.objectives) v.push_back(value(outcome, o, sweep_.price_per_hour));
    return v;
  }

  Chosen chosen(const Row& row, Values values) const {
    Chosen c{row.point, {}, std::move(values), row.outcome.bottleneck};
    for (std::size_t a = 0; a < out_.axes.size(); ++a)
      c.inputs.push_back(sweep_.space.axes()[a].value(sweep_.space.position(row.point, a)));
    return c;
  }

  void see(const Row& row) {
    if (!row.outcome.error.empty()) {
      ++out_.failed;
      if (out_.failures.size() < 10 || out_.failures.contains(row.outcome.error)) ++out_.failures[row.outcome.error];
      return;
    }
    ++out_.predicted;
    if (!sweep_.counts(row.point, row.outcome)) {
      ++out_.excluded;
      return;
    }
    const Values values = values_of(row.outcome);
    if (out_.units.empty())
      for (const Objective o : sweep_.objectives) out_.units.emplace_back(objective_unit(o, row.outcome));
    for (std::size_t o = 0; o < values.size(); ++o)
      if (values[o] && (out_.best[o].point < 0 || better(o, *values[o], *out_.best[o].values[o]))) out_.best[o] = chosen(row, values);
    see_front(row, values);
    for (std::size_t a = 0; a < out_.axes.size(); ++a) see_step(row, values, a);
  }

  // At least as good everywhere and better somewhere.
  bool dominates(const Values& a, const Values& b) const {
    bool somewhere = false;
    for (std::size_t o = 0; o < a.size(); ++o) {
      if (better(o, *b[o], *a[o])) return false;
      somewhere |= better(o, *a[o], *b[o]);
    }
    return somewhere;
  }

  void see_front(const Row& row, const Values& values) {
    if (std::any_of(values.begin(), values.end(), [](const auto& v) { return !v; })) return;
    for (const Chosen& c : out_.front)
      if (dominates(c.values, values) || c.values == values) return;
    std::erase_if(out_.front, [&](const Chosen& c) { return dominates(values, c.values); });
    out_.front.push_back(chosen(row, values));
  }

  // Against the point one value back along the axis, which comes earlier in the store.
  void see_step(const Row& row, const Values& values, std::size_t axis) {
    const std::size_t at = sweep_.space.position(row.point, axis);
    if (at == 0) return;
    const auto before = store_.find(row.point - sweep_.space.stride(axis));
    if (!before || !sweep_.counts(before->point, before->outcome)) return;
    AxisStep& step = out_.effects[axis].steps[at - 1];
    ++step.pairs;
    const Values then = values_of(before->outcome);
    for (std::size_t o = 0; o < values.size(); ++o)
      if (values[o] && then[o] && *values[o] > 0 && *then[o] > 0) step.ratio[o] += std::log(*values[o] / *then[o]);
    if (before->outcome.bottleneck != row.outcome.bottleneck) ++step.changes[{before->outcome.bottleneck, row.outcome.bottleneck}];
  }

  // Sums of logarithms become geometric means.
  void finish_effects() {
    for (std::size_t a = 0; a < out_.effects.size(); ++a) {
      AxisEffect& effect = out_.effects[a];
      std::vector<double> total(sweep_.objectives.size());
      for (AxisStep& step : effect.steps)
        for (std::size_t o = 0; o < total.size(); ++o) {
          const double mean = step.pairs > 0 ? step.ratio[o] / static_cast<double>(step.pairs) : 0;
          total[o] += mean;
          step.ratio[o] = std::exp(mean);
        }
      const auto& numbers = sweep_.space.axes()[a].fields.front().numbers;
      const bool scaled = numbers.front() && numbers.back() && *numbers.front() > 0 && *numbers.back() > 0 && *numbers.front() != *numbers.back();
      for (const double t : total) {
        effect.ratio.push_back(std::exp(t));
        effect.slope.push_back(scaled ? std::optional(t / std::log(*numbers.back() / *numbers.front())) : std::nullopt);
      }
    }
  }

  const Sweep& sweep_;
  const Store& store_;
  Answers out_;
};

}  // namespace

Answers answer(const Sweep& sweep, const Store& store) { return Collector(sweep, store).run(); }

}  // namespace rooftile::workloads::sweep
