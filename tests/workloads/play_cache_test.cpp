#include "workloads/play_cache.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <thread>
#include <vector>

#include "workloads/catalog.hpp"
#include "workloads/data.hpp"
#include "workloads/predict.hpp"

namespace rooftile::workloads {
namespace {

struct Small {
  hw::GpuSpec gpu = load_gpu("h200");
  NamedOperation op;
  std::vector<Plan> plans;
  hw::Machine machine = hw::resolve(gpu, gpu.clock.nominal.value);
  Small() {
    input::Diagnostics found;
    input::Node node = input::Node::map();
    node.set("op", input::Node::scalar("gemm"));
    for (const char* key : {"m", "n", "k"}) node.set(key, input::Node::scalar("256"));
    node.set("dtype", input::Node::scalar("bf16"));
    op = read_operation(node, found);
    found.throw_if_any();
    plans = op.operation->plans(gpu, op.implementation);
  }
  const hw::TileProgram& program() const { return plans.front().kernels.front().program; }
};

}  // namespace

TEST_CASE("a kernel of the same content is played once, and the cached result is the played one") {
  const Small s;
  PlayCache cache;
  const auto first = cache.play(s.program(), s.machine, {});
  const auto again = cache.play(hw::TileProgram(s.program()), hw::Machine(s.machine), {});
  CHECK(cache.counts().played == 1);
  CHECK(cache.counts().reused == 1);
  const auto alone = hw::play(s.program(), s.machine);
  CHECK(first.duration == alone.duration);
  CHECK(again.duration == alone.duration);
  CHECK(again.traffic.dram_read == alone.traffic.dram_read);
}

TEST_CASE("any change of program, machine or start changes the content, a new name does not") {
  const Small s;
  const ContentKey base = content_key(s.program(), s.machine, {});
  const auto changed = [&](const std::function<void(hw::TileProgram&, hw::Machine&, hw::PlayOptions&)>& change) {
    hw::TileProgram p = s.program();
    hw::Machine m = s.machine;
    hw::PlayOptions o;
    change(p, m, o);
    return !(content_key(p, m, o) == base);
  };
  CHECK(changed([](auto& p, auto&, auto&) { p.items.back().coordinate[1] += 1; }));
  CHECK(changed([](auto& p, auto&, auto&) { p.rings.front().stages += 1; }));
  CHECK(changed([](auto& p, auto&, auto&) { p.tensors.front().box_cols *= 2; }));
  CHECK(changed([](auto& p, auto&, auto&) { p.roles.back().sections.front().ops.pop_back(); }));
  CHECK(changed([](auto& p, auto&, auto&) { p.registers += 8; }));
  CHECK(changed([](auto&, auto& m, auto&) { m.hbm_read.value *= 1.0000001; }));
  CHECK(changed([](auto&, auto& m, auto&) { m.lanes_per_cycle[hw::kMufu] *= 2; }));
  CHECK(changed([](auto&, auto&, auto& o) { o.stale_dirty = 0.5; }));
  CHECK(changed([](auto&, auto&, auto& o) { o.cold_l2 = true; }));
  CHECK_FALSE(changed([](auto& p, auto&, auto&) { p.kernel = "another name"; }));
  CHECK_FALSE(changed([](auto&, auto&, auto&) {}));
}

TEST_CASE("threads that ask for the same kernel at once share one play") {
  const Small s;
  PlayCache cache;
  std::vector<core::Time> times(8);
  std::vector<std::thread> threads;
  for (core::Time& t : times) threads.emplace_back([&] { t = cache.play(s.program(), s.machine, {}).duration; });
  for (std::thread& t : threads) t.join();
  CHECK(cache.counts().played == 1);
  for (const core::Time t : times) CHECK(t == times.front());
}

TEST_CASE("a full cache forgets what was not used for the longest time") {
  const Small s;
  PlayCache cache(2);
  const auto play = [&](double stale) { cache.play(s.program(), s.machine, {.stale_dirty = stale}); };
  play(0.1), play(0.2), play(0.1), play(0.3);  // 0.2 goes
  CHECK(cache.counts().played == 3);
  play(0.1);
  CHECK(cache.counts().played == 3);
  play(0.2);
  CHECK(cache.counts().played == 4);
}

TEST_CASE("a prediction with a cache is the prediction without one") {
  const Small s;
  PlayCache cache;
  PredictOptions with;
  with.plays = &cache;
  const Prediction a = predict(*s.op.operation, s.op.implementation, s.gpu, {});
  const Prediction b = predict(*s.op.operation, s.op.implementation, s.gpu, with);
  const Prediction c = predict(*s.op.operation, s.op.implementation, s.gpu, with);
  CHECK(a.time == b.time);
  CHECK(a.time == c.time);
  CHECK(cache.counts().reused > cache.counts().played);
}

}  // namespace rooftile::workloads
