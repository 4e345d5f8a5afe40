// A small machine description that uses every kind of field.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/input/fields.hpp"
#include "sim/core/input/yaml.hpp"

namespace rooftile::input::toy {

enum class Mask { kNone, kCausal, kWindow };
constexpr auto enum_names(Mask) {
  return std::to_array<std::pair<const char*, Mask>>(
      {{"none", Mask::kNone}, {"causal", Mask::kCausal}, {"causal_window", Mask::kWindow}});
}

struct L2 {
  Sourced<core::Bytes> capacity;
  core::BytesPerSecond read_bandwidth;
  core::Time latency{200'000};

  template <class V>
  static void visit_fields(V& v) {
    v.field("capacity", &L2::capacity, "all partitions", Range{1 << 20, 1LL << 30});
    v.field("read_bandwidth", &L2::read_bandwidth, "L2 to all SMs", Range{1e9, 1e15});
    v.field("latency", &L2::latency, "of a hit", Range{0, 1e-3}).optional();
  }
};

struct Chip {
  std::string name;
  std::int64_t sms = 1;
  double efficiency = 1;
  bool coherent = false;
  Mask mask = Mask::kNone;
  L2 l2;
  std::vector<std::int64_t> gpcs;
  std::optional<core::Hertz> boost;
  std::map<std::string, core::Watts> rails;
  std::vector<std::pair<std::string, Node>> vary;
  std::int32_t small = 0;

  template <class V>
  static void visit_fields(V& v) {
    v.field("name", &Chip::name, "what people call it");
    v.field("sms", &Chip::sms, "streaming multiprocessors", Range{1, 4096});
    v.field("efficiency", &Chip::efficiency, "share of the peak", Range{0, 1}).optional();
    v.field("coherent", &Chip::coherent, "one address space").optional();
    v.field("mask", &Chip::mask, "which keys a query sees").optional();
    v.field("l2", &Chip::l2, "last cache");
    v.field("gpcs", &Chip::gpcs, "SMs of each GPC", Range{1, 64}).optional();
    v.field("boost", &Chip::boost, "highest clock");
    v.field("rails", &Chip::rails, "power by rail").optional();
    v.field("vary", &Chip::vary, "anything").optional();
    v.field("small", &Chip::small, "a 32-bit number").optional();
  }
  void check(const Node& at, Diagnostics& found) const {
    std::int64_t total = 0;
    for (const auto n : gpcs) total += n;
    if (!gpcs.empty() && total != sms) found.add(at.place(), "the GPCs hold " + std::to_string(total) + " SMs", "sms");
  }
};

inline constexpr const char* kChip = R"(name: toy
sms: 4
efficiency: 0.5
coherent: true
mask: causal
l2:
  capacity: {value: 50 MiB, source: "datasheet, page 3", spread: 2 %}
  read_bandwidth: 5.5 TB/s
  latency: 67 ns
gpcs: [1, 3]
boost: 1980 MHz
rails: {core: 500 W, memory: 75.5 W}
vary:
  l2.capacity: [30 MB, 60 MB]
  batch: {from: 1, to: 8}
)";

// What the user would see; empty if nothing is wrong.
template <class F>
std::string errors_of(F&& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}
inline std::string yaml_errors(const std::string& text, const Limits& limits = {}) {
  return errors_of([&] { parse_yaml(text, "f.yaml", limits); });
}
inline std::string chip_errors(const std::string& text) {
  return errors_of([&] { read<Chip>(parse_yaml(text, "f.yaml")); });
}
inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace rooftile::input::toy
