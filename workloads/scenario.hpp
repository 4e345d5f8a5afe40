// A scenario: hardware, a clock regime and operations to run in order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/catalog.hpp"
#include "workloads/predict.hpp"

namespace rooftile::workloads {

struct Scenario {
  std::string name;
  std::string hardware_name;
  hw::GpuSpec gpu;
  ClockChoice clock;
  std::vector<NamedOperation> ops;
  bool exact = false;  // full play of every kernel
};

struct Overrides {
  std::optional<std::string> hardware, clock;
  std::vector<std::string> assignments;  // key.path=value; hardware.* reaches into the GPU file
  bool exact = false;
};

// `sustained`, `burst`, `boost`, or a frequency such as 1500 MHz (a bare number is MHz). Empty when it is none.
std::optional<ClockChoice> parse_clock(const std::string& text);
std::string clock_name(const ClockChoice& choice);

// Throws InputError with every mistake of the file and the overrides.
Scenario read_scenario(const std::string& path, const Overrides& overrides = {});
Scenario read_scenario(input::Node document, const Overrides& overrides);

}  // namespace rooftile::workloads
