// The event core alone: a ring of handlers that schedule each other, as roles of a kernel do.
#include <benchmark/benchmark.h>

#include "sim/core/engine.hpp"
#include "sim/core/equal_share.hpp"

using namespace rooftile::core;

namespace {

struct Hop final : EventHandler {
  std::int64_t left = 0;
  void handle(Engine& engine, std::uint32_t code, std::uint32_t arg) override {
    if (--left > 0) engine.schedule(engine.now() + Time{1000 + static_cast<std::int64_t>(mix(arg + code) % 5000)}, *this, code, arg + 1);
  }
};

void events(benchmark::State& state) {
  constexpr std::int64_t kEvents = 1'000'000;
  for (auto _ : state) {
    Engine engine;
    Hop hop;
    hop.left = kEvents;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(state.range(0)); ++i) engine.schedule({static_cast<std::int64_t>(i)}, hop, i);
    engine.run();
    benchmark::DoNotOptimize(engine.events_run());
  }
  state.SetItemsProcessed(state.iterations() * kEvents);
}
BENCHMARK(events)->Arg(1)->Arg(132)->Arg(1000)->Unit(benchmark::kMillisecond);

void shared_jobs(benchmark::State& state) {
  for (auto _ : state) {
    EqualShare share;
    Time now{};
    std::uint32_t tag = 0;
    for (std::uint32_t i = 0; i < 100'000; ++i) {
      share.start(now, {1000}, i);
      if (share.running() < static_cast<std::size_t>(state.range(0))) continue;
      now = share.next_finish();
      while (share.finish_one(now, tag)) benchmark::DoNotOptimize(tag);
    }
  }
  state.SetItemsProcessed(state.iterations() * 100'000);
}
BENCHMARK(shared_jobs)->Arg(8)->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace
