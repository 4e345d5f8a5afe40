#include "reports/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/core/input/node.hpp"

namespace rooftile::reports {
namespace {

using core::Time;
using input::quote;
using workloads::KernelPrediction;

constexpr int kStreamPid = 1, kMemoryPid = 2, kFirstSmPid = 10;

// Microseconds with the picoseconds kept.
std::string us(Time t) { return fmt::format("{}.{:06}", t.ps / 1'000'000, t.ps % 1'000'000); }

class Writer {
 public:
  void metadata(const char* what, int pid, int tid, const std::string& name) {
    event(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what, pid, tid, quote(name)));
  }
  void sort_index(int pid, int tid, int index) {
    event(fmt::format(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})", pid, tid, index));
  }
  void complete(const std::string& name, int pid, int tid, Time begin, Time end, const std::string& args = "") {
    event(fmt::format(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{}{}}})", quote(name), pid, tid, us(begin), us(end - begin),
                      args.empty() ? "" : ",\"args\":{" + args + "}"));
  }
  void counter(const std::string& name, int pid, Time at, const std::string& args) {
    event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{{}}}}})", quote(name), pid, us(at), args));
  }
  std::string take(const std::string& note) {
    return "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"sampling\":" + quote(note) + "},\"traceEvents\":[\n" + out_ + "\n]}\n";
  }

 private:
  void event(const std::string& e) {
    if (!out_.empty()) out_ += ",\n";
    out_ += e;
  }
  std::string out_;
};

void add_counters(Writer& w, const KernelTrace& k, const KernelPrediction& p, Time start) {
  const auto bins = std::min<std::size_t>(KernelTrace::kBins, static_cast<std::size_t>(p.time.ps / k.bin_width().ps) + 1);
  const auto rate = [&](double bytes) { return bytes / static_cast<double>(k.bin_width().ps); };  // bytes a ps = TB/s
  for (std::size_t b = 0; b < bins; ++b) {
    const Time at = start + Time{static_cast<std::int64_t>(b) * k.bin_width().ps};
    const TrafficBin& t = k.bins()[b];
    w.counter("HBM TB/s", kMemoryPid, at, fmt::format(R"("read":{:.3f},"write":{:.3f})", rate(t.hbm_read), rate(t.hbm_written)));
    w.counter("L2 TB/s", kMemoryPid, at, fmt::format(R"("read":{:.3f},"write":{:.3f})", rate(t.l2_read), rate(t.l2_written)));
    const double cycles = static_cast<double>(k.bin_width().ps) * 1e-12 * p.clock.value;
    for (std::size_t i = 0; i < k.sms().size(); ++i)
      for (std::size_t r = 0; r < hw::kSmResources; ++r) {
        const double busy = k.busy(i)[b][r];
        if (p.play.unit_cycles[r] > 0)
          w.counter(std::string(hw::kSmResourceNames[r]) + " %", kFirstSmPid + k.sms()[i], at, fmt::format(R"("busy":{:.1f})", std::min(100.0, 100 * busy / cycles)));
      }
  }
  const Time end = start + p.time;
  for (const char* name : {"HBM TB/s", "L2 TB/s"}) w.counter(name, kMemoryPid, end, R"("read":0,"write":0)");
}

// Rows of one SM: a number for each (slot, role), the matrix row above them.
class Rows {
 public:
  int of(Writer& w, int sm, int cta, int role, const std::string& name) {
    auto& rows = known_[sm];
    if (rows.empty()) {
      w.metadata("process_name", kFirstSmPid + sm, 0, fmt::format("SM {}", sm));
      w.metadata("thread_name", kFirstSmPid + sm, 1, "matrix work");
    }
    const auto [at, fresh] = rows.try_emplace({cta, role, name}, static_cast<int>(rows.size()) + 2);
    if (fresh) {
      w.metadata("thread_name", kFirstSmPid + sm, at->second, fmt::format("{} (slot {})", name, cta));
      w.sort_index(kFirstSmPid + sm, at->second, at->second);
    }
    return at->second;
  }

 private:
  std::map<int, std::map<std::tuple<int, int, std::string>, int>> known_;
};

void add_spans(Writer& w, Rows& rows, const KernelTrace& k, Time start) {
  for (const TraceSpan& s : k.spans()) {
    const std::string& role = k.roles()[static_cast<std::size_t>(s.role)];
    const int row = rows.of(w, s.sm, s.cta, s.role, role);
    w.complete(s.matrix ? fmt::format("{} of {}", s.what, role) : s.what, kFirstSmPid + s.sm, s.matrix ? 1 : row, start + s.begin, start + s.end);
  }
}

std::string kernel_args(const KernelPrediction& k, const KernelTrace* trace, std::int64_t repeat) {
  std::string args = fmt::format(R"("clock_mhz":{:.0f},"cycles":{:.0f},"ctas":{},"ctas_per_sm":{},"repeat":{})", k.clock.value / 1e6, k.play.cycles,
                                 k.play.ctas, k.play.ctas_per_sm, repeat);
  if (trace && !trace->complete()) args += fmt::format(R"(,"spans_recorded_until_us":{})", us(trace->complete_until()));
  return args;
}

}  // namespace

TraceLimits limits_for(std::size_t operations, int sms) {
  return {.sms = sms, .spans = std::clamp<std::size_t>(kTraceSpans / std::max<std::size_t>(1, operations), 200, 40'000)};
}

std::string trace_json(const workloads::Scenario& s, const std::vector<workloads::Prediction>& predictions,
                       const std::vector<std::unique_ptr<OpTrace>>& traces) {
  Writer w;
  Rows rows;
  w.metadata("process_name", kStreamPid, 0, "stream: " + s.name);
  w.metadata("thread_name", kStreamPid, 1, "kernels");
  w.metadata("thread_name", kStreamPid, 2, "operations");
  w.metadata("thread_name", kStreamPid, 3, "communication");
  w.metadata("process_name", kMemoryPid, 0, s.hardware_name + " memory");
  Time now{};
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const workloads::Prediction& p = predictions[i];
    const Time gap = p.kernels.empty() ? Time{} : Time{p.gaps.ps / static_cast<std::int64_t>(p.kernels.size())};
    const Time begun = now;
    for (std::size_t k = 0; k < p.kernels.size(); ++k) {
      const KernelTrace* trace = i < traces.size() && traces[i] && k < traces[i]->kernels().size() ? traces[i]->kernels()[k].get() : nullptr;
      if (gap.ps > 0) w.complete("launch gap", kStreamPid, 1, now, now + gap);
      now += gap;
      w.complete(p.kernels[k].kernel, kStreamPid, 1, now, now + p.kernels[k].time, kernel_args(p.kernels[k], trace, s.ops[i].repeat));
      if (trace) {
        add_counters(w, *trace, p.kernels[k], now);
        add_spans(w, rows, *trace, now);
      }
      now += p.kernels[k].time;
    }
    if (p.communication) {
      w.complete(p.schedule, kStreamPid, 3, now, now + p.time, fmt::format("\"bound\":{},\"sms\":{}", quote(p.communication->bound), p.communication->sms));
      now += p.time;
    }
    w.complete(s.ops[i].name, kStreamPid, 2, begun, now, "\"schedule\":" + quote(p.schedule) + fmt::format(",\"repeat\":{}", s.ops[i].repeat));
  }
  return w.take("SMs shown are evenly spaced; of each kernel the first spans are kept (its argument spans_recorded_until_us says how far "
                "when some were dropped); counters cover the whole GPU in at most 256 bins a kernel; an operation that repeats is drawn once");
}

}  // namespace rooftile::reports
