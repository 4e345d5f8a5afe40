// Kernels that reach peers directly: one and two-shot all-reduce of serving frameworks, grouped sends and receives.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workloads/collective/cost.hpp"

namespace rooftile::workloads::collective {
namespace {

// vLLM's launch: 36 CTAs of 512 threads, 16 bytes of every peer in flight in each.
constexpr double kCustomCtas = 36, kInFlight = kCustomCtas * 512 * 16;
constexpr double kEagerBytes = 16384;           // NCCL_P2P_LL_THRESHOLD
constexpr double kP2pChunk = 512 * 1024;        // of one channel over NVLink

double seconds(const input::Sourced<core::Time>& t) { return t.value.seconds(); }

// Trips to peers' memory after the first, and the port: the longer holds.
double loads(double bytes, double from_peers, const Group& g) {
  const double trips = std::ceil(bytes / kInFlight) - 1;
  return std::max(trips * seconds(g.fabric.kernel.remote_load), from_peers / g.wire);
}

}  // namespace

Cost one_shot(double bytes, const Group& g, bool pull) {
  const auto& k = g.fabric.kernel;
  const double remote = static_cast<double>(g.ranks - 1) * bytes;
  Cost c{.choice = {Algorithm::one_shot, pull ? Protocol::simple : Protocol::ll}, .library = pull ? "vllm" : "trtllm"};
  c.sms = static_cast<int>(kCustomCtas);
  c.sent_bytes = remote;
  c.memory_bytes = remote + 2 * bytes;
  c.add("start", seconds(k.plain_start));
  c.add("hops", pull ? 2 * seconds(k.hop_ll) + seconds(k.remote_load) : seconds(k.hop_ll));  // barriers before and after; a flag in every word
  c.add("wire", loads(bytes, remote, g));
  return c;
}

Cost two_shot(double bytes, const Group& g) {
  const auto& k = g.fabric.kernel;
  const double share = bytes / static_cast<double>(g.ranks), remote = bytes - share;
  Cost c{.choice = {Algorithm::two_shot, Protocol::simple}, .library = "vllm"};
  c.sms = static_cast<int>(kCustomCtas);
  c.sent_bytes = 2 * remote;
  c.memory_bytes = 2 * remote + 3 * bytes;
  c.add("start", seconds(k.plain_start));
  c.add("hops", 3 * seconds(k.hop_ll) + 2 * seconds(k.remote_load));
  c.add("wire", 2 * loads(share, remote, g));
  return c;
}

Exchange equal_exchange(double bytes, const Group& g) {
  const double pair = bytes / static_cast<double>(g.ranks);
  const auto inside = g.per_node - 1, outside = g.ranks - g.per_node;
  return {pair, pair * static_cast<double>(inside), pair * static_cast<double>(outside), pair, inside, outside};
}

Exchange exchange_of(const std::vector<std::vector<double>>& m, const Group& g) {
  const auto n = static_cast<std::size_t>(g.ranks), per = static_cast<std::size_t>(g.per_node);
  if (m.size() != n) throw std::invalid_argument("the matrix has " + std::to_string(m.size()) + " rows for " + std::to_string(n) + " ranks");
  Exchange worst;
  worst.peers = g.per_node - 1;
  worst.peers_across = g.ranks - g.per_node;
  for (std::size_t i = 0; i < n; ++i) {
    if (m[i].size() != n) throw std::invalid_argument("row " + std::to_string(i) + " of the matrix has " + std::to_string(m[i].size()) + " columns for " + std::to_string(n) + " ranks");
    double sent[2] = {0, 0}, received[2] = {0, 0};
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const std::size_t across = i / per != j / per;
      sent[across] += m[i][j];
      received[across] += m[j][i];
      worst.largest = std::max(worst.largest, m[i][j]);
    }
    worst.own = std::max(worst.own, m[i][i]);
    worst.in_node = std::max({worst.in_node, sent[0], received[0]});
    worst.across = std::max({worst.across, sent[1], received[1]});
  }
  return worst;
}

// Sends, receives and the copy of the own share take turns in the CTAs; the last chunk is copied out after it came.
Cost pairwise(const Exchange& e, const Group& g) {
  const auto& k = g.fabric.kernel;
  Cost c{.choice = {Algorithm::pairwise, e.largest <= kEagerBytes ? Protocol::ll : Protocol::simple}, .library = "nccl"};
  c.sms = static_cast<int>(k.channels.value);
  c.sent_bytes = e.in_node + e.across;
  c.memory_bytes = 2 * (c.sent_bytes + e.own) + c.sent_bytes;
  const double net = e.peers_across > 0 ? seconds(k.net_added) + seconds(c.choice.protocol == Protocol::ll ? k.net_ll : k.net_simple) : 0;
  c.add("start", seconds(k.group_start) + std::max<double>(0, static_cast<double>(e.peers + e.peers_across - 1)) * (c.choice.protocol == Protocol::ll ? seconds(k.peer) : 0));
  // The node's proxy thread serves one peer after the other, sends and receives.
  if (net > 0) c.add("network", net + 2 * static_cast<double>(e.peers_across - 1) * seconds(k.net_message));
  const double across = e.across > 0 ? e.across / std::min(g.one_flow, g.network / static_cast<double>(g.per_node)) : 0;
  if (c.choice.protocol == Protocol::ll) {
    c.add("hops", seconds(k.hop_ll));
    c.add("wire", std::max(e.in_node > 0 ? e.in_node / (g.wire / 2) : 0, 2 * across));
    return c;
  }
  c.add("hops", seconds(k.hop_simple) + (seconds(k.simple_start) - seconds(k.start)));
  const double copy = static_cast<double>(k.channels.value) * k.channel.value.value;
  const double wire = std::max(e.in_node > 0 ? e.in_node / g.wire : 0, across);
  const double last = std::min(e.in_node + e.across, static_cast<double>(k.channels.value) * kP2pChunk) / copy;
  const double ctas = (2 * (e.in_node + e.across) + e.own) / copy;
  c.add("wire", wire);
  c.add("copies", std::max(last, ctas - wire));
  return c;
}

// One pair, or every rank to the next one while it receives from the one before.
Cost send_recv(double bytes, const Group& g, bool all_at_once) {
  Exchange e{.largest = bytes, .peers = 1};
  const bool crosses = g.across();
  (crosses ? e.across : e.in_node) = bytes;
  if (crosses) e.peers_across = 1;
  if (all_at_once) return pairwise(e, g);
  // The receiver copies a chunk while the next one comes.
  const auto& k = g.fabric.kernel;
  Cost c = pairwise(e, g);
  if (c.choice.protocol == Protocol::ll) return c;
  c = Cost{.choice = c.choice, .library = "nccl", .sms = c.sms, .sent_bytes = bytes, .memory_bytes = 3 * bytes};
  c.add("start", seconds(k.group_start));
  c.add(crosses ? "network" : "hops", crosses ? seconds(k.net_simple) + seconds(k.net_added) : seconds(k.hop_simple));
  c.add("wire", bytes / (crosses ? g.one_flow : g.wire));
  return c;
}

}  // namespace rooftile::workloads::collective
