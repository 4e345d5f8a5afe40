// What is measured: one pick per shape ("kernels") and grids of schedules over few shapes ("ablation").
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gemm/launch.hpp"
#include "gemm/operands.hpp"
#include "gemm/pick.hpp"
#include "gemm/record.hpp"
#include "harness/suite.hpp"
#include "registry.hpp"

namespace rooftile::kernels::gemm {
namespace {

using tiling::Element;
using tiling::Tiling;

struct Shape {
  int m, n, k;
  Element element = Element::bf16;
};

class GemmInstance : public measure::Instance {
 public:
  GemmInstance(const Shape& shape, const Tiling& schedule, int sets, std::uint64_t seed)
      : workspace_(workspace_bytes(shape, schedule)) {
    const int pitch_ab = padded_pitch(shape.k, tiling::element_bytes(shape.element));
    const int pitch_d = padded_pitch(shape.n, 2);
    const auto row = static_cast<std::size_t>(pitch_ab * tiling::element_bytes(shape.element));
    for (int i = 0; i < sets; ++i) {
      Buffer a(static_cast<std::size_t>(shape.m) * row);
      Buffer b(static_cast<std::size_t>(shape.n) * row);
      Buffer d(static_cast<std::size_t>(shape.m) * static_cast<std::size_t>(pitch_d) * 2);
      fill_normal(a, shape.element, seed + 2 * static_cast<std::uint64_t>(i));
      fill_normal(b, shape.element, seed + 2 * static_cast<std::uint64_t>(i) + 1);
      const Problem problem{shape.m, shape.n, shape.k,  shape.element, a.get(),
                            b.get(), d.get(), pitch_ab, pitch_d,       pointer<float>(workspace_)};
      launches_.emplace_back(problem, schedule);
      for (Buffer* buffer : {&a, &b, &d}) buffers_.push_back(std::move(*buffer));
    }
    measure::check(cudaDeviceSynchronize(), "operands");
  }

  void launch(int set, cudaStream_t stream) override { launches_[static_cast<std::size_t>(set)](stream); }

 private:
  static std::size_t workspace_bytes(const Shape& shape, const Tiling& schedule) {
    if (schedule.split_k == 1) return 0;
    return sizeof(float) * static_cast<std::size_t>(schedule.split_k) * static_cast<std::size_t>(shape.m) *
           static_cast<std::size_t>(padded_pitch(shape.n, 2));
  }

  Buffer workspace_;  // one for all sets, as a library's workspace is
  std::vector<Buffer> buffers_;
  std::vector<Launch> launches_;
};

std::string shape_keys(const Shape& shape) {
  const char* type = shape.element == Element::bf16 ? "bf16" : "fp8_e4m3";
  return member("m", shape.m) + ", " + member("n", shape.n) + ", " + member("k", shape.k) + ", \"dtype\": \"" + type +
         "\", \"out_dtype\": \"bf16\"";
}

measure::Case make_case(const Shape& shape, const Tiling& schedule, const char* group) {
  const auto inputs = (static_cast<std::size_t>(shape.m) + static_cast<std::size_t>(shape.n)) *
                      static_cast<std::size_t>(shape.k) *
                      static_cast<std::size_t>(tiling::element_bytes(shape.element));
  measure::Case result;
  result.op = "gemm";
  result.keys = shape_keys(shape);
  result.schedule = schedule_json(schedule, shape.element);
  result.group = group;
  result.bytes_per_set = inputs + 2 * static_cast<std::size_t>(shape.m) * static_cast<std::size_t>(shape.n);
  result.make = [shape, schedule](int sets, std::uint64_t seed) {
    return std::make_unique<GemmInstance>(shape, schedule, sets, seed);
  };
  return result;
}

constexpr Element fp8 = Element::fp8_e4m3;

// Squares; layers of Llama 3.1 8B and 70B, GPT-2 and DeepSeek V3; ragged sizes; fp8.
constexpr Shape shapes[] = {
    {256, 256, 256},         {512, 512, 512},         {1024, 1024, 1024},      {2048, 2048, 2048},
    {3072, 3072, 3072},      {4096, 4096, 4096},      {8192, 8192, 8192},      {1000, 1000, 1000},
    {4097, 4096, 4096},      {4097, 4097, 4097},      {16, 6144, 4096},        {128, 6144, 4096},
    {512, 6144, 4096},       {2048, 6144, 4096},      {8192, 6144, 4096},      {16, 28672, 4096},
    {128, 28672, 4096},      {512, 28672, 4096},      {2048, 28672, 4096},     {512, 4096, 14336},
    {8192, 4096, 14336},     {16, 8192, 28672},       {128, 8192, 28672},      {2048, 10240, 8192},
    {2048, 3072, 768},       {128, 1536, 7168},       {2048, 7168, 16384},     {128, 6144, 4096, fp8},
    {2048, 2048, 2048, fp8}, {2048, 4096, 4096, fp8}, {8192, 8192, 8192, fp8}, {128, 8192, 28672, fp8},
    {512, 8192, 3584, fp8},  {16, 7168, 16384, fp8},
};

struct Grid {
  Shape shape;
  std::vector<Tiling> schedules;
};

// What each mechanism buys where products bound the time: tile, order of consumers, depth, cluster, raster.
std::vector<Tiling> compute_bound_grid() {
  return {
      {64, 128, true, 8},
      {64, 256, true, 4},
      {128, 128, true, 2},
      {128, 128, true, 3},
      {128, 128, true, 6},
      {128, 128, true, 6, 2, 1},
      {64, 256, true, 4, 2, 1},
      {128, 128, false, 6},
      {128, 192, false, 4},
      {192, 128, false, 4},
      {192, 192, false, 4, 1, 2},
      {128, 256, false, 2},
      {128, 256, false, 3},
      {128, 256, false, 4},
      {128, 256, false, 4, 2, 1},
      {128, 256, false, 4, 1, 2},
      {256, 128, false, 4},
      {256, 128, false, 4, 1, 2},
      {128, 256, false, 4, 2, 1, 1, 1},
  };
}

// What depth and splits buy where the weights' way from HBM bounds it.
std::vector<Tiling> memory_bound_grid() {
  return {
      {64, 64, true, 2},
      {64, 64, true, 4},
      {64, 64, true, 12},
      {64, 64, true, 12, 1, 1, 2},
      {64, 64, true, 12, 1, 1, 4},
      {64, 128, true, 4},
      {64, 128, true, 8},
      {64, 128, true, 8, 1, 1, 2},
      {64, 128, true, 8, 1, 1, 4},
      {64, 128, true, 8, 1, 1, 8},
      {128, 128, false, 6, 1, 1, 4},
  };
}

std::vector<Tiling> fp8_grid() {
  return {
      {64, 128, true, 8},   {128, 128, true, 2},  {128, 128, true, 6},        {128, 128, true, 6, 2, 1},
      {128, 256, false, 3}, {128, 256, false, 4}, {128, 256, false, 4, 2, 1}, {256, 128, false, 4, 1, 2},
  };
}

std::vector<Grid> ablation() {
  return {
      {{4096, 4096, 4096}, compute_bound_grid()}, {{2048, 6144, 4096}, compute_bound_grid()},
      {{1024, 1024, 1024}, compute_bound_grid()}, {{512, 28672, 4096}, compute_bound_grid()},
      {{16, 8192, 28672}, memory_bound_grid()},   {{128, 1536, 7168}, memory_bound_grid()},
      {{4096, 4096, 4096, fp8}, fp8_grid()},      {{128, 8192, 28672, fp8}, fp8_grid()},
  };
}

}  // namespace

void add_cases(std::vector<measure::Case>& cases) {
  for (const Shape& shape : shapes) {
    cases.push_back(make_case(shape, pick(shape.m, shape.n, shape.k, shape.element), "kernels"));
  }
  for (const Grid& grid : ablation()) {
    for (const Tiling& schedule : grid.schedules) cases.push_back(make_case(grid.shape, schedule, "ablation"));
  }
}

}  // namespace rooftile::kernels::gemm
