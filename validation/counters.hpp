// Cycles, traffic and pipe use against hardware counters of single launches (L2 flushed before, burst clock).
#pragma once

#include <string>

#include "reports/run_report.hpp"
#include "validation/validate.hpp"

namespace rooftile::validation {

struct CounterRow {
  std::string name, kernel;
  double cycles = 0, predicted_cycles = 0;
  double dram = 0, predicted_dram = 0;      // bytes
  double hit = 0, predicted_hit = 0;        // percent
  double tensor = 0, predicted_tensor = 0;  // percent of cycles
  double mhz = 0, predicted_mhz = 0;
  std::string skipped;
};
std::vector<CounterRow> counter_rows(const std::string& file, const Options& options);
std::string compare_counters(const std::string& file, const Options& options, reports::Format format);

}  // namespace rooftile::validation
