// Cooperative kernels, bf16.
#include "gemm/kernel.cuh"
#include "gemm/kernel_table.cuh"

namespace rooftile::kernels::gemm {

using enum tiling::Element;

std::span<const Instance> cooperative_bf16() {
  static const Instance table[] = {
      instance<Tile<128, 128, false, bf16>, DenseSchedule>(), instance<Tile<128, 192, false, bf16>, DenseSchedule>(),
      instance<Tile<192, 128, false, bf16>, DenseSchedule>(), instance<Tile<192, 192, false, bf16>, DenseSchedule>(),
      instance<Tile<128, 256, false, bf16>, DenseSchedule>(), instance<Tile<256, 128, false, bf16>, DenseSchedule>(),
  };
  return table;
}

}  // namespace rooftile::kernels::gemm
