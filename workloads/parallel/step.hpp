// A model step over many GPUs: one layer's tasks on one representative rank (compute, and the collectives of its groups
// on a stream of their own), layers into stages, stages into a pipeline, gradients over the data ranks. Who computes
// what, and for how long, is the caller's: `LayerWork` holds the seconds of one rank. All ranks of a stage are alike;
// stragglers are played by collective/schedule.hpp.
#pragma once

#include "workloads/parallel/layout.hpp"
#include "workloads/parallel/pipeline.hpp"
#include "workloads/parallel/streams.hpp"

namespace rooftile::workloads::parallel {

// One layer on one rank, one microbatch, forward. Zero bytes: no such message.
struct LayerWork {
  double attention_seconds = 0, mlp_seconds = 0;  // kernels before the group's sum, experts included
  double attention_bytes = 0, mlp_bytes = 0;      // of HBM in them
  double wave_seconds = 0;
  double hidden_bytes = 0;       // activations of the microbatch on one rank: what tensor ranks sum
  double kv_bytes = 0;           // keys and values of one context rank
  std::int64_t moe_tokens = 0, moe_hidden = 0, moe_top_k = 0, moe_experts = 0;
  double moe_imbalance = 1;
  bool low_latency_experts = false;
};

struct StepWork {
  LayerWork layer;
  std::int64_t layers = 1;
  bool training = false;
  double backward_factor = 2;       // backward over forward, compute and messages' count
  double gradient_bytes = 0;        // of one rank's share of the weights: summed over data (and context) ranks
  bool overlap_gradients = true;    // with the last microbatch's backward
  double other_seconds = 0;         // embedding, head, sampling, optimiser
  Gpu gpu;
};

struct StepResult {
  double seconds = 0;
  double compute = 0;        // of the busiest stage
  double exposed = 0;        // communication that nothing hides, of the busiest stage, gradients included
  double bubble_seconds = 0, bubble = 0;
  double gradient_seconds = 0, gradient_exposed = 0;
  double layer_seconds = 0, layer_exposed = 0;
  std::int64_t microbatches_held = 0;
  std::vector<std::pair<std::string, double>> messages;  // seconds of each kind, one layer, alone
};

StepResult run_step(const StepWork& work, const Layout& layout, const hw::fabric::FabricSpec& fabric);

}  // namespace rooftile::workloads::parallel
