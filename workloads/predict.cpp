#include "workloads/predict.hpp"

#include <algorithm>
#include <limits>

#include "workloads/overlap/predict.hpp"
#include <stdexcept>

#include "hw/play/compile.hpp"

namespace rooftile::workloads {
namespace {

using core::Hertz;
using core::Time;

// Dirty share of what an endless repetition of this kernel leaves in L2.
double dirty_share(const hw::TileProgram& p) {
  double read = 0, written = 0;
  for (const hw::Tensor& t : p.tensors) {
    const bool output = t.name == "D" || t.name == "O" || t.written;
    (output ? written : read) += static_cast<double>(t.bytes().value);
  }
  return read + written > 0 ? written / (read + written) : 0;
}

// Calls of a kernel rotate over sets of inputs (PredictOptions::input_sets). When all sets fit in L2 they stay there.
bool inputs_stay(const Plan& plan, const hw::GpuSpec& gpu, const PredictOptions& options) {
  if (options.cold_start) return false;
  double bytes = 0;
  for (const Kernel& k : plan.kernels)
    for (const hw::Tensor& t : k.program.tensors) bytes += t.warm ? 0 : static_cast<double>(t.bytes().value);
  return bytes * (plan.hot ? 1 : options.input_sets) <= static_cast<double>(gpu.l2.capacity.value.value);
}

struct Played {
  Prediction prediction;
  double core_energy = 0, memory_energy = 0;  // at the highest voltage
};

hw::PlayResult played(const hw::TileProgram& program, const hw::Machine& machine, const hw::PlayOptions& play, const PredictOptions& options) {
  return options.plays ? options.plays->play(program, machine, play) : hw::play(program, machine, play);
}

// The copy engine reads and writes HBM; no SM takes part.
hw::PlayResult copy_engine(core::Bytes bytes, const hw::GpuSpec& gpu, const hw::Machine& machine) {
  hw::PlayResult r;
  r.duration = core::transfer_time({2 * bytes.value}, gpu.launch.copy_engine.value);
  r.cycles = machine.clock.cycles(r.duration);
  r.hbm_busy = r.duration;
  r.traffic.dram_read = r.traffic.dram_written = bytes;
  return r;
}

KernelPrediction play_kernel(const Kernel& k, std::size_t index, bool stay, Hertz clock, const hw::GpuSpec& gpu, const PredictOptions& options) {
  const hw::Machine machine = hw::resolve(gpu, clock);
  if (k.copy_engine.value == 0) {
    const hw::player::Occupancy fit = hw::player::occupancy(k.program, machine);
    if (fit.ctas == 0) throw std::invalid_argument("kernel " + k.program.kernel + " cannot launch on this GPU: too much " + fit.limit);
  }
  KernelPrediction kp{k.program.kernel, machine.clock.frequency(), {}, {}, {}, k.program.engines.at(0)};
  if (k.copy_engine.value > 0) {
    kp.play = copy_engine(k.copy_engine, gpu, machine);
  } else {
    const hw::PlayOptions play{.stale_dirty = dirty_share(k.program), .cold_l2 = options.cold_start, .warm_inputs = stay,
                               .profiled = options.cold_start, .exact = options.exact,
                               .observer = options.observer ? options.observer->kernel(index) : nullptr};
    kp.play = played(k.program, machine, play, options);
  }
  kp.launches = k.repeat;
  kp.kind = k.kind;
  if (k.repeat > 1) kp.play = hw::many_times(kp.play, k.repeat);
  kp.threads = k.program.threads;
  kp.registers = k.program.registers;
  kp.shared_memory = k.program.shared_memory;
  kp.time = kp.play.duration;
  kp.energy = hw::energy_of(kp.play, gpu, kp.engine);
  return kp;
}

// Plays every kernel of the plan, each at the clock that `choose` gives for it.
template <class Choose>
Played play_all(const Plan& plan, const hw::GpuSpec& gpu, const PredictOptions& options, Choose&& choose) {
  Played out;
  Prediction& p = out.prediction;
  p.schedule = plan.schedule;
  const bool stay = inputs_stay(plan, gpu, options);
  double cycles = 0;
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const Kernel& k = plan.kernels[i];
    KernelPrediction kp = play_kernel(k, i, stay, choose(i), gpu, options);
    const auto times = [&](Time t) { return Time{t.ps * k.repeat}; };
    out.core_energy += kp.energy.core;
    out.memory_energy += kp.energy.memory;
    p.time += kp.time;
    cycles += kp.play.cycles;
    p.gaps += times(gpu.launch.graph_gap.value);
    if (k.code_is_cold) p.gaps += times(gpu.launch.code_fetch.value);
    if (k.memset_node) p.gaps += times(gpu.launch.memset_node.value);
    p.kernels.push_back(std::move(kp));
  }
  p.clock = {cycles / p.time.seconds()};
  p.time += p.gaps;
  p.power = hw::power_at(gpu, {out.core_energy, out.memory_energy}, p.time.seconds(), p.clock);
  return out;
}

Hertz clock_of(const KernelPrediction& k, const hw::GpuSpec& gpu) {
  return hw::burst_clock(gpu, hw::tensor_share(k.play, gpu, k.engine));
}

// The clock at which power meets the cap, on the line through two played points.
Hertz meet_cap(const Prediction& slow, const Prediction& fast, const hw::GpuSpec& gpu) {
  const double slope = (fast.power.value - slow.power.value) / (fast.clock.value - slow.clock.value);
  if (!(slope > 0)) return slow.clock;
  const double f = fast.clock.value - (fast.power.value - gpu.power.cap.value.value) / slope;
  return {std::clamp(f, 0.3 * gpu.clock.max.value.value, fast.clock.value)};
}

void close_books(Played& played) {
  Prediction& p = played.prediction;
  p.energy = {p.power.value * p.time.seconds()};
}

}  // namespace

Prediction predict(const Plan& plan, const hw::GpuSpec& gpu, const PredictOptions& options) {
  const Hertz top = gpu.clock.max.value;
  if (options.clock.mode == ClockMode::fixed || options.clock.mode == ClockMode::boost) {
    const Hertz f = options.clock.mode == ClockMode::boost ? top : options.clock.fixed;
    Played fixed = play_all(plan, gpu, options, [&](std::size_t) { return f; });
    close_books(fixed);
    return fixed.prediction;
  }
  const Played first = play_all(plan, gpu, options, [&](std::size_t) { return gpu.clock.nominal.value; });
  const auto burst = [&](std::size_t i) { return clock_of(first.prediction.kernels[i], gpu); };
  Played fast = play_all(plan, gpu, options, burst);
  if (options.clock.mode == ClockMode::sustained && fast.prediction.power.value > gpu.power.cap.value.value) {
    // A second point below the first when the nominal clock is not lower.
    Prediction slow = first.prediction;
    if (slow.clock.value > 0.95 * fast.prediction.clock.value)
      slow = play_all(plan, gpu, options, [&](std::size_t) { return Hertz{0.85 * fast.prediction.clock.value}; }).prediction;
    const Hertz cap = meet_cap(slow, fast.prediction, gpu);
    fast = play_all(plan, gpu, options, [&](std::size_t i) { return std::min(cap, burst(i)); });
    fast.prediction.capped = true;
  }
  close_books(fast);
  return fast.prediction;
}

Prediction predict(const Operation& operation, const std::string& implementation, const hw::GpuSpec& gpu,
                   const PredictOptions& wanted) {
  if (const overlap::Overlap* o = operation.as_overlap()) return overlap::predict_overlap(*o, gpu, wanted);
  if (auto c = operation.communication(gpu.name, implementation)) {
    Prediction p{.schedule = c->schedule, .time = c->time, .clock = gpu.clock.nominal.value};
    p.power = hw::power_at(gpu, {0, 0}, p.time.seconds(), p.clock);
    p.energy = {p.power.value * p.time.seconds()};
    p.communication = std::move(c);
    return p;
  }
  PlayCache own;
  PredictOptions options = wanted;
  if (!options.plays) options.plays = &own;
  const std::vector<Plan> plans = operation.plans(gpu, implementation);
  std::size_t best = 0;
  if (plans.size() > 1) {  // as an autotuner would: time the candidates at one clock
    Time least = Time::max();
    PredictOptions tune = options;
    tune.observer = nullptr;
    tune.clock = {ClockMode::fixed, gpu.clock.nominal.value};
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const Time t = predict(plans[i], gpu, tune).time;
      if (t < least) {
        least = t;
        best = i;
      }
    }
  }
  Prediction p = predict(plans.at(best), gpu, options);
  p.candidates = plans.size();
  p.taken = best;
  return p;
}

}  // namespace rooftile::workloads
