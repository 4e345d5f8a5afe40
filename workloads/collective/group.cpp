#include "workloads/collective/group.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "hw/fabric/topology.hpp"
#include "hw/fabric/wiring.hpp"
#include "sim/core/input/suggest.hpp"
#include "workloads/data.hpp"

namespace rooftile::workloads::collective {
namespace {

using hw::fabric::FabricSpec;
using hw::fabric::GpuWiring;
using hw::fabric::Network;

// Neighbours of the ring all send at once: the busiest link sets the pace.
void look_at_ring(const FabricSpec& fabric, std::int64_t ranks, Group& g) {
  FabricSpec node = fabric;
  if (fabric.network.kind != Network::torus) node.network = {};
  const hw::fabric::Topology t(node);
  std::map<std::uint32_t, int> load;
  const auto n = static_cast<std::size_t>(ranks);
  for (std::size_t i = 0; i < n; ++i) {
    double latency = 0;
    for (const std::uint32_t e : t.route(i, (i + 1) % n)) {
      ++load[e];
      latency += t.edge(e).latency.seconds();
    }
    g.longer_hop = std::max(g.longer_hop, latency - fabric.node.nvlink.latency.value.seconds());
  }
  for (const auto& [e, flows] : load) {
    const double share = t.edge(e).bytes_per_second / flows;
    g.wire = g.wire > 0 ? std::min(g.wire, share) : share;
  }
}

// Into a node over all its ports; with fewer spines than a non-blocking fabric has, its share of the uplinks.
double node_rate(const FabricSpec& f) {
  const double pcie = f.node.pcie.bandwidth.value.value, nic = f.node.nic.bandwidth.value.value;
  double rate = static_cast<double>(f.node.nics) * std::min(nic, pcie);
  const std::int64_t full = hw::fabric::non_blocking_spines(f);
  if (f.network.spines > 0 && f.network.spines < full && f.network.nodes > f.network.nodes_per_leaf)
    rate *= static_cast<double>(f.network.spines) / static_cast<double>(full);
  return rate;
}

double torus_size(const FabricSpec& f) {
  double n = 1;
  for (const std::int64_t d : f.network.torus) n *= static_cast<double>(d);
  return n;
}

}  // namespace

Group make_group(const FabricSpec& fabric, std::int64_t ranks, std::int64_t nodes) {
  const std::int64_t holds = fabric.network.kind == Network::torus ? static_cast<std::int64_t>(torus_size(fabric)) : fabric.node.gpus;
  if (nodes == 0) nodes = (ranks + holds - 1) / holds;
  if (ranks < 1 || ranks % nodes != 0)
    throw std::invalid_argument(std::to_string(ranks) + " ranks do not spread evenly over " + std::to_string(nodes) + " nodes");
  Group g{.fabric = fabric, .ranks = ranks, .nodes = nodes, .per_node = ranks / nodes};
  if (g.per_node > holds)
    throw std::invalid_argument(std::to_string(g.per_node) + " ranks a node, but a node of " + fabric.name + " has " + std::to_string(holds) + " GPUs");
  if (g.per_node > 1) look_at_ring(fabric, g.per_node, g);
  // A full mesh of n GPUs holds n - 1 rings that share no link; NCCL's search finds them.
  if (g.per_node > 2 && fabric.node.wiring == GpuWiring::mesh) g.wire *= static_cast<double>(g.per_node - 1);
  if (nodes == 1) return g;
  if (fabric.network.kind != Network::rail && fabric.network.kind != Network::fat_tree)
    throw std::invalid_argument("fabric " + fabric.name + " has no network between nodes");
  // Ranks of a node share its ports; one rank alone has its own.
  g.network = node_rate(fabric) * static_cast<double>(g.per_node) / static_cast<double>(fabric.node.gpus);
  g.network = std::max(g.network, std::min(node_rate(fabric), fabric.node.nic.bandwidth.value.value));
  const double flow = fabric.node.nic_flow.value.value, nic = fabric.node.nic.bandwidth.value.value;
  g.one_flow = flow > 0 ? std::min(flow, nic) : nic;
  if (g.per_node == 1) g.wire = g.network;
  return g;
}

FabricSpec load_fabric(const std::string& name) {
  const bool is_path = name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml");
  if (is_path) return hw::fabric::read_fabric(name);
  const auto folder = data_folder() / "hw" / "fabrics";
  const std::vector<std::string> known = names_in(folder, ".yaml");
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw input::InputError({}, "unknown fabric '" + name + "'" + input::did_you_mean(name, known), input::one_of(known) + ", or a path to a YAML file");
  return hw::fabric::read_fabric((folder / (name + ".yaml")).string());
}

FabricSpec fabric_for(const std::string& system, const std::string& hardware, std::int64_t nodes) {
  const FabricSpec* best = nullptr;
  static const std::vector<FabricSpec> all = [] {
    std::vector<FabricSpec> fabrics;
    for (const std::string& name : names_in(data_folder() / "hw" / "fabrics", ".yaml")) fabrics.push_back(load_fabric(name));
    return fabrics;
  }();
  for (const FabricSpec& f : all)
    if (!system.empty() && std::find(f.systems.begin(), f.systems.end(), system) != f.systems.end()) best = &f;
  const auto joins = [&](const FabricSpec& f) { return nodes <= 1 || f.network.kind != Network::none; };
  // A system's own fabric may describe one node; several nodes of it are joined as that hardware usually is.
  if (best && (joins(*best) || best->node.wiring != GpuWiring::nvswitch)) return *best;
  for (const FabricSpec& f : all) {
    if (f.hardware != hardware || f.node.wiring != GpuWiring::nvswitch || !joins(f)) continue;
    if (f.network.kind == Network::fat_tree || f.network.kind == Network::torus) continue;
    const bool plainer = nodes <= 1 && f.network.kind == Network::none;
    if (!best || !joins(*best) || (plainer && best->network.kind != Network::none)) best = &f;
    else if (nodes > 1 && f.name.ends_with("-ndr")) best = &f;
  }
  if (!best) throw std::invalid_argument("no fabric for " + (system.empty() ? hardware : "system " + system));
  return *best;
}

}  // namespace rooftile::workloads::collective
