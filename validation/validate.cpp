#include "validation/validate.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <stdexcept>

#include "reports/run_report.hpp"
#include "workloads/catalog.hpp"
#include "workloads/data.hpp"

namespace rooftile::validation {
namespace {

using workloads::ClockChoice;
using workloads::ClockMode;

struct Measured {
  double us = 0;
  ClockChoice clock;
};

// Sustained times are the target. Other people's calls under 1 ms ran in short bursts (see the README of the
// measured folder); their longer ones settled.
Measured target(const Record& r) {
  if (!r.published && r.sustained_us) return {*r.sustained_us, {ClockMode::sustained, {}}};
  const double us = r.sustained_us.value_or(r.burst_us.value_or(0));
  return {us, {us < 1000 ? ClockMode::burst : ClockMode::sustained, {}}};
}

const std::string* library_kernel(const Record& r) {
  for (const auto& [name, us] : r.kernels)
    if (name.rfind("Mem", 0) != 0) return &name;
  return nullptr;
}

// A record of communication: the GPU's file is not needed, its fabric is.
bool predict_communication(const workloads::NamedOperation& op, const std::string& device, Row& row) {
  const auto c = op.operation->communication(device, op.implementation);
  if (!c) return false;
  row.predicted_us = c->time.us();
  row.schedule = c->schedule;
  row.shape = op.operation->describe();
  row.bottleneck = c->bound;
  row.flops = op.operation->flops();
  row.bytes = op.operation->compulsory_bytes();
  return true;
}

Row predict_record(const Record& r, const hw::GpuSpec* known, const Options& options) {
  Row row;
  row.family = r.family;
  row.device = r.device;
  row.file = r.file;
  row.line = r.line;
  row.measured_mhz = r.sm_mhz.value_or(0);
  row.measured_kernels = r.kernels;
  if (const std::string* k = library_kernel(r)) row.measured_schedule = *k;
  const auto text = [&](const char* key) { const input::Node* n = r.node.find(key); return n ? n->text() : std::string(); };
  row.op = text("op");
  row.impl = text("impl");
  const Measured m = target(r);
  row.measured_us = m.us;
  if (m.us <= 0) {
    row.skipped = "no measured time";
    return row;
  }
  if (workloads::is_communication(row.op)) {
    const std::string library = row.impl.substr(0, row.impl.find_first_of(" /"));
    row.group = row.op + ", " + (text("nodes").empty() ? "1" : text("nodes")) + (text("nodes") == "1" ? " node, " : " nodes, ") +
                (text("system").empty() ? library : text("system") + " (" + library + ")");
  }
  input::Diagnostics found;
  input::Node node = r.node;
  if (options.known_schedule && row.op == "gemm" && !row.measured_schedule.empty())
    node.set("known_kernel", input::Node::string(row.measured_schedule));
  workloads::NamedOperation op = workloads::read_operation(node, found, true);
  if (!op.operation) {
    const auto why = found.sorted();
    row.skipped = why.empty() ? "not understood" : why.front().what;
    return row;
  }
  try {
    if (predict_communication(op, options.hardware.value_or(r.device), row)) return row;
    const hw::GpuSpec& gpu = known ? *known : throw std::invalid_argument("no GPU file for " + r.device);
    workloads::PredictOptions predict;
    predict.clock = options.clock.value_or(m.clock);
    const workloads::Prediction p = workloads::predict(*op.operation, op.implementation, gpu, predict);
    const reports::OpRow report = reports::collect_op(op, p, gpu);
    row.predicted_us = p.time.us();
    row.schedule = p.schedule;
    row.shape = report.shape;
    row.bottleneck = report.bottleneck;
    row.clock_mhz = report.clock_mhz;
    row.power_w = report.power_w;
    row.flops = report.flops;
    row.bytes = report.compulsory_bytes;
    for (const auto& k : report.kernels) row.kernels.emplace_back(k.name, k.time_us);
  } catch (const std::invalid_argument& e) {
    row.skipped = e.what();
  }
  return row;
}

}  // namespace

double quantile(std::vector<double> v, double q) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  const double at = q * static_cast<double>(v.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const double high = v[std::min(low + 1, v.size() - 1)];
  return v[low] + (at - static_cast<double>(low)) * (high - v[low]);
}

std::vector<Family> summarise(const std::vector<Row>& rows) {
  return summarise(rows, [](const Row& r) { return r.family; });
}

std::vector<Family> summarise(const std::vector<Row>& rows, const std::function<std::string(const Row&)>& name) {
  std::map<std::pair<std::string, std::string>, std::vector<const Row*>> groups;
  for (const Row& r : rows)
    if (const std::string key = name(r); !key.empty()) groups[{r.device, key}].push_back(&r);
  std::vector<Family> families;
  for (const auto& [key, members] : groups) {
    Family f{.family = key.second, .device = key.first, .records = members.size()};
    std::vector<double> apes, clocks, baseline;
    for (const Row* r : members) {
      if (!r->skipped.empty()) {
        ++f.skipped;
        continue;
      }
      apes.push_back(r->ape());
      f.bias += r->error();
      if (r->measured_mhz > 0) clocks.push_back(100 * std::abs(r->clock_mhz / r->measured_mhz - 1));
      if (r->baseline_us) baseline.push_back(100 * std::abs(*r->baseline_us / r->measured_us - 1));
    }
    f.predicted = apes.size();
    if (!apes.empty()) {
      f.bias /= static_cast<double>(apes.size());
      for (const double a : apes) f.mean_ape += a / static_cast<double>(apes.size());
      f.median_ape = quantile(apes, 0.5);
      f.p90_ape = quantile(apes, 0.9);
      f.p95_ape = quantile(apes, 0.95);
      f.worst_ape = quantile(apes, 1);
      f.clock_median = quantile(clocks, 0.5);
    }
    if (!baseline.empty()) {
      f.baseline_median = quantile(baseline, 0.5);
      double sum = 0;
      for (const double b : baseline) sum += b;
      f.baseline_mean = sum / static_cast<double>(baseline.size());
    }
    families.push_back(f);
  }
  return families;
}

Validation validate(const std::vector<Record>& records, const Options& options) {
  std::map<std::string, hw::GpuSpec> gpus;
  for (const Record& r : records) {
    const std::string name = options.hardware.value_or(r.device);
    const input::Node* op = r.node.find("op");
    if (op && workloads::is_communication(op->text())) continue;
    if (!gpus.count(name)) gpus.emplace(name, workloads::load_gpu(name));
  }
  Validation v;
  v.rows.resize(records.size());
  const auto limit = options.jobs > 0 ? static_cast<std::size_t>(options.jobs)
                                      : tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, limit);
  std::atomic<std::size_t> done{0};
  std::mutex report;
  tbb::parallel_for(std::size_t{0}, records.size(), [&](std::size_t i) {
    const auto gpu = gpus.find(options.hardware.value_or(records[i].device));
    v.rows[i] = predict_record(records[i], gpu == gpus.end() ? nullptr : &gpu->second, options);
    const std::size_t n = ++done;
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(report);
    options.progress(n, records.size());
  });
  if (options.baseline) add_baseline(v.rows);
  v.families = summarise(v.rows);
  v.groups = summarise(v.rows, [](const Row& r) { return r.group; });
  return v;
}

}  // namespace rooftile::validation
