// A GPU at one SM clock: every rate and latency resolved to time, ready for the player. Made from a GpuSpec
// by `resolve` (hw/gpu_spec.hpp); nothing here is a constant of its own.
#pragma once

#include <array>
#include <vector>

#include "hw/tile_program.hpp"
#include "sim/core/units.hpp"

namespace rooftile::hw {

// Resources inside one SM that several roles meet on.
enum SmResource : int { kTensor, kSharedPath, kIssue, kFma, kAlu, kMufu, kConvert, kSmResources };
inline constexpr std::array<const char*, kSmResources> kSmResourceNames{"tensor", "shared memory path", "issue",
                                                                       "FMA", "ALU", "MUFU", "convert"};

struct Machine {
  core::Clock clock{core::megahertz(1000)};
  int sms = 1;
  std::vector<int> gpc_sms;  // SMs of each GPC: where clusters fit

  // SM
  int schedulers = 4;
  std::array<double, kSmResources> lanes_per_cycle{};        // lane operations (bytes for the shared path)
  std::array<std::array<double, 5>, 2> tensor_flops{};       // [family][type] FLOP per cycle and SM
  double mma_latency_cycles = 0;                             // issue to visible result of the last instruction
  double barrier_cycles = 0;                                 // mbarrier or named-barrier hand-off
  double tma_issue_cycles = 0;
  double tma_fill_cycles = 0;                                // for each 128 bytes of a box that lie outside its tensor
  double tma_latency_cycles = 0;                             // beyond a plain load
  core::Time tma_descriptor;                                 // first use of a tensor map by an SM in a kernel
  core::Time cluster_sync;                                   // first barrier of a cluster
  int max_warps = 64, max_ctas = 32;
  std::int64_t registers = 65536;
  core::Bytes shared_memory, shared_reserved;

  // L2 and HBM
  int l2_partitions = 1;
  core::Bytes l2_partition_capacity;
  core::Time l2_latency, l2_far_latency, hbm_latency, hbm_latency_tail;  // load to use; far is the extra hop
  core::Bytes sm_bytes_in_service;                           // of HBM requests of one SM at a time
  double sm_port_bytes_per_cycle = 64;                       // L2 to one SM
  core::BytesPerSecond l2_read, l2_write, l2_link, hbm_read, hbm_write;
  core::Bytes hbm_half_load;     // bytes in service at which half of the bandwidth is reached
  double hbm_turnaround = 0;     // of a written byte that follows a read one, in bytes
  double hbm_run_bytes = 0;      // bytes that opening one contiguous run costs

  // Launch
  core::Time kernel_gap;         // end of a kernel to start of the next in a graph
  core::Time cta_interval;       // between CTA launches of the whole GPU
  core::Time cta_start;          // launch of a CTA to its first instruction
  core::Time first_fetch;        // first CTA of a kernel on an SM: instruction and constant caches are cold
  core::Time profiled_start;     // what a profiler that flushes every cache adds to a kernel
  core::Time cta_refill;         // exit of a CTA to launch of its successor
  core::Time kernel_drain;       // last store to completion
};

}  // namespace rooftile::hw
