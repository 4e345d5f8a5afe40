#include "reports/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace rooftile::reports {
namespace {

struct Totals {
  const RunReport& run;
  const Carriers& gpu;

  double sum(const std::function<double(const OpRow&)>& of) const {
    double total = 0;
    for (const OpRow& o : run.ops) total += static_cast<double>(o.repeat) * of(o);
    return total;
  }
  double busy(const char* unit) const {
    return sum([&](const OpRow& o) {
      const auto u = o.utilization.find(unit);
      return u == o.utilization.end() ? 0 : u->second * o.time_us;
    });
  }
  double megabytes(const char* level) const {
    return sum([&](const OpRow& o) {
      const auto b = o.bytes.find(level);
      return b == o.bytes.end() ? 0 : b->second / 1e6;
    });
  }
  // Average over the kernels' time of a share, in percent.
  double held(const std::function<double(const OpRow::KernelRow&)>& share) const {
    double weighted = 0, time = 0;
    for (const OpRow& o : run.ops)
      for (const auto& k : o.kernels) {
        const double us = static_cast<double>(o.repeat) * k.time_us;
        weighted += us * share(k);
        time += us;
      }
    return time > 0 ? 100 * weighted / time : 0;
  }
  double resident(const OpRow::KernelRow& k) const { return std::min<double>(k.ctas_per_sm, std::ceil(k.ctas / gpu.sms)); }
  double registers() const { return held([&](const auto& k) { return resident(k) * k.threads * k.registers / gpu.registers; }); }
  double shared_memory() const { return held([&](const auto& k) { return resident(k) * k.shared_memory / gpu.shared_memory; }); }
  double l2_hits() const {
    double weighted = 0, time = 0;
    for (const OpRow& o : run.ops) weighted += static_cast<double>(o.repeat) * o.time_us * o.l2_hit_rate, time += static_cast<double>(o.repeat) * o.time_us;
    return time > 0 ? 100 * weighted / time : 0;
  }
  double largest_tensors() const {
    double most = 0;
    for (const OpRow& o : run.ops) most = std::max(most, o.compulsory_bytes / 1e6);
    return most;
  }
};

struct Measure {
  const char *resource, *carrier, *unit;
  Better better;
  bool busy_time;
  double (*of)(const Totals&);
};

// One line a row of the ledger.
const Measure kMeasures[] = {
    {"time", "the whole run", "us", Better::lower, false, [](const Totals& t) { return t.run.time_us; }},
    {"useful work", "operators", "GFLOP", Better::neither, false, [](const Totals& t) { return t.sum([](const OpRow& o) { return o.flops / 1e9; }); }},
    {"tensor pipe", "tensor cores of the SMs", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("tensor"); }},
    {"exponentials", "MUFU", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("MUFU"); }},
    {"FP32 arithmetic", "FMA pipe", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("FMA"); }},
    {"integer and logic", "ALU pipe", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("ALU"); }},
    {"conversions", "conversion pipe", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("convert"); }},
    {"instruction issue", "warp schedulers", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("issue"); }},
    {"registers", "register file", "% held", Better::lower, false, [](const Totals& t) { return t.registers(); }},
    {"shared memory", "shared-memory capacity", "% held", Better::lower, false, [](const Totals& t) { return t.shared_memory(); }},
    {"shared-memory traffic", "shared-memory port", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("shared memory path"); }},
    {"L2 hits", "L2 capacity", "%", Better::higher, false, [](const Totals& t) { return t.l2_hits(); }},
    {"L2 traffic", "L2 bandwidth", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("L2"); }},
    {"traffic between L2 partitions", "L2 link", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("L2 link"); }},
    {"HBM traffic", "HBM bandwidth", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("HBM"); }},
    {"HBM bytes", "HBM bandwidth", "MB", Better::lower, false, [](const Totals& t) { return t.megabytes("hbm_read") + t.megabytes("hbm_write"); }},
    {"tensors of the largest operation", "HBM capacity", "MB", Better::lower, false, [](const Totals& t) { return t.largest_tensors(); }},
    {"transfers inside the node", "NVLink", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("NVLink"); }},
    {"transfers between nodes", "NIC", "us busy", Better::lower, true, [](const Totals& t) { return t.busy("NIC"); }},
    {"kernel starts", "launch", "us", Better::lower, true, [](const Totals& t) { return t.sum([](const OpRow& o) { return o.gaps_us; }); }},
    {"energy", "power", "mJ", Better::lower, false, [](const Totals& t) { return t.run.energy_mj; }},
    {"power", "power", "W", Better::lower, false, [](const Totals& t) { return t.run.power_w; }},
    {"SM clock", "power", "MHz", Better::higher, false, [](const Totals& t) { return t.run.clock_mhz; }},
};

std::string bound_of(const RunReport& r) {
  const auto longest = std::max_element(r.ops.begin(), r.ops.end(), [](const OpRow& a, const OpRow& b) {
    return a.time_us * static_cast<double>(a.repeat) < b.time_us * static_cast<double>(b.repeat);
  });
  return longest == r.ops.end() ? "nothing" : longest->bottleneck;
}

// The largest gain and the largest price in microseconds of a carrier, and what follows for time.
std::string verdict(const Ledger& l, std::size_t i) {
  const LedgerRow* gain = nullptr;
  const LedgerRow* price = nullptr;
  for (const LedgerRow& r : l.rows) {
    if (!r.busy_time) continue;
    if (r.change(i) < 0 && (!gain || r.change(i) < gain->change(i))) gain = &r;
    if (r.change(i) > 0 && (!price || r.change(i) > price->change(i))) price = &r;
  }
  const double before = l.runs[0].time_us, after = l.runs[i].time_us;
  const double noise = std::max(l.bands[0], l.bands[i]) / 4;  // both are predicted by one model: most of its error is common
  const auto named = [&](const LedgerRow& r) {
    const double band = std::max(l.bands[0], l.bands[i]);
    return fmt::format("{} us of {} ({})", within(std::abs(r.change(i)), band), r.carrier,
                       r.has_ratio() ? fmt::format("{:+.0f} %", r.percent(i)) : std::string("not used before"));
  };
  std::string out;
  if (std::abs(after / before - 1) * 100 < noise) out = fmt::format("'{}' takes as long as '{}', within what the model can tell", l.runs[i].scenario, l.runs[0].scenario);
  else if (after < before) out = fmt::format("'{}' is {:.2f} times as fast as '{}'", l.runs[i].scenario, before / after, l.runs[0].scenario);
  else out = fmt::format("'{}' takes {:.2f} times as long as '{}'", l.runs[i].scenario, after / before, l.runs[0].scenario);
  out += gain ? ": it gains " + named(*gain) : ": it gains nothing";
  out += price ? " and pays " + named(*price) : ", and pays nothing that is counted here";
  const std::string a = bound_of(l.runs[0]), b = bound_of(l.runs[i]);
  return out + (a == b ? "; both are bound by " + a : "; the bound moves from " + a + " to " + b) + ".";
}

}  // namespace

const char* LedgerRow::verdict(std::size_t i) const {
  if (i == 0 || better == Better::neither || change(i) == 0 || (has_ratio() && std::abs(percent(i)) < 1)) return "";
  return (change(i) < 0) == (better == Better::lower) ? "gains" : "pays";
}

Carriers carriers(const hw::GpuSpec& gpu) {
  return {static_cast<double>(gpu.sm.count.value), static_cast<double>(gpu.sm.registers.value), static_cast<double>(gpu.sm.shared_memory.value.value),
          static_cast<double>(gpu.l2.capacity.value.value)};
}

double band_percent(const RunReport& run, const std::string& device, const Bands& bands) {
  double weighted = 0, total = 0;
  for (const OpRow& o : run.ops) {
    const auto band = bands.find(device, o.op, o.impl, o.flops, o.compulsory_bytes);
    const double us = o.time_us * static_cast<double>(o.repeat);
    weighted += us * (band ? band->p90 : kUnknownBand);
    total += us;
  }
  return total > 0 ? weighted / total : kUnknownBand;
}

Ledger compare(std::vector<RunReport> runs, const std::vector<Carriers>& gpus, std::vector<double> bands) {
  Ledger l{.runs = std::move(runs), .bands = std::move(bands)};
  for (const Measure& m : kMeasures) {
    LedgerRow row{.resource = m.resource, .carrier = m.carrier, .unit = m.unit, .better = m.better, .busy_time = m.busy_time};
    for (std::size_t i = 0; i < l.runs.size(); ++i) row.values.push_back(m.of({l.runs[i], gpus.at(i)}));
    l.rows.push_back(std::move(row));
  }
  for (std::size_t i = 1; i < l.runs.size(); ++i) l.verdicts.push_back(verdict(l, i));
  return l;
}

}  // namespace rooftile::reports
