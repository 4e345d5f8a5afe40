// JSON of a GEMM schedule, as it stands in a record.
#pragma once

#include <string>

#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

inline std::string member(const char* name, int value) {
  return std::string("\"") + name + "\": " + std::to_string(value);
}

inline std::string schedule_json(const workloads::gemm::Tiling& t, workloads::gemm::Element element) {
  return std::string("{") + member("tile_m", t.tile_m) + ", " + member("tile_n", t.tile_n) + ", " +
         member("tile_k", workloads::gemm::tile_k(element)) + ", " + member("stages", t.stages) + ", " +
         member("cluster_m", t.cluster_m) + ", " + member("cluster_n", t.cluster_n) +
         ", \"ping_pong\": " + (t.ping_pong ? "true" : "false") + ", " + member("split_k", t.split_k) + ", " +
         member("raster_group", t.raster_group) + "}";
}

}  // namespace rooftile::kernels::gemm
