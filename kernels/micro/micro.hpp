// Microbenchmarks: one file per hardware number, each with one registration line.
//
// A file measures with `session.measure(name, unit, once)`: `once` runs the experiment and returns one reading; the
// session runs it once unrecorded, then a few times, and keeps the median and the spread (max - min) / median.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/nvml.hpp"

namespace rooftile::kernels::micro {

struct Reading {
  std::string name;
  double value = 0;
  std::string unit;
  double spread = 0;  // (max - min) / |median| over the repeats
  int repeats = 1;
  std::string source;                  // file that measured it
  std::optional<double> reported_mhz;  // SM clock reported right after
};

class Session {
 public:
  Session(const measure::Nvml& nvml, std::string filter) : nvml_(nvml), filter_(std::move(filter)) {}

  void measure(const std::string& name, const char* unit, const std::function<double()>& once, int repeats = 3);
  void record(const std::string& name, const char* unit, double value);  // one reading, or a statistic of many

  const measure::Nvml& nvml() const { return nvml_; }
  const std::vector<Reading>& readings() const { return readings_; }
  void enter(std::string source) { source_ = std::move(source); }

 private:
  const measure::Nvml& nvml_;
  std::string filter_;
  std::string source_;
  std::vector<Reading> readings_;
};

struct Microbenchmark {
  std::string source;  // path below the repository's root
  void (*run)(Session&);
};

std::vector<Microbenchmark> microbenchmarks();  // in order of file name

struct Registration {
  Registration(const char* file, void (*run)(Session&));
};

#define ROOFTILE_MICRO(run) static const ::rooftile::kernels::micro::Registration registration{__FILE__, run};

}  // namespace rooftile::kernels::micro
