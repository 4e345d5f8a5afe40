// The grouped kernels: the dense kernel's roles under another schedule.
#include "gemm/kernel.cuh"
#include "gemm/kernel_table.cuh"
#include "grouped_gemm/grouped_schedule.cuh"
#include "grouped_gemm/launch.hpp"

namespace rooftile::kernels::grouped_gemm {

using enum workloads::gemm::Element;

std::span<const gemm::Instance> kernels() {
  static const gemm::Instance table[] = {
      gemm::instance<gemm::Tile<64, 128, true, bf16>, GroupedSchedule>(),
      gemm::instance<gemm::Tile<64, 256, true, bf16>, GroupedSchedule>(),
      gemm::instance<gemm::Tile<128, 128, true, bf16>, GroupedSchedule>(),
      gemm::instance<gemm::Tile<128, 256, false, bf16>, GroupedSchedule>(),
  };
  return table;
}

}  // namespace rooftile::kernels::grouped_gemm
