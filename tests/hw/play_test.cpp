// Hand-made tile programs on a GPU with round numbers: times to the picosecond.
#include <catch2/catch.hpp>

#include "sim/core/errors.hpp"
#include "tests/support/tiny_gpu.hpp"

using namespace rooftile;
using namespace rooftile::hw;
using namespace rooftile::tests;
using Catch::Matchers::Contains;

TEST_CASE("a phase takes as long as its busiest pipe, and phases follow each other") {
  const Machine m = tiny_machine();
  const PipeWork exponentials{.mufu = 1600}, multiplies{.fma = 12800, .alu = 640};
  CHECK(play_cold(one_role({Vector{{exponentials}}}), m).duration == core::Time{100'000});
  CHECK(play_cold(one_role({Vector{{multiplies}}}), m).duration == core::nanoseconds(105));  // 13440 issue slots bind
  CHECK(play_cold(one_role({Vector{{exponentials, multiplies}, 20}}), m).duration == core::nanoseconds(225));
}

TEST_CASE("a role of one warp reaches a quarter of the pipes") {
  CHECK(play_cold(one_role({Vector{{{.mufu = 1600}}}}, 1, 1), tiny_machine()).duration == core::nanoseconds(400));
}

TEST_CASE("a matrix instruction takes the longer of its math and its operand reads") {
  const Machine m = tiny_machine();
  const auto time = [&](double flops, double operand_bytes) {
    return play_cold(one_role({Mma{.flops = flops, .operand_bytes = operand_bytes}, MmaWait{0}}), m).duration.ps;
  };
  CHECK(time(4096.0 * 100, 0) == 100'000);
  CHECK(time(4096.0 * 100, 128.0 * 100) == 100'000);
  CHECK(time(4096.0 * 100, 128.0 * 150) == 150'000);
}

TEST_CASE("matrix work of two CTAs on one SM takes turns, so it takes as long as its sum") {
  TileProgram p = one_role({Mma{.flops = 4096.0 * 100}, MmaWait{0}}, 8);  // two CTAs on each of four SMs
  p.shared_memory = {100 * 1024};
  const PlayResult r = play_cold(p, tiny_machine());
  CHECK(r.ctas_per_sm == 2);
  CHECK(r.duration == core::nanoseconds(200));
  CHECK(r.tensor_flops == 8 * 4096.0 * 100);
}

TEST_CASE("a load from HBM takes its transfer and both latencies; a second one of the same box hits L2") {
  TileProgram p = one_role({Load{{0, {}, {}, {}}}, WaitLoads{0}, Load{{0, {}, {}, {}}}, WaitLoads{0}});
  p.tensors = {{"X", 1, 64, 64, 64, 64, 2}};  // 8 KiB
  const PlayResult r = play_cold(p, tiny_machine());
  // Miss: 8192 B at 100 GB/s = 81.92 ns, 100 + 200 ns of latency. Hit: the port, 8192 / 64 = 128 cycles, and 100 ns.
  CHECK(r.duration == core::Time{(128'000 + 300'000) + (128'000 + 100'000)});
  CHECK(r.traffic.dram_read.value == 8192);
  CHECK(r.traffic.read.value == 2 * 8192);
  CHECK(r.traffic.hits.value == 8192);
}

TEST_CASE("a successor takes a CTA's place when it has ended, one refill later") {
  TileProgram p = one_role({Vector{{{.mufu = 16 * 100}}}}, 8);
  p.shared_memory = {200 * 1024};  // one CTA an SM: two waves
  CHECK(play_cold(p, tiny_machine()).duration == core::nanoseconds(100 + 50 + 100));
}

TEST_CASE("launching adds the interval between CTAs, the start, the first fetch and the cluster barrier") {
  Machine m = tiny_machine();
  m.cta_interval = core::nanoseconds(1);
  m.cta_start = core::nanoseconds(10);
  m.first_fetch = core::nanoseconds(100);
  TileProgram p = one_role({Vector{{}, 500}}, 2);
  CHECK(play_cold(p, m).duration == core::nanoseconds(2 + 10 + 100 + 500));
  m.cluster_sync = core::nanoseconds(30);
  p.items.resize(1);
  p.cluster_x = 2;  // the second CTA of the same cluster
  CHECK(play_cold(p, m).duration == core::nanoseconds(2 + 10 + 100 + 30 + 500));
}

namespace {

// A producer that fills a ring of boxes and a consumer that works on each for `cycles`.
TileProgram pipeline(int steps, int stages, double cycles) {
  TileProgram p;
  p.kernel = "pipeline";
  p.threads = 256;
  p.registers = 32;
  p.tensors = {{"X", 1, 64, 64L * steps, 64, 64, 2}};
  p.rings = {{"stages", stages, 1, 1}};
  p.items.resize(1);
  p.roles = {{"producer", 1, {{times(steps), {Acquire{0}, TmaLoad{0, {0, {}, {}, at_step()}}}}}},
             {"consumer", 4, {{times(steps), {WaitFull{0}, Vector{{}, cycles}, Release{0}}}}}};
  return p;
}

}  // namespace

TEST_CASE("a pipeline with one stage pays latency and work at every step, with enough stages only the slower of the two") {
  const Machine m = tiny_machine();
  const double load = 128 + 300;  // cycles: port, latencies
  CHECK(play_cold(pipeline(10, 1, 1000), m).duration == core::nanoseconds(10 * (load + 1000)));
  // Four boxes share HBM from the start: all of them are there after 4 x 81.92 ns and the latencies.
  CHECK(play_cold(pipeline(10, 4, 1000), m).duration == core::nanoseconds(4 * 81.92 + 300 + 10 * 1000));
}

TEST_CASE("a program that waits for what never comes says who waits for what") {
  TileProgram p = pipeline(4, 2, 10);
  p.roles[0].sections[0].repeat = times(3);  // one load too few
  REQUIRE_THROWS_AS(play_cold(p, tiny_machine()), core::InvariantError);
  REQUIRE_THROWS_WITH(play_cold(p, tiny_machine()), Contains("consumer waits for a full stage of ring stages"));
}

TEST_CASE("roles that take turns on a token never overlap between taking and passing it") {
  TileProgram p;
  p.kernel = "turns";
  p.threads = 256;
  p.registers = 32;
  p.items.resize(1);
  for (int i = 0; i < 2; ++i)
    p.roles.push_back({"role", 4, {{times(5), {TurnWait{0}, Vector{{}, 100}, TurnPass{0}}}}, 0, 1, i});
  CHECK(play_cold(p, tiny_machine()).duration == core::nanoseconds(10 * 100));
}

TEST_CASE("a multicast load is read from L2 once and fills the stage of both CTAs of its cluster") {
  TileProgram p = pipeline(4, 2, 100);
  p.cluster_x = 2;
  p.rings[0].loads_per_fill = 1;
  p.tensors[0].cols = 64 * 8;
  // Each CTA loads every second box and gives it to both.
  p.roles[0].sections[0] = {times(4), {Acquire{0}, TmaLoad{0, {0, {}, {}, at_step(2) + at_rank(1, 0)}, Multicast::row}}};
  p.rings[0].loads_per_fill = 2;
  const PlayResult r = play_cold(p, tiny_machine());
  CHECK(r.traffic.read.value == 8 * 8192);
  CHECK(r.traffic.dram_read.value == 8 * 8192);
}

TEST_CASE("more HBM bandwidth, less latency or a faster L2 never makes a program slower") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const int steps = 2 + static_cast<int>(core::mix(seed) % 30), stages = 1 + static_cast<int>(core::mix(seed + 1000) % 5);
    const TileProgram p = pipeline(steps, stages, core::mix(seed + 2000) % 400);
    const Machine base = tiny_machine();
    const core::Time before = play_cold(p, base).duration;
    Machine faster = base;
    faster.hbm_read.value *= 1.5;
    CHECK(play_cold(p, faster).duration <= before);
    faster = base;
    faster.hbm_latency = core::nanoseconds(100);
    CHECK(play_cold(p, faster).duration <= before);
    faster = base;
    faster.l2_read.value *= 2;
    CHECK(play_cold(p, faster).duration <= before);
  }
}

TEST_CASE("no program beats a bound, and bytes and steps are what it asks for") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const int steps = 2 + static_cast<int>(core::mix(seed) % 30), stages = 1 + static_cast<int>(core::mix(seed + 1000) % 5);
    const double work = core::mix(seed + 2000) % 400;
    const PlayResult r = play_cold(pipeline(steps, stages, work), tiny_machine());
    CHECK(r.traffic.dram_read.value == 8192L * steps);
    CHECK(r.tile_steps == static_cast<std::uint64_t>(2 * steps));
    CHECK(r.duration.ps >= static_cast<std::int64_t>(steps * work * 1000));
    CHECK(r.duration >= core::transfer_time(r.traffic.dram_read, {100e9}));
    CHECK(r.hbm_busy <= r.duration);
  }
}
