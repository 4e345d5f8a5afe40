#include "workloads/scenario.hpp"

#include <charconv>

#include "sim/core/input/suggest.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/data.hpp"

namespace rooftile::workloads {
namespace {

using input::Diagnostics;
using input::InputError;
using input::Node;

constexpr std::size_t kMostOperations = 100'000;
const std::vector<std::string> kKeys{"scenario", "hardware", "clock", "ops"};

const Node* scalar(const Node& root, const char* key, Diagnostics& found, const char* expected, bool required) {
  const Node* node = root.find(key);
  if (!node) {
    if (required) found.add(root.place(), std::string("missing key '") + key + "'", expected);
    return nullptr;
  }
  if (node->is_scalar()) return node;
  found.add(node->place(), std::string("'") + key + "' is " + std::string(node->kind_name()), expected);
  return nullptr;
}

// Applies --set: `hardware.x.y` changes the GPU document, everything else the scenario.
void assign(Node& root, Node& gpu, const std::vector<std::string>& assignments, Diagnostics& found) {
  for (const std::string& text : assignments) try {
      input::Assignment a = input::parse_assignment(text);
      if (a.path.starts_with("hardware."))
        input::assign<hw::GpuSpec>(gpu, a.path.substr(9), std::move(a.value));
      else
        input::set_path(root, a.path, std::move(a.value));
    } catch (const InputError& e) {
      found.add(e.diagnostics());
    }
}

void read_ops(const Node& root, Scenario& s, Diagnostics& found) {
  const Node* ops = root.find("ops");
  if (!ops) return found.add(root.place(), "missing key 'ops'", "a list of operations");
  if (!ops->is_sequence() || ops->items().empty())
    return found.add(ops->place(), "'ops' is " + std::string(ops->is_sequence() ? "empty" : ops->kind_name()), "a list of operations");
  if (ops->items().size() > kMostOperations)
    return found.add(ops->place(), "too many operations", "at most " + std::to_string(kMostOperations));
  for (const Node& node : ops->items()) s.ops.push_back(read_operation(node, found));
}

}  // namespace

std::optional<ClockChoice> parse_clock(const std::string& text) {
  if (text == "sustained") return ClockChoice{ClockMode::sustained, {}};
  if (text == "burst") return ClockChoice{ClockMode::burst, {}};
  if (text == "boost") return ClockChoice{ClockMode::boost, {}};
  double mhz = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mhz);
  const std::string unit(end, text.data() + text.size());
  const double scale = unit.empty() || unit == "MHz" || unit == " MHz" ? 1 : unit == "GHz" || unit == " GHz" ? 1e3 : 0;
  if (error != std::errc() || !(mhz * scale >= 100) || !(mhz * scale <= 10'000)) return std::nullopt;
  return ClockChoice{ClockMode::fixed, core::megahertz(mhz * scale)};
}

std::string clock_name(const ClockChoice& c) {
  switch (c.mode) {
    case ClockMode::sustained: return "sustained";
    case ClockMode::burst: return "burst";
    case ClockMode::boost: return "boost";
    default: return std::to_string(static_cast<int>(c.fixed.value / 1e6 + 0.5)) + " MHz";
  }
}

Scenario read_scenario(Node root, const Overrides& overrides) {
  Diagnostics found;
  if (!root.is_map()) throw InputError(root.place(), "a scenario is " + std::string(root.kind_name()), "a map");
  Scenario s;
  if (overrides.hardware) root.set("hardware", Node::string(*overrides.hardware));
  if (overrides.clock) root.set("clock", Node::string(*overrides.clock));
  Node gpu;
  if (const Node* hardware = scalar(root, "hardware", found, "a name such as h200, or a path", true)) try {
      s.hardware_name = hardware->text();
      gpu = load_gpu_node(s.hardware_name);
    } catch (const InputError& e) {
      for (const input::Diagnostic& d : e.diagnostics().sorted()) {
        const bool placed = d.place.line > 0 || !d.place.file.empty();
        found.add(placed ? d.place : hardware->place(), d.what, d.expected);
      }
    }
  s.exact = overrides.exact;
  assign(root, gpu, overrides.assignments, found);
  for (const Node::Member& m : root.members())
    if (std::find(kKeys.begin(), kKeys.end(), m.key) == kKeys.end())
      found.add(root.key_place(m), "unknown key '" + m.key + "'" + input::did_you_mean(m.key, kKeys), input::one_of(kKeys));
  if (const Node* name = scalar(root, "scenario", found, "a title", true)) s.name = name->text();
  if (const Node* clock = scalar(root, "clock", found, "sustained, burst, boost or a frequency", false)) {
    const auto choice = parse_clock(clock->text());
    if (choice) s.clock = *choice;
    else found.add(clock->place(), "unknown clock '" + clock->text() + "'", "sustained, burst, boost or a frequency such as 1500 MHz");
  }
  if (gpu.is_map()) s.gpu = input::read<hw::GpuSpec>(gpu, found);
  read_ops(root, s, found);
  found.throw_if_any();
  return s;
}

Scenario read_scenario(const std::string& path, const Overrides& overrides) {
  return read_scenario(input::parse_yaml_file(path), overrides);
}

}  // namespace rooftile::workloads
