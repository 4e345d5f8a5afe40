#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "workloads/moe_all_to_all/cost.hpp"
#include "workloads/parallel/keys.hpp"

namespace rooftile::workloads::parallel {

std::string ParallelStep::describe() const {
  return fmt::format("{} layers on {} GPUs: tensor {}, context {}, data {}, pipeline {}, expert {}, {} microbatches", work.layers, layout.devices(),
                     layout.tensor, layout.context, layout.data, layout.pipeline, layout.expert, layout.microbatches);
}

std::vector<Plan> ParallelStep::plans(const hw::GpuSpec&, const std::string&) const {
  throw std::invalid_argument("a parallel_step has no tile program of its own");
}

// Time of the busiest stage: what it computes, what it waits for messages, and the bubble.
std::optional<Communication> ParallelStep::communication(const std::string& hardware, const std::string&) const {
  const hw::fabric::FabricSpec spec = layout.fabric ? collective::load_fabric(*layout.fabric) : collective::fabric_for("", hardware, layout.devices() > 8 ? 2 : 1);
  const StepResult r = run_step(work, layout, spec);
  Communication c;
  c.schedule = !work.training ? "pipeline forward" : layout.virtual_stages > 1 ? "interleaved 1F1B" : "1F1B";
  c.time = {static_cast<std::int64_t>(r.seconds * 1e12 + 0.5)};
  const double stage = r.seconds - r.gradient_exposed - r.bubble_seconds - (r.exposed - r.gradient_exposed);
  c.parts = {{"compute", stage}, {"exposed communication", r.exposed - r.gradient_exposed}, {"bubble", r.bubble_seconds}, {"exposed gradients", r.gradient_exposed}};
  const auto most = std::max_element(c.parts.begin(), c.parts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  c.bound = most->first;
  return c;
}

void Keys::check(const input::Node& at, input::Diagnostics& found) const {
  const Divisible model{.layers = layers, .experts = experts ? experts->experts + experts->redundant_experts : 0};
  for (const std::string& rule : broken_rules(parallel, model, devices.value_or(parallel.devices()))) found.add(at.place(), rule, "a layout that divides");
  if (parallel.tensor > 1 && !hidden) found.add(at.place(), "tensor parallelism without `hidden`", "the bytes that ranks sum");
  if (parallel.context > 1 && !kv) found.add(at.place(), "context parallelism without `kv`", "the bytes that ranks pass on");
  if (parallel.expert > 1 && !experts) found.add(at.place(), "expert parallelism without `experts`", "what is dispatched");
  if (!experts) return;
  if (experts->top_k > experts->experts) found.add(at.place(), fmt::format("top_k is {} of {} experts", experts->top_k, experts->experts), "at most the experts");
  if (!experts->expert_loads.empty() && experts->expert_loads.size() != static_cast<std::size_t>(experts->experts))
    found.add(at.place(), fmt::format("{} loads for {} experts", experts->expert_loads.size(), experts->experts), "one for every expert");
}

OperationPtr Keys::make() const {
  auto o = std::make_unique<ParallelStep>();
  o->layout = parallel;
  StepWork& w = o->work;
  w.layers = layers;
  w.training = training;
  w.overlap_gradients = overlap_gradients;
  w.other_seconds = other.seconds();
  w.gradient_bytes = gradients ? static_cast<double>(gradients->value) : 0;
  w.layer.attention_seconds = attention.seconds();
  w.layer.mlp_seconds = mlp.seconds();
  w.layer.hidden_bytes = hidden ? static_cast<double>(hidden->value) : 0;
  w.layer.kv_bytes = kv ? static_cast<double>(kv->value) : 0;
  if (!experts) return o;
  w.layer.moe_experts = experts->experts;
  w.layer.moe_top_k = experts->top_k;
  w.layer.moe_tokens = experts->tokens_per_rank;
  w.layer.moe_hidden = experts->hidden_size;
  w.layer.low_latency_experts = experts->low_latency;
  if (!experts->expert_loads.empty()) {
    w.layer.moe_imbalance = moe_all_to_all::imbalance_of(experts->expert_loads, experts->redundant_experts, parallel.expert);
    w.layer.mlp_seconds *= w.layer.moe_imbalance;  // the busiest rank's experts
  }
  return o;
}

}  // namespace rooftile::workloads::parallel
