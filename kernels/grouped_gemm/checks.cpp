// Numeric checks: every group against float64, groups against separate dense products, and nothing written beyond.
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "gemm/operands.hpp"
#include "gemm/reference.hpp"
#include "grouped_gemm/launch.hpp"
#include "harness/suite.hpp"
#include "registry.hpp"

namespace rooftile::kernels::grouped_gemm {
namespace {

using gemm::Buffer;
using gemm::worse;
using workloads::gemm::Element;
using workloads::gemm::Tiling;

constexpr double tolerance = 0x1p-8 + 1e-4;
constexpr int spare_rows = 40;  // behind the last group; must stay NaN

struct Shape {
  std::vector<int> rows_per_group;
  int n, k;
};

// Operands of one check on device and host.
class Trial {
 public:
  Trial(const Shape& shape, std::uint64_t seed)
      : shape_(shape),
        pitch_ab_(gemm::padded_pitch(shape.k, 2)),
        pitch_d_(gemm::padded_pitch(shape.n, 2)),
        ends_(running_sum(shape.rows_per_group)),
        device_ends_(ends_),
        a_(bytes(rows(), pitch_ab_)),
        b_(bytes(groups() * shape.n, pitch_ab_)) {
    gemm::fill_normal(a_, Element::bf16, seed);
    gemm::fill_normal(b_, Element::bf16, seed + 1);
  }

  int groups() const { return static_cast<int>(ends_.size()); }
  int rows() const { return ends_.back() + spare_rows; }

  std::vector<float> run(const Tiling& schedule, int most_ctas) const {
    const Buffer d(bytes(rows(), pitch_d_));
    d.poison();
    const Problem problem{groups(), rows(),   shape_.n, shape_.k,  device_ends_.get(),
                          a_.get(), b_.get(), d.get(),  pitch_ab_, pitch_d_};
    Launch(problem, schedule, most_ctas)(nullptr);
    measure::check(cudaDeviceSynchronize(), "grouped GEMM");
    return gemm::download(d, Element::bf16);
  }

  // Each group as a dense product of its own.
  std::vector<float> run_dense(const Tiling& schedule) const {
    const Buffer d(bytes(rows(), pitch_d_));
    d.poison();
    int begin = 0;
    for (int g = 0; g < groups(); begin = ends_[static_cast<std::size_t>(g++)]) {
      const int count = ends_[static_cast<std::size_t>(g)] - begin;
      if (count == 0) continue;
      const gemm::Problem problem{count,
                                  shape_.n,
                                  shape_.k,
                                  Element::bf16,
                                  gemm::pointer<char>(a_) + bytes(begin, pitch_ab_),
                                  gemm::pointer<char>(b_) + bytes(g * shape_.n, pitch_ab_),
                                  gemm::pointer<char>(d) + bytes(begin, pitch_d_),
                                  pitch_ab_,
                                  pitch_d_};
      gemm::Launch(problem, schedule)(nullptr);
      measure::check(cudaDeviceSynchronize(), "dense GEMM");
    }
    return gemm::download(d, Element::bf16);
  }

  double error(const std::vector<float>& d) const {
    const std::vector<float> a = gemm::download(a_, Element::bf16), b = gemm::download(b_, Element::bf16);
    double worst = 0;
    int row = 0;
    for (int g = 0; g < groups(); ++g) {
      const float* weights = b.data() + static_cast<std::ptrdiff_t>(g) * shape_.n * pitch_ab_;
      for (; row < ends_[static_cast<std::size_t>(g)]; ++row) {
        worst = worse(gemm::row_error(a.data() + static_cast<std::ptrdiff_t>(row) * pitch_ab_, weights, out_row(d, row),
                                      shape_.n, shape_.k, pitch_ab_),
                      worst);
      }
    }
    for (; row < rows(); ++row) {
      for (int j = 0; j < shape_.n; ++j) {
        if (!std::isnan(out_row(d, row)[j])) return std::numeric_limits<double>::infinity();
      }
    }
    return worst;
  }

  // Over the rows that belong to a group.
  double apart(const std::vector<float>& x, const std::vector<float>& y) const {
    double worst = 0;
    for (int row = 0; row < ends_.back(); ++row) {
      for (int j = 0; j < shape_.n; ++j) {
        worst = worse(std::abs(static_cast<double>(out_row(x, row)[j] - out_row(y, row)[j])), worst);
      }
    }
    return worst;
  }

 private:
  static std::vector<int> running_sum(const std::vector<int>& counts) {
    std::vector<int> ends(counts.size());
    std::partial_sum(counts.begin(), counts.end(), ends.begin());
    return ends;
  }
  static std::size_t bytes(int rows, int pitch) {
    return 2 * static_cast<std::size_t>(rows) * static_cast<std::size_t>(pitch);
  }
  const float* out_row(const std::vector<float>& d, int row) const {
    return d.data() + static_cast<std::ptrdiff_t>(row) * pitch_d_;
  }

  Shape shape_;
  int pitch_ab_, pitch_d_;
  std::vector<int> ends_;
  measure::Buffer<int> device_ends_;
  Buffer a_, b_;
};

std::string describe(const Tiling& t) {
  return "grouped gemm " + std::to_string(t.tile_m) + "x" + std::to_string(t.tile_n) +
         (t.ping_pong ? " ping-pong" : " cooperative") + ", cluster " + std::to_string(t.cluster_m) + "x" +
         std::to_string(t.cluster_n);
}

measure::Check against_reference(const std::string& what, const Shape& shape, const Tiling& schedule, int most_ctas) {
  return {describe(schedule) + " matches float64 with " + what, tolerance, [=](std::uint64_t seed) {
            const Trial trial(shape, seed);
            return trial.error(trial.run(schedule, most_ctas));
          }};
}

}  // namespace

void add_checks(std::vector<measure::Check>& checks) {
  const Shape uneven{{0, 5, 0, 0, 130, 64, 1, 257, 0, 33, 128, 0}, 201, 200};
  std::vector<int> sparse(128);
  for (std::size_t g = 0; g < sparse.size(); ++g) sparse[g] = g % 7 == 3 ? static_cast<int>(g % 5) * 3 : 0;
  for (const workloads::gemm::CtaTile& tile : workloads::grouped_gemm::built_tiles) {
    const Tiling deep{tile.m, tile.n, tile.ping_pong, workloads::gemm::deepest_stages(tile.m, tile.n)};
    Tiling tall = deep, wide = deep;
    tall.cluster_m = wide.cluster_n = 2;
    for (const Tiling& schedule : {deep, tall, wide}) {
      checks.push_back(against_reference("empty and uneven groups", uneven, schedule, 4));
    }
    checks.push_back(against_reference("128 mostly empty groups", {sparse, 256, 192}, deep, 1 << 20));
    checks.push_back(against_reference("no rows at all", {{0, 0, 0}, 256, 192}, deep, 1 << 20));
    checks.push_back({describe(deep) + " equals separate dense products", 0, [=](std::uint64_t seed) {
                        const Trial trial(uneven, seed);
                        return trial.apart(trial.run(deep, 6), trial.run_dense(deep));
                      }});
  }
}

}  // namespace rooftile::kernels::grouped_gemm
