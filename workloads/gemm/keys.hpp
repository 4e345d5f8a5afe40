// The `gemm` operation as scenarios and records write it.
#pragma once

#include "workloads/common_keys.hpp"
#include "workloads/gemm/operation.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::gemm {

// The schedule of a kernel of ours, as rooftile-measure writes it: tile_m lies along the tokens.
struct TileKeys {
  std::int64_t tile_m = 128, tile_n = 128, tile_k = 64, stages = 4, cluster_m = 1, cluster_n = 1, split_k = 1, raster_group = 8;
  bool ping_pong = false;

  template <class V>
  static void visit_fields(V& v) {
    v.field("tile_m", &TileKeys::tile_m, "rows of a tile", input::Range{8, 1024});
    v.field("tile_n", &TileKeys::tile_n, "columns of a tile", input::Range{8, 1024});
    v.field("tile_k", &TileKeys::tile_k, "depth of a stage", input::Range{8, 1024});
    v.field("stages", &TileKeys::stages, "stages of operands", input::Range{1, 64});
    v.field("cluster_m", &TileKeys::cluster_m, "CTAs of a cluster along m", input::Range{1, 16});
    v.field("cluster_n", &TileKeys::cluster_n, "CTAs of a cluster along n", input::Range{1, 16});
    v.field("ping_pong", &TileKeys::ping_pong, "a tile each for two warpgroups, instead of halves of one");
    v.field("split_k", &TileKeys::split_k, "CTAs that share a tile's depth", input::Range{1, 128}).optional();
    v.field("raster_group", &TileKeys::raster_group, "tiles across a band of the raster", input::Range{1, 4096}).optional();
  }
};

struct Keys : CommonKeys {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  std::string dtype = "bf16", out_dtype = "bf16";
  std::optional<std::string> known_kernel;
  std::optional<TileKeys> tile;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    const input::Range size{1, kLargestSize};
    v.field("batch", &Keys::batch, "independent products", input::Range{1, 1e6}).optional();
    v.field("m", &Keys::m, "rows of x (tokens)", size);
    v.field("n", &Keys::n, "rows of W (features)", size);
    v.field("k", &Keys::k, "columns of both", size);
    v.field("dtype", &Keys::dtype, "storage type of x and W").optional();
    v.field("out_dtype", &Keys::out_dtype, "storage type of y").optional();
    v.field("known_kernel", &Keys::known_kernel, "take the schedule from this kernel name");
    v.field("tile", &Keys::tile, "schedule of the kernel of implementation rooftile");
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    check_type(at, "dtype", dtype, found, true);
    check_type(at, "out_dtype", out_dtype, found, false);
    if (static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch) > 1e12)
      found.add(at.place(), "the output has more than 1e12 elements", "a smaller product");
  }
  OperationPtr make() const {
    auto o = std::make_unique<Gemm>();
    o->shape = {batch, m, n, k};
    o->dtype = dtype;
    o->out_dtype = out_dtype;
    o->known_kernel = known_kernel.value_or("");
    if (tile) {
      Schedule s;
      s.tile_m = static_cast<int>(tile->tile_m);
      s.tile_n = static_cast<int>(tile->tile_n);
      s.tile_k = static_cast<int>(tile->tile_k);
      s.stages = static_cast<int>(tile->stages);
      s.cluster_m = static_cast<int>(tile->cluster_m);
      s.cluster_n = static_cast<int>(tile->cluster_n);
      s.split_k = static_cast<int>(tile->split_k);
      s.band = static_cast<int>(tile->raster_group);
      s.consumers = tile->ping_pong ? Consumers::ping_pong : tile->tile_m % 128 == 0 ? Consumers::split_m : Consumers::split_n;
      s.epilogue_bytes = 32768;  // two buffers of 64 rows for each consumer (tiling.hpp)
      s.type = math_type(dtype);
      s.input_bytes = element_bytes(dtype);
      s.output_bytes = element_bytes(out_dtype);
      o->own_schedule = s;
    }
    return o;
  }
};

}  // namespace rooftile::workloads::gemm
