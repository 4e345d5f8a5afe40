#include "workloads/tune/tune.hpp"

#include <tbb/global_control.h>

#include <catch2/catch.hpp>
#include <random>

#include "hw/play/play.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/catalog.hpp"
#include "workloads/data.hpp"
#include "workloads/tune/program_spec.hpp"

namespace rooftile::workloads::tune {
namespace {

using Catch::Matchers::Contains;

NamedOperation operation(const std::string& text) {
  input::Diagnostics found;
  NamedOperation op = read_operation(input::parse_yaml(text, "x"), found);
  found.throw_if_any();
  return op;
}

const std::string kGemm = "{op: gemm, m: 512, n: 1024, k: 1024, dtype: bf16}";
const std::string kAttention = "{op: attention, batch: 1, q_heads: 8, kv_heads: 2, q_len: 1024, kv_len: 1024, head_dim: 128, mask: causal}";

Variant own_program(const std::string& change, const std::string& by) {
  std::string text = input::read_file((data_folder() / "workloads" / "scenarios" / "tile_programs" / "gemm-128x128.yaml").string());
  if (const auto at = text.find(change); at != std::string::npos) text.replace(at, change.size(), by);
  const hw::TileProgram p = read_program(input::parse_yaml(text, "own"));
  return {p.kernel, [p] { return Plan{p.kernel, {{p, false}}}; }, {}};
}

}  // namespace

TEST_CASE("the lower bound of a schedule is below what playing it takes") {
  const auto gpu = load_gpu("h200");
  const hw::Machine machine = hw::resolve(gpu, gpu.clock.nominal.value);
  for (const std::string& text : {kGemm, kAttention, std::string("{op: gemm, m: 16, n: 4096, k: 4096, dtype: bf16}")}) {
    const NamedOperation op = operation(text);
    auto variants = op.operation->variants(gpu);
    std::shuffle(variants.begin(), variants.end(), std::mt19937(7));
    variants.resize(std::min<std::size_t>(variants.size(), 40));
    for (const Variant& v : variants) {
      if (!v.impossible.empty()) continue;
      for (const Kernel& k : v.plan().kernels) {
        if (!cannot_launch(k.program, machine).empty()) continue;
        INFO(text << " " << v.name);
        const Bound bound = lower_bound(k.program, machine);
        CHECK(bound.time > core::Time{});
        CHECK(bound.time <= hw::play(k.program, machine).duration);
      }
    }
  }
}

TEST_CASE("pruning by bounds finds the schedules that playing all of them finds") {
  const auto gpu = load_gpu("h200");
  const NamedOperation op = operation(kGemm);
  Options few, all;
  few.places = 3;
  few.predict.clock = all.predict.clock = {ClockMode::boost, {}};
  all.places = 1000;
  const Ranking a = rank(*op.operation, gpu, few), b = rank(*op.operation, gpu, all);
  CHECK(a.pruned > 0);
  CHECK(b.pruned == 0);
  REQUIRE(a.best.size() == 3);
  std::vector<core::Time> nominal;
  for (const Ranked& r : b.best) nominal.push_back(r.nominal);
  std::sort(nominal.begin(), nominal.end());
  std::vector<core::Time> found;
  for (const Ranked& r : a.best) found.push_back(r.nominal);
  std::sort(found.begin(), found.end());
  CHECK(std::equal(found.begin(), found.end(), nominal.begin()));
}

TEST_CASE("a schedule that cannot be launched says why, with the numbers") {
  const auto gpu = load_gpu("h200");
  const hw::Machine machine = hw::resolve(gpu, gpu.clock.nominal.value);
  const NamedOperation op = operation(kGemm);
  hw::TileProgram p = op.operation->plans(gpu, op.implementation).front().kernels.front().program;
  CHECK(cannot_launch(p, machine).empty());
  p.shared_memory = {300'000};
  CHECK_THAT(cannot_launch(p, machine), Contains("shared memory: a CTA takes 301024 bytes"));
  p.shared_memory = {1000};
  p.registers = 255;
  CHECK_THAT(cannot_launch(p, machine), Contains("registers: 384 threads with 255 each"));
  p.registers = 32;
  p.cluster_x = 16;
  p.cluster_y = 16;
  CHECK_THAT(cannot_launch(p, machine), Contains("cluster: 256 CTAs"));
}

TEST_CASE("a user's own program is placed in the ranking, and one that waits for itself says who waits") {
  const auto gpu = load_gpu("h200");
  const NamedOperation op = operation("{op: gemm, m: 2048, n: 4096, k: 4096, dtype: bf16}");
  Options options;
  options.places = 2;
  options.predict.clock = {ClockMode::boost, {}};
  options.own = {own_program("", ""), own_program("loads_per_fill: 2", "loads_per_fill: 3")};
  const Ranking r = rank(*op.operation, gpu, options);
  REQUIRE(r.best.size() == 3);
  const auto own = std::find_if(r.best.begin(), r.best.end(), [](const Ranked& x) { return x.own; });
  REQUIRE(own != r.best.end());
  CHECK(own->place > 2);
  const auto refused = std::find_if(r.refused.begin(), r.refused.end(), [](const Refused& x) { return x.own; });
  REQUIRE(refused != r.refused.end());
  CHECK_THAT(refused->why, Contains("waits for") && Contains("stages"));
}

TEST_CASE("the ranking does not depend on the number of threads") {
  const auto gpu = load_gpu("h200");
  const NamedOperation op = operation(kAttention);
  Options options;
  options.places = 4;
  const auto names = [&](std::size_t jobs) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, jobs);
    std::string all;
    const Ranking r = rank(*op.operation, gpu, options);
    for (const Ranked& x : r.best) all += x.name + " " + std::to_string(x.prediction.time.ps) + "\n";
    return all + std::to_string(r.played);
  };
  CHECK(names(1) == names(2));
}

}  // namespace rooftile::workloads::tune
