#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/input/suggest.hpp"
#include "sim/core/input/type.hpp"

namespace rooftile::input {
namespace {

constexpr double kLargestInt64 = 9.2e18;

Node typed(std::string_view type) {
  Node schema = Node::map();
  schema.set("type", Node::string(std::string(type)));
  return schema;
}

Node number_schema(std::string_view type, const Range& range) {
  Node schema = typed(type);
  if (std::isfinite(range.lo)) schema.set("minimum", Node::scalar(format_real(range.lo)));
  if (std::isfinite(range.hi)) schema.set("maximum", Node::scalar(format_real(range.hi)));
  return schema;
}

bool within(double v, const Range& range, const Node& from, Problem& problem, std::optional<Dimension> dimension = {}) {
  const double scale = dimension ? stored_per_base(*dimension) : 1.0;
  if (v >= range.lo * scale && v <= range.hi * scale) return true;
  problem = {"`" + from.text() + "` is out of range", range_text(range, dimension)};
  return false;
}

bool unquoted(const Node& from, Problem& problem, std::string expected) {
  if (from.quoted()) problem = {quote(from.text()) + " is text, in quotes", std::move(expected)};
  return !from.quoted();
}

std::string quantity_pattern(Dimension dimension) {
  std::string units;
  for (const std::string& name : unit_names(dimension)) units += (units.empty() ? "" : "|") + name;
  return "^ *[-+]?[0-9.]+([eE][-+]?[0-9]+)? *(" + units + ") *$";
}

Node quantity_schema(Dimension dimension, const Range& range) {
  Node text = typed("string");
  text.set("pattern", Node::scalar(quantity_pattern(dimension), true));
  text.set("examples", Node::sequence())
      .append(Node::scalar(dimension_expected(dimension).substr(dimension_name(dimension).size() + 9), true));
  text.set("$comment", Node::scalar(range_text(range, dimension), true));
  if (dimension != Dimension::kFraction) return text;
  Node either = Node::map();
  Node& forms = either.set("anyOf", Node::sequence());
  forms.append(number_schema("number", range));
  forms.append(std::move(text));
  return either;
}

Range effective(const Range& range, Dimension dimension) { return range.is_set() ? range : default_range(dimension); }

std::optional<double> checked_quantity(const Node& from, Dimension dimension, bool whole, const Range& range,
                                       Problem& problem) {
  const auto v = parse_quantity(from.text(), dimension, problem);
  if (!v || !within(*v, effective(range, dimension), from, problem, dimension)) return {};
  const bool integer = whole || dimension == Dimension::kTime;
  if (integer && std::abs(*v) > kLargestInt64) {
    problem = {"`" + from.text() + "` does not fit in 64 bits", dimension_expected(dimension)};
    return {};
  }
  if (whole && *v != std::floor(*v)) {
    problem = {"`" + from.text() + "` is not a whole number of " + unit_names(dimension).front(),
               dimension_expected(dimension)};
    return {};
  }
  return v;
}

}  // namespace

ScalarInfo bool_info() {
  ScalarInfo info;
  info.expected = "true or false";
  info.read = [](const Node& from, void* into, const Range&, Problem& problem) {
    const bool is_true = from.text() == "true", known = is_true || from.text() == "false";
    if (known && !from.quoted()) {
      *static_cast<bool*>(into) = is_true;
      return true;
    }
    problem = {(from.quoted() ? quote(from.text()) : "`" + from.text() + "`") + " is no truth value", "true or false"};
    return false;
  };
  info.write = [](const void* v) { return Node::scalar(*static_cast<const bool*>(v) ? "true" : "false"); };
  info.schema = [](const Range&) { return typed("boolean"); };
  return info;
}

ScalarInfo string_info() {
  ScalarInfo info;
  info.expected = "text";
  info.read = [](const Node& from, void* into, const Range&, Problem&) {
    *static_cast<std::string*>(into) = from.text();
    return true;
  };
  info.write = [](const void* v) { return Node::string(*static_cast<const std::string*>(v)); };
  info.schema = [](const Range&) { return typed("string"); };
  return info;
}

ScalarInfo real_info(std::function<void(void*, double)> set, std::function<double(const void*)> get) {
  ScalarInfo info;
  info.expected = "a number";
  info.number = [](const Node& from) {
    Problem ignored;
    return from.is_scalar() && !from.quoted() ? parse_real(from.text(), ignored) : std::nullopt;
  };
  info.from_number = [](double v) { return Node::scalar(format_real(v)); };
  info.read = [set](const Node& from, void* into, const Range& range, Problem& problem) {
    if (!unquoted(from, problem, "a number without quotes")) return false;
    const auto v = parse_real(from.text(), problem);
    if (!v || !within(*v, range, from, problem)) return false;
    set(into, *v);
    return true;
  };
  info.write = [get](const void* v) { return Node::scalar(format_real(get(v))); };
  info.schema = [](const Range& range) { return number_schema("number", range); };
  return info;
}

ScalarInfo integer_info(std::int64_t lowest, std::int64_t highest, std::function<void(void*, std::int64_t)> set,
                        std::function<std::int64_t(const void*)> get) {
  ScalarInfo info;
  info.expected = "a whole number";
  info.number = [](const Node& from) -> std::optional<double> {
    Problem ignored;
    const auto v = from.is_scalar() && !from.quoted() ? parse_integer(from.text(), ignored) : std::nullopt;
    return v ? std::optional<double>(static_cast<double>(*v)) : std::nullopt;
  };
  info.from_number = [](double v) { return Node::scalar(std::to_string(std::llround(v))); };
  info.read = [=](const Node& from, void* into, const Range& range, Problem& problem) {
    if (!unquoted(from, problem, "a whole number without quotes")) return false;
    const auto v = parse_integer(from.text(), problem);
    if (!v || !within(static_cast<double>(*v), range, from, problem)) return false;
    if (*v < lowest || *v > highest) {
      problem = {"`" + from.text() + "` is out of range",
                 "from " + std::to_string(lowest) + " to " + std::to_string(highest)};
      return false;
    }
    set(into, *v);
    return true;
  };
  info.write = [get](const void* v) { return Node::scalar(std::to_string(get(v))); };
  info.schema = [](const Range& range) { return number_schema("integer", range); };
  return info;
}

ScalarInfo quantity_info(Dimension dimension, bool whole, std::function<void(void*, double)> set,
                         std::function<double(const void*)> get) {
  ScalarInfo info;
  info.expected = dimension_expected(dimension);
  info.number = [dimension](const Node& from) {
    Problem ignored;
    return from.is_scalar() ? parse_quantity(from.text(), dimension, ignored) : std::nullopt;
  };
  info.from_number = [dimension, whole](double v) {
    return Node::scalar(format_quantity(whole || dimension == Dimension::kTime ? std::round(v) : v, dimension));
  };
  info.read = [=](const Node& from, void* into, const Range& range, Problem& problem) {
    const auto v = checked_quantity(from, dimension, whole, range, problem);
    if (v) set(into, *v);
    return v.has_value();
  };
  info.write = [=](const void* v) { return Node::scalar(format_quantity(get(v), dimension)); };
  info.schema = [dimension](const Range& range) { return quantity_schema(dimension, effective(range, dimension)); };
  return info;
}

ScalarInfo enum_info(std::vector<std::pair<std::string, std::int64_t>> table,
                     std::function<void(void*, std::int64_t)> set, std::function<std::int64_t(const void*)> get) {
  std::vector<std::string> names;
  for (const auto& [name, value] : table) names.push_back(name);
  ScalarInfo info;
  info.expected = one_of(names);
  info.read = [=](const Node& from, void* into, const Range&, Problem& problem) {
    const auto at = std::find(names.begin(), names.end(), from.text());
    if (at == names.end()) {
      problem = {"unknown name `" + from.text() + "`" + did_you_mean(from.text(), names), one_of(names)};
      return false;
    }
    set(into, table[static_cast<std::size_t>(at - names.begin())].second);
    return true;
  };
  info.write = [=](const void* v) {
    const auto is = [value = get(v)](const auto& entry) { return entry.second == value; };
    const auto at = std::find_if(table.begin(), table.end(), is);
    return at == table.end() ? Node{} : Node::string(at->first);
  };
  info.schema = [names](const Range&) {
    Node schema = Node::map();
    Node& values = schema.set("enum", Node::sequence());
    for (const std::string& name : names) values.append(Node::scalar(name, true));
    return schema;
  };
  return info;
}

}  // namespace rooftile::input
