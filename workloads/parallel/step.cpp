#include "workloads/parallel/step.hpp"

#include <algorithm>

#include "workloads/moe_all_to_all/cost.hpp"
#include "workloads/parallel/transfer.hpp"

namespace rooftile::workloads::parallel {
namespace {

using collective::Cost;
using collective::Op;

constexpr int kCompute = 0, kMessages = 1;

// The tasks of one layer, forward, in the order in which their data allow.
class Layer {
 public:
  Layer(const StepWork& work, const Layout& layout, const hw::fabric::FabricSpec& fabric, StepResult& result)
      : w_(work.layer), work_(work), layout_(layout), fabric_(fabric), result_(result) {}

  StreamsResult run() {
    attention();
    sum(w_.hidden_bytes, "attention sum");
    experts("dispatch");
    compute("mlp", w_.mlp_seconds, w_.mlp_bytes);
    experts("combine");
    sum(w_.hidden_bytes, "mlp sum");
    return run_streams(tasks_, work_.gpu);
  }

 private:
  std::uint32_t compute(const char* name, double seconds, double bytes) {
    return add({.name = name, .stream = kCompute, .seconds = seconds, .sms = work_.gpu.sms, .memory_bytes = bytes, .wave = w_.wave_seconds}, true);
  }
  void message(const std::string& name, const Cost& c) {
    add({.name = name, .stream = kMessages, .communication = true, .seconds = c.seconds, .sms = static_cast<double>(c.sms), .memory_bytes = c.memory_bytes}, true);
    result_.messages.emplace_back(name, c.seconds);
  }
  std::uint32_t add(Task t, bool chained) {
    if (chained && !tasks_.empty()) t.after.push_back(static_cast<std::uint32_t>(tasks_.size() - 1));
    tasks_.push_back(std::move(t));
    return static_cast<std::uint32_t>(tasks_.size() - 1);
  }

  // Ring attention: each step's keys and values travel while the step before computes.
  void attention() {
    if (layout_.context == 1 || w_.kv_bytes <= 0) {
      compute("attention", w_.attention_seconds, w_.attention_bytes);
      return;
    }
    const auto g = group(layout_, Axis::context, fabric_);
    const Cost pass = ring_step(w_.kv_bytes, g);
    result_.messages.emplace_back("keys and values", pass.seconds * static_cast<double>(layout_.context - 1));
    const auto n = static_cast<double>(layout_.context);
    std::int64_t last_message = -1, last = -1;
    for (std::int64_t step = 0; step < layout_.context; ++step) {
      Task t{.name = "attention", .stream = kCompute, .seconds = w_.attention_seconds / n, .sms = work_.gpu.sms, .memory_bytes = w_.attention_bytes / n, .wave = w_.wave_seconds};
      if (last_message >= 0) t.after.push_back(static_cast<std::uint32_t>(last_message));
      if (step + 1 < layout_.context) {  // the message leaves as its step begins
        Task m{.name = "keys and values", .stream = kMessages, .communication = true, .seconds = pass.seconds, .sms = static_cast<double>(pass.sms), .memory_bytes = pass.memory_bytes};
        if (last_message >= 0) m.after.push_back(static_cast<std::uint32_t>(last_message));
        const auto arrived = add(std::move(m), false);
        last = add(std::move(t), false);
        last_message = arrived;
      } else {
        last = add(std::move(t), false);
      }
    }
    (void)last;
  }

  void sum(double bytes, const std::string& name) {
    if (layout_.tensor == 1 || bytes <= 0) return;
    const auto g = group(layout_, Axis::tensor, fabric_);
    if (!layout_.sequence) return message(name, collective::cost(Op::all_reduce, bytes, g));
    message(name + ", scatter", collective::cost(Op::reduce_scatter, bytes, g));
    message(name + ", gather", collective::cost(Op::all_gather, bytes, g));
  }

  void experts(const std::string& way) {
    if (layout_.expert == 1 || w_.moe_tokens == 0) return;
    const auto g = group(layout_, Axis::expert, fabric_);
    const moe_all_to_all::Shape s{.tokens = w_.moe_tokens, .hidden = w_.moe_hidden, .top_k = w_.moe_top_k, .experts = w_.moe_experts, .imbalance = w_.moe_imbalance};
    const bool there = way == "dispatch";
    if (w_.low_latency_experts) message(way, there ? moe_all_to_all::dispatch_low_latency(s, g) : moe_all_to_all::combine_low_latency(s, g));
    else message(way, there ? moe_all_to_all::dispatch(s, g) : moe_all_to_all::combine(s, g));
  }

  const LayerWork& w_;
  const StepWork& work_;
  const Layout& layout_;
  const hw::fabric::FabricSpec& fabric_;
  StepResult& result_;
  std::vector<Task> tasks_;
};

double stage_send(const StepWork& work, const Layout& l, const hw::fabric::FabricSpec& fabric) {
  if (l.pipeline == 1) return 0;
  // Each tensor rank sends its part when the sequence is split, and all of it otherwise.
  const double bytes = work.layer.hidden_bytes / (l.sequence ? static_cast<double>(l.tensor) : 1);
  Layout pair = l;
  pair.pipeline = 2;
  return bytes > 0 ? collective::cost(Op::send_recv, bytes, group(pair, Axis::pipeline, fabric)).seconds : 0;
}

// Gradients are summed over all ranks that hold the same weights; with overlap the last backward hides what it can.
void add_gradients(const StepWork& work, const Layout& l, const hw::fabric::FabricSpec& fabric, double last_backward, StepResult& r) {
  if (!work.training || work.gradient_bytes <= 0 || l.data * l.context == 1) return;
  Layout all = l;
  all.data *= all.context;
  all.context = 1;
  r.gradient_seconds = collective::cost(Op::all_reduce, work.gradient_bytes, group(all, Axis::data, fabric)).seconds;
  r.gradient_exposed = work.overlap_gradients ? std::max(0.0, r.gradient_seconds - last_backward) : r.gradient_seconds;
  r.seconds += r.gradient_exposed;
  r.exposed += r.gradient_exposed;
}

}  // namespace

StepResult run_step(const StepWork& work, const Layout& l, const hw::fabric::FabricSpec& fabric) {
  StepResult r;
  const StreamsResult layer = Layer(work, l, fabric, r).run();
  r.layer_seconds = layer.seconds;
  r.layer_exposed = layer.exposed;
  const std::int64_t chunks = l.pipeline * l.virtual_stages;
  const double forward = layer.seconds * static_cast<double>(work.layers) / static_cast<double>(chunks);
  const double backward = work.training ? forward * work.backward_factor : 0;
  const StageTimes stage{forward, backward, stage_send(work, l, fabric)};
  const auto schedule = !work.training ? PipelineSchedule::forward_only : l.virtual_stages > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
  const PipelineResult p = run_pipeline(std::vector<StageTimes>(static_cast<std::size_t>(chunks), stage), l.microbatches, schedule, l.virtual_stages);
  const double passes = static_cast<double>(l.microbatches * l.virtual_stages) * (1 + (work.training ? work.backward_factor : 0));
  const double layers = static_cast<double>(work.layers) / static_cast<double>(chunks);
  r.seconds = p.seconds + work.other_seconds;
  r.compute = passes * layers * layer.compute + work.other_seconds;
  r.exposed = passes * layers * layer.exposed;
  r.bubble = p.bubble;
  r.bubble_seconds = p.bubble * p.seconds;
  r.microbatches_held = p.in_flight;
  add_gradients(work, l, fabric, backward * static_cast<double>(l.virtual_stages), r);
  return r;
}

}  // namespace rooftile::workloads::parallel
