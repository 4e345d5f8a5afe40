// The answer of `rooftile tune`: schedules by predicted time, what limits each, and which cannot run.
#pragma once

#include <string>

#include "reports/run_report.hpp"
#include "workloads/tune/tune.hpp"

namespace rooftile::reports {

struct TuneRow {
  OpRow op;
  std::string name, bound_by, waits_for;  // the largest stall
  double bound_us = 0, nominal_us = 0;
  std::size_t place = 0;
  bool own = false;
};

struct TuneReport {
  std::string title, hardware, clock;
  std::size_t considered = 0, played = 0, pruned = 0;
  std::vector<TuneRow> rows;
  std::vector<workloads::tune::Refused> refused;
};

TuneReport collect(const workloads::NamedOperation& op, const workloads::Scenario& scenario, const workloads::tune::Ranking& ranking);
std::string write(const std::vector<TuneReport>& reports, Format format);

}  // namespace rooftile::reports
