// rooftile-measure: checks, measures and calibrates on a machine that holds the CUDA Toolkit or only its driver.
//
//   rooftile-measure list | check [FILTER] | bench [FILTER] [--group kernels|ablation] | micro [FILTER]
//
// Records go to stdout as JSON Lines; progress goes to stderr.
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "harness/error.hpp"
#include "harness/timing.hpp"
#include "micro/micro.hpp"
#include "registry.hpp"

namespace {

using namespace rooftile;
using measure::Failure;

struct Device {
  std::string name, bus;
  int driver = 0;
};

Device device() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) throw Failure(measure::exit_skipped, "no GPU, or no driver for it");
  cudaDeviceProp p{};
  measure::check(cudaGetDeviceProperties(&p, 0), "device");
  if (p.major != 9) throw Failure(measure::exit_skipped, std::string("these kernels are built for compute capability 9.0, this is ") + p.name);
  char bus[32];
  measure::check(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), "device");
  Device d{p.name, bus};
  cudaDriverGetVersion(&d.driver);
  return d;
}

std::vector<measure::Case> cases() {
  std::vector<measure::Case> all;
#define ROOFTILE_KERNEL(op) kernels::op::add_cases(all);
#include "registry.inc"
#undef ROOFTILE_KERNEL
  return all;
}
std::vector<measure::Check> checks() {
  std::vector<measure::Check> all;
#define ROOFTILE_KERNEL(op) kernels::op::add_checks(all);
#include "registry.inc"
#undef ROOFTILE_KERNEL
  return all;
}

std::string text(const measure::Case& c) { return c.op + " " + c.keys + " " + c.schedule + " " + c.group; }

int list() {
  for (const auto& c : cases()) std::printf("%s\n", text(c).c_str());
  for (const auto& c : checks()) std::printf("check: %s\n", c.name.c_str());
  for (const auto& m : kernels::micro::microbenchmarks()) std::printf("micro: %s\n", m.source.c_str());
  return 0;
}

int run_checks(const std::string& filter) {
  device();
  int failed = 0, run = 0;
  for (const auto& c : checks()) {
    if (c.name.find(filter) == std::string::npos) continue;
    const double error = c.run(1);
    const bool good = error <= c.tolerance;  // false for NaN
    ++run;
    failed += !good;
    std::printf("%s %s: error %.3g, allowed %.3g\n", good ? "ok  " : "FAIL", c.name.c_str(), error, c.tolerance);
  }
  std::printf("%d checks, %d failed\n", run, failed);
  return failed == 0 ? 0 : measure::exit_check_failed;
}

void print_optional(const char* key, const std::optional<double>& v) {
  if (v) std::printf(", \"%s\": %.1f", key, *v);
}

int bench(const std::string& filter, const std::string& group) {
  const Device d = device();
  const measure::Nvml nvml(d.bus);
  for (const auto& c : cases()) {
    if (text(c).find(filter) == std::string::npos || (!group.empty() && c.group != group)) continue;
    try {
      const measure::Timing t = measure::time_case(c, nvml);
      std::printf("{\"op\": \"%s\", %s, \"impl\": \"%s\", \"group\": \"%s\"%s%s, \"measured\": {\"sustained_us\": %.3f, \"burst_us\": %.3f, \"spread\": %.4f", c.op.c_str(),
                  c.keys.c_str(), c.impl.c_str(), c.group.c_str(), c.schedule.empty() ? "" : ", \"tile\": ", c.schedule.c_str(), t.sustained_us, t.burst_us, t.spread);
      print_optional("sustained_sm_mhz", t.sm_mhz);
      print_optional("power_w", t.power_w);
      std::printf(", \"sets\": %d, \"calls\": %d, \"replays\": %d}, \"device\": \"%s\", \"driver\": %d}\n", t.sets, t.calls, t.replays, d.name.c_str(), d.driver);
      std::fflush(stdout);
      std::fprintf(stderr, "%s: %.2f us\n", text(c).c_str(), t.sustained_us);
    } catch (const Failure& e) {
      std::fprintf(stderr, "%s: %s\n", text(c).c_str(), e.what());
    }
  }
  return 0;
}

int micro(const std::string& filter) {
  const Device d = device();
  const measure::Nvml nvml(d.bus);
  kernels::micro::Session session(nvml, filter);
  for (const auto& m : kernels::micro::microbenchmarks()) {
    session.enter(m.source);
    m.run(session);
  }
  for (const auto& r : session.readings())
    std::printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"spread\": %.4f, \"repeats\": %d, \"source\": \"%s\", \"device\": \"%s\", \"driver\": %d}\n", r.name.c_str(),
                r.value, r.unit.c_str(), r.spread, r.repeats, r.source.c_str(), d.name.c_str(), d.driver);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  std::string filter, group;
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "--group") == 0 && i + 1 < argc) group = argv[++i];
    else filter = argv[i];
  }
  try {
    if (command == "list") return list();
    if (command == "check") return run_checks(filter);
    if (command == "bench") return bench(filter, group);
    if (command == "micro") return micro(filter);
    std::fprintf(stderr, "usage: rooftile-measure list | check [FILTER] | bench [FILTER] [--group kernels|ablation] | micro [FILTER]\n");
    return measure::exit_wrong_input;
  } catch (const Failure& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return e.code();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "internal error: %s\n", e.what());
    return measure::exit_internal;
  }
}
