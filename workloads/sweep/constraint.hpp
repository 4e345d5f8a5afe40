// A condition that the points of interest meet: `batch * context <= 131072`, `memory <= 141 GB`.
//
// Both sides are products of axes, outputs (time, energy, power, memory, tokens_per_second) and numbers with or
// without a unit. A condition on axes alone drops points before they run; one on outputs leaves them in the
// store and out of the answers. A point that lacks a value named here does not meet the condition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/sweep/axes.hpp"
#include "workloads/sweep/outcome.hpp"

namespace rooftile::workloads::sweep {

class Constraint {
 public:
  // Mistakes go to `found`.
  static std::optional<Constraint> read(const input::Node& text, const std::vector<Axis>& axes, input::Diagnostics& found);

  bool on_inputs_alone() const { return on_inputs_alone_; }
  // `outcome` may be null when the condition is on inputs alone.
  bool met(const Space& space, PointId point, const Outcome* outcome) const;
  const std::string& text() const { return text_; }

 private:
  enum class Order { less, less_equal, greater, greater_equal, equal };
  struct Factor {
    enum class Kind { number, axis, output } kind = Kind::number;
    double number = 0;
    std::size_t axis = 0, field = 0, output = 0;
  };
  using Product = std::vector<Factor>;
  static std::optional<Factor> read_factor(std::string text, const input::Node& at, const std::vector<Axis>& axes, input::Diagnostics& found);
  static Product read_product(const std::string& text, const input::Node& at, const std::vector<Axis>& axes, input::Diagnostics& found);
  static std::optional<double> evaluate(const Product& p, const Space& space, PointId point, const Outcome* outcome);

  Product left_, right_;
  Order order_ = Order::less_equal;
  bool on_inputs_alone_ = true;
  std::string text_;
};

}  // namespace rooftile::workloads::sweep
