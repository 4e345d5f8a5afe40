// Ping-pong kernels, bf16.
#include "gemm/kernel.cuh"
#include "gemm/kernel_table.cuh"

namespace rooftile::kernels::gemm {

using enum tiling::Element;

std::span<const Instance> ping_pong_bf16() {
  static const Instance table[] = {
      instance<Tile<64, 64, true, bf16>, DenseSchedule>(),
      instance<Tile<64, 128, true, bf16>, DenseSchedule>(),
      instance<Tile<64, 256, true, bf16>, DenseSchedule>(),
      instance<Tile<128, 128, true, bf16>, DenseSchedule>(),
  };
  return table;
}

}  // namespace rooftile::kernels::gemm
