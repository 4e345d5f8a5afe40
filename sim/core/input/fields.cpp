#include "sim/core/input/fields.hpp"

#include <cmath>
#include <utility>

#include "sim/core/input/suggest.hpp"
#include "sim/core/input/yaml.hpp"

namespace rooftile::input {

Node schema(const Type& type, std::string title) {
  Node root = Node::map();
  root.set("$schema", Node::string("https://json-schema.org/draft/2020-12/schema"));
  root.set("title", Node::scalar(std::move(title), true));
  const Node body = type.schema({});
  for (const auto& m : body.members()) root.set(m.key, m.value);
  return root;
}

double Target::number(const Node& node) const {
  const auto v = type->number(node);
  if (!v) throw InputError(node.place(), "cannot be varied from here: not a number of this field", type->expected());
  return *v;
}

Node Target::from_number(double value) const { return type->from_number(value); }

Target resolve(const Type& type, std::string_view path, const Place& at) {
  Target target{&type, {}, {}};
  std::string so_far;
  for (const auto part : split_path(path)) {
    const Step next = target.type->step(part);
    so_far += (so_far.empty() ? "" : ".") + std::string(part);
    if (next.type == nullptr) {
      const auto names = target.type->parts();
      throw InputError(at, "no field `" + so_far + "`" + did_you_mean(part, names),
                       names.empty() ? target.type->expected() : one_of(names));
    }
    target.type = next.type;
    if (next.field != nullptr) {
      target.meaning = next.field->meaning;
      target.range = next.field->range;
    }
  }
  return target;
}

void assign(const Type& type, Node& root, std::string_view path, Node value) {
  const Place at = value.place();
  const Target target = resolve(type, path, at);
  if (target.type->is_sourced() && !value.is_map()) {
    Node with_source = Node::map();
    with_source.at(at);
    with_source.set("value", std::move(value), {at.line, at.column});
    with_source.set("source", Node::scalar(at.file.empty() ? "set by hand" : to_string(at), true).at(at));
    value = std::move(with_source);
  }
  set_path(root, path, std::move(value), Missing::kCreate);
}

Assignment parse_assignment(std::string_view text, std::string_view option) {
  const std::size_t equals = text.find('=');
  const Place at{std::string(option) + ' ' + std::string(text.substr(0, equals)), 0, 0};
  if (equals == std::string_view::npos || equals == 0) throw InputError(at, "not an assignment", "key.path=value");
  return {std::string(text.substr(0, equals)), parse_yaml(text.substr(equals + 1), at.file)};
}

std::vector<Node> spaced(const Target& target, const Node& from, const Node& to, int steps, bool by_factor) {
  const double a = target.number(from), b = target.number(to);
  constexpr int kMostSteps = 100'000;
  if (steps < 1 || steps > kMostSteps) {
    throw InputError(from.place(), std::to_string(steps) + " steps", "from 1 to " + std::to_string(kMostSteps));
  }
  if (by_factor && (a <= 0 || b <= 0))
    throw InputError(from.place(), "steps by a factor from or to zero", "positive ends");
  std::vector<Node> values;
  for (int i = 0; i < steps; ++i) {
    const double share = steps == 1 ? 0.0 : static_cast<double>(i) / (steps - 1);
    const double v = by_factor ? a * std::pow(b / a, share) : a + (b - a) * share;
    values.push_back(target.from_number(v));
    values.back().at(from.place());
  }
  return values;
}

}  // namespace rooftile::input
