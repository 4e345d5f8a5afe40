// Tokens to experts and back: DeepEP's throughput kernels (a token goes once to every rank, across nodes once to every
// node and on over NVLink) and its low-latency kernels (one message a token and expert, nothing held back).
// Sources: DeepEP's kernels for who does what; numbers are the fabric file's `experts`. Tokens choose experts at random,
// the busiest rank by `imbalance`. Not modelled: routing limited to groups of nodes, hooks that return before receipt.
#pragma once

#include "workloads/collective/cost.hpp"

namespace rooftile::workloads::moe_all_to_all {

struct Shape {
  std::int64_t tokens = 1;  // of one rank
  std::int64_t hidden = 7168, top_k = 8, experts = 256;
  std::int64_t sms = 20;    // of the throughput kernels; half send, half receive
  double element = 2;       // bytes
  double imbalance = 1;     // load of the busiest rank over the mean
};

// Expected number of groups (ranks, nodes) among `groups` that hold one of a token's experts.
double expected_groups(double groups, const Shape& shape);

collective::Cost dispatch(const Shape& shape, const collective::Group& group);
collective::Cost combine(const Shape& shape, const collective::Group& group);
collective::Cost dispatch_low_latency(const Shape& shape, const collective::Group& group);
collective::Cost combine_low_latency(const Shape& shape, const collective::Group& group);

// Experts' loads over ranks: the hottest experts get `redundant` copies that share their load, and copies are dealt to
// the least loaded rank with room, hottest first. Returns the busiest rank's load over the mean.
double imbalance_of(const std::vector<double>& loads, std::int64_t redundant, std::int64_t ranks);

}  // namespace rooftile::workloads::moe_all_to_all
