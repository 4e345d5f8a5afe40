// A resource ledger: what each of several runs takes of every physical carrier, and what it gains or pays against the first.
//
// Busy time of a unit is the time in which all units of the GPU together could have done its work, so rows of different
// carriers can be compared. What a run does not use is 0, not absent. Not counted: numerical accuracy, code complexity.
#pragma once

#include <string>
#include <vector>

#include "reports/bands.hpp"
#include "reports/document.hpp"
#include "reports/run_report.hpp"

namespace rooftile::reports {

enum class Better { lower, higher, neither };

struct LedgerRow {
  std::string resource, carrier, unit;
  Better better = Better::lower;
  bool busy_time = false;         // microseconds of one carrier: may be named in a verdict
  std::vector<double> values;     // one a run
  double change(std::size_t i) const { return values[i] - values[0]; }
  // Percent; nothing when the first run does not use it.
  bool has_ratio() const { return values[0] != 0; }
  double percent(std::size_t i) const { return 100 * change(i) / values[0]; }
  const char* verdict(std::size_t i) const;  // "gains", "pays", or "" below one percent
};

struct Ledger {
  std::vector<RunReport> runs;
  std::vector<double> bands;            // percent
  std::vector<LedgerRow> rows;
  std::vector<std::string> verdicts;    // of runs 1, 2, ... against run 0
};

// What the ledger needs to know of the GPU that a run was predicted for.
struct Carriers {
  double sms = 1, registers = 1, shared_memory = 1, l2_capacity = 1;
};
Carriers carriers(const hw::GpuSpec& gpu);
double band_percent(const RunReport& run, const std::string& device, const Bands& bands);

Ledger compare(std::vector<RunReport> runs, const std::vector<Carriers>& carriers, std::vector<double> bands);
Document document(const Ledger& ledger);
std::string write(const Ledger& ledger, Format format);

}  // namespace rooftile::reports
