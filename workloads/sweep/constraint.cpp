#include "workloads/sweep/constraint.hpp"

#include <algorithm>

#include "sim/core/input/suggest.hpp"

namespace rooftile::workloads::sweep {
namespace {

using input::Diagnostics;
using input::Node;

// In the units that fields are stored in: picoseconds, bytes, joules, watts.
struct Output {
  const char* name;
  std::optional<double> (*get)(const Outcome&);
};
constexpr Output kOutputs[] = {
    {"time", [](const Outcome& o) -> std::optional<double> { return o.time_us * 1e6; }},
    {"energy", [](const Outcome& o) -> std::optional<double> { return o.energy_mj / 1e3; }},
    {"power", [](const Outcome& o) -> std::optional<double> { return o.power_w; }},
    {"memory", [](const Outcome& o) { return o.memory_bytes; }},
    {"tokens_per_second", [](const Outcome& o) { return o.tokens_per_second; }}};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<double> any_quantity(const std::string& text) {
  input::Problem problem;
  if (auto plain = input::parse_real(text, problem)) return plain;
  for (int d = 0; d <= static_cast<int>(input::Dimension::kFraction); ++d)
    if (auto v = input::parse_quantity(text, static_cast<input::Dimension>(d), problem)) return v;
  return std::nullopt;
}

}  // namespace

std::optional<Constraint::Factor> Constraint::read_factor(std::string text, const Node& at, const std::vector<Axis>& axes,
                                                          Diagnostics& found) {
  text = trimmed(text);
  if (const auto number = any_quantity(text)) return Factor{Factor::Kind::number, *number};
  std::vector<std::string> names;
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (std::size_t f = 0; f < axes[a].fields.size(); ++f) {
      names.push_back(axes[a].fields[f].path);
      if (names.back() == text) return Factor{Factor::Kind::axis, 0, a, f};
    }
  for (std::size_t o = 0; o < std::size(kOutputs); ++o) {
    names.emplace_back(kOutputs[o].name);
    if (names.back() == text) return Factor{Factor::Kind::output, 0, 0, 0, o};
  }
  found.add(at.place(), "constraint on unknown '" + text + "'" + input::did_you_mean(text, names), "a number, or " + input::one_of(names));
  return std::nullopt;
}

Constraint::Product Constraint::read_product(const std::string& text, const Node& at, const std::vector<Axis>& axes, Diagnostics& found) {
  Product product;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t star = std::min(text.find('*', start), text.size());
    if (const auto factor = read_factor(text.substr(start, star - start), at, axes, found)) product.push_back(*factor);
    start = star + 1;
  }
  return product;
}

std::optional<Constraint> Constraint::read(const Node& node, const std::vector<Axis>& axes, Diagnostics& found) {
  static const std::pair<const char*, Order> orders[] = {{"<=", Order::less_equal}, {">=", Order::greater_equal}, {"==", Order::equal},
                                                         {"<", Order::less}, {">", Order::greater}};
  const std::string& text = node.text();
  for (const auto& [sign, order] : orders) {
    const std::size_t at = text.find(sign);
    if (at == std::string::npos) continue;
    const std::size_t before = found.count();
    Constraint c;
    c.text_ = text;
    c.order_ = order;
    c.left_ = read_product(text.substr(0, at), node, axes, found);
    c.right_ = read_product(text.substr(at + std::string_view(sign).size()), node, axes, found);
    for (const Product* p : {&c.left_, &c.right_})
      for (const Factor& f : *p) c.on_inputs_alone_ &= f.kind != Factor::Kind::output;
    return found.count() == before ? std::optional(c) : std::nullopt;
  }
  found.add(node.place(), "not a constraint", "a comparison such as batch * context <= 131072 or memory <= 141 GB");
  return std::nullopt;
}

std::optional<double> Constraint::evaluate(const Product& product, const Space& space, PointId point, const Outcome* outcome) {
  double value = 1;
  for (const Factor& f : product) {
    std::optional<double> v = f.number;
    if (f.kind == Factor::Kind::axis) v = space.axes()[f.axis].fields[f.field].numbers[space.position(point, f.axis)];
    if (f.kind == Factor::Kind::output) v = outcome ? kOutputs[f.output].get(*outcome) : std::nullopt;
    if (!v) return std::nullopt;
    value *= *v;
  }
  return value;
}

bool Constraint::met(const Space& space, PointId point, const Outcome* outcome) const {
  const auto a = evaluate(left_, space, point, outcome), b = evaluate(right_, space, point, outcome);
  if (!a || !b) return false;
  switch (order_) {
    case Order::less: return *a < *b;
    case Order::less_equal: return *a <= *b;
    case Order::greater: return *a > *b;
    case Order::greater_equal: return *a >= *b;
    default: return *a == *b;
  }
}

}  // namespace rooftile::workloads::sweep
