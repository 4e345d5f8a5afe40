// Host side of TMA: makes CUtensorMap descriptors through the driver entry point, so that nothing links libcuda.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace rooftile::kernels::wgmma {

// Dimensions innermost first. `strides` are bytes between neighbours of dimension 1, 2, ... (multiples of 16): one
// fewer than dimensions. Boxes have at most 256 elements per dimension, and a swizzled box's inner extent is at most
// the swizzle width in bytes.
struct TensorBox {
  std::initializer_list<std::uint64_t> dims;
  std::initializer_list<std::uint64_t> strides;
  std::initializer_list<std::uint32_t> box;
};

inline auto tensor_map_encoder() {
  static const auto encode = [] {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const auto status =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess) {
      throw std::runtime_error("the driver offers no cuTensorMapEncodeTiled");
    }
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  }();
  return encode;
}

inline CUtensorMap make_tensor_map(CUtensorMapDataType type, const void* base, const TensorBox& tensor,
                                   CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B,
                                   CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_256B) {
  const std::uint32_t ones[5] = {1, 1, 1, 1, 1};
  CUtensorMap map{};
  const auto status =
      tensor_map_encoder()(&map, type, static_cast<std::uint32_t>(tensor.dims.size()), const_cast<void*>(base),
                           tensor.dims.begin(), tensor.strides.begin(), tensor.box.begin(), ones,
                           CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS) {
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(static_cast<int>(status)));
  }
  return map;
}

}  // namespace rooftile::kernels::wgmma
