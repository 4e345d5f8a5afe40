#include "reports/sweep_evaluate.hpp"

#include <map>

#include "reports/run_report.hpp"

namespace rooftile::reports {
namespace {

// What binds the operations that take most of the time.
std::string bottleneck(const RunReport& report) {
  std::map<std::string, double> time;
  for (const OpRow& op : report.ops) time[op.bottleneck] += op.time_us * static_cast<double>(op.repeat);
  std::string most;
  for (const auto& [name, t] : time)
    if (most.empty() || t > time[most]) most = name;
  return most;
}

workloads::sweep::Outcome evaluate(const workloads::Scenario& scenario, workloads::PlayCache& plays) {
  std::vector<workloads::Prediction> predictions;
  workloads::PredictOptions options;
  options.clock = scenario.clock;
  options.plays = &plays;
  options.exact = scenario.exact;
  for (const workloads::NamedOperation& op : scenario.ops)
    predictions.push_back(workloads::predict(*op.operation, op.implementation, scenario.gpu, options));
  const RunReport report = collect(scenario, predictions);
  workloads::sweep::Outcome out;
  out.time_us = report.time_us;
  out.energy_mj = report.energy_mj;
  out.power_w = report.power_w;
  out.clock_mhz = report.clock_mhz;
  out.bottleneck = bottleneck(report);
  return out;
}

}  // namespace

workloads::sweep::Evaluate evaluator(std::shared_ptr<workloads::PlayCache> plays) {
  return [plays = std::move(plays)](const workloads::Scenario& scenario) { return evaluate(scenario, *plays); };
}

}  // namespace rooftile::reports
