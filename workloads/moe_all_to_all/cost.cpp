#include "workloads/moe_all_to_all/cost.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rooftile::workloads::moe_all_to_all {
namespace {

using collective::Algorithm;
using collective::Cost;
using collective::Group;
using collective::Protocol;

constexpr double kWarpTrip = 512;  // bytes that a warp loads at once

double seconds(const input::Sourced<core::Time>& t) { return t.value.seconds(); }

struct Traffic {
  double copies = 0;   // tokens times ranks that they go to
  double in_node = 0;  // bytes through the busiest port
  double across = 0;
};

Traffic traffic(const Shape& s, const Group& g, double bytes) {
  const auto ranks = static_cast<double>(g.ranks), nodes = static_cast<double>(g.nodes);
  const double tokens = static_cast<double>(s.tokens) * s.imbalance;
  Traffic t;
  t.copies = tokens * expected_groups(ranks, s);
  const double in_ranks = g.across() ? 1 - 1 / static_cast<double>(g.per_node) : (ranks - 1) / ranks;
  t.in_node = t.copies * in_ranks * bytes;
  if (g.across()) t.across = tokens * expected_groups(nodes, s) * (nodes - 1) / nodes * bytes;
  return t;
}

double through_ports(const Traffic& t, const Group& g) {
  const double inside = t.in_node > 0 ? t.in_node / g.wire : 0;
  const double across = t.across > 0 ? t.across * static_cast<double>(g.per_node) / g.network : 0;
  return std::max(inside, across);
}

Cost begin(const Traffic& t, std::int64_t sms, bool low_latency) {
  Cost c{.choice = {Algorithm::pairwise, low_latency ? Protocol::ll : Protocol::simple}, .library = low_latency ? "deepep_low_latency" : "deepep_normal"};
  c.sms = static_cast<int>(sms);
  c.sent_bytes = t.in_node + t.across;
  c.memory_bytes = 3 * c.sent_bytes;
  return c;
}

// Wires work while the SMs do: what the longer of the two needs beyond the other is its own.
void add_work(Cost& c, double wire, double sms) {
  c.add("wire", wire);
  c.add("copies", std::max(0.0, sms - wire));
}

void add_network(Cost& c, const Group& g) {
  if (g.across()) c.add("network", seconds(g.fabric.kernel.net_ll) + seconds(g.fabric.kernel.net_added));
}

// One block for every expert, or for several when there are more experts than SMs.
double blocks(const Shape& s, const Group& g) {
  const auto experts = static_cast<double>(s.experts), sms = static_cast<double>(g.fabric.experts.sms.value);
  return std::ceil(experts / std::ceil(experts / sms));
}

Cost low_latency(const Shape& s, const Group& g, double bytes, double port, double sms) {
  const auto& k = g.fabric.kernel;
  Traffic t;
  const double messages = static_cast<double>(s.tokens * s.top_k) * s.imbalance, ranks = static_cast<double>(g.ranks);
  t.copies = messages;
  t.in_node = messages * bytes * static_cast<double>(g.per_node - 1) / ranks;
  t.across = messages * bytes * static_cast<double>(g.ranks - g.per_node) / ranks;
  Cost c = begin(t, static_cast<std::int64_t>(sms), true);
  c.add("start", seconds(k.plain_start));
  c.add("hops", seconds(k.hop_simple) + seconds(k.hop_ll));
  add_network(c, g);
  c.add("experts", static_cast<double>(s.experts) * seconds(g.fabric.experts.expert));
  c.add("copies", std::ceil(static_cast<double>(s.tokens) / sms) * seconds(g.fabric.experts.token_alone));
  const double inside = t.in_node > 0 ? t.in_node / port : 0;
  const double nic = t.across > 0 ? std::max(t.across * static_cast<double>(g.per_node) / g.network,
                                             messages * static_cast<double>(g.ranks - g.per_node) / ranks * seconds(g.fabric.node.nic.message)) : 0;
  c.add("wire", std::max(inside, nic));
  return c;
}

}  // namespace

double expected_groups(double groups, const Shape& s) {
  const auto experts = static_cast<double>(s.experts);
  const double each = experts / groups;
  double missed = 1;  // none of the k is in a given group
  for (std::int64_t i = 0; i < s.top_k; ++i) missed *= std::max(0.0, (experts - each - static_cast<double>(i)) / (experts - static_cast<double>(i)));
  return groups * (1 - missed);
}

Cost dispatch(const Shape& s, const Group& g) {
  const auto& e = g.fabric.experts;
  const double bytes = static_cast<double>(s.hidden) * s.element;
  const Traffic t = traffic(s, g, bytes);
  Cost c = begin(t, s.sms, false);
  c.add("start", seconds(e.start));
  add_network(c, g);
  add_work(c, through_ports(t, g), 2 * t.copies * (seconds(e.token) + bytes / e.port.value.value) / static_cast<double>(s.sms));
  return c;
}

Cost combine(const Shape& s, const Group& g) {
  const auto& e = g.fabric.experts;
  const double bytes = static_cast<double>(s.hidden) * s.element;
  const Traffic t = traffic(s, g, bytes);
  Cost c = begin(t, s.sms, false);
  c.add("start", seconds(e.start));
  add_network(c, g);
  c.add("hops", std::ceil(bytes / kWarpTrip) * seconds(e.gather_step));  // a warp sums one token alone
  add_work(c, through_ports(t, g), 2 * t.copies * bytes / e.reduce.value.value / static_cast<double>(s.sms));
  return c;
}

// fp8 with a float scale for every 128 elements, and 16 bytes of header.
Cost dispatch_low_latency(const Shape& s, const Group& g) {
  const auto hidden = static_cast<double>(s.hidden);
  return low_latency(s, g, hidden + hidden / 128 * 4 + 16, g.wire, blocks(s, g));
}

// Sums of tokens spread over all SMs, however few the experts.
Cost combine_low_latency(const Shape& s, const Group& g) {
  return low_latency(s, g, static_cast<double>(s.hidden) * 2, g.fabric.experts.gather.value.value,
                     static_cast<double>(g.fabric.experts.sms.value));
}

double imbalance_of(const std::vector<double>& loads, std::int64_t redundant, std::int64_t ranks) {
  const auto experts = static_cast<std::int64_t>(loads.size());
  if ((experts + redundant) % ranks != 0) throw std::invalid_argument(std::to_string(experts + redundant) + " experts and copies do not spread evenly over " + std::to_string(ranks) + " ranks");
  std::vector<std::int64_t> copies(loads.size(), 1);
  const auto share = [&](std::size_t i) { return loads[i] / static_cast<double>(copies[i]); };
  for (std::int64_t r = 0; r < redundant; ++r) {
    std::size_t hottest = 0;
    for (std::size_t i = 1; i < loads.size(); ++i)
      if (share(i) > share(hottest)) hottest = i;
    ++copies[hottest];
  }
  std::vector<double> dealt;
  for (std::size_t i = 0; i < loads.size(); ++i) dealt.insert(dealt.end(), static_cast<std::size_t>(copies[i]), share(i));
  std::sort(dealt.rbegin(), dealt.rend());
  std::vector<double> load(static_cast<std::size_t>(ranks));
  std::vector<std::int64_t> room(load.size(), (experts + redundant) / ranks);
  for (const double d : dealt) {
    std::size_t least = load.size();
    for (std::size_t r = 0; r < load.size(); ++r)
      if (room[r] > 0 && (least == load.size() || load[r] < load[least])) least = r;
    load[least] += d;
    --room[least];
  }
  double total = 0;
  for (const double l : load) total += l;
  return total > 0 ? *std::max_element(load.begin(), load.end()) * static_cast<double>(ranks) / total : 1;
}

}  // namespace rooftile::workloads::moe_all_to_all
