// The axes of a sweep: which fields vary, over which values, and the points that they span.
//
// An axis has one field, or several that advance together (zipped). Axes are crossed: the first one changes
// slowest, so the order of points is that of nested loops. A point is a number; its values are computed from
// it, so a sweep of a million points takes no memory.
// Errors: input::InputError with the place in the sweep file. Paths are checked against the fields of the GPU
// file and of the scenario by reading the scenario with every value once (`check_values`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/input/fields.hpp"
#include "workloads/scenario.hpp"

namespace rooftile::workloads::sweep {

using PointId = std::int64_t;

struct AxisField {
  std::string path;
  std::vector<input::Node> values;
  std::vector<std::optional<double>> numbers;  // in SI base units, where the value is one
};

struct Axis {
  std::vector<AxisField> fields;  // of equal length
  std::size_t size() const { return fields.front().values.size(); }
  std::string name() const;       // paths joined by `, `
  std::string value(std::size_t i) const;
};

// `path: values` of `vary`: a list, or {from, to, steps, scale: linear|log}.
AxisField read_field(const std::string& path, const input::Node& values, input::Diagnostics& found);

class Space {
 public:
  Space() = default;
  explicit Space(std::vector<Axis> axes);
  PointId size() const { return size_; }
  const std::vector<Axis>& axes() const { return axes_; }
  std::size_t position(PointId point, std::size_t axis) const;  // index of its value
  PointId stride(std::size_t axis) const { return strides_[axis]; }

  Overrides overrides(PointId point) const;
  Overrides overrides(std::size_t axis, std::size_t position) const;  // this axis alone
  std::string inputs(PointId point) const;                            // one JSON object: path to value

 private:
  void add(Overrides& o, const Axis& axis, std::size_t position) const;
  std::vector<Axis> axes_;
  std::vector<PointId> strides_;
  PointId size_ = 1;
};

// Reads the scenario, which must be right by itself, with every value of every axis once.
void check_values(const input::Node& scenario, const Space& space, input::Diagnostics& found);

}  // namespace rooftile::workloads::sweep
