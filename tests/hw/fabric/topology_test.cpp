#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <set>

#include "hw/fabric/topology.hpp"
#include "hw/fabric/wiring.hpp"
#include "sim/core/input/diagnostics.hpp"
#include "sim/core/input/yaml.hpp"

using namespace rooftile;
using namespace rooftile::hw::fabric;

namespace {

FabricSpec named(const std::string& name) { return read_fabric(std::string(ROOFTILE_SOURCE_DIR) + "/hw/fabrics/" + name + ".yaml"); }

}  // namespace

TEST_CASE("every fabric that comes along is read and joins all its GPUs") {
  for (const auto& file : std::filesystem::directory_iterator(std::string(ROOFTILE_SOURCE_DIR) + "/hw/fabrics")) {
    CAPTURE(file.path().string());
    const FabricSpec spec = read_fabric(file.path().string());
    CHECK(spec.name == file.path().stem().string());
    const Topology t(spec);
    for (const std::size_t to : {std::size_t{1}, t.gpus() / 2, t.gpus() - 1}) CHECK_FALSE(t.route(0, to).empty());
  }
}

TEST_CASE("a fabric takes numbers from its base, but not the names of machines, and no system is named twice") {
  CHECK(named("h100-efa").node.nvlink.bandwidth.value.value == named("dgx-h100").node.nvlink.bandwidth.value.value);
  CHECK(named("gh200-mesh").systems.empty());
  std::set<std::string> seen;
  for (const auto& file : std::filesystem::directory_iterator(std::string(ROOFTILE_SOURCE_DIR) + "/hw/fabrics"))
    for (const std::string& system : read_fabric(file.path().string()).systems) CHECK(seen.insert(system).second);
}

TEST_CASE("GPUs of a node meet in the switch, and the two hops add up to the stated latency") {
  const FabricSpec spec = named("dgx-h100");
  const Topology t(spec);
  const Route r = t.route(2, 5);
  REQUIRE(r.size() == 2);
  CHECK((t.edge(r[0]).latency + t.edge(r[1]).latency).ps == spec.node.nvlink.latency.value.ps);
  CHECK(t.describe_edge(r[0]) == "GPU 2 to NVSwitch 0");
}

TEST_CASE("the rail of a GPU stays on one leaf, another rail crosses a spine") {
  const Topology t(with_nodes(named("h100-ndr"), 3));
  const auto passes_spine = [&](const Route& r) {
    for (const std::uint32_t e : r)
      if (t.describe_edge(e).find("spine") != std::string::npos) return true;
    return false;
  };
  CHECK_FALSE(passes_spine(t.route(3, 8 + 3)));
  CHECK(passes_spine(t.route(3, 8 + 4)));
}

TEST_CASE("flows spread over equally short paths, and a flow always takes the same") {
  const Topology t(named("h100-fat-tree"));
  std::set<std::uint32_t> uplinks;
  for (std::uint64_t flow = 0; flow < 200; ++flow) {
    const Route r = t.route(0, 8 * 40, flow);
    CHECK(r == t.route(0, 8 * 40, flow));
    uplinks.insert(r[3]);
  }
  CHECK(uplinks.size() > 16);
}

TEST_CASE("a torus takes the short way round") {
  const Topology t(named("torus-2d"));
  CHECK(t.route(0, 7).size() == 1);      // wraps
  CHECK(t.route(0, 4).size() == 4);
  CHECK(t.route(0, 8 * 4 + 4).size() == 8);
}

TEST_CASE("GPUs without a path are an error that names both ends") {
  Topology t;
  t.add(NodeKind::gpu);
  t.add(NodeKind::gpu);
  CHECK_THROWS_WITH(t.route(0, 1), "no path from GPU 0 to GPU 1");
  CHECK_THROWS_WITH(t.route(0, 2), Catch::Contains("the fabric has 2 GPUs"));
}

TEST_CASE("a link without bandwidth is refused") {
  Topology t;
  const auto a = t.add(NodeKind::gpu), b = t.add(NodeKind::gpu);
  CHECK_THROWS_WITH(t.link_one_way(a, b, 0, {}), "the link from GPU 0 to GPU 1 has no bandwidth");
}

TEST_CASE("what a fabric file lacks is said with its place") {
  const auto errors = [](const std::string& text) -> std::string {
    input::Node node = input::parse_yaml(text, "f.yaml");
    input::Diagnostics found;
    input::read<FabricSpec>(node, found);
    return found.text();
  };
  CHECK(errors("name: x\nnode: {gpus: 8, wiring: ring}\n").find("f.yaml:2:") != std::string::npos);
  CHECK(errors("name: x\nnode: {gpus: 8, wiring: nvswitch, nvlink: {bandwidth: {value: 0 B/s, source: s}}}\n").find("bandwidth") !=
        std::string::npos);
}

TEST_CASE("a fabric of 100,000 GPUs loads in seconds") {
  const auto begin = std::chrono::steady_clock::now();
  const Topology t(with_nodes(named("h100-fat-tree"), 12'500));
  CHECK(t.gpus() == 100'000);
  CHECK_FALSE(t.route(0, 99'999).empty());
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 20);
}
