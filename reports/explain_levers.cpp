// What one would change: the schedule that was taken, played again with one hardware number changed.
#include <algorithm>
#include <functional>

#include "reports/explain.hpp"

namespace rooftile::reports {
namespace {

using hw::GpuSpec;

struct Change {
  const char* what;
  std::function<void(GpuSpec&)> apply;
};

void twice(input::Sourced<double>& n) { n.value *= 2; }
void twice(input::Sourced<core::BytesPerSecond>& n) { n.value.value *= 2; }
void free_of_charge(input::Sourced<core::Time>& n) { n.value = {}; }

const std::vector<Change>& changes() {
  static const std::vector<Change> all{
      {"tensor cores twice as fast (or half the work: a narrower type)",
       [](GpuSpec& g) { twice(g.sm.tensor.bf16), twice(g.sm.tensor.tf32), twice(g.sm.tensor.fp8); }},
      {"shared-memory path twice as wide (or larger instruction tiles)", [](GpuSpec& g) { twice(g.sm.shared_path); }},
      {"exponentials twice as fast", [](GpuSpec& g) { twice(g.sm.mufu); }},
      {"FMA, ALU and conversion twice as fast", [](GpuSpec& g) { twice(g.sm.fma), twice(g.sm.alu), twice(g.sm.convert); }},
      {"L2 and its ports twice as fast",
       [](GpuSpec& g) { twice(g.l2.read_bandwidth), twice(g.l2.write_bandwidth), twice(g.l2.link_bandwidth), twice(g.l2.sm_port); }},
      {"L2 twice as large", [](GpuSpec& g) { g.l2.capacity.value.value *= 2; }},
      {"HBM twice as fast", [](GpuSpec& g) { twice(g.hbm.bandwidth); }},
      {"memory latency halved",
       [](GpuSpec& g) { g.l2.latency.value.ps /= 2, g.l2.far_latency.value.ps /= 2, g.hbm.latency.value.ps /= 2; }},
      {"kernel and CTA launches free of charge (fusion, persistence, overlap with the kernel before)",
       [](GpuSpec& g) {
         free_of_charge(g.launch.graph_gap), free_of_charge(g.launch.memset_node), free_of_charge(g.launch.cta_start);
         free_of_charge(g.launch.cta_refill), free_of_charge(g.launch.drain), free_of_charge(g.launch.cta_interval);
       }},
      {"no power cap", [](GpuSpec& g) { g.power.cap.value.value *= 100; }},
  };
  return all;
}

}  // namespace

std::vector<Lever> levers(const workloads::NamedOperation& op, const workloads::Prediction& p, const GpuSpec& gpu,
                          const workloads::ClockChoice& clock) {
  if (p.communication) return {};
  const workloads::Plan plan = op.operation->plans(gpu, op.implementation).at(p.taken);
  workloads::PredictOptions options;
  options.clock = clock;
  std::vector<Lever> out;
  for (const Change& change : changes()) {
    if (std::string(change.what) == "no power cap" && !p.capped) continue;
    GpuSpec changed = gpu;
    change.apply(changed);
    out.push_back({change.what, workloads::predict(plan, changed, options).time.us()});
  }
  std::stable_sort(out.begin(), out.end(), [](const Lever& a, const Lever& b) { return a.time_us < b.time_us; });
  return out;
}

}  // namespace rooftile::reports
