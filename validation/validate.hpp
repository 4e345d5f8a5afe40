// Predicts measured records and reports errors by family. Blind: only the operation's keys are inputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validation/records.hpp"
#include "workloads/predict.hpp"

namespace rooftile::validation {

struct Options {
  std::optional<std::string> hardware;        // else the record's folder name
  std::optional<workloads::ClockChoice> clock;  // else: sustained times sustained, short published ones burst
  bool known_schedule = false;                // also read the schedule from the recorded kernel names
  bool baseline = false;
  int jobs = 0;                               // 0: all cores
  std::function<void(std::size_t done, std::size_t all)> progress;
};

struct Row {
  std::string group;  // of communication: operator, nodes, machine
  std::string family, device, file, op, impl, shape, schedule, measured_schedule, bottleneck, skipped;
  int line = 0;
  double measured_us = 0, predicted_us = 0;
  double clock_mhz = 0, measured_mhz = 0, power_w = 0;
  double flops = 0, bytes = 0;                // for the baseline
  std::optional<double> baseline_us;          // cross-validated fitted roofline
  double ape() const { return 100 * std::abs(predicted_us / measured_us - 1); }
  double error() const { return 100 * (predicted_us / measured_us - 1); }
  std::vector<std::pair<std::string, double>> kernels, measured_kernels;
};

struct Family {
  std::string family, device;
  std::size_t records = 0, predicted = 0, skipped = 0;
  double median_ape = 0, mean_ape = 0, p90_ape = 0, p95_ape = 0, worst_ape = 0, bias = 0;
  double clock_median = 0;                    // median error of the clock, percent
  std::optional<double> baseline_median, baseline_mean;
};

struct Validation {
  std::vector<Family> families;
  std::vector<Family> groups;                 // of families that hold several operators or machines: "operator, where"
  std::vector<Row> rows;
};

Validation validate(const std::vector<Record>& records, const Options& options);
// Two-fold cross-validated roofline with three fitted constants a family and implementation.
void add_baseline(std::vector<Row>& rows);
std::vector<Family> summarise(const std::vector<Row>& rows);
// The same by what `name` says of a row; an empty name leaves it out.
std::vector<Family> summarise(const std::vector<Row>& rows, const std::function<std::string(const Row&)>& name);
double quantile(std::vector<double> values, double q);

}  // namespace rooftile::validation
