#include "workloads/sweep/axes.hpp"

#include <cmath>

#include "sim/core/input/suggest.hpp"

namespace rooftile::workloads::sweep {
namespace {

using input::Diagnostics;
using input::InputError;
using input::Node;

constexpr PointId kMostPoints = 100'000'000;
constexpr std::size_t kMostValues = 100'000;
const std::vector<std::string> kRangeKeys{"from", "to", "steps", "scale"};
constexpr const char* kHardware = "hardware.";

std::string text_of(const Node& value) {
  if (!value.is_scalar()) return input::dump_json(value, -1);
  return value.quoted() ? input::quote(value.text()) : value.text();
}

std::optional<double> plain_number(const Node& value) {
  input::Problem problem;
  return value.is_scalar() && !value.quoted() ? input::parse_real(value.text(), problem) : std::nullopt;
}

// A plain field of the scenario: whole ends give whole values, each once.
std::vector<Node> spaced_plain(const Node& from, const Node& to, int steps, bool by_factor) {
  const auto a = plain_number(from), b = plain_number(to);
  if (!a || !b) throw InputError((a ? to : from).place(), "not a number", "a number: a range of other values is a list");
  if (by_factor && (*a <= 0 || *b <= 0)) throw InputError(from.place(), "steps by a factor from or to zero", "positive ends");
  const bool whole = std::floor(*a) == *a && std::floor(*b) == *b;
  std::vector<Node> values;
  for (int i = 0; i < steps; ++i) {
    const double share = steps == 1 ? 0.0 : static_cast<double>(i) / (steps - 1);
    double v = by_factor ? *a * std::pow(*b / *a, share) : *a + (*b - *a) * share;
    if (whole) v = std::round(v);
    Node value = Node::scalar(input::format_real(v)).at(from.place());
    if (values.empty() || values.back().text() != value.text()) values.push_back(std::move(value));
  }
  return values;
}

const Node* part(const Node& range, const char* key, Diagnostics& found) {
  const Node* node = range.find(key);
  if (!node) found.add(range.place(), std::string("a range without '") + key + "'", "{from: A, to: B, steps: N}");
  return node;
}

int read_steps(const Node& node) {
  input::Problem problem;
  const auto n = input::parse_integer(node.text(), problem);
  if (!n || *n < 1 || *n > static_cast<std::int64_t>(kMostValues))
    throw InputError(node.place(), "steps is '" + node.text() + "'", "a whole number from 1 to 100000");
  return static_cast<int>(*n);
}

bool read_by_factor(const Node& range) {
  const Node* scale = range.find("scale");
  if (!scale || scale->text() == "linear") return false;
  if (scale->text() == "log") return true;
  throw InputError(scale->place(), "unknown scale '" + scale->text() + "'", "linear or log");
}

void read_range(AxisField& field, const Node& range, Diagnostics& found) {
  for (const Node::Member& m : range.members())
    if (std::find(kRangeKeys.begin(), kRangeKeys.end(), m.key) == kRangeKeys.end())
      found.add(range.key_place(m), "unknown key '" + m.key + "'" + input::did_you_mean(m.key, kRangeKeys), input::one_of(kRangeKeys));
  const Node* from = part(range, "from", found);
  const Node* to = part(range, "to", found);
  const Node* steps = part(range, "steps", found);
  if (!from || !to || !steps) return;
  const int n = read_steps(*steps);
  const bool by_factor = read_by_factor(range);
  if (field.path.starts_with(kHardware))
    field.values = input::spaced(input::resolve<hw::GpuSpec>(field.path.substr(9), range.place()), *from, *to, n, by_factor);
  else
    field.values = spaced_plain(*from, *to, n, by_factor);
}

// Numbers in base units, for the slope of a result along the axis. Unknown paths are told here.
void find_numbers(AxisField& field, const Node& at) {
  if (!field.path.starts_with(kHardware)) {
    for (const Node& v : field.values) field.numbers.push_back(plain_number(v));
    return;
  }
  const input::Target target = input::resolve<hw::GpuSpec>(field.path.substr(9), at.place());
  for (const Node& v : field.values) field.numbers.push_back(target.type->number(v));
}

}  // namespace

std::string Axis::name() const {
  std::string text;
  for (const AxisField& f : fields) text += (text.empty() ? "" : ", ") + f.path;
  return text;
}

std::string Axis::value(std::size_t i) const {
  std::string text;
  for (const AxisField& f : fields)
    text += (text.empty() ? "" : ", ") + (f.values[i].is_scalar() ? f.values[i].text() : text_of(f.values[i]));
  return text;
}

AxisField read_field(const std::string& path, const Node& values, Diagnostics& found) {
  AxisField field{path, {}, {}};
  try {
    if (values.is_map()) {
      read_range(field, values, found);
    } else if (values.is_sequence() && !values.items().empty() && values.items().size() <= kMostValues) {
      field.values.assign(values.items().begin(), values.items().end());
    } else {
      throw InputError(values.place(), "'" + path + "' varies over " + std::string(values.is_sequence() ? "an empty or endless list" : values.kind_name()),
                       "a list of values, or {from: A, to: B, steps: N, scale: linear or log}");
    }
    find_numbers(field, values);
  } catch (const InputError& e) {
    found.add(e.diagnostics());
    field.values.clear();
  }
  return field;
}

Space::Space(std::vector<Axis> axes) : axes_(std::move(axes)), strides_(axes_.size(), 1) {
  for (std::size_t a = axes_.size(); a-- > 0;) {
    strides_[a] = size_;
    const auto n = static_cast<PointId>(axes_[a].size());
    if (size_ > kMostPoints / n) throw InputError({}, "the axes span too many points", "at most 100 million");
    size_ *= n;
  }
}

std::size_t Space::position(PointId point, std::size_t axis) const {
  return static_cast<std::size_t>(point / strides_[axis]) % axes_[axis].size();
}

void Space::add(Overrides& o, const Axis& axis, std::size_t position) const {
  for (const AxisField& f : axis.fields) {
    const Node& value = f.values[position];
    if (f.path == "hardware") o.hardware = value.text();
    else if (f.path == "clock") o.clock = value.text();
    else o.assignments.push_back(f.path + "=" + text_of(value));
  }
}

Overrides Space::overrides(PointId point) const {
  Overrides o;
  for (std::size_t a = 0; a < axes_.size(); ++a) add(o, axes_[a], position(point, a));
  return o;
}

Overrides Space::overrides(std::size_t axis, std::size_t position) const {
  Overrides o;
  add(o, axes_[axis], position);
  return o;
}

std::string Space::inputs(PointId point) const {
  Node map = Node::map();
  for (std::size_t a = 0; a < axes_.size(); ++a)
    for (const AxisField& f : axes_[a].fields) map.set(f.path, f.values[position(point, a)]);
  return input::dump_json(map, -1);
}

void check_values(const Node& scenario, const Space& space, Diagnostics& found) {
  for (std::size_t a = 0; a < space.axes().size(); ++a)
    for (std::size_t i = 0; i < space.axes()[a].size(); ++i) try {
        read_scenario(scenario, space.overrides(a, i));
      } catch (const InputError& e) {
        // The scenario reads well without it, so the value is to blame.
        const input::Place here = space.axes()[a].fields.front().values[i].place();
        for (const input::Diagnostic& d : e.diagnostics().sorted()) found.add(here, d.what, d.expected);
      }
}

}  // namespace rooftile::workloads::sweep
