// parallel_step: a model step over many GPUs, stated by what one rank of one layer computes and sends. Model graphs fill
// the same StepWork from their operators.
#pragma once

#include "workloads/common_keys.hpp"
#include "workloads/operation.hpp"
#include "workloads/parallel/step.hpp"

namespace rooftile::workloads::parallel {

struct ExpertKeys {
  std::int64_t experts = 0, top_k = 1, tokens_per_rank = 1, hidden_size = 1, redundant_experts = 0;
  std::vector<double> expert_loads;
  bool low_latency = false;

  template <class V>
  static void visit_fields(V& v) {
    const input::Range size{1, kLargestSize};
    v.field("experts", &ExpertKeys::experts, "experts of a layer", input::Range{1, 1 << 13});
    v.field("top_k", &ExpertKeys::top_k, "experts of a token", input::Range{1, 1024});
    v.field("tokens_per_rank", &ExpertKeys::tokens_per_rank, "tokens that one rank sends, of a microbatch", size);
    v.field("hidden_size", &ExpertKeys::hidden_size, "elements of a token", size);
    v.field("expert_loads", &ExpertKeys::expert_loads, "relative load of every expert; empty: equal", input::Range{0, 1e12}).optional();
    v.field("redundant_experts", &ExpertKeys::redundant_experts, "copies of hot experts beyond the first", input::Range{0, 1 << 13}).optional();
    v.field("low_latency", &ExpertKeys::low_latency, "low-latency kernels instead of throughput kernels").optional();
  }
};

struct Keys : CommonKeys {
  Layout parallel;
  std::int64_t layers = 1;
  core::Time attention, mlp, other;
  bool training = false, overlap_gradients = true;
  std::optional<core::Bytes> hidden, kv, gradients;
  std::optional<ExpertKeys> experts;
  std::optional<std::int64_t> devices;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    const input::Range time{0, 1e3};
    v.field("parallel", &Keys::parallel, "how the step is spread over GPUs");
    v.field("devices", &Keys::devices, "GPUs; must be what the layout needs", input::Range{1, 1 << 24});
    v.field("layers", &Keys::layers, "layers of the model", input::Range{1, 1e5});
    v.field("attention", &Keys::attention, "attention of one layer and microbatch on one rank, forward", time);
    v.field("mlp", &Keys::mlp, "MLP or experts of the same", time);
    v.field("other", &Keys::other, "embedding, head, optimiser: once a step", time).optional();
    v.field("hidden", &Keys::hidden, "activations of a microbatch: what tensor ranks sum, and stages send");
    v.field("kv", &Keys::kv, "keys and values of one context rank and layer");
    v.field("training", &Keys::training, "with a backward pass of twice the forward one").optional();
    v.field("gradients", &Keys::gradients, "of one rank, summed over data and context ranks");
    v.field("overlap_gradients", &Keys::overlap_gradients, "their sum hides behind the last backward pass").optional();
    v.field("experts", &Keys::experts, "dispatch and combine over `parallel.expert` ranks");
  }
  void check(const input::Node& at, input::Diagnostics& found) const;
  OperationPtr make() const;
};

struct ParallelStep : Operation {
  Layout layout;
  StepWork work;

  std::string op() const override { return "parallel_step"; }
  std::string describe() const override;
  double flops() const override { return 0; }
  double compulsory_bytes() const override { return 0; }
  std::vector<std::string> implementations() const override { return {"default"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
  bool is_communication() const override { return true; }
  std::optional<Communication> communication(const std::string& hardware, const std::string& implementation) const override;
};

}  // namespace rooftile::workloads::parallel
