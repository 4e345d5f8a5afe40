#include "workloads/collective/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rooftile::workloads::collective {
namespace {

using hw::fabric::Generation;

constexpr double us = 1e-6;
struct Latency {
  double base, nvlink, network;
};
constexpr std::array<Latency, 3> kTree{{{6.8, 0.6, 5.0}, {14.0, 1.25, 8.5}, {8.4, 4.0, 14.0}}};
constexpr std::array<Latency, 3> kRing{{{6.6, 0.6, 2.7}, {14.0, 1.9, 4.0}, {8.4, 3.4, 14.0}}};
constexpr double kNvls = 25, kNvlsNetwork = 20.9, kHostStep = 1.0;  // a proxy step on Intel; three times for Simple
constexpr std::int64_t kNvlsRanks = 5;  // NCCL's logs on H200: rings up to four ranks
constexpr double kLlTwoNodes = 39e9, kLlMoreNodes = 20.4e9;          // LL across nodes passes host memory

// Trees by size: one step a power of two from 64 bytes.
constexpr std::array<std::array<double, 24>, 3> kTreeBySize{{
    {1.0, 1.0, 1.0, 1.0, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1.0, 1.0, 1.0, 1.0, 1.0},
    {1.0, 1.0, 1.0, 1.0, 1.0, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1.0, 1.0, 1.0},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9},
}};

struct Candidate {
  Choice choice;
  double seconds;
};

}  // namespace

double tree_share(Protocol p, double bytes) {
  const auto power = static_cast<int>(std::floor(std::log2(std::max(1.0, bytes / 64))));
  return power < 24 ? kTreeBySize[static_cast<std::size_t>(p)][static_cast<std::size_t>(power)] : 1;
}

namespace {

double steps(Op op, double n) { return op == Op::all_reduce ? 2 * (n - 1) : n - 1; }

Candidate ring(Op op, double bytes, const Group& g, int p) {
  const auto n = static_cast<double>(g.ranks), nodes = static_cast<double>(g.nodes);
  const auto& latency = kRing[static_cast<std::size_t>(p)];
  double bus = g.across() ? std::min(g.wire, g.network) : g.wire;
  if (p == 0) {
    const double cap = !g.across() ? g.fabric.kernel.ll.value.value : g.nodes == 2 ? kLlTwoNodes : kLlMoreNodes;
    bus = std::min(cap, bus / 2);
  }
  if (p == 1) bus *= 0.92;
  const double net = op == Op::all_reduce ? 2 * (nodes - 1) : nodes - 1;
  const double host = g.across() ? kHostStep * (p == 2 ? 3 : 1) : 0;
  double t = latency.base + (steps(op, n) - net) * std::max(latency.nvlink, host) + net * latency.network;
  if (g.across() && p == 2 && op == Op::all_reduce) t *= 1.4;
  return {{Algorithm::ring, static_cast<Protocol>(p)}, t * us + bytes * steps(op, n) / n / bus};
}

Candidate tree(double bytes, const Group& g, int p) {
  const auto& latency = kTree[static_cast<std::size_t>(p)];
  // Between two nodes a tree sends each byte once each way; NCCL counts the bandwidth inside the node then.
  double bus = 0.92 * std::min(g.wire, g.nodes == 2 ? 2 * g.network : g.network);
  if (p == 0) bus /= 3.8;
  if (p == 1) bus *= 120.0 / 128;
  bus *= tree_share(static_cast<Protocol>(p), bytes);
  const double levels = std::log2(static_cast<double>(g.nodes));
  const double t = latency.base + 2 * (static_cast<double>(g.per_node - 1) * latency.nvlink + levels * latency.network);
  return {{Algorithm::tree, static_cast<Protocol>(p)}, t * us + bytes / (bus / 2)};
}

// In-switch reduction moves S (1 + 1/n) each way; across nodes a tree of the per-channel caps of the table.
Candidate nvls(double bytes, const Group& g) {
  const auto n = static_cast<double>(g.per_node);
  const auto channels = static_cast<double>(g.fabric.kernel.nvls_channels.value);
  const double node = g.wire * g.fabric.kernel.nvls_share.value.value * (channels - 1) / channels * n / (n + 1);
  if (!g.across()) return {{Algorithm::nvls, Protocol::simple}, kNvls * us + bytes / node};
  const bool two = g.nodes == 2;
  const double cap = (g.fabric.generation == Generation::blackwell ? (two ? 96e9 : 80e9) : (two ? 57.7e9 : 45.5e9)) * n / 2;
  const double network = two ? g.network : g.network / 2;
  const double t = kNvls + 2 * std::log2(static_cast<double>(g.nodes)) * kNvlsNetwork;
  return {{Algorithm::nvls_tree, Protocol::simple}, t * us + bytes / std::min({node, cap, network})};
}

bool has_nvls(Op op, const Group& g) {
  return op == Op::all_reduce && g.fabric.node.in_switch_reduction && g.per_node >= kNvlsRanks;
}

}  // namespace

Choice choose(Op op, double bytes, const Group& g) {
  if (op == Op::all_to_all || op == Op::send_recv || op == Op::neighbours) return {Algorithm::pairwise, Protocol::simple};
  std::vector<Candidate> all;
  for (int p = 0; p < 3; ++p) {
    all.push_back(ring(op, bytes, g, p));
    if (op == Op::all_reduce && g.across()) all.push_back(tree(bytes, g, p));
  }
  if (has_nvls(op, g)) all.push_back(nvls(bytes, g));
  return std::min_element(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; })->choice;
}

Choice choose(Op op, double bytes, const Group& g, Algorithm fixed) {
  if (fixed != Algorithm::ring && fixed != Algorithm::tree) return {fixed, Protocol::simple};
  std::optional<Candidate> best;
  for (int p = 0; p < 3; ++p) {
    const Candidate c = fixed == Algorithm::tree && g.across() ? tree(bytes, g, p) : ring(op, bytes, g, p);
    if (!best || c.seconds < best->seconds) best = c;
  }
  return {fixed, best->choice.protocol};
}

}  // namespace rooftile::workloads::collective
