#include "reports/time_account.hpp"

#include <algorithm>
#include <numeric>

#include "sim/core/errors.hpp"

namespace rooftile::reports {
namespace {

using namespace hw;

constexpr std::size_t kPaces = kSmResources + 1;
using Paces = std::array<double, kPaces>;

double sum(const Paces& p) { return std::accumulate(p.begin(), p.end(), 0.0); }

std::string pace_name(std::size_t i) { return i < kSmResources ? kSmResourceNames[i] : "latency of its own chain"; }

// Solo cycles of a role's own ops by pacing unit; asynchronous matrix ops of all roles apart, since they queue.
Paces own_work(const ProgramView& v, const std::string& role) {
  Paces total{};
  for (const ProgramOp& op : v.ops)
    if (op.role == role && !op.is_async)
      for (std::size_t i = 0; i < kPaces; ++i) total[i] += op.executions * op.paced[i];
  return total;
}
Paces matrix_work(const ProgramView& v) {
  Paces total{};
  for (const ProgramOp& op : v.ops)
    if (op.is_async)
      for (std::size_t i = 0; i < kPaces; ++i) total[i] += op.executions * op.paced[i];
  return total;
}

class Columns {
 public:
  Columns(RoleAccount& into, double slots) : into_(into), slots_(slots) {}
  void add(const char* group, std::string what, double ps) {
    into_.reasons.push_back({group, std::move(what), ps / slots_ * 1e-6});
  }
  // `ps` in the proportions of `shares`; `rest` when there are none.
  void split(const char* group, const char* prefix, double ps, const Paces& shares) {
    const double all = sum(shares);
    if (all <= 0) return add(group, std::string(prefix) + "other", ps);
    for (std::size_t i = 0; i < kPaces; ++i)
      if (shares[i] > 0) add(group, prefix + pace_name(i), ps * shares[i] / all);
  }

 private:
  RoleAccount& into_;
  double slots_;
};

void add_data_waits(Columns& c, double ps, const ReadDelay& d) {
  const double all = d.all();
  if (all <= 0) return c.add("dependency", "data: produced by another role", ps);
  c.add("dependency", "data: memory latency", ps * d.latency / all);
  c.add("bandwidth shared", "data: HBM", ps * d.hbm / all);
  c.add("bandwidth shared", "data: L2", ps * d.l2 / all);
  c.add("bandwidth shared", "data: link between L2 partitions", ps * d.link / all);
  c.add("bandwidth shared", "data: port of the SM", ps * d.port / all);
}

// CTA launches of the first round, one after another, and of the successors in freed slots.
double launch_ps(const PlayResult& r, const GpuSpec& gpu, int cluster) {
  const double gangs = static_cast<double>(r.slots) / cluster;
  const double interval = static_cast<double>(gpu.launch.cta_interval.value.ps) * cluster;
  const double start = static_cast<double>(gpu.launch.cta_start.value.ps), refill = static_cast<double>(gpu.launch.cta_refill.value.ps);
  return cluster * (interval * gangs * (gangs + 1) / 2 + gangs * start) + (r.ctas - r.slots) * (refill + start);
}

}  // namespace

std::vector<RoleAccount> account(const workloads::KernelPrediction& k, const ProgramView& program, const GpuSpec& gpu, int cluster) {
  const PlayResult& r = k.play;
  const double slots = std::max(1, r.slots);
  const double all = slots * static_cast<double>(r.duration.ps);
  std::vector<RoleAccount> accounts;
  for (const RoleTime& role : r.roles) {
    const auto ps = [&](Stall s) { return role.ps[static_cast<std::size_t>(s)]; };
    RoleAccount a{.role = role.role};
    Columns c(a, slots);
    const double launch = launch_ps(r, gpu, cluster), drain = slots * static_cast<double>(gpu.launch.drain.value.ps);
    const double counted = std::accumulate(role.ps.begin(), role.ps.end(), 0.0);
    c.split("unit busy", "works on: ", ps(Stall::none), own_work(program, role.role));
    c.split("unit busy", "waits for matrix ops: ", ps(Stall::matrix_unit), matrix_work(program));
    c.add("unit shared", "units slowed by other roles", ps(Stall::unit_shared));
    add_data_waits(c, ps(Stall::data), r.read_delay);
    c.add("no slot", "waits for a free stage", ps(Stall::no_slot));
    c.add("dependency", "waits for its turn", ps(Stall::turn));
    c.add("bandwidth shared", "waits for stores", ps(Stall::store));
    c.add("launch", "CTA launch", launch);
    c.add("launch", "last store to completion", drain);
    c.add("no work left", "this slot has finished, others have not", all - counted - launch - drain);
    a.waits_for_others_us = (ps(Stall::data) + ps(Stall::no_slot) + ps(Stall::turn)) / slots * 1e-6;
    accounts.push_back(std::move(a));
  }
  return accounts;
}

const RoleAccount& pacing_role(const std::vector<RoleAccount>& roles) {
  core::ensure(!roles.empty(), "a kernel without roles was accounted for");
  return *std::min_element(roles.begin(), roles.end(),
                           [](const auto& a, const auto& b) { return a.waits_for_others_us < b.waits_for_others_us; });
}

}  // namespace rooftile::reports
