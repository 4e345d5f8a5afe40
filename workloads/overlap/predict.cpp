#include "workloads/overlap/predict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/parallel/streams.hpp"

namespace rooftile::workloads::overlap {
namespace {

using parallel::Task;

// Kernels follow each other on the compute stream; each fills as many SMs as it has CTAs for.
std::vector<Task> compute_tasks(const Prediction& p, double sms) {
  std::vector<Task> tasks;
  for (const KernelPrediction& k : p.kernels) {
    const double ctas = std::max(1, k.play.ctas), per_sm = std::max(1, k.play.ctas_per_sm);
    const double waves = std::max(1.0, std::ceil(ctas / (sms * per_sm)));
    tasks.push_back({.name = k.kernel, .seconds = k.time.seconds(), .sms = std::min(sms, ctas),
                     .memory_bytes = static_cast<double>(k.play.traffic.dram_read.value + k.play.traffic.dram_written.value),
                     .wave = k.time.seconds() / waves});
  }
  return tasks;
}

}  // namespace

Prediction predict_overlap(const Overlap& o, const hw::GpuSpec& gpu, const PredictOptions& options) {
  const Prediction compute = predict(*o.compute.operation, o.compute.implementation, gpu, options);
  const Prediction message = predict(*o.message.operation, o.message.implementation, gpu, options);
  const Communication& c = *message.communication;
  const double sms = static_cast<double>(gpu.sm.count.value);
  std::vector<Task> tasks = compute_tasks(compute, sms);
  const Task moved{.name = c.schedule, .stream = 1, .communication = true, .seconds = c.time.seconds(), .sms = static_cast<double>(c.sms), .memory_bytes = c.memory_bytes};
  const bool compute_first = o.first == First::compute;
  tasks.insert(compute_first ? tasks.end() : tasks.begin(), moved);
  const auto r = parallel::run_streams(tasks, {.sms = sms, .bytes_per_second = gpu.hbm.bandwidth.value.value});
  const std::size_t at = compute_first ? tasks.size() - 1 : 0, last_kernel = compute_first ? tasks.size() - 2 : tasks.size() - 1;
  Prediction p = compute;
  p.kernels.clear();
  p.gaps = {};
  p.time = {static_cast<std::int64_t>(r.seconds * 1e12 + 0.5)};
  p.energy = {compute.energy.value + message.energy.value * std::max(0.0, p.time.seconds() - compute.time.seconds()) / message.time.seconds()};
  p.power = {p.energy.value / p.time.seconds()};
  const double alone = compute.time.seconds() - compute.gaps.seconds();
  p.schedule = fmt::format("{} x{:.2f} beside {} x{:.2f}", compute.schedule, r.end[last_kernel] / alone, message.schedule, r.end[at] / moved.seconds);
  p.communication = Communication{.schedule = p.schedule, .time = p.time, .sms = c.sms, .sent_bytes = c.sent_bytes, .memory_bytes = c.memory_bytes};
  const double together = std::max(0.0, r.compute + r.communication - r.seconds);
  p.communication->parts = {{"compute alone", r.seconds - r.communication}, {"both", together}, {"exposed communication", r.exposed}};
  const auto most = std::max_element(p.communication->parts.begin(), p.communication->parts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  p.communication->bound = most->first;
  return p;
}

}  // namespace rooftile::workloads::overlap
