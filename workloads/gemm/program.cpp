#include "workloads/gemm/program.hpp"

#include "workloads/gemm/roles.hpp"

#include <algorithm>

namespace rooftile::workloads::gemm {
namespace {

using namespace hw;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

constexpr std::uint8_t kA = 0, kB = 1, kD = 2;
struct Grid {
  std::int64_t tiles_m, tiles_n, clusters_m, clusters_n, k_steps;
};

Grid grid_of(const Shape& shape, const Schedule& s) {
  Grid g{};
  g.tiles_m = ceil_div(shape.m, s.tile_m);
  g.tiles_n = ceil_div(shape.n, s.tile_n);
  g.clusters_m = ceil_div(g.tiles_m, s.cluster_m);
  g.clusters_n = ceil_div(g.tiles_n, s.cluster_n);
  g.k_steps = ceil_div(shape.k, s.tile_k);
  return g;
}

// Bands of `band` clusters across; inside a band the raster runs along the other axis, the band's width first.
void add_items(TileProgram& p, const Shape& shape, const Schedule& s, const Grid& g) {
  const bool along_m = s.raster == Raster::along_m;
  const std::int64_t across = along_m ? g.clusters_n : g.clusters_m, along = along_m ? g.clusters_m : g.clusters_n;
  for (std::int64_t b = 0; b < shape.batch; ++b)
    for (int split = 0; split < s.split_k; ++split) {
      const std::int64_t first = g.k_steps * split / s.split_k, end = g.k_steps * (split + 1) / s.split_k;
      for (std::int64_t band = 0; band < across; band += s.band)
        for (std::int64_t i = 0; i < along; ++i)
          for (std::int64_t j = band; j < std::min<std::int64_t>(across, band + s.band); ++j) {
            WorkItem item;
            item.coordinate[0] = static_cast<std::int32_t>(along_m ? i : j);
            item.coordinate[1] = static_cast<std::int32_t>(along_m ? j : i);
            item.coordinate[2] = static_cast<std::int32_t>(b + shape.batch * split);
            item.coordinate[3] = static_cast<std::int32_t>(first);
            item.count[0] = static_cast<std::int32_t>(end - first);
            p.items.push_back(item);
          }
    }
}

Role producer(const Schedule& s) {
  Section loop{.repeat = item_count(0)};
  loop.ops.push_back(Acquire{kStages});
  // Each CTA of a cluster row (column) loads its slice of the shared operand and multicasts it.
  const Affine k = at_item(3) + at_step();
  // A is kept once a batch, whatever the split: the group of a split item folds back on the batch.
  const Box a{kA, at_item(2), at_item(0, s.cluster_m * s.cluster_n) + at_rank(s.cluster_n, 1), k};
  const Box b{kB, at_item(2), at_item(1, s.cluster_n * s.cluster_m) + at_rank(1, s.cluster_m), k};
  loop.ops.push_back(TmaLoad{kStages, a, s.cluster_n > 1 ? Multicast::column : Multicast::none});
  loop.ops.push_back(TmaLoad{kStages, b, s.cluster_m > 1 ? Multicast::row : Multicast::none});
  return {"producer", 1, {loop}, 0, 1};
}

}  // namespace

core::Bytes shared_memory(const Schedule& s) {
  const auto stage = static_cast<std::int64_t>((s.tile_m + s.tile_n) * s.tile_k * s.input_bytes);
  return {stage * s.stages + s.epilogue_bytes + 16 * s.stages + 208};
}

std::string name(const Schedule& s) {
  const char* mode = s.consumers == Consumers::ping_pong ? "" : s.consumers == Consumers::split_m ? "_coopA" : "_coopB";
  std::string text = std::to_string(s.tile_m) + "x" + std::to_string(s.tile_n) + "_" + std::to_string(s.tile_k) + "x" +
                     std::to_string(s.stages) + "_" + std::to_string(s.cluster_m) + "x" + std::to_string(s.cluster_n) +
                     (s.raster == Raster::along_m ? "_h" : "_v") + mode;
  if (s.split_k > 1) text += "_splitK" + std::to_string(s.split_k);
  return text;
}

hw::TileProgram program(const Shape& shape, const Schedule& s, int sms) {
  const Grid g = grid_of(shape, s);
  TileProgram p;
  p.kernel = "gemm_" + name(s);
  p.data_share = static_cast<double>(shape.m) * static_cast<double>(shape.n) /
                 (static_cast<double>(g.clusters_m * s.cluster_m * s.tile_m) * static_cast<double>(g.clusters_n * s.cluster_n * s.tile_n));
  p.engines = {{MmaFamily::wgmma, s.type}};
  p.cluster_x = s.cluster_m;
  p.cluster_y = s.cluster_n;
  const double out_bytes = s.split_k > 1 ? 4 : s.output_bytes;
  const std::int64_t groups = shape.batch * s.split_k;
  // The k extent of all splits is one matrix: split items differ in the column they start at.
  const int buffer = s.consumers == Consumers::ping_pong ? s.epilogue_bytes / 2 : s.epilogue_bytes;
  int pieces = std::max(1, static_cast<int>(s.tile_m * s.tile_n * out_bytes) / buffer);
  while (s.tile_m % pieces != 0) ++pieces;
  p.tensors = {{"A", groups, shape.m, shape.k, s.tile_m / s.cluster_n, s.tile_k, s.input_bytes},
               {"B", groups, shape.n, shape.k, s.tile_n / s.cluster_m, s.tile_k, s.input_bytes},
               {"D", groups, shape.m, shape.n, s.tile_m / pieces, s.tile_n, out_bytes}};
  add_items(p, shape, s, g);
  p.rings = {{"stages", s.stages, s.cluster_m + s.cluster_n, 1}};
  p.schedule = hw::Schedule::static_persistent;
  p.grid = sms;
  p.threads = 384;
  p.registers = s.registers;
  p.shared_memory = shared_memory(s);
  Schedule out = s;
  out.output_bytes = out_bytes;
  const double piece = static_cast<double>(s.tile_m) * s.tile_n / pieces;
  p.roles.push_back(producer(s));
  const Box d{kD, at_item(2), at_item(0, s.cluster_m * pieces) + at_rank(pieces, 0) + at_step(), at_item(1, s.cluster_n) + at_rank(0, 1)};
  p.roles.push_back(consumer(out, 0, pieces, piece, d));
  if (s.consumers == Consumers::ping_pong) p.roles.push_back(consumer(out, 1, pieces, piece, d));
  return p;
}

}  // namespace rooftile::workloads::gemm
