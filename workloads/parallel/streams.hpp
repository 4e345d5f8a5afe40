// Kernels on streams of one GPU that contend for SMs and HBM. A task runs as fast as the scarcer of both lets it; a
// collective's CTAs keep their SMs for all of its time, also while it waits for the wire, so a GEMM beside it loses
// them. HBM is shared max-min. Tasks of one stream follow each other; others wait for what they name.
// Not modelled: L2 capacity lost to the neighbour, memory latency under load, the clock that a joint load sinks to,
// and SMs that a cluster launch cannot use singly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rooftile::workloads::parallel {

struct Task {
  std::string name;
  int stream = 0;
  bool communication = false;
  double seconds = 0;        // alone
  double sms = 0;            // compute: SMs that it can fill; communication: SMs that it holds
  double memory_bytes = 0;   // through HBM
  double wave = 0;           // compute: seconds of one CTA, for which a kernel launched after it waits when it fills the GPU
  std::vector<std::uint32_t> after;
};

struct Gpu {
  double sms = 132;
  double bytes_per_second = 0;  // HBM, reached; 0: never scarce
};

struct StreamsResult {
  double seconds = 0;
  std::vector<double> start, end;      // of each task
  double compute = 0, communication = 0;  // seconds in which some task of the kind ran
  double exposed = 0;                  // communication ran and no compute did
};

// Throws std::invalid_argument when tasks wait for each other.
StreamsResult run_streams(const std::vector<Task>& tasks, const Gpu& gpu);

}  // namespace rooftile::workloads::parallel
