// From an operation to a prediction: play the candidate plans, take the fastest, settle the clock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hw/gpu_spec.hpp"
#include "hw/play/play.hpp"
#include "hw/power.hpp"
#include "workloads/operation.hpp"
#include "workloads/play_cache.hpp"

namespace rooftile::workloads {

enum class ClockMode { sustained, burst, boost, fixed };
struct ClockChoice {
  ClockMode mode = ClockMode::sustained;
  core::Hertz fixed{};
};

struct KernelPrediction {
  std::string kernel;
  core::Hertz clock;
  core::Time time;          // kernel start to completion
  hw::PlayResult play;
  hw::Energy energy;
  hw::TensorEngine engine;
  int threads = 0, registers = 0;  // a CTA's threads, registers of one
  core::Bytes shared_memory;       // of a CTA
  std::int64_t launches = 1;       // time, play and energy are those of all of them
  std::string kind;
};

struct Prediction {
  std::string schedule;
  core::Time time;          // all kernels and the gaps between them
  core::Time gaps;
  core::Hertz clock;        // time-weighted
  core::Watts power;
  core::Joules energy;
  bool capped = false;      // the power cap set the clock
  std::vector<KernelPrediction> kernels;
  std::optional<Communication> communication;  // instead of kernels
  std::size_t candidates = 0, taken = 0;  // plans that were played, and the place of the fastest among them
};

// Watches the kernels of a plan. A plan is played several times while its clock settles: each play of kernel `i` asks
// anew, and the last one is the prediction.
class PlanObserver {
 public:
  virtual ~PlanObserver() = default;
  virtual hw::PlayObserver* kernel(std::size_t i) = 0;
};

struct PredictOptions {
  ClockChoice clock;
  int input_sets = 48;      // calls rotate over as many sets of inputs, as our records do
  bool cold_start = false;  // L2 flushed before (single launches under a profiler)
  PlayCache* plays = nullptr;  // kernels that were played before; without one, those of this prediction
  bool exact = false;       // every CTA is played, also where some can stand for all (hw/play/fold.hpp)
  PlanObserver* observer = nullptr;
};

Prediction predict(const Operation& operation, const std::string& implementation, const hw::GpuSpec& gpu,
                   const PredictOptions& options);
Prediction predict(const Plan& plan, const hw::GpuSpec& gpu, const PredictOptions& options);

}  // namespace rooftile::workloads
