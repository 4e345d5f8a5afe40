// Ring, tree and in-switch reduction as NCCL's kernels run them.
#include <algorithm>
#include <cmath>

#include "workloads/collective/cost.hpp"

namespace rooftile::workloads::collective {
namespace {

constexpr double kMiB = 1 << 20;
constexpr double kLl128Payload = 120.0 / 128;
constexpr double kRingChunk = 2 * kMiB;      // four of eight 512 KiB slots; two slices
constexpr double kTreeChunk = kMiB / 32;     // of a tree below some 100 MiB
constexpr double kTreeLl128Hop = 1.25 / 1.9;  // tuning.cc: a hop of a tree against one of a ring

double seconds(const input::Sourced<core::Time>& t) { return t.value.seconds(); }

// All channels' CTAs together.
double copy_rate(const Group& g) {
  return static_cast<double>(g.fabric.kernel.channels.value) * g.fabric.kernel.channel.value.value;
}

double payload_rate(const Group& g, Protocol p, double link) {
  const double bus = std::min(link, copy_rate(g));  // few channels cannot fill the link
  if (p == Protocol::ll) return std::min(g.fabric.kernel.ll.value.value, bus / 2);
  return p == Protocol::ll128 ? bus * kLl128Payload : bus;
}

double start(const Group& g, Protocol p) {
  const auto& k = g.fabric.kernel;
  if (p == Protocol::ll) return seconds(k.start);
  return seconds(p == Protocol::ll128 && g.across() ? k.ll128_start : k.simple_start);
}

double hop(const Group& g, Protocol p) {
  const auto& k = g.fabric.kernel;
  return g.longer_hop + seconds(p == Protocol::ll ? k.hop_ll : p == Protocol::ll128 ? k.hop_ll128 : k.hop_simple);
}

double network_hop(const Group& g, Protocol p) {
  const auto& k = g.fabric.kernel;
  return seconds(k.net_added) + seconds(p == Protocol::ll ? k.net_ll : p == Protocol::ll128 ? k.net_ll128 : k.net_simple);
}

Cost begin(Algorithm a, Protocol p, const Group& g) {
  Cost c{.choice = {a, p}, .library = "nccl"};
  c.sms = static_cast<int>(a == Algorithm::nvls || a == Algorithm::nvls_tree ? g.fabric.kernel.nvls_channels.value
                                                                             : g.fabric.kernel.channels.value);
  return c;
}

}  // namespace

Cost ring(Op op, double bytes, const Group& g, Protocol p) {
  const auto n = static_cast<double>(g.ranks), nodes = static_cast<double>(g.nodes);
  const bool both = op == Op::all_reduce;
  const double steps = both ? 2 * (n - 1) : n - 1, net = both ? 2 * (nodes - 1) : nodes - 1;
  const double share = bytes / n;
  const double bus = payload_rate(g, p, g.across() ? std::min(g.wire, g.network) : g.wire);
  Cost c = begin(Algorithm::ring, p, g);
  c.sent_bytes = steps * share;
  c.memory_bytes = (both ? 3 : 2) * c.sent_bytes + 2 * share;  // read, (read a second operand,) write what arrives
  c.add("start", start(g, p));
  // A chunk beyond the slots goes round again; every step of a Simple round exposes its flag.
  const double rounds = p == Protocol::simple ? std::max(1.0, share / (kRingChunk * static_cast<double>(g.fabric.kernel.channels.value))) : 1;
  c.add("hops", rounds * (steps - net) * hop(g, p) + (p == Protocol::simple ? hop(g, p) : 0));
  if (net > 0) c.add("network", net * network_hop(g, p));
  c.add("wire", steps * share / bus);
  c.add("copies", (p == Protocol::ll ? 2 : 1) * share / copy_rate(g));
  return c;
}

// A chain inside each node, two binary trees over the nodes, each with half of the bytes; up and down overlap.
Cost tree(double bytes, const Group& g, Protocol p) {
  const double levels = std::ceil(std::log2(static_cast<double>(g.nodes)));
  const auto chain = static_cast<double>(g.per_node - 1);
  const double node = g.nodes == 2 ? g.network : g.network / 2;  // an inner node sends up once and down twice
  const double inside = g.per_node > 1 ? g.wire / 2 : node;      // up and down share the links of the chain
  const double bus = payload_rate(g, p, std::min(node, inside)) * tree_share(p, bytes);
  Cost c = begin(Algorithm::tree, p, g);
  c.sent_bytes = 2 * bytes;
  c.memory_bytes = 6 * bytes;
  c.add("start", start(g, p));
  const double tree_hop = p == Protocol::ll128 ? hop(g, p) * kTreeLl128Hop : hop(g, p);
  c.add("hops", 2 * chain * tree_hop);
  c.add("network", 2 * levels * network_hop(g, p));
  c.add("wire", bytes / bus);
  // LL and LL128 pass words on as they come; the network's proxies, and Simple, whole chunks.
  const double unit = std::min(bytes, kTreeChunk * static_cast<double>(g.fabric.kernel.channels.value));
  c.add("fill", 2 * (levels + (p == Protocol::simple ? chain : 0)) * unit / payload_rate(g, p, node));
  c.add("copies", bytes / copy_rate(g));
  return c;
}

namespace {

// NCCL halves the chunk of a head until every channel has several.
double nvls_chunk(double bytes, double heads) {
  double chunk = 128 * 1024;
  if (bytes < 64 * heads * chunk) chunk = 64 * 1024;
  if (bytes < 8 * heads * chunk) chunk = 32 * 1024;
  if (bytes < 2 * heads * chunk) chunk = 16 * 1024;
  return chunk;
}

}  // namespace

// Three stages a chunk: copy into the multicast buffer, reduce in the switch and multicast, copy out. The middle
// stage moves S (1 + 1/n) each way and ends with a fence and a flag; across nodes a tree joins the heads.
Cost nvls(double bytes, const Group& g) {
  const auto& k = g.fabric.kernel;
  const auto n = static_cast<double>(g.per_node), channels = static_cast<double>(k.nvls_channels.value);
  const double chunk = nvls_chunk(bytes, channels * n);
  const double unit = std::min(bytes, chunk * channels * n), rounds = bytes / unit;
  const double copy = unit / (channels * k.channel.value.value);
  const double middle = unit / (g.wire * k.nvls_share.value.value * n / (n + 1)) + seconds(k.hop_simple);
  Cost c = begin(g.across() ? Algorithm::nvls_tree : Algorithm::nvls, Protocol::simple, g);
  c.sent_bytes = bytes * (1 + 1 / n);
  c.memory_bytes = 6 * bytes;  // copied in, read by the switch, written by it, copied out
  c.add("start", seconds(k.nvls));
  double stage = middle;
  if (g.across()) {
    const double levels = std::ceil(std::log2(static_cast<double>(g.nodes)));
    const double net = unit / (g.nodes == 2 ? g.network : g.network / 2);
    stage = std::max(middle, net);
    c.add("network", 2 * levels * (seconds(k.nvls_tree) + seconds(k.net_added)));
    c.add("fill", 2 * copy + 2 * levels * unit / g.network);
  } else {
    c.add("fill", 2 * copy);
  }
  c.add("wire", rounds * stage);
  return c;
}

// A chain from the root: every rank receives and passes on.
Cost broadcast(double bytes, const Group& g, Protocol p) {
  const auto n = static_cast<double>(g.ranks), net = static_cast<double>(g.nodes - 1);
  const double bus = payload_rate(g, p, g.across() ? std::min(g.wire, g.network) : g.wire);
  Cost c = begin(Algorithm::ring, p, g);
  c.sent_bytes = bytes;
  c.memory_bytes = 2 * bytes;
  c.add("start", start(g, p));
  c.add("hops", (n - 1 - net) * hop(g, p));
  if (net > 0) c.add("network", net * network_hop(g, p));
  c.add("wire", bytes / bus);
  const double slice = std::min(kMiB * static_cast<double>(g.fabric.kernel.channels.value), bytes / 2);
  if (p == Protocol::simple) c.add("fill", (n - 2) * slice / bus);
  c.add("copies", (p == Protocol::ll ? 2 : 1) * std::min(bytes, slice) / copy_rate(g));
  return c;
}

}  // namespace rooftile::workloads::collective
