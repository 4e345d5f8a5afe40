#include <catch2/catch.hpp>

#include <numeric>

#include "workloads/collective/schedule.hpp"

using namespace rooftile;
using namespace rooftile::workloads::collective;
using hw::fabric::NodeKind;
using hw::fabric::Topology;

namespace {

constexpr double kRate = 1e9;

Topology star(std::size_t gpus, core::Time latency = {}) {
  Topology t;
  for (std::size_t i = 0; i < gpus; ++i) t.add(NodeKind::gpu);
  const auto hub = t.add(NodeKind::nvswitch);
  for (std::uint32_t g = 0; g < gpus; ++g) {
    t.link_one_way(g, hub, kRate, latency);
    t.link_one_way(hub, g, kRate, latency);
  }
  return t;
}

Gpus all(std::size_t n) {
  Gpus g(n);
  std::iota(g.begin(), g.end(), 0);
  return g;
}

double seconds(const Schedule& s, const Topology& t, std::int64_t chunk = 1 << 30) { return play(s, t, {chunk}).end.seconds(); }

}  // namespace

TEST_CASE("a ring all-reduce takes 2 S (n-1) / (n B), and as many latencies as steps") {
  for (const std::size_t n : {2, 3, 4, 8, 16}) {
    const auto bytes = static_cast<std::int64_t>(n) * 1'000'000;
    const double steps = 2.0 * static_cast<double>(n - 1);
    // One byte of cut-through at the switch, each step.
    CHECK(seconds(ring_all_reduce(all(n), bytes), star(n)) == Approx(steps * (1e6 + 1) / kRate).epsilon(1e-9));
    CHECK(seconds(ring_all_reduce(all(n), bytes), star(n, {3'000'000})) == Approx(steps * ((1e6 + 1) / kRate + 6e-6)).epsilon(1e-9));
  }
}

TEST_CASE("a ring all-gather takes half of an all-reduce") {
  CHECK(2 * seconds(ring_all_gather(all(8), 8'000'000), star(8)) == Approx(seconds(ring_all_reduce(all(8), 8'000'000), star(8))));
}

TEST_CASE("a tree of one piece takes one message a level, up and down") {
  const double message = (1e6 + 1) / kRate;
  // Two children share their parent's port on the way up, and the parent's on the way down.
  CHECK(seconds(tree_all_reduce(all(2), 1'000'000, 1), star(2)) == Approx(2 * message).epsilon(1e-6));
  CHECK(seconds(tree_all_reduce(all(3), 1'000'000, 1), star(3)) == Approx(4 * message).epsilon(1e-5));
  CHECK(seconds(tree_all_reduce(all(7), 1'000'000, 1), star(7)) == Approx(8 * message).epsilon(1e-5));
}

TEST_CASE("pieces of a tree follow each other: the way down overlaps the way up") {
  // An inner rank receives two children's bytes and its parent's: three times S through its port. One way after
  // the other would be two and two.
  const double t = seconds(tree_all_reduce(all(7), 100'000'000, 200), star(7));
  CHECK(t > 3 * 0.1);
  CHECK(t < 4 * 0.1);
}

TEST_CASE("a pairwise all-to-all takes S (n-1) / (n B)") {
  for (const std::size_t n : {2, 4, 8}) {
    const double t = seconds(pairwise_all_to_all(all(n), static_cast<std::int64_t>(n) * 1'000'000), star(n), 10'000);
    CHECK(t == Approx(static_cast<double>(n - 1) * 1e-3).epsilon(0.02));
  }
}

TEST_CASE("a matrix with one hot column is incast") {
  std::vector<std::vector<double>> m(4, std::vector<double>(4, 0));
  for (std::size_t i = 1; i < 4; ++i) m[i][0] = 1e6;
  CHECK(seconds(by_matrix(all(4), m), star(4), 10'000) == Approx(3e-3).epsilon(0.02));
}

TEST_CASE("a straggler delays the whole ring") {
  const Topology t = star(4);
  const Schedule s = ring_all_reduce(all(4), 4'000'000);
  const double alone = play(s, t, {1 << 30}).end.seconds();
  const double late = play(s, t, {1 << 30}, {{}, {}, {5'000'000'000}, {}}).end.seconds();
  CHECK(late >= 5e-3 + alone - 1e-4);
  CHECK(late <= 5e-3 + alone + 1e-9);
}

TEST_CASE("two collectives on the same links share them") {
  const Topology t = star(4);
  Schedule two = ring_all_reduce(all(4), 4'000'000);
  const double alone = seconds(two, t, 10'000);
  two.beside(ring_all_reduce(all(4), 4'000'000));
  CHECK(seconds(two, t, 10'000) == Approx(2 * alone).epsilon(0.02));
}

TEST_CASE("ranks are interchangeable on a symmetric fabric") {
  const Topology t = star(6, {1'000'000});
  CHECK(seconds(ring_all_reduce({0, 1, 2, 3, 4, 5}, 6'000'000), t) == seconds(ring_all_reduce({4, 2, 0, 5, 1, 3}, 6'000'000), t));
}

TEST_CASE("sends in a circle are an error, not a hang") {
  Schedule s;
  s.sends = {{0, 1, 10, {1}}, {1, 0, 10, {0}}};
  CHECK_THROWS_WITH(play(s, star(2), {100}), "2 sends wait for each other");
}
