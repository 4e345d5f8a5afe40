// fp8 kernels.
#include "gemm/kernel.cuh"
#include "gemm/kernel_table.cuh"

namespace rooftile::kernels::gemm {

using enum tiling::Element;

std::span<const Instance> all_fp8() {
  static const Instance table[] = {
      instance<Tile<64, 128, true, fp8_e4m3>, DenseSchedule>(),
      instance<Tile<128, 128, true, fp8_e4m3>, DenseSchedule>(),
      instance<Tile<128, 256, false, fp8_e4m3>, DenseSchedule>(),
      instance<Tile<256, 128, false, fp8_e4m3>, DenseSchedule>(),
  };
  return table;
}

}  // namespace rooftile::kernels::gemm
