// Numeric checks: float64 references over ragged shapes for every compiled tile, and schedules that must agree.
#include <string>
#include <vector>

#include "gemm/launch.hpp"
#include "gemm/operands.hpp"
#include "gemm/pick.hpp"
#include "gemm/reference.hpp"
#include "harness/suite.hpp"
#include "registry.hpp"

namespace rooftile::kernels::gemm {
namespace {

using tiling::Element;
using tiling::Tiling;

// Half a bf16 step (2^-8 just above a power of two), and room for fp32 sums; fp8 products keep about 14 bits between
// adds.
constexpr double bf16_tolerance = 0x1p-8 + 1e-4;
constexpr double fp8_tolerance = 0x1p-7;
constexpr double two_roundings = 0x1p-7 + 1e-4;

struct Shape {
  int m, n, k;
  Element element = Element::bf16;
};

// Operands of one check. D starts as NaN everywhere, padding included.
class Trial {
 public:
  Trial(const Shape& shape, std::uint64_t seed)
      : shape_(shape),
        pitch_ab_(padded_pitch(shape.k, tiling::element_bytes(shape.element))),
        pitch_d_(padded_pitch(shape.n, 2)),
        a_(input_bytes(shape.m)),
        b_(input_bytes(shape.n)) {
    fill_normal(a_, shape.element, seed);
    fill_normal(b_, shape.element, seed + 1);
  }

  // D without its padding.
  std::vector<float> run(const Tiling& schedule, int most_ctas) const {
    const auto count = static_cast<std::size_t>(shape_.m) * static_cast<std::size_t>(pitch_d_);
    const Buffer d(count * 2);
    const Buffer partial(count * 4 * static_cast<std::size_t>(schedule.split_k));
    d.poison();
    partial.poison();
    const Problem problem{shape_.m, shape_.n, shape_.k,  shape_.element, a_.get(),
                          b_.get(), d.get(),  pitch_ab_, pitch_d_,       pointer<float>(partial)};
    Launch(problem, schedule, most_ctas)(nullptr);
    measure::check(cudaDeviceSynchronize(), "GEMM");
    const std::vector<float> padded = download(d, Element::bf16);
    std::vector<float> rows;
    for (int i = 0; i < shape_.m; ++i) {
      const auto row = padded.begin() + static_cast<std::ptrdiff_t>(i) * pitch_d_;
      rows.insert(rows.end(), row, row + shape_.n);
    }
    return rows;
  }

  // Every `every`-th row against float64, the others for having been written.
  double error(const std::vector<float>& d, int every) const {
    const std::vector<float> a = download(a_, shape_.element), b = download(b_, shape_.element);
    double worst = 0;
    for (int i = 0; i < shape_.m; ++i) {
      const float* row = d.data() + static_cast<std::ptrdiff_t>(i) * shape_.n;
      if (i % every == 0) {
        const float* a_row = a.data() + static_cast<std::ptrdiff_t>(i) * pitch_ab_;
        worst = worse(row_error(a_row, b.data(), row, shape_.n, shape_.k, pitch_ab_), worst);
      } else {
        for (int j = 0; j < shape_.n; ++j) worst = worse(static_cast<double>(row[j]) * 0, worst);
      }
    }
    return worst;
  }

 private:
  std::size_t input_bytes(int rows) const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(pitch_ab_ * tiling::element_bytes(shape_.element));
  }

  Shape shape_;
  int pitch_ab_, pitch_d_;
  Buffer a_, b_;
};

std::string describe(const Tiling& t, Element element) {
  const auto pair = [](int x, int y) { return std::to_string(x) + "x" + std::to_string(y); };
  return "gemm " + std::string(element == Element::bf16 ? "bf16 " : "fp8 ") + pair(t.tile_m, t.tile_n) +
         (t.ping_pong ? " ping-pong" : " cooperative") + ", " + std::to_string(t.stages) + " stages, cluster " +
         pair(t.cluster_m, t.cluster_n) + ", " + std::to_string(t.split_k) + " split(s)";
}

// `most_ctas` below the number of tiles makes every CTA, and both ping-pong consumers, work through several.
measure::Check against_reference(const Shape& shape, const Tiling& schedule, int most_ctas, int every = 1) {
  return {describe(schedule, shape.element) + " matches float64 at " + std::to_string(shape.m) + " x " +
              std::to_string(shape.n) + " x " + std::to_string(shape.k),
          shape.element == Element::bf16 ? bf16_tolerance : fp8_tolerance, [=](std::uint64_t seed) {
            const Trial trial(shape, seed);
            return trial.error(trial.run(schedule, most_ctas), every);
          }};
}

measure::Check agree(const Shape& shape, const Tiling& one, const Tiling& other, double tolerance) {
  return {describe(one, shape.element) + " equals " + describe(other, shape.element), tolerance,
          [=](std::uint64_t seed) {
            const Trial trial(shape, seed);
            return difference(trial.run(one, 4), trial.run(other, 6), shape.k);
          }};
}

// All three dimensions end inside a tile, rows of n = 601 need padding, and the grid is several tiles per CTA.
void add_every_tile(std::vector<measure::Check>& checks) {
  for (const tiling::CtaTile& tile : tiling::built_tiles) {
    const Shape shape{450, 601, tile.element == Element::bf16 ? 328 : 656, tile.element};
    const Tiling deep{tile.m, tile.n, tile.ping_pong, tiling::deepest_stages(tile.m, tile.n)};
    Tiling tall = deep, wide = deep, split = deep;
    tall.cluster_m = wide.cluster_n = 2;
    tall.stages = 2;
    wide.stages = 3;
    split.split_k = 2;
    for (const Tiling& schedule : {deep, tall, wide, split}) {
      checks.push_back(against_reference(shape, schedule, 4));
    }
  }
}

}  // namespace

void add_checks(std::vector<measure::Check>& checks) {
  add_every_tile(checks);
  constexpr int all = 1 << 20;
  checks.push_back(against_reference({1, 64, 64}, {64, 64, true, 4}, all));
  checks.push_back(against_reference({7, 9, 5}, {128, 128, true, 4}, all));
  checks.push_back(against_reference({1000, 1000, 1000}, pick(1000, 1000, 1000, Element::bf16), all, 3));
  checks.push_back(against_reference({4097, 4097, 4097}, {128, 256, false, 4, 2, 1}, all, 256));
  checks.push_back(against_reference({4097, 4097, 4097}, {128, 128, true, 6, 1, 2}, all, 256));
  checks.push_back(against_reference({16, 6144, 4096}, pick(16, 6144, 4096, Element::bf16), all));
  checks.push_back(against_reference({64, 128, 100}, {64, 128, true, 4, 1, 1, 8}, all));  // fewer k-blocks than splits
  const Shape shape{300, 500, 1500};
  const Tiling base{128, 128, true, 4};
  for (const int splits : {2, 4, 8})
    checks.push_back(agree(shape, base, {128, 128, true, 4, 1, 1, splits}, two_roundings));
  checks.push_back(agree(shape, base, {128, 128, true, 2}, 0));
  checks.push_back(agree(shape, base, {128, 128, false, 5, 2, 1, 1, 1}, 0));
  checks.push_back(agree(shape, {128, 256, false, 4}, {128, 256, false, 3, 1, 2, 1, 3}, 0));
}

}  // namespace rooftile::kernels::gemm
