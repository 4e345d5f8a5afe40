// A collective as sends that wait for other sends, played chunk by chunk on the links of a fabric: for stragglers, other
// traffic on the same links, and odd topologies. On an idle, symmetric fabric the closed forms hold, and a test says so.
// A send's cost is that of its links; kernels' start and protocol are left to cost.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/fabric/topology.hpp"

namespace rooftile::workloads::collective {

struct Send {
  std::uint32_t from = 0, to = 0;  // GPUs
  std::int64_t bytes = 0;
  std::vector<std::uint32_t> after;  // sends that must have arrived
};

struct Schedule {
  std::vector<Send> sends;
  // Appends another schedule that runs at the same time.
  void beside(const Schedule& other);
};

using Gpus = std::vector<std::uint32_t>;  // in the order of their ranks

Schedule ring_all_reduce(const Gpus& gpus, std::int64_t bytes);
Schedule ring_all_gather(const Gpus& gpus, std::int64_t bytes);  // a reduce-scatter is as long
Schedule tree_all_reduce(const Gpus& gpus, std::int64_t bytes, std::int64_t pieces);  // binary, up and down, pipelined
Schedule pairwise_all_to_all(const Gpus& gpus, std::int64_t bytes);                   // in n - 1 rounds, all at once
Schedule by_matrix(const Gpus& gpus, const std::vector<std::vector<double>>& bytes);

struct Played {
  core::Time end;
  std::vector<core::Time> arrived;  // of each send
};

// `ready[gpu]`: when that GPU may send first; empty: at once. Throws hw::fabric::Unreachable, and std::invalid_argument
// for sends that wait for each other in a circle.
Played play(const Schedule& schedule, const hw::fabric::Topology& topology, core::Bytes chunk,
            const std::vector<core::Time>& ready = {});

}  // namespace rooftile::workloads::collective
