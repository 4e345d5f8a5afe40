#include "hw/fabric/spec.hpp"

#include <algorithm>

#include "sim/core/input/yaml.hpp"

namespace rooftile::hw::fabric {
namespace {

void need_bandwidth(const LinkSpec& link, const char* name, const input::Node& at, input::Diagnostics& found) {
  if (link.bandwidth.value.value > 0) return;
  found.add(at.place(), std::string("links of `") + name + "` have no bandwidth", "bandwidth, such as 48.4 GB/s");
}

void lay_over(input::Node& below, const input::Node& above) {
  for (const auto& member : above.members()) {
    input::Node* old = below.find(member.key);
    const bool whole = !old || !old->is_map() || !member.value.is_map() || member.value.find("value");
    if (whole) below.set(member.key, member.value);
    else lay_over(*old, member.value);
  }
}

input::Node parse_with_base(const std::string& path, int depth) {
  input::Node node = input::parse_file(path);
  const input::Node* base = node.find("base");
  if (!base) return node;
  if (depth == 0) throw input::InputError(base->place(), "bases without end");
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  if (base->text().empty() || base->text().find('/') != std::string::npos)
    throw input::InputError(base->place(), "base '" + base->text() + "'", "the name of a fabric in the same folder");
  const input::Node whole = parse_with_base(folder + base->text() + ".yaml", depth - 1);
  input::Node below = input::Node::map();
  for (const auto& member : whole.members())
    if (member.key != "systems") below.set(member.key, member.value);  // who is called what is not inherited
  input::Node above = input::Node::map();
  for (const auto& member : node.members()) {
    if (member.key != "base") above.set(member.key, member.value);
  }
  lay_over(below, above);
  return below;
}

}  // namespace

void FabricSpec::check(const input::Node& at, input::Diagnostics& found) const {
  if (node.wiring != GpuWiring::none) need_bandwidth(node.nvlink, "nvlink", at, found);
  if (node.nics > 0) need_bandwidth(node.nic, "nic", at, found);
  if (network.kind != Network::none) need_bandwidth(network.uplink, "uplink", at, found);
  const bool switched = network.kind == Network::rail || network.kind == Network::fat_tree;
  if (switched && node.nics == 0) found.add(at.place(), "nodes without NICs in a network", "`nics` above 0");
  if (network.kind == Network::none && network.nodes > 1) {
    found.add(at.place(), "several nodes and no network", "`kind: rail` or `fat_tree`");
  }
  constexpr double kMostGpus = 1 << 22;
  double gpus = 1;
  for (const std::int64_t d : network.torus) gpus *= static_cast<double>(d);
  gpus = std::max(gpus, static_cast<double>(node.gpus) * static_cast<double>(network.nodes));
  if (gpus > kMostGpus) found.add(at.place(), "a fabric of more than 4 million GPUs", "a smaller one");
  if (network.kind == Network::torus && network.torus.size() != 2 && network.torus.size() != 3) {
    found.add(at.place(), "a torus of " + std::to_string(network.torus.size()) + " dimensions", "2 or 3");
  }
}

FabricSpec read_fabric(const std::string& path) { return input::read<FabricSpec>(parse_with_base(path, 4)); }

FabricSpec with_nodes(FabricSpec spec, std::int64_t nodes) {
  spec.network.nodes = nodes;
  return spec;
}

}  // namespace rooftile::hw::fabric
