// A fabric as a user writes it: hw/fabrics/NAME.yaml. Node types, how many of them, and how they are wired; the graph
// is built from that (topology.hpp). Every number carries its source.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/input/fields.hpp"
#include "sim/core/units.hpp"

namespace rooftile::hw::fabric {

using input::Range;
using input::Sourced;

// One direction of one port.
struct LinkSpec {
  Sourced<core::BytesPerSecond> bandwidth;
  Sourced<core::Time> latency, message;
  Sourced<core::Bytes> packet;

  template <class V>
  static void visit_fields(V& v) {
    v.field("bandwidth", &LinkSpec::bandwidth, "payload that transfers reach, per direction", Range{1e6, 1e14});
    v.field("latency", &LinkSpec::latency, "head of a transfer, in at one end to out at the other", Range{0, 1e-2});
    v.field("message", &LinkSpec::message, "what each message occupies the port beyond its bytes", Range{0, 1e-2});
    v.field("packet", &LinkSpec::packet, "what must have arrived before the next link may start", Range{1, 1 << 20});
  }
};

enum class GpuWiring { nvswitch, pairs, mesh, none };
constexpr auto enum_names(GpuWiring) {
  return std::array{std::pair{"nvswitch", GpuWiring::nvswitch}, std::pair{"pairs", GpuWiring::pairs},
                    std::pair{"mesh", GpuWiring::mesh}, std::pair{"none", GpuWiring::none}};
}

struct NodeSpec {
  std::int64_t gpus = 8, nvswitches = 1, gpus_per_pcie = 1, nics = 0;
  GpuWiring wiring = GpuWiring::nvswitch;
  bool in_switch_reduction = false;
  LinkSpec nvlink, pcie, nic;
  Sourced<core::BytesPerSecond> nic_flow;

  template <class V>
  static void visit_fields(V& v) {
    v.field("gpus", &NodeSpec::gpus, "GPUs of a node (of one NVLink domain)", Range{1, 1024});
    v.field("wiring", &NodeSpec::wiring, "how NVLink joins the GPUs");
    v.field("nvswitches", &NodeSpec::nvswitches, "NVSwitch chips; links are spread evenly over them", Range{1, 64})
        .optional();
    v.field("in_switch_reduction", &NodeSpec::in_switch_reduction, "switches that reduce and multicast").optional();
    v.field("gpus_per_pcie", &NodeSpec::gpus_per_pcie, "GPUs under one PCIe switch", Range{1, 64}).optional();
    v.field("nics", &NodeSpec::nics, "network ports", Range{0, 1024}).optional();
    v.field("nvlink", &NodeSpec::nvlink, "all NVLinks of one GPU together (mesh, pairs: those to one peer)");
    v.field("pcie", &NodeSpec::pcie, "GPU or NIC to its PCIe switch");
    v.field("nic", &NodeSpec::nic, "NIC to its leaf switch").optional();
    v.field("nic_flow", &NodeSpec::nic_flow, "what one send to one peer reaches over a NIC", Range{1e6, 1e14}).optional();
  }
};

enum class Network { none, rail, fat_tree, torus };
constexpr auto enum_names(Network) {
  return std::array{std::pair{"none", Network::none}, std::pair{"rail", Network::rail},
                    std::pair{"fat_tree", Network::fat_tree}, std::pair{"torus", Network::torus}};
}

struct NetworkSpec {
  Network kind = Network::none;
  std::int64_t nodes = 1, nodes_per_leaf = 32, spines = 0;
  std::vector<std::int64_t> torus;
  LinkSpec uplink;

  template <class V>
  static void visit_fields(V& v) {
    v.field("kind", &NetworkSpec::kind, "rail: NIC i of a leaf's nodes share leaf i; fat_tree: all share one");
    v.field("nodes", &NetworkSpec::nodes, "nodes", Range{1, 1 << 20}).optional();
    v.field("nodes_per_leaf", &NetworkSpec::nodes_per_leaf, "nodes below one leaf (of each rail)", Range{1, 4096})
        .optional();
    v.field("spines", &NetworkSpec::spines, "spine switches; 0: as many as keep the fabric non-blocking", Range{0, 1e5})
        .optional();
    v.field("torus", &NetworkSpec::torus, "GPUs along each dimension", Range{1, 4096}).optional();
    v.field("uplink", &NetworkSpec::uplink, "leaf to spine (torus: GPU to neighbour)").optional();
  }
};

enum class Generation { ampere, hopper, blackwell };
constexpr auto enum_names(Generation) {
  return std::array{std::pair{"ampere", Generation::ampere}, std::pair{"hopper", Generation::hopper},
                    std::pair{"blackwell", Generation::blackwell}};
}

// What communication kernels of the GPU cost beside their links.
struct KernelCostSpec {
  Sourced<core::Time> start, simple_start, ll128_start, group_start, plain_start, hop_ll, hop_ll128, hop_simple;
  Sourced<core::Time> net_ll, net_ll128, net_simple, net_added, net_message, nvls, nvls_tree, remote_load, peer;
  Sourced<core::BytesPerSecond> channel, ll;
  Sourced<input::Fraction> nvls_share;
  Sourced<std::int64_t> channels, nvls_channels;

  template <class V>
  static void visit_fields(V& v) {
    using K = KernelCostSpec;
    const Range time{0, 1e-3}, rate{1e6, 1e14}, count{1, 256};
    v.field("start", &K::start, "collective kernel (LL): begin in a graph to first send, and last receive to end", time);
    v.field("simple_start", &K::simple_start, "the same for Simple, and LL128 in a node", time);
    v.field("ll128_start", &K::ll128_start, "the same for LL128 across nodes", time);
    v.field("group_start", &K::group_start, "the same for grouped sends and receives", time);
    v.field("plain_start", &K::plain_start, "the same for a kernel without a library's channel set-up", time);
    v.field("hop_ll", &K::hop_ll, "store, flag seen by the peer's poll: LL over NVLink", time);
    v.field("hop_ll128", &K::hop_ll128, "LL128 over NVLink", time);
    v.field("hop_simple", &K::hop_simple, "Simple over NVLink: barrier, fence, flag", time);
    v.field("net_ll", &K::net_ll, "network step of LL: proxy, NIC, switch, flag", time);
    v.field("net_ll128", &K::net_ll128, "network step of LL128", time);
    v.field("net_simple", &K::net_simple, "network step of Simple", time);
    v.field("net_added", &K::net_added, "a network step beyond NCCL's constants, which are InfiniBand's", time);
    v.field("net_message", &K::net_message, "what the host's proxy needs for one more message, sent or received", time);
    v.field("nvls", &K::nvls, "scatter, in-switch reduction, gather: all three stages once", time);
    v.field("nvls_tree", &K::nvls_tree, "network step of a tree between in-switch reductions", time);
    v.field("remote_load", &K::remote_load, "load from a peer's memory, round trip", time);
    v.field("peer", &K::peer, "set-up of one more peer in a group", time);
    v.field("channel", &K::channel, "copy or reduction by the CTA of one channel", rate);
    v.field("ll", &K::ll, "payload that LL reaches on all channels of a node together", rate);
    v.field("nvls_share", &K::nvls_share, "of the link, reached by in-switch reduction", Range{0.1, 1});
    v.field("channels", &K::channels, "channels of a ring or tree, and of sends and receives", count);
    v.field("nvls_channels", &K::nvls_channels, "channels of an in-switch reduction", count);
  }
};

// Kernels that move tokens to experts and back (expert parallelism).
struct ExpertCostSpec {
  Sourced<core::Time> start, token, token_alone, expert, gather_step;
  Sourced<core::BytesPerSecond> port, gather, reduce;
  Sourced<std::int64_t> sms;

  template <class V>
  static void visit_fields(V& v) {
    using E = ExpertCostSpec;
    const Range time{0, 1e-3}, rate{1e6, 1e14};
    v.field("start", &E::start, "throughput kernels: notify, prefix sums, two launches", time);
    v.field("token", &E::token, "throughput dispatch: bookkeeping of one token and destination by one SM", time);
    v.field("token_alone", &E::token_alone, "low latency: one token by one SM: load, cast, slots, sends", time);
    v.field("expert", &E::expert, "low latency: count and flag of one expert", time);
    v.field("gather_step", &E::gather_step, "throughput combine: one trip of a warp to memory (512 B a token)", time);
    v.field("sms", &E::sms, "SMs of the GPU, which low-latency kernels fill", Range{1, 4096});
    v.field("port", &E::port, "bulk copies by one SM", rate);
    v.field("reduce", &E::reduce, "loads and sums of tokens by one SM", rate);
    v.field("gather", &E::gather, "token-sized stores of combine into one port", rate);
  }
};

struct FabricSpec {
  std::string name, hardware;
  std::vector<std::string> systems;
  Generation generation = Generation::hopper;
  NodeSpec node;
  NetworkSpec network;
  KernelCostSpec kernel;
  ExpertCostSpec experts;

  template <class V>
  static void visit_fields(V& v) {
    v.field("name", &FabricSpec::name, "name used on the command line");
    v.field("hardware", &FabricSpec::hardware, "its GPU, a name in hw/gpus");
    v.field("systems", &FabricSpec::systems, "names that published measurements give such machines").optional();
    v.field("generation", &FabricSpec::generation, "row of NCCL's tuning tables");
    v.field("node", &FabricSpec::node, "GPUs, switches and ports of one node");
    v.field("network", &FabricSpec::network, "what joins nodes").optional();
    v.field("kernel", &FabricSpec::kernel, "costs of communication kernels");
    v.field("experts", &FabricSpec::experts, "costs of dispatch and combine");
  }
  // What no single field can tell: ports without bandwidth, dimensions of a torus.
  void check(const input::Node& at, input::Diagnostics& found) const;
};

// `base: NAME` in a file takes everything from NAME.yaml beside it; what the file says itself goes before.
FabricSpec read_fabric(const std::string& path);
// The same fabric with another number of nodes.
FabricSpec with_nodes(FabricSpec spec, std::int64_t nodes);

}  // namespace rooftile::hw::fabric
