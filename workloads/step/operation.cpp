#include "workloads/step/operation.hpp"

#include "workloads/predict.hpp"

namespace rooftile::workloads::step {
namespace {

// The library's choice among the plans of one operator: the fastest at one clock, weights from HBM.
Plan chosen(const Part& part, const hw::GpuSpec& gpu) {
  std::vector<Plan> plans = part.operation->plans(gpu, part.implementation);
  std::size_t best = 0;
  core::Time least = core::Time::max();
  for (std::size_t i = 0; plans.size() > 1 && i < plans.size(); ++i) {
    const core::Time t = predict(plans[i], gpu, {.clock = {ClockMode::fixed, gpu.clock.nominal.value}, .input_sets = 1000}).time;
    if (t < least) least = t, best = i;
  }
  return std::move(plans[best]);
}

// What an operator reads was made by the one before it and is still in L2 when it is small; weights and the cache of
// keys and values are not.
void mark_activations(hw::TileProgram& p, const hw::GpuSpec& gpu) {
  const double room = static_cast<double>(gpu.l2.capacity.value.value) / 4;
  for (hw::Tensor& t : p.tensors) {
    const bool from_memory = t.written || t.name == "A" || t.name == "K" || t.name == "V" || (t.name == "B" && p.kernel.rfind("grouped", 0) == 0);
    if (!from_memory && static_cast<double>(t.bytes().value) <= room) t.warm = true;
  }
}

}  // namespace

std::string ModelStep::describe() const {
  std::string text = std::to_string(model.layers) + " layers of " + std::to_string(model.hidden);
  for (const Sequences& s : batch)
    text += ", " + std::to_string(s.count) + " x " + std::to_string(s.q_len) + " tokens at " + std::to_string(s.kv_len);
  return text;
}

double ModelStep::flops() const {
  double sum = 0;
  for (const Part& p : parts(model, batch)) sum += static_cast<double>(p.times) * p.operation->flops();
  return sum;
}

double ModelStep::compulsory_bytes() const {
  double cache = 0;
  for (const Sequences& s : batch) cache += static_cast<double>(s.count * s.kv_len);
  return 2 * model.parameters() + cache * static_cast<double>(model.layers * 2 * model.kv_heads * model.head_dim) * 2;
}

std::vector<Plan> ModelStep::plans(const hw::GpuSpec& gpu, const std::string&) const {
  Plan step;
  for (const Part& part : parts(model, batch)) {
    Plan one = chosen(part, gpu);
    for (std::size_t i = 0; i < one.kernels.size(); ++i) {
      Kernel& k = one.kernels[i];
      mark_activations(k.program, gpu);
      k.memset_node |= i == 0 && part.memset;
      k.repeat = part.times;
      k.code_is_cold = true;
      k.kind = part.kind;
      step.kernels.push_back(std::move(k));
    }
  }
  std::int64_t launches = 0;
  for (const Kernel& k : step.kernels) launches += k.repeat;
  step.schedule = std::to_string(step.kernels.size()) + " distinct kernels, " + std::to_string(launches) + " launches";
  return {step};
}

}  // namespace rooftile::workloads::step
