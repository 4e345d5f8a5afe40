// Copy-engine descriptors of GEMM operands.
#pragma once

#include "wgmma/tensor_map.hpp"
#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

// Rows of k elements, loaded as boxes of one k-block (128 bytes) x `box_rows`.
inline CUtensorMap input_map(workloads::gemm::Element element, const void* base, std::int64_t rows, int k, int pitch,
                             int box_rows) {
  const auto bytes = workloads::gemm::element_bytes(element);
  const auto type = bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
  return wgmma::make_tensor_map(
      type, base,
      {{static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(rows)},
       {static_cast<std::uint64_t>(pitch) * static_cast<std::uint64_t>(bytes)},
       {static_cast<std::uint32_t>(workloads::gemm::tile_k(element)), static_cast<std::uint32_t>(box_rows)}});
}

// D, stored as boxes of 64 rows x `box_columns`.
inline CUtensorMap output_map(void* base, std::int64_t rows, int n, int pitch, int box_columns) {
  return wgmma::make_tensor_map(
      CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, base,
      {{static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(rows)},
       {static_cast<std::uint64_t>(pitch) * 2},
       {static_cast<std::uint32_t>(box_columns), static_cast<std::uint32_t>(workloads::gemm::chunk_rows)}},
      box_columns == 64 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B);
}

}  // namespace rooftile::kernels::gemm
