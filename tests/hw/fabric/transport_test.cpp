#include <catch2/catch.hpp>

#include "hw/fabric/flows.hpp"
#include "hw/fabric/transport.hpp"

using namespace rooftile;
using namespace rooftile::hw::fabric;
using core::Time;

namespace {

// GPUs around one switch: `rate` B/s a port, no latency unless told.
Topology star(std::size_t gpus, double rate, Time latency = {}, std::int32_t packet = 1) {
  Topology t;
  for (std::size_t i = 0; i < gpus; ++i) t.add(NodeKind::gpu);
  const auto hub = t.add(NodeKind::nvswitch);
  for (std::uint32_t g = 0; g < gpus; ++g) {
    t.link_one_way(g, hub, rate, latency, {}, packet);
    t.link_one_way(hub, g, rate, latency, {}, packet);
  }
  return t;
}

struct Sent {
  std::size_t from, to;
  std::int64_t bytes;
};

std::vector<double> play(const Topology& t, const std::vector<Sent>& messages, std::int64_t chunk) {
  core::Engine engine;
  Transport transport(engine, t, {chunk});
  std::vector<double> done(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i)
    transport.send(messages[i].from, messages[i].to, {messages[i].bytes}, i, [&done, i](Time at) { done[i] = at.seconds(); });
  engine.run();
  return done;
}

}  // namespace

TEST_CASE("a switch cuts through: an idle path costs its bytes once, its latencies and a packet a hop") {
  const Topology t = star(2, 1e9, {1'000'000}, 1000);
  CHECK(play(t, {{0, 1, 1'000'000}}, 1'000'000)[0] == Approx(1e-3 + 2e-6 + 1e-6).epsilon(1e-9));
  CHECK(play(t, {{0, 1, 1'000'000}}, 10'000)[0] == Approx(1e-3 + 2e-6 + 1e-6).epsilon(1e-9));
}

TEST_CASE("a message to oneself takes no time") { CHECK(play(star(2, 1e9), {{1, 1, 1000}}, 100)[0] == 0); }

TEST_CASE("incast: n messages into one port take n times as long, shared fairly by chunks") {
  const auto done = play(star(5, 1e9), {{1, 0, 1'000'000}, {2, 0, 1'000'000}, {3, 0, 1'000'000}, {4, 0, 1'000'000}}, 1000);
  for (const double d : done) CHECK(d == Approx(4e-3).epsilon(0.01));
}

TEST_CASE("bytes are conserved on every link") {
  const Topology t = star(4, 1e9);
  core::Engine engine;
  Transport transport(engine, t, {777});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      if (i != j) transport.send(i, j, {10'000}, 0, {});
  engine.run();
  for (std::uint32_t e = 0; e < t.edges(); ++e) CHECK(transport.bytes_over(e) == 30'000);
}

TEST_CASE("more bandwidth never delays, more bytes never hasten") {
  double last = 1e9;
  for (const double rate : {1e8, 2e8, 1e9, 7e9}) {
    const double t = play(star(3, rate), {{0, 2, 123'456}, {1, 2, 65'432}}, 4096)[0];
    CHECK(t < last);
    last = t;
  }
  last = 0;
  for (const std::int64_t bytes : {1, 100, 4096, 4097, 1'000'000}) {
    const double t = play(star(2, 1e9), {{0, 1, bytes}}, 4096)[0];
    CHECK(t > last);
    last = t;
  }
}

TEST_CASE("max-min: a flow that is held up elsewhere leaves its share to others") {
  const Topology t = star(5, 450e9, {1'000'000});
  std::vector<FlowClass> flows;
  for (const auto& [from, to] : std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {0, 2}, {3, 2}, {4, 2}})
    flows.push_back(flow_between(t, from, to, 1e9));
  const auto rates = max_min_rates(flows, capacities(t));
  CHECK(rates[0] == Approx(300e9));
  for (const std::size_t i : {1, 2, 3}) CHECK(rates[i] == Approx(150e9));
  const auto done = completion_seconds(flows, capacities(t));
  CHECK(done[0] == Approx(1e9 / 300e9 + 2e-6));
  CHECK(done[1] == Approx(1e9 / 150e9 + 2e-6));
}

TEST_CASE("an all-to-all is one class of flows on a symmetric fabric, and as long as its flows one by one") {
  const std::size_t n = 16;
  const Topology t = star(n, 1e9);
  std::vector<FlowClass> all;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i != j) all.push_back(flow_between(t, i, j, 1e6));
  const auto one_by_one = completion_seconds(all, capacities(t));
  FlowClass folded = all.front();
  folded.count = n - 1;  // through the ports of one GPU
  const double together = completion_seconds({folded}, capacities(t)).front();
  CHECK(together == Approx((n - 1) * 1e6 / 1e9));
  for (const double d : one_by_one) CHECK(d == Approx(together));
}
