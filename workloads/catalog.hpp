// The catalog: the only list of operators. A map with an `op` key becomes an Operation.
#pragma once

#include <string>
#include <vector>

#include "sim/core/input/fields.hpp"
#include "workloads/operation.hpp"

namespace rooftile::workloads {

struct NamedOperation {
  std::string name;            // what a report calls it
  std::string implementation;
  std::int64_t repeat = 1;
  OperationPtr operation;
  std::string key;             // what is computed: equal keys are predicted once
};

// `keys` of a scenario are checked for unknown ones; a record's other keys are ignored. Mistakes go to `found`
// and give an empty pointer.
NamedOperation read_operation(const input::Node& node, input::Diagnostics& found, bool is_record = false);

struct CatalogRow {
  std::string op;
  std::vector<std::string> implementations;
  input::Node (*schema)(const char* op);
};
const std::vector<CatalogRow>& catalog();
// Operators that need a fabric and no GPU file.
bool is_communication(const std::string& op);

}  // namespace rooftile::workloads
