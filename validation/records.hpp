// Measured records: JSON Lines as the measured folder's README describes, one operation and its times a line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/input/node.hpp"

namespace rooftile::validation {

struct Record {
  std::string file;      // path as given
  std::string family;    // file stem
  std::string device;    // folder name
  int line = 0;
  bool published = false;  // other people's: the record names its source
  input::Node node;
  std::optional<double> sustained_us, burst_us, sm_mhz;
  std::vector<std::pair<std::string, double>> kernels;  // name and microseconds, in order
};

// Files or folders (all *.jsonl in them, by name). Throws InputError with every broken line.
std::vector<Record> load_records(const std::vector<std::string>& paths);

}  // namespace rooftile::validation
