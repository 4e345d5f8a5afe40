#include "workloads/sweep/sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/core/input/suggest.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/data.hpp"
#include "workloads/sweep/hash.hpp"

namespace rooftile::workloads::sweep {
namespace {

using input::Diagnostics;
using input::InputError;
using input::Node;
namespace fs = std::filesystem;

const std::vector<std::string> kKeys{"sweep", "scenario", "vary", "zip", "constraints", "objectives", "price_per_hour"};

Node read_scenario_part(const Node& root, Diagnostics& found) {
  const Node* node = root.find("scenario");
  if (!node) {
    found.add(root.place(), "missing key 'scenario'", "a scenario file, or the scenario itself");
    return {};
  }
  if (node->is_map()) return *node;
  const fs::path beside = fs::path(node->place().file).parent_path() / node->text();
  const fs::path known = data_folder() / "workloads" / "scenarios" / (node->text() + ".yaml");
  std::error_code error;
  try {
    if (fs::is_regular_file(beside, error)) return input::parse_yaml_file(beside.string());
    if (node->text().find('/') == std::string::npos && fs::is_regular_file(known, error)) return input::parse_yaml_file(known.string());
    const std::vector<std::string> names = names_in(known.parent_path(), ".yaml");
    found.add(node->place(), "no scenario '" + node->text() + "'" + input::did_you_mean(node->text(), names),
              "a file beside the sweep, or " + input::one_of(names));
  } catch (const InputError& e) {
    found.add(e.diagnostics());
  }
  return {};
}

// The fields of one map as axes of their own, or as one axis.
void read_fields(const Node& map, bool together, std::vector<Axis>& axes, std::set<std::string>& seen, Diagnostics& found) {
  Axis joined;
  for (const Node::Member& m : map.members()) {
    if (!seen.insert(m.key).second) found.add(map.key_place(m), "'" + m.key + "' varies twice", "each field once");
    AxisField field = read_field(m.key, m.value, found);
    if (field.values.empty()) continue;
    if (together && !joined.fields.empty() && joined.size() != field.values.size()) {
      found.add(m.value.place(), std::to_string(field.values.size()) + " values beside " + std::to_string(joined.size()),
                "as many values in every field of a zip");
      continue;
    }
    if (together) joined.fields.push_back(std::move(field));
    else axes.push_back({{std::move(field)}});
  }
  if (!joined.fields.empty()) axes.push_back(std::move(joined));
}

std::vector<Axis> read_axes(const Node& root, Diagnostics& found) {
  std::vector<Axis> axes;
  std::set<std::string> seen;
  const Node* vary = root.find("vary");
  const Node* zip = root.find("zip");
  if (!vary && !zip) found.add(root.place(), "nothing varies", "`vary` with at least one field");
  if (vary && (!vary->is_map() || vary->members().empty()))
    found.add(vary->place(), "'vary' is " + std::string(vary->is_map() ? "empty" : vary->kind_name()), "a map from fields to values");
  if (vary) read_fields(*vary, false, axes, seen, found);
  if (zip && !zip->is_sequence()) found.add(zip->place(), "'zip' is " + std::string(zip->kind_name()), "a list of maps");
  if (zip)
    for (const Node& group : zip->items()) {
      if (!group.is_map()) found.add(group.place(), "a zip is " + std::string(group.kind_name()), "a map from fields to values");
      read_fields(group, true, axes, seen, found);
    }
  return axes;
}

std::vector<Objective> read_objectives(const Node& root, Diagnostics& found) {
  std::vector<Objective> out;
  std::vector<std::string> names;
  for (const auto& [name, objective] : kObjectives) names.emplace_back(name);
  const Node* list = root.find("objectives");
  if (!list) return {Objective::time};
  if (!list->is_sequence() || list->items().empty()) found.add(list->place(), "'objectives' is not a list", "a list of " + input::listed(names));
  for (const Node& item : list->items()) {
    const auto at = std::find(names.begin(), names.end(), item.text());
    if (at == names.end())
      found.add(item.place(), "unknown objective '" + item.text() + "'" + input::did_you_mean(item.text(), names), input::one_of(names));
    else if (const auto o = kObjectives[static_cast<std::size_t>(at - names.begin())].second; std::find(out.begin(), out.end(), o) == out.end())
      out.push_back(o);
  }
  return out;
}

double read_price(const Node& root, const std::vector<Objective>& objectives, Diagnostics& found) {
  const Node* node = root.find("price_per_hour");
  const bool needed = std::find(objectives.begin(), objectives.end(), Objective::cost) != objectives.end();
  if (!node) {
    if (needed) found.add(root.place(), "cost without a price", "`price_per_hour`: what all devices cost an hour, in any currency");
    return 0;
  }
  input::Problem problem;
  const auto price = input::parse_real(node->text(), problem);
  if (price && *price > 0 && *price < 1e9) return *price;
  found.add(node->place(), "a price of '" + node->text() + "'", "a positive number");
  return 0;
}

std::string hash_of(const Sweep& s) {
  std::string content = input::dump_json(s.scenario, -1) + "\n";
  for (const Axis& axis : s.space.axes()) {
    content += axis.name() + "\n";
    for (std::size_t i = 0; i < axis.size(); ++i) content += axis.value(i) + "\n";
  }
  for (const Constraint& c : s.constraints)
    if (c.on_inputs_alone()) content += c.text() + "\n";
  return hash_text(content);
}

void read_constraints(const Node& root, Sweep& s, Diagnostics& found) {
  const Node* list = root.find("constraints");
  if (!list) return;
  if (!list->is_sequence()) return found.add(list->place(), "'constraints' is " + std::string(list->kind_name()), "a list");
  for (const Node& item : list->items())
    if (auto c = Constraint::read(item, s.space.axes(), found)) s.constraints.push_back(std::move(*c));
}

}  // namespace

bool Sweep::runs(PointId point) const {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const Constraint& c) { return !c.on_inputs_alone() || c.met(space, point, nullptr); });
}

bool Sweep::counts(PointId point, const Outcome& outcome) const {
  return outcome.error.empty() && std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& c) {
           return c.on_inputs_alone() || c.met(space, point, &outcome);
         });
}

Sweep read_sweep(const std::string& path) {
  const Node root = input::parse_yaml_file(path);
  if (!root.is_map()) throw InputError(root.place(), "a sweep is " + std::string(root.kind_name()), "a map");
  Diagnostics found;
  Sweep s;
  for (const Node::Member& m : root.members())
    if (std::find(kKeys.begin(), kKeys.end(), m.key) == kKeys.end())
      found.add(root.key_place(m), "unknown key '" + m.key + "'" + input::did_you_mean(m.key, kKeys), input::one_of(kKeys));
  const Node* title = root.find("sweep");
  if (title && title->is_scalar()) s.title = title->text();
  else found.add(root.place(), "missing key 'sweep'", "a title");
  s.scenario = read_scenario_part(root, found);
  std::vector<Axis> axes = read_axes(root, found);
  if (!axes.empty()) s.space = Space(std::move(axes));
  read_constraints(root, s, found);
  s.objectives = read_objectives(root, found);
  s.price_per_hour = read_price(root, s.objectives, found);
  if (!s.scenario.is_null()) {
    Diagnostics own;
    try {
      read_scenario(s.scenario, {});
    } catch (const InputError& e) {
      own.add(e.diagnostics());
    }
    if (own.empty()) check_values(s.scenario, s.space, found);
    found.add(own);
  }
  found.throw_if_any();
  s.hash = hash_of(s);
  return s;
}

}  // namespace rooftile::workloads::sweep
