#include "workloads/grouped_gemm/program.hpp"

#include <algorithm>
#include <numeric>

#include "workloads/gemm/roles.hpp"

namespace rooftile::workloads::grouped_gemm {
namespace {

using namespace hw;

constexpr std::uint8_t kA = 0, kB = 1, kD = 2;
enum Coordinate { kTile = 0, kColumn = 1, kGroup = 2 };
enum Count { kSteps = 0, kNewGroup = 3, kRows = 1 };  // rows of the first and second CTA of a cluster

// Cycles to rewrite the tensor maps of A and B: the store to L2, the acquiring fence, and the fetch of the new
// descriptor, one after the other (230, 230 and 280 ns at 1.75 GHz, our microbenchmarks of these parts).
constexpr double kTensorMapUpdate = 1300;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Tiles of a group column by column, pairs of row tiles side by side in a cluster.
void add_items(TileProgram& p, const Shape& shape, const gemm::Schedule& s, std::int64_t clusters) {
  const std::int64_t columns = ceil_div(shape.n, static_cast<std::int64_t>(s.tile_n) * s.cluster_n);
  std::int32_t first_tile = 0;
  for (std::size_t g = 0; g < shape.rows_per_group.size(); ++g) {
    const std::int64_t rows = shape.rows_per_group[g], tiles = ceil_div(rows, s.tile_m), pairs = ceil_div(tiles, s.cluster_m);
    for (std::int64_t column = 0; column < columns; ++column)
      for (std::int64_t pair = 0; pair < pairs; ++pair) {
        WorkItem w;
        w.coordinate[kTile] = first_tile + static_cast<std::int32_t>(pair * s.cluster_m);
        w.coordinate[kColumn] = static_cast<std::int32_t>(column);
        w.coordinate[kGroup] = static_cast<std::int32_t>(g);
        w.count[kSteps] = static_cast<std::int32_t>(ceil_div(shape.k, s.tile_k));
        for (int r = 0; r < s.cluster_m; ++r)
          w.count[kRows + r] = static_cast<std::int32_t>(std::clamp<std::int64_t>(rows - (pair * s.cluster_m + r) * s.tile_m, 0, s.tile_m));
        const std::size_t before = p.items.size() - static_cast<std::size_t>(clusters);
        w.count[kNewGroup] = p.items.size() < static_cast<std::size_t>(clusters) || p.items[before].coordinate[kGroup] != w.coordinate[kGroup];
        p.items.push_back(w);
      }
    first_tile += static_cast<std::int32_t>(pairs * s.cluster_m);
  }
}

std::int64_t tile_rows(const Shape& shape, const gemm::Schedule& s) {
  std::int64_t tiles = 0;
  for (const std::int64_t rows : shape.rows_per_group) tiles += ceil_div(ceil_div(rows, s.tile_m), s.cluster_m) * s.cluster_m;
  return tiles;
}

Role producer(const gemm::Schedule& s) {
  const Box a{kA, at_item(kTile) + at_rank(1, 0), {}, at_step(), kRows};
  const Box b{kB, at_item(kGroup), at_item(kColumn, s.cluster_n * s.cluster_m) + at_rank(1, s.cluster_m), at_step()};
  return {"producer", 1,
          {{item_count(kNewGroup), {Vector{{}, kTensorMapUpdate, "rewrite tensor maps"}}, false},
           {item_count(kSteps), {Acquire{gemm::kStages}, TmaLoad{gemm::kStages, a}, TmaLoad{gemm::kStages, b, s.cluster_m > 1 ? Multicast::row : Multicast::none}}, true}},
          0, 1};
}

}  // namespace

std::int64_t Shape::rows() const { return std::accumulate(rows_per_group.begin(), rows_per_group.end(), std::int64_t{0}); }

hw::TileProgram program(const Shape& shape, const gemm::Schedule& s, int sms) {
  TileProgram p;
  p.kernel = "grouped_gemm_" + gemm::name(s);
  p.data_share = static_cast<double>(shape.rows()) / static_cast<double>(tile_rows(shape, s) * s.tile_m);
  p.engines = {{MmaFamily::wgmma, s.type}};
  p.cluster_x = s.cluster_m;
  p.cluster_y = s.cluster_n;
  const int buffer = s.consumers == gemm::Consumers::ping_pong ? s.epilogue_bytes / 2 : s.epilogue_bytes;
  int pieces = std::max(1, static_cast<int>(s.tile_m * s.tile_n * s.output_bytes) / buffer);
  while (s.tile_n % pieces != 0) ++pieces;
  const std::int64_t tiles = tile_rows(shape, s);
  p.tensors = {{"A", tiles, s.tile_m, shape.k, s.tile_m, s.tile_k, s.input_bytes},
               {"B", static_cast<std::int64_t>(shape.rows_per_group.size()), shape.n, shape.k, s.tile_n / s.cluster_m, s.tile_k, s.input_bytes},
               {"D", tiles, s.tile_m, shape.n, s.tile_m, s.tile_n / pieces, s.output_bytes}};
  add_items(p, shape, s, sms / (s.cluster_m * s.cluster_n));
  p.rings = {{"stages", s.stages, 1 + s.cluster_m, 1}};
  p.schedule = Schedule::static_persistent;
  p.grid = sms;
  p.threads = 384;
  p.registers = s.registers;
  p.shared_memory = gemm::shared_memory(s);
  const double piece = static_cast<double>(s.tile_m) * s.tile_n / pieces;
  const Box d{kD, at_item(kTile) + at_rank(1, 0), {}, at_item(kColumn, pieces) + at_step(), kRows};
  p.roles.push_back(producer(s));
  const int consumers = s.consumers == gemm::Consumers::ping_pong ? 2 : 1;
  for (int i = 0; i < consumers; ++i) {
    Role role = gemm::consumer(s, i, pieces, piece, d);
    // The output's tensor map is rewritten before the first store to another group.
    role.sections.insert(role.sections.end() - 1, {item_count(kNewGroup), {Vector{{}, kTensorMapUpdate, "rewrite tensor map"}}, false});
    p.roles.push_back(std::move(role));
  }
  return p;
}

hw::TileProgram prepare(std::int64_t groups) {
  TileProgram p;
  p.kernel = "prepare_grouped_gemm";
  p.threads = static_cast<int>(std::clamp<std::int64_t>(ceil_div(groups, 32) * 32, 32, 1024));
  p.registers = 38;
  p.items.resize(1);
  p.tensors = {{"ends", 1, 1, groups, 1, groups, 4, true}, {"arguments", 1, groups, 8, groups, 8, 8, false, true}};
  const double each = 60.0 * static_cast<double>(groups);  // 64-bit address arithmetic, eight stores
  p.roles = {{"threads", p.threads / 32,
              {{times(1), {Load{{0, {}, {}, {}}}, WaitLoads{0}, Vector{{{.alu = each}}, 60 * 4.3, "addresses"}, Store{{1, {}, {}, {}}}}}}}};
  return p;
}

}  // namespace rooftile::workloads::grouped_gemm
