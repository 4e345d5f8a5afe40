// The part of a recording that a page shows: kernels of the stream, and the first sampled SM of the longest kernel.
#include <algorithm>
#include <cmath>

#include "reports/page.hpp"

namespace rooftile::reports {
namespace {

struct Longest {
  std::size_t op = 0, kernel = 0;
  core::Time time{};
};

Json sm_json(const workloads::Scenario& s, const workloads::Prediction& p, const KernelTrace& t, const Longest& at, std::size_t limit) {
  const int sm = t.sms().front();
  std::vector<std::string> rows, labels;
  const auto index = [](std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.push_back(name);
    return names.size() - 1;
  };
  index(rows, "tensor cores (asynchronous)");
  Json spans = Json::array();
  for (const TraceSpan& span : t.spans()) {
    if (span.sm != sm || spans.size() >= limit) continue;
    const std::string role = t.roles()[static_cast<std::size_t>(span.role)];
    const std::size_t row = span.matrix ? 0 : index(rows, role + ", slot " + std::to_string(span.cta));
    const std::size_t label = index(labels, span.matrix ? std::string(span.what) + " of " + role : span.what);
    // Picoseconds: whole numbers keep the page small and exact.
    spans.push_back({row, span.begin.ps, (span.end - span.begin).ps, label, span.working ? 1 : 0});
  }
  return {{"sm", sm}, {"operation", s.ops[at.op].name}, {"kernel", p.kernels[at.kernel].kernel}, {"kernel_us", at.time.us()},
          {"rows", rows}, {"labels", labels}, {"spans", spans}};
}

Json counters_json(const KernelTrace& t, core::Time duration) {
  Json bins = Json::array();
  const double ps = static_cast<double>(t.bin_width().ps);
  const auto last = std::min<std::size_t>(KernelTrace::kBins, static_cast<std::size_t>(duration.ps / t.bin_width().ps) + 1);
  const auto rate = [&](double bytes) { return std::round(bytes / ps * 1000) / 1000; };
  for (std::size_t b = 0; b < last; ++b) {
    const TrafficBin& x = t.bins()[b];
    bins.push_back({rate(x.hbm_read), rate(x.hbm_written), rate(x.l2_read), rate(x.l2_written)});
  }
  return {{"bin_us", t.bin_width().us()}, {"tb_per_s", bins}};
}

}  // namespace

Json timeline_json(const workloads::Scenario& s, const std::vector<workloads::Prediction>& predictions,
                   const std::vector<std::unique_ptr<OpTrace>>& traces, std::size_t spans) {
  Json kernels = Json::array();
  Longest longest;
  core::Time now{};
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const workloads::Prediction& p = predictions[i];
    const core::Time gap{p.kernels.empty() ? 0 : p.gaps.ps / static_cast<std::int64_t>(p.kernels.size())};
    for (std::size_t k = 0; k < p.kernels.size(); ++k) {
      now += gap;
      kernels.push_back({{"operation", s.ops[i].name}, {"kernel", p.kernels[k].kernel}, {"start_us", now.us()}, {"us", p.kernels[k].time.us()}, {"repeat", s.ops[i].repeat}});
      now += p.kernels[k].time;
      if (p.kernels[k].time > longest.time) longest = {i, k, p.kernels[k].time};
    }
  }
  Json j{{"kernels", kernels}};
  if (longest.op >= traces.size() || !traces[longest.op] || longest.kernel >= traces[longest.op]->kernels().size()) return j;
  const KernelTrace& t = *traces[longest.op]->kernels()[longest.kernel];
  j["sm"] = sm_json(s, predictions[longest.op], t, longest, spans);
  j["memory"] = counters_json(t, longest.time);
  return j;
}

}  // namespace rooftile::reports
