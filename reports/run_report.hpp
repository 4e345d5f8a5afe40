// The answer of `rooftile run`: collected once, then written as text, JSON, CSV or Markdown.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/scenario.hpp"

namespace rooftile::reports {

struct OpRow {
  std::string name, op, impl, shape, schedule, bottleneck;
  std::int64_t repeat = 1;
  double time_us = 0;  // one run
  double cycles = 0, clock_mhz = 0, power_w = 0, energy_mj = 0;
  double flops = 0, compulsory_bytes = 0;
  std::map<std::string, double> bytes;        // by level
  double l2_hit_rate = 0;
  std::map<std::string, double> utilization;  // share of the time that each resource was busy, 0..1
  std::map<std::string, double> stalls;       // share of role time, by reason
  struct KernelRow {
    std::string name;
    double time_us, cycles, clock_mhz;
    int ctas, ctas_per_sm;
    int threads, registers;      // of a CTA; of a thread
    double shared_memory;        // bytes of a CTA
    std::int64_t launches;       // time and cycles are those of all of them
    std::string kind;            // class of kernel in a whole step, or ""
  };
  std::vector<KernelRow> kernels;
  double gaps_us = 0;
  struct Communication {
    std::vector<std::pair<std::string, double>> parts;  // microseconds; they add up to the time
    int sms = 0;                                        // held meanwhile
    double sent_bytes = 0, memory_bytes = 0;            // of one GPU
  };
  std::optional<Communication> communication;           // instead of kernels
};

// Ceilings of a roofline, at the average clock of the run.
struct Roofs {
  std::vector<std::pair<std::string, double>> flops;      // FLOP/s by matrix type, and of FP32 FMA
  std::vector<std::pair<std::string, double>> bandwidth;  // B/s of HBM (pins) and L2 (reads)
};
Roofs roofs(const hw::GpuSpec& gpu, double clock_mhz);

struct RunReport {
  std::string scenario, hardware, clock;
  Roofs roofs;
  double time_us = 0, energy_mj = 0, power_w = 0, clock_mhz = 0;
  std::vector<OpRow> ops;
};

OpRow collect_op(const workloads::NamedOperation& op, const workloads::Prediction& prediction, const hw::GpuSpec& gpu);
RunReport collect(const workloads::Scenario& scenario, const std::vector<workloads::Prediction>& predictions);

enum class Format { text, json, csv, markdown };
std::string write(const RunReport& report, Format format);

}  // namespace rooftile::reports
