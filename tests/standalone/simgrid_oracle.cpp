// Completion times of random flows on random topologies against SimGrid, whose sharing is max-min when every latency is
// zero and its TCP corrections are off. All cases are parts of one platform, since SimGrid has one engine a process.
// Fails when any flow of any case differs by more than a ten-thousandth.
#include <simgrid/s4u.hpp>

#include <cmath>
#include <cstdio>
#include <random>

#include "hw/fabric/flows.hpp"

namespace sg4 = simgrid::s4u;
namespace fabric = rooftile::hw::fabric;

namespace {

struct Flow {
  std::size_t from, to;
  double bytes, start, theirs = -1;
};

struct Case {
  fabric::Topology topology;
  std::vector<Flow> flows;
};

// GPUs at random switches; switches joined by a random tree and some links beyond it.
Case random_case(std::mt19937& random) {
  Case c;
  const auto pick = [&](std::size_t lo, std::size_t hi) { return std::uniform_int_distribution<std::size_t>(lo, hi)(random); };
  const std::size_t gpus = pick(4, 32), switches = pick(1, 6);
  const auto both = [&](std::uint32_t a, std::uint32_t b) {
    for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
      c.topology.link_one_way(x, y, 1e9 * static_cast<double>(pick(5, 400)), {});
  };
  for (std::size_t i = 0; i < gpus; ++i) c.topology.add(fabric::NodeKind::gpu);
  std::vector<std::uint32_t> hubs;
  for (std::size_t i = 0; i < switches; ++i) {
    hubs.push_back(c.topology.add(fabric::NodeKind::leaf));
    if (i > 0) both(hubs[i], hubs[pick(0, i - 1)]);
  }
  for (std::size_t i = 0; switches > 2 && i < pick(0, switches); ++i) both(hubs[0], hubs[pick(1, switches - 1)]);
  for (std::uint32_t g = 0; g < gpus; ++g) both(g, hubs[pick(0, switches - 1)]);
  const std::size_t flows = pick(1, 200);
  for (std::size_t f = 0; f < flows; ++f) {
    const std::size_t from = pick(0, gpus - 1), to = (from + pick(1, gpus - 1)) % gpus;
    c.flows.push_back({from, to, 1e6 * static_cast<double>(pick(1, 5000)), 1e-3 * static_cast<double>(pick(0, 20))});
  }
  return c;
}

// One host a flow and end, so that every flow may have a route of its own.
void add(sg4::NetZone* zone, Case& c, std::size_t number) {
  const std::string name = "c" + std::to_string(number) + "_";
  std::vector<sg4::Link*> links;
  for (std::uint32_t e = 0; e < c.topology.edges(); ++e)
    links.push_back(zone->create_link(name + "l" + std::to_string(e), c.topology.edge(e).bytes_per_second)->set_latency(0)->seal());
  for (std::size_t f = 0; f < c.flows.size(); ++f) {
    Flow& flow = c.flows[f];
    auto* from = zone->create_host(name + "a" + std::to_string(f), 1e9)->seal();
    auto* to = zone->create_host(name + "b" + std::to_string(f), 1e9)->seal();
    std::vector<sg4::LinkInRoute> route;
    for (const std::uint32_t e : c.topology.route(flow.from, flow.to, f)) route.emplace_back(links[e]);
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, route, false);
    sg4::Actor::create(name + std::to_string(f), from, [&flow, from, to] {
      sg4::this_actor::sleep_until(flow.start);
      sg4::Comm::sendto_init(from, to)->set_payload_size(static_cast<uint64_t>(flow.bytes))->wait();
      flow.theirs = sg4::Engine::get_clock();
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  sg4::Engine engine(&argc, argv);
  for (const char* option : {"network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1", "network/weight-S:0",
                             "network/crosstraffic:0", "network/TCP-gamma:0", "surf/precision:1e-12", "maxmin/precision:1e-9"})
    sg4::Engine::set_config(option);
  std::mt19937 random(20260);
  std::vector<Case> cases;
  for (int i = 0; i < 12; ++i) cases.push_back(random_case(random));
  auto* zone = sg4::create_full_zone("all");
  for (std::size_t i = 0; i < cases.size(); ++i) add(zone, cases[i], i);
  zone->seal();
  engine.run();
  double worst = 0;
  std::size_t flows = 0;
  for (const Case& c : cases) {
    std::vector<fabric::FlowClass> ours;
    for (std::size_t f = 0; f < c.flows.size(); ++f) {
      ours.push_back(fabric::flow_between(c.topology, c.flows[f].from, c.flows[f].to, c.flows[f].bytes, f));
      ours.back().start_seconds = c.flows[f].start;
    }
    const auto done = fabric::completion_seconds(ours, fabric::capacities(c.topology));
    for (std::size_t f = 0; f < done.size(); ++f, ++flows)
      worst = std::max(worst, std::abs(done[f] - c.flows[f].theirs) / (c.flows[f].theirs - c.flows[f].start));
  }
  std::printf("%zu flows on %zu topologies: largest difference %.2g\n", flows, cases.size(), worst);
  return worst <= 1e-4 ? 0 : 1;
}
