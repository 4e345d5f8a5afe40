// What is measured: expert layers under even and skewed routing.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gemm/operands.hpp"
#include "gemm/record.hpp"
#include "grouped_gemm/launch.hpp"
#include "harness/suite.hpp"
#include "registry.hpp"

namespace rooftile::kernels::grouped_gemm {
namespace {

using gemm::Buffer;
using workloads::gemm::Element;
using workloads::gemm::Tiling;

struct Shape {
  std::vector<int> rows_per_group;
  int n, k;
};

// `rows` draws among `groups`, where group g is drawn in proportion to (g + 1)^-skew: 0 is even, 1 is Zipf's law. Spelt
// out because the standard library's distributions differ between implementations.
std::vector<int> routed(int groups, int rows, double skew) {
  std::vector<double> cumulative;
  double total = 0;
  for (int g = 0; g < groups; ++g) cumulative.push_back(total += std::pow(g + 1, -skew));
  std::mt19937_64 random(static_cast<std::uint64_t>(groups) * 1000003u + static_cast<std::uint64_t>(rows));
  std::vector<int> counts(static_cast<std::size_t>(groups));
  for (int i = 0; i < rows; ++i) {
    const double draw = static_cast<double>(random() >> 11) * 0x1p-53 * total;
    const auto group = std::upper_bound(cumulative.begin(), cumulative.end() - 1, draw) - cumulative.begin();
    ++counts[static_cast<std::size_t>(group)];
  }
  return counts;
}

std::vector<int> group_ends(const std::vector<int>& rows_per_group) {
  std::vector<int> ends(rows_per_group.size());
  std::partial_sum(rows_per_group.begin(), rows_per_group.end(), ends.begin());
  return ends;
}

class GroupedInstance : public measure::Instance {
 public:
  GroupedInstance(const Shape& shape, const Tiling& schedule, int sets, std::uint64_t seed)
      : ends_(group_ends(shape.rows_per_group)) {
    const int groups = static_cast<int>(shape.rows_per_group.size());
    const int rows = std::accumulate(shape.rows_per_group.begin(), shape.rows_per_group.end(), 0);
    const int pitch_ab = gemm::padded_pitch(shape.k, 2);
    const int pitch_d = gemm::padded_pitch(shape.n, 2);
    const auto size = [](int count, int pitch) {
      return 2 * static_cast<std::size_t>(count) * static_cast<std::size_t>(pitch);
    };
    for (int i = 0; i < sets; ++i) {
      Buffer a(size(rows, pitch_ab)), b(size(groups * shape.n, pitch_ab)), d(size(rows, pitch_d));
      gemm::fill_normal(a, Element::bf16, seed + 2 * static_cast<std::uint64_t>(i));
      gemm::fill_normal(b, Element::bf16, seed + 2 * static_cast<std::uint64_t>(i) + 1);
      const Problem problem{groups, rows, shape.n, shape.k, ends_.get(), a.get(), b.get(), d.get(), pitch_ab, pitch_d};
      launches_.emplace_back(problem, schedule);
      for (Buffer* buffer : {&a, &b, &d}) buffers_.push_back(std::move(*buffer));
    }
    measure::check(cudaDeviceSynchronize(), "operands");
  }

  void launch(int set, cudaStream_t stream) override { launches_[static_cast<std::size_t>(set)](stream); }

 private:
  measure::Buffer<int> ends_;
  std::vector<Buffer> buffers_;
  std::vector<Launch> launches_;
};

std::string shape_keys(const Shape& shape) {
  std::string list;
  for (const int rows : shape.rows_per_group) list += (list.empty() ? "" : ", ") + std::to_string(rows);
  return std::string("\"rows_per_group\": [") + list + "], " + gemm::member("n", shape.n) + ", " +
         gemm::member("k", shape.k) + R"(, "dtype": "bf16", "out_dtype": "bf16")";
}

// Weights of groups without rows are not read.
std::size_t distinct_bytes(const Shape& shape) {
  std::size_t rows = 0, active = 0;
  for (const int count : shape.rows_per_group) {
    rows += static_cast<std::size_t>(count);
    active += count > 0 ? 1 : 0;
  }
  const auto n = static_cast<std::size_t>(shape.n), k = static_cast<std::size_t>(shape.k);
  return 2 * (rows * (n + k) + active * n * k);
}

measure::Case make_case(const Shape& shape, const Tiling& schedule, const char* group) {
  measure::Case result;
  result.op = "grouped_gemm";
  result.keys = shape_keys(shape);
  result.schedule = gemm::schedule_json(schedule, Element::bf16);
  result.group = group;
  result.bytes_per_set = distinct_bytes(shape);
  result.make = [shape, schedule](int sets, std::uint64_t seed) {
    return std::make_unique<GroupedInstance>(shape, schedule, sets, seed);
  };
  return result;
}

// By rows per group that has any: narrow tiles while the weights bound the time.
Tiling pick(const Shape& shape) {
  int rows = 0, active = 0;
  for (const int count : shape.rows_per_group) {
    rows += count;
    active += count > 0 ? 1 : 0;
  }
  if (rows < 96 * active) return {64, 128, true, 8};
  return {128, 128, true, 6, 1, 2};
}

// Layers of Qwen3-30B-A3B (128 experts), Mixtral 8x7B (8), DeepSeek-V3 over 8 devices (32) and gpt-oss-20b (32).
std::vector<Shape> shapes() {
  return {
      {routed(128, 1024, 0), 1536, 2048}, {routed(128, 1024, 1), 1536, 2048},  {routed(128, 8192, 0), 2048, 768},
      {routed(128, 8192, 1), 2048, 768},  {routed(128, 32768, 0), 1536, 2048}, {routed(128, 131072, 1), 1536, 2048},
      {routed(8, 32, 1), 28672, 4096},    {routed(8, 2048, 0), 4096, 14336},   {routed(8, 8192, 0), 28672, 4096},
      {routed(8, 32768, 1), 4096, 14336}, {routed(32, 1024, 0), 7168, 2048},   {routed(32, 16384, 1), 2880, 2880},
  };
}

}  // namespace

void add_cases(std::vector<measure::Case>& cases) {
  for (const Shape& shape : shapes()) cases.push_back(make_case(shape, pick(shape), "kernels"));
  const Shape few{routed(128, 1024, 1), 1536, 2048}, many{routed(8, 8192, 0), 28672, 4096};
  for (const Tiling& schedule :
       {Tiling{64, 128, true, 2}, Tiling{64, 128, true, 4}, Tiling{64, 128, true, 8}, Tiling{64, 256, true, 4},
        Tiling{128, 128, true, 6}, Tiling{128, 256, false, 4}, Tiling{64, 128, true, 8, 1, 2}}) {
    cases.push_back(make_case(few, schedule, "ablation"));
  }
  for (const Tiling& schedule :
       {Tiling{64, 256, true, 4}, Tiling{128, 128, true, 3}, Tiling{128, 128, true, 6}, Tiling{128, 128, true, 6, 2, 1},
        Tiling{128, 128, true, 6, 1, 2}, Tiling{128, 256, false, 4}, Tiling{128, 256, false, 4, 2, 1}}) {
    cases.push_back(make_case(many, schedule, "ablation"));
  }
}

}  // namespace rooftile::kernels::grouped_gemm
