#include "hw/fabric/wiring.hpp"

#include <algorithm>

namespace rooftile::hw::fabric {
namespace {

using Vertices = std::vector<std::uint32_t>;

// All links of a GPU serve one peer at once, because every switch chip holds a share of them: one vertex stands for
// the chips of a node, with the port of a GPU as wide as its links together.
void wire_gpus(Topology& t, const NodeSpec& node, const Vertices& gpus) {
  const std::size_t n = gpus.size();
  if (node.wiring == GpuWiring::nvswitch) {
    const std::uint32_t chips = t.add(NodeKind::nvswitch);
    LinkSpec port = node.nvlink;
    port.latency.value.ps /= 2;  // stated GPU to GPU, through the switch
    for (const std::uint32_t gpu : gpus) t.link(gpu, chips, port);
  } else if (node.wiring == GpuWiring::pairs) {
    for (std::size_t i = 0; i + 1 < n; i += 2) t.link(gpus[i], gpus[i + 1], node.nvlink);
  } else if (node.wiring == GpuWiring::mesh) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) t.link(gpus[i], gpus[j], node.nvlink);
    }
  }
}

// Returns the NICs. PCIe switches of a node meet in its root complex, itself a PCIe switch here.
Vertices wire_pcie(Topology& t, const NodeSpec& node, const Vertices& gpus) {
  Vertices nics;
  const auto group = static_cast<std::size_t>(node.gpus_per_pcie);
  const std::size_t switches = (gpus.size() + group - 1) / group;
  const bool root = switches > 1 && (node.wiring != GpuWiring::nvswitch || static_cast<std::size_t>(node.nics) < switches);
  const std::uint32_t complex = root ? t.add(NodeKind::pcie) : 0;
  for (std::size_t s = 0; s < switches; ++s) {
    const std::uint32_t pcie = t.add(NodeKind::pcie);
    if (root) t.link(pcie, complex, node.pcie);
    for (std::size_t g = s * group; g < std::min(gpus.size(), (s + 1) * group); ++g) t.link(gpus[g], pcie, node.pcie);
    const auto all = static_cast<std::size_t>(node.nics);
    for (std::size_t i = s * all / switches; i < (s + 1) * all / switches; ++i) {
      nics.push_back(t.add(NodeKind::nic));
      t.link(nics.back(), pcie, node.pcie);
    }
  }
  return nics;
}

struct Leaves {
  std::size_t rails, groups;
  Vertices leaf;  // [group * rails + rail]
};

Leaves wire_leaves(Topology& t, const FabricSpec& spec) {
  const auto nodes = static_cast<std::size_t>(spec.network.nodes);
  const auto per_leaf = static_cast<std::size_t>(spec.network.nodes_per_leaf);
  Leaves leaves{spec.network.kind == Network::rail ? static_cast<std::size_t>(spec.node.nics) : 1,
                (nodes + per_leaf - 1) / per_leaf, {}};
  for (std::size_t i = 0; i < leaves.rails * leaves.groups; ++i) leaves.leaf.push_back(t.add(NodeKind::leaf));
  return leaves;
}

void wire_spines(Topology& t, const FabricSpec& spec, const Leaves& leaves) {
  if (leaves.leaf.size() < 2) return;
  const std::int64_t spines = spec.network.spines > 0 ? spec.network.spines : non_blocking_spines(spec);
  for (std::int64_t s = 0; s < spines; ++s) {
    const std::uint32_t spine = t.add(NodeKind::spine);
    for (const std::uint32_t leaf : leaves.leaf) t.link(leaf, spine, spec.network.uplink);
  }
}

void wire_torus(Topology& t, const FabricSpec& spec) {
  Vertices gpus;
  std::size_t count = 1;
  for (const std::int64_t d : spec.network.torus) count *= static_cast<std::size_t>(d);
  for (std::size_t i = 0; i < count; ++i) gpus.push_back(t.add(NodeKind::gpu));
  t.let_gpus_forward();
  std::size_t stride = 1;
  for (const std::int64_t d : spec.network.torus) {
    const auto size = static_cast<std::size_t>(d);
    for (std::size_t i = 0; i < count && size > 1; ++i) {
      const std::size_t at = i / stride % size, next = i - at * stride + (at + 1) % size * stride;
      if (size > 2 || at == 0) t.link(gpus[i], gpus[next], spec.network.uplink);
    }
    stride *= size;
  }
}

}  // namespace

std::int64_t non_blocking_spines(const FabricSpec& spec) {
  const double nics = spec.network.kind == Network::rail ? 1 : static_cast<double>(spec.node.nics);
  const double down = nics * static_cast<double>(spec.network.nodes_per_leaf) * spec.node.nic.bandwidth.value.value;
  return static_cast<std::int64_t>(down / spec.network.uplink.bandwidth.value.value + 0.999);
}

void wire(Topology& t, const FabricSpec& spec) {
  if (spec.network.kind == Network::torus) return wire_torus(t, spec);
  const bool networked = spec.network.kind != Network::none;
  const Leaves leaves = networked ? wire_leaves(t, spec) : Leaves{};
  for (std::size_t node = 0; node < static_cast<std::size_t>(spec.network.nodes); ++node) {
    Vertices gpus;
    for (std::int64_t g = 0; g < spec.node.gpus; ++g) gpus.push_back(t.add(NodeKind::gpu));
    wire_gpus(t, spec.node, gpus);
    const Vertices nics = wire_pcie(t, spec.node, gpus);
    if (!networked) continue;
    const std::size_t group = node / static_cast<std::size_t>(spec.network.nodes_per_leaf);
    for (std::size_t i = 0; i < nics.size(); ++i) {
      t.link(nics[i], leaves.leaf[group * leaves.rails + i % leaves.rails], spec.node.nic);
    }
  }
  if (networked) wire_spines(t, spec, leaves);
}

}  // namespace rooftile::hw::fabric
