// What a collective costs, from the steps of its kernel: latency of every hop, bytes over the busiest link, copies and
// sums by the CTAs of its channels, and the fill of its pipeline. No efficiency factors; all numbers are the fabric
// file's. All ranks start together and nothing else uses the links (schedule.hpp plays the other cases on the graph).
//
// A channel is one CTA: it waits for a chunk, copies or adds it, and passes it on. Sending is bound by the link, the
// last receive of a chunk (no send) by the CTA's copies. Simple exposes a barrier, fence and flag at every step; LL
// sends flags with every word, LL128 one in 128 bytes.
#pragma once

#include <string>
#include <vector>

#include "workloads/collective/tuning.hpp"

namespace rooftile::workloads::collective {

struct Part {
  const char* what;  // "start", "hops", "wire", "copies", "fill", "network"
  double seconds;
};

struct Cost {
  Choice choice;
  std::string library;      // nccl, vllm, trtllm
  std::vector<Part> parts;  // they add up to `seconds`
  double seconds = 0;
  int sms = 0;              // CTAs that hold an SM meanwhile
  double sent_bytes = 0;    // by one GPU
  double memory_bytes = 0;  // that one GPU's kernel reads and writes in its own memory

  void add(const char* what, double s);
  // The largest part.
  const char* bound() const;
};

// Algorithms as the library (or the caller) chose them. `bytes` as nccl-tests counts.
Cost ring(Op op, double bytes, const Group& group, Protocol protocol);
Cost tree(double bytes, const Group& group, Protocol protocol);
Cost nvls(double bytes, const Group& group);
Cost one_shot(double bytes, const Group& group, bool pull);  // peers' inputs are loaded, or pushed into all peers
Cost two_shot(double bytes, const Group& group);
Cost broadcast(double bytes, const Group& group, Protocol protocol);
// `most`: bytes that the busiest rank sends or receives besides its own share; equal shares when empty.
struct Exchange {
  double own = 0, in_node = 0, across = 0;  // bytes of the busiest rank, larger of sent and received
  double largest = 0;                       // of one pair
  std::int64_t peers = 0, peers_across = 0;
};
Exchange equal_exchange(double bytes, const Group& group);
// matrix[i][j]: bytes from rank i to rank j.
Exchange exchange_of(const std::vector<std::vector<double>>& matrix, const Group& group);
Cost pairwise(const Exchange& exchange, const Group& group);
Cost send_recv(double bytes, const Group& group, bool all_at_once);

// By the rules of `library`: nccl, vllm (custom kernels up to 8 MiB) or trtllm.
Cost cost(Op op, double bytes, const Group& group, const std::string& library = "nccl");
Cost cost(Op op, double bytes, const Group& group, const Choice& choice);

}  // namespace rooftile::workloads::collective
