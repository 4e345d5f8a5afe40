// Whole kernels, cold: what a user waits for. The counters give events and tile steps, so that cost per step shows.
#include <benchmark/benchmark.h>

#include "hw/play/play.hpp"
#include "workloads/attention/program.hpp"
#include "workloads/data.hpp"
#include "workloads/gemm/program.hpp"

using namespace rooftile;

namespace {

void report(benchmark::State& state, const hw::PlayResult& r) {
  state.counters["tile_steps"] = static_cast<double>(r.tile_steps);
  state.counters["events"] = static_cast<double>(r.events);
state.counters["steps_per_second"] = benchmark::Counter(static_cast<double>(r.tile_steps), benchmark::Counter::kIsIterationInvariantRate);
}

void gemm(benchmark::State& state) {
  const hw::Machine machine = hw::resolve(workloads::load_gpu("h200"), core::megahertz(1755));
  workloads::gemm::Schedule s;
  s.tile_m = 256;
  s.tile_n = 128;
  s.cluster_n = 2;
  const std::int64_t n = state.range(0);
  hw::PlayResult r;
  for (auto _ : state) r = hw::play(workloads::gemm::program({1, n, n, n}, s, 132), machine);
  report(state, r);
}
BENCHMARK(gemm)->Arg(1024)->Arg(2048)->Arg(4096)->Arg(8192)->Arg(16384)->Unit(benchmark::kMillisecond);

void attention(benchmark::State& state) {
  const hw::Machine machine = hw::resolve(workloads::load_gpu("h200"), core::megahertz(1755));
  workloads::attention::Shape shape{4, 16, 16, state.range(0), state.range(0), 128, 128};
  hw::PlayResult r;
  for (auto _ : state) r = hw::play(workloads::attention::warp_specialised_program(shape, {}, 132), machine);
  report(state, r);
}
BENCHMARK(attention)->Arg(1024)->Arg(4096)->Arg(8192)->Unit(benchmark::kMillisecond);

}  // namespace
