// Work counts of operators against brute force, and of tile programs against their operators.
#include <catch2/catch.hpp>

#include "tests/support/tiny_gpu.hpp"
#include "workloads/attention/program.hpp"
#include "workloads/catalog.hpp"
#include "workloads/gemm/cublas.hpp"
#include "workloads/gemm/program.hpp"
#include "workloads/grouped_gemm/program.hpp"
#include "workloads/predict.hpp"

using namespace rooftile;
using namespace rooftile::workloads;

namespace {

std::int64_t draw(std::uint64_t& seed, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(core::mix(++seed)) % (high - low + 1);
}

}  // namespace

TEST_CASE("query-key pairs equal their enumeration, for thousands of shapes and masks") {
  std::uint64_t seed = 1;
  for (int i = 0; i < 3000; ++i) {
    attention::Shape s;
    s.q_len = draw(seed, 1, 40);
    s.kv_len = draw(seed, 1, 40);
    s.mask = static_cast<attention::Mask>(draw(seed, 0, 2));
    const auto sees = [&](std::int64_t q, std::int64_t k) { return s.mask == attention::Mask::none || k <= q + s.diagonal(); };
    std::int64_t pairs = 0;
    for (std::int64_t q = 0; q < s.q_len; ++q)
      for (std::int64_t k = 0; k < s.kv_len; ++k) pairs += sees(q, k);
    REQUIRE(s.pairs() == static_cast<double>(pairs));
    const std::int64_t tile_m = draw(seed, 1, 16), tile_n = draw(seed, 1, 16);
    for (std::int64_t first = 0; first < s.q_len; first += tile_m) {
      std::int64_t all = 0, partial = 0;
      for (std::int64_t k = 0; k < s.kv_len; k += tile_n) {
        std::int64_t seen = 0;
        for (std::int64_t q = first; q < std::min(first + tile_m, s.q_len); ++q)
          for (std::int64_t c = k; c < std::min(k + tile_n, s.kv_len); ++c) seen += sees(q, c);
        if (seen == 0) continue;
        all = k / tile_n + 1;
        partial += seen < (std::min(first + tile_m, s.q_len) - first) * tile_n;
      }
      const attention::Steps n = attention::steps(s, first, tile_m, tile_n);
      REQUIRE(n.all == all);
      REQUIRE(n.masked >= partial);  // a tile may be taken as masked though every row sees it
      REQUIRE(n.masked <= all);
    }
  }
}

TEST_CASE("windows, packed sequences and block masks equal their definition, pair by pair") {
  std::uint64_t seed = 99;
  for (int i = 0; i < 400; ++i) {
    attention::Shape s;
    s.mask = static_cast<attention::Mask>(draw(seed, 3, 5));
    s.q_len = s.kv_len = draw(seed, 1, 500);
    s.window = draw(seed, 1, 200);
    s.stride = draw(seed, 1, 4);
    s.local_window = draw(seed, 0, 150);
    std::vector<std::int64_t> sequence;  // of each position
    for (std::int64_t left = s.q_len, n = 0; left > 0; ++n) {
      const std::int64_t length = std::min(left, draw(seed, 1, 120));
      s.lengths.push_back(length);
      sequence.insert(sequence.end(), static_cast<std::size_t>(length), n);
      left -= length;
    }
    const auto sees = [&](std::int64_t q, std::int64_t k) {
      if (k > q) return false;
      if (s.mask == attention::Mask::causal_window) return q - k < s.window;
      if (s.mask == attention::Mask::causal_packed) return sequence[static_cast<std::size_t>(q)] == sequence[static_cast<std::size_t>(k)];
      return (q / 128 - k / 128) % s.stride == 0 || q - k < s.local_window;
    };
    double pairs = 0;
    for (std::int64_t q = 0; q < s.q_len; ++q)
      for (std::int64_t k = 0; k < s.kv_len; ++k) pairs += sees(q, k);
    REQUIRE(s.pairs() == pairs);
    const std::int64_t row = draw(seed, 0, s.q_len - 1), key = draw(seed, 0, s.kv_len - 1);
    REQUIRE(s.sees(row, key) == sees(row, key));
    const std::int64_t first = draw(seed, 0, s.q_len - 1), rows = draw(seed, 1, 128);
    std::int64_t active = 0, partial = 0;
    for (std::int64_t k = 0; k < s.kv_len; k += 128) {
      std::int64_t seen = 0;
      for (std::int64_t q = first; q < std::min(first + rows, s.q_len); ++q)
        for (std::int64_t c = k; c < std::min(k + 128, s.kv_len); ++c) seen += sees(q, c);
      active += seen > 0;
      partial += seen > 0 && seen < (std::min(first + rows, s.q_len) - first) * 128;
    }
    const attention::Steps n = attention::steps(s, first, rows, 128);
    REQUIRE(n.all == active);
    REQUIRE(n.masked == partial);
  }
}

TEST_CASE("a GEMM program issues the FLOPs of its padded tiles and writes its output once") {
  std::uint64_t seed = 7;
  for (int i = 0; i < 40; ++i) {
    gemm::Schedule s;
    s.tile_m = static_cast<int>(64 * draw(seed, 1, 4));
    s.tile_n = static_cast<int>(16 * draw(seed, 1, 8));
    s.consumers = draw(seed, 0, 1) == 0 ? gemm::Consumers::ping_pong : gemm::Consumers::split_m;
    s.stages = static_cast<int>(draw(seed, 2, 4));
    s.split_k = static_cast<int>(draw(seed, 1, 3));
    const gemm::Shape shape{1, draw(seed, 1, 600), draw(seed, 1, 300), draw(seed, 64, 500)};
    const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    const hw::PlayResult r = tests::play_cold(gemm::program(shape, s, 4), tests::tiny_machine());
    const double tiles = static_cast<double>(up(shape.m, s.tile_m) * up(shape.n, s.tile_n));
    CHECK(r.tensor_flops == tiles * static_cast<double>(up(shape.k, 64)) * 2.0 * s.tile_m * s.tile_n * 64);
    CHECK(r.traffic.written.value == shape.m * shape.n * (s.split_k > 1 ? 4 * s.split_k : 2));
    const double bound = r.tensor_flops / (4 * 4096.0);  // cycles of four SMs
    CHECK(r.cycles >= bound);
  }
}

TEST_CASE("names of library kernels give their schedule, and broken names give none") {
  const auto s = gemm::parse_nvjet("nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_TNT", hw::MathType::bf16, 2);
  REQUIRE(s);
  CHECK(s->tile_m == 320);
  CHECK(s->tile_n == 128);
  CHECK(s->stages == 3);
  CHECK(s->cluster_n == 2);
  CHECK(s->consumers == gemm::Consumers::split_n);
  CHECK(gemm::parse_nvjet("nvjet_hsh_64x8_64x16_4x1_v_bz_splitK_TNT", hw::MathType::fp16, 2)->split_k == 0);
  for (const char* name : {"", "nvjet", "nvjet_sm90_tst_", "nvjet_sm90_tst_320x128", "nvjet_sm90_tst_0x128_64x3_1x2_h", "nvjet_sm90_tst_99999x1_64x3_1x2_h",
                           "nvjet_sm90_tst_64x64_64x3_9x9_h", "ampere_bf16_s16816gemm"})
    CHECK_FALSE(gemm::parse_nvjet(name, hw::MathType::bf16, 2));
}

TEST_CASE("a grouped GEMM computes whole tiles, loads and stores only rows that exist") {
  const grouped_gemm::Shape shape{{8, 0, 130, 64}, 256, 256};
  gemm::Schedule s;
  s.tile_m = 64;
  s.tile_n = 128;
  s.consumers = gemm::Consumers::ping_pong;
  s.cluster_m = 2;
  s.stages = 3;
  const hw::PlayResult r = tests::play_cold(grouped_gemm::program(shape, s, 4), tests::tiny_machine());
  // Row tiles in pairs: 1 + 3 + 1 become 2 + 4 + 2.
  CHECK(r.tensor_flops == 8 * 2 * 2.0 * 64 * 128 * 256);
  CHECK(r.traffic.written.value == 202 * 256 * 2);
  CHECK(r.traffic.dram_read.value == 202 * 256 * 2 + 3 * 256 * 256 * 2);  // rows once, weights of the groups that have rows
}

TEST_CASE("every operator of the catalog says the same bytes and FLOPs in numbers and as formulas, and has a plan") {
  const hw::GpuSpec gpu = load_gpu("h200");
  for (const CatalogRow& row : catalog()) {
    CHECK_FALSE(row.implementations.empty());
    CHECK(row.schema(row.op.c_str()).is_map());
  }
}

TEST_CASE("a clock above what the power cap allows is lowered until power meets the cap") {
  const hw::GpuSpec gpu = load_gpu("h200");
  gemm::Schedule s;
  s.tile_m = 256;
  s.tile_n = 128;
  Plan plan{"test", {{gemm::program({1, 8192, 8192, 2048}, s, 132), false, {}}}};
  const Prediction burst = predict(plan, gpu, {.clock = {ClockMode::burst, {}}});
  const Prediction sustained = predict(plan, gpu, {.clock = {ClockMode::sustained, {}}});
  const Prediction fixed = predict(plan, gpu, {.clock = {ClockMode::fixed, core::megahertz(1000)}});
  CHECK(burst.power.value > gpu.power.cap.value.value);
  CHECK(sustained.capped);
  CHECK(sustained.power.value == Approx(gpu.power.cap.value.value).epsilon(0.02));
  CHECK(sustained.clock.value < burst.clock.value);
  CHECK(sustained.time > burst.time);
  CHECK(fixed.clock.value == Approx(1e9));
}
