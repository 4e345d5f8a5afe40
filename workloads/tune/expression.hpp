// Sums such as `2*m + step - 1`: integers, and names with an integer factor.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/core/input/node.hpp"

namespace rooftile::workloads::tune {

struct Sum {
  std::int64_t constant = 0;
  std::map<std::string, std::int64_t> factor;  // by name
};

// Mistakes go to `found`, at `at`; names are those that may appear.
Sum read_sum(const std::string& text, const std::vector<std::string>& names, const input::Place& at, input::Diagnostics& found);

}  // namespace rooftile::workloads::tune
