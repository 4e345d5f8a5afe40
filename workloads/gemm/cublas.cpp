#include "workloads/gemm/cublas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace rooftile::workloads::gemm {
namespace {

struct Tile {
  int m, n;
  Consumers consumers;
};

// Tiles seen in the library; the 64-row side of wgmma lies along m where m is a multiple of 64.
constexpr Tile kTiles[] = {
    {64, 8, Consumers::ping_pong},    {64, 16, Consumers::ping_pong},   {64, 32, Consumers::ping_pong},
    {64, 48, Consumers::ping_pong},   {64, 64, Consumers::ping_pong},   {96, 64, Consumers::ping_pong},
    {112, 64, Consumers::ping_pong},  {128, 16, Consumers::ping_pong},  {128, 32, Consumers::ping_pong},
    {128, 64, Consumers::ping_pong},  {80, 128, Consumers::ping_pong},  {112, 128, Consumers::ping_pong},
    {128, 128, Consumers::ping_pong}, {160, 64, Consumers::ping_pong},  {176, 128, Consumers::split_n},
    {192, 128, Consumers::split_n},   {192, 176, Consumers::split_n},   {192, 192, Consumers::split_n},
    {256, 8, Consumers::ping_pong},   {256, 16, Consumers::ping_pong},  {256, 128, Consumers::split_m},
    {320, 128, Consumers::split_n},   {448, 64, Consumers::split_n},    {512, 8, Consumers::ping_pong},
};
constexpr int kSharedLimit = 232448;

void set_type(Schedule& s, hw::MathType type, double output_bytes) {
  s.type = type;
  s.input_bytes = type == hw::MathType::fp8 ? 1 : type == hw::MathType::tf32 ? 4 : 2;
  s.tile_k = static_cast<int>(128 / s.input_bytes);
  s.output_bytes = output_bytes;
}

int most_stages(const Schedule& s) {
  const int stage = (s.tile_m + s.tile_n) * 128 + 16;
  return std::min(16, (kSharedLimit - s.epilogue_bytes - 208) / stage);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t tiles(const Shape& shape, const Schedule& s) {
  return ceil_div(ceil_div(shape.m, s.tile_m), s.cluster_m) * s.cluster_m *
         ceil_div(ceil_div(shape.n, s.tile_n), s.cluster_n) * s.cluster_n * shape.batch;
}

// One token tile: neighbours along the features share the tokens; otherwise they share the weights.
void set_cluster(Schedule& s, const Shape& shape) {
  const bool one_column = shape.n <= s.tile_n;
  const bool square = s.tile_m == s.tile_n && s.tile_m >= 128;
  const bool along_m = one_column || square;
  s.cluster_m = along_m ? 2 : 1;
  s.cluster_n = along_m ? 1 : 2;
  s.raster = along_m ? Raster::along_n : Raster::along_m;
}

}  // namespace

double rough_cycles(const Shape& shape, const Schedule& s, const hw::GpuSpec& gpu) {
  const hw::Machine m = hw::resolve(gpu, gpu.clock.nominal.value);
  const double flops = 2.0 * s.tile_m * s.tile_n * s.tile_k;
  const double math = flops / m.tensor_flops[0][static_cast<std::size_t>(s.type)];
  const double rows = s.instruction_m_along_n ? s.tile_n : s.tile_m, cols = s.instruction_m_along_n ? s.tile_m : s.tile_n;
  const int halves = s.consumers == Consumers::split_n ? 2 : 1;
  const double operand = std::ceil(rows / 64) * halves * 4 * (2048 + cols / halves * 32) / m.lanes_per_cycle[hw::kSharedPath];
  const double steps = std::ceil(std::ceil(static_cast<double>(shape.k) / s.tile_k) / s.split_k);
  const double waves = std::ceil(static_cast<double>(tiles(shape, s) * s.split_k) / (m.sms / (s.cluster_m * s.cluster_n) * s.cluster_m * s.cluster_n));
  const double epilogue = s.tile_m * s.tile_n * s.output_bytes / 18 * (s.consumers == Consumers::ping_pong ? 0.3 : 1);
  const double bytes = static_cast<double>(shape.batch) * (static_cast<double>(shape.m * shape.k + shape.n * shape.k) * s.input_bytes +
                                                           static_cast<double>(shape.m * shape.n) * s.output_bytes);
  const double hbm = bytes / m.hbm_read.value * m.clock.frequency().value;
  // One SM streams no faster than what it keeps in flight; L2 gives an SM about 35 B a cycle when all ask.
  const double l2 = (s.tile_m / s.cluster_n + s.tile_n / s.cluster_m) * 128.0 / 35;
  const double split = s.split_k > 1 ? 4000 + static_cast<double>(shape.m * shape.n) * 8 * s.split_k / 2000 : 0;
  return std::max(hbm, waves * (steps * std::max({math, operand, l2}) + epilogue)) + 4000 + split;
}

std::vector<Schedule> cublas_candidates(const Shape& shape, hw::MathType type, double output_bytes, const hw::GpuSpec& gpu) {
  std::vector<std::pair<double, Schedule>> ranked;
  const auto consider = [&](Schedule s) {
    s.stages = most_stages(s);
    ranked.emplace_back(rough_cycles(shape, s, gpu), s);
  };
  const auto sms = gpu.sm.count.value;
  for (const Tile& t : kTiles) {
    Schedule s;
    set_type(s, type, output_bytes);
    s.tile_m = t.m;
    s.tile_n = t.n;
    s.consumers = t.consumers;
    s.instruction_m_along_n = t.m % 64 != 0;
    if (t.n > 2 * shape.n && t.n > 8) continue;  // mostly padding
    set_cluster(s, shape);
    consider(s);
    const std::int64_t ctas = tiles(shape, s);
    const auto fit = static_cast<int>(sms / std::max<std::int64_t>(1, ctas));
    const std::int64_t steps = ceil_div(shape.k, s.tile_k);
    for (const int split : {fit, fit / 2})
      if (split >= 2 && steps / split >= 4) {
        s.split_k = split;
        consider(s);
      }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Schedule> best;
  for (const auto& [cycles, s] : ranked)
    if (best.size() < 4 && cycles < 1.12 * ranked.front().first) best.push_back(s);
  return best;
}

std::optional<Schedule> parse_nvjet(std::string_view name, hw::MathType type, double output_bytes) {
  if (name.substr(0, 5) != "nvjet") return std::nullopt;
  const std::string text(name);
  std::size_t at = std::string::npos;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '_' && text[i + 1] >= '1' && text[i + 1] <= '9') {
      at = i + 1;
      break;
    }
  Schedule s;
  set_type(s, type, output_bytes);
  char raster = 'h';
  if (at == std::string::npos ||
      std::sscanf(text.c_str() + at, "%dx%d_%dx%d_%dx%d_%c", &s.tile_m, &s.tile_n, &s.tile_k, &s.stages, &s.cluster_m,
                  &s.cluster_n, &raster) != 7)
    return std::nullopt;
  if (s.tile_m < 8 || s.tile_m > 1024 || s.tile_n < 8 || s.tile_n > 1024 || s.stages < 1 || s.stages > 64 ||
      s.cluster_m < 1 || s.cluster_m > 8 || s.cluster_n < 1 || s.cluster_n > 8)
    return std::nullopt;
  s.raster = raster == 'h' ? Raster::along_m : Raster::along_n;
  s.consumers = text.find("coopA") != std::string::npos   ? Consumers::split_m
                : text.find("coopB") != std::string::npos ? Consumers::split_n
                                                          : Consumers::ping_pong;
  s.instruction_m_along_n = text.back() == 'N';
  s.split_k = text.find("splitK") != std::string::npos ? 0 : 1;  // 0: how many is decided by the grid
  return s;
}

}  // namespace rooftile::workloads::gemm
