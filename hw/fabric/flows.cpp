#include "hw/fabric/flows.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace rooftile::hw::fabric {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSlack = 1e-12;

struct Filling {
  std::vector<double> left, weight;  // capacity not given away; unfrozen flows on the link

  Filling(const std::vector<FlowClass>& flows, const std::vector<char>& active, const std::vector<double>& capacity)
      : left(capacity), weight(capacity.size()) {
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (active[f]) add(flows[f], 1);
    }
  }
  void add(const FlowClass& flow, double sign) {
    for (const LinkUse& u : flow.links) weight[u.link] += sign * u.uses * static_cast<double>(flow.count);
  }
  double share(std::uint32_t link) const { return std::max(0.0, left[link]) / weight[link]; }
};

// The tightest link's flows are frozen at its share; repeat on what is left.
std::vector<double> fill(const std::vector<FlowClass>& flows, std::vector<char> open,
                         const std::vector<double>& capacity) {
  std::vector<double> rates(flows.size());
  Filling filling(flows, open, capacity);
  for (;;) {
    double tightest = kNever;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (!open[f]) continue;
      for (const LinkUse& u : flows[f].links) tightest = std::min(tightest, filling.share(u.link));
    }
    if (tightest == kNever) return rates;
    std::vector<std::size_t> frozen;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (!open[f]) continue;
      const bool tight = std::any_of(flows[f].links.begin(), flows[f].links.end(), [&](const LinkUse& u) {
        return filling.share(u.link) <= tightest * (1 + kSlack);
      });
      if (tight) frozen.push_back(f);
    }
    for (const std::size_t f : frozen) {
      rates[f] = tightest;
      open[f] = 0;
      filling.add(flows[f], -1);
      for (const LinkUse& u : flows[f].links) filling.left[u.link] -= tightest * u.uses * static_cast<double>(flows[f].count);
    }
  }
}

}  // namespace

std::vector<double> max_min_rates(const std::vector<FlowClass>& flows, const std::vector<double>& capacity) {
  return fill(flows, std::vector<char>(flows.size(), 1), capacity);
}

std::vector<double> completion_seconds(const std::vector<FlowClass>& flows, const std::vector<double>& capacity,
                                       double batch) {
  std::vector<double> done(flows.size(), -1), left(flows.size());
  std::vector<char> running(flows.size());
  double now = kNever;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    left[f] = flows[f].bytes;
    now = std::min(now, flows[f].start_seconds);
  }
  for (std::size_t open = flows.size(); open > 0;) {
    double next = kNever;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      running[f] = done[f] < 0 && flows[f].start_seconds <= now;
      if (done[f] < 0 && !running[f]) next = std::min(next, flows[f].start_seconds);
    }
    const std::vector<double> rates = fill(flows, running, capacity);
    double first_end = kNever;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (running[f]) first_end = std::min(first_end, flows[f].links.empty() ? now : now + left[f] / rates[f]);
    }
    if (first_end == kNever && next == kNever) throw std::logic_error("flows that never end");
    next = std::min(next, first_end);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (!running[f]) continue;
      const double end = flows[f].links.empty() ? now : now + left[f] / rates[f];
      left[f] -= rates[f] * (next - now);
      if (end > next * (1 + batch) + kSlack * (next - now)) continue;
      done[f] = end + flows[f].latency_seconds;
      --open;
    }
    now = next;
  }
  return done;
}

FlowClass flow_between(const Topology& topology, std::size_t from_gpu, std::size_t to_gpu, double bytes,
                       std::uint64_t flow) {
  FlowClass f;
  f.bytes = bytes;
  for (const std::uint32_t e : topology.route(from_gpu, to_gpu, flow)) {
    f.links.push_back({e, 1});
    f.latency_seconds += topology.edge(e).latency.seconds();
  }
  return f;
}

std::vector<double> capacities(const Topology& topology) {
  std::vector<double> all(topology.edges());
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = topology.edge(static_cast<std::uint32_t>(e)).bytes_per_second;
  return all;
}

}  // namespace rooftile::hw::fabric
