// The second kernel of split-K.
#include <cuda_bf16.h>

#include <algorithm>

#include "gemm/launch.hpp"
#include "harness/error.hpp"

namespace rooftile::kernels::gemm {
namespace {

__global__ void __launch_bounds__(256) reduce_kernel(const float4* partial, uint2* d, int splits, std::int64_t quads) {
  for (std::int64_t i = blockIdx.x * 256ll + threadIdx.x; i < quads; i += gridDim.x * 256ll) {
    float4 sum = partial[i];
    for (int s = 1; s < splits; ++s) {
      const float4 next = partial[s * quads + i];
      sum = {sum.x + next.x, sum.y + next.y, sum.z + next.z, sum.w + next.w};
    }
    const __nv_bfloat162 low = __floats2bfloat162_rn(sum.x, sum.y);
    const __nv_bfloat162 high = __floats2bfloat162_rn(sum.z, sum.w);
    d[i] = {reinterpret_cast<const unsigned&>(low), reinterpret_cast<const unsigned&>(high)};
  }
}

}  // namespace

void reduce_splits(const float* partial, void* d, int splits, std::int64_t count, cudaStream_t stream) {
  const std::int64_t quads = count / 4;
  const auto ctas = std::clamp<std::int64_t>((quads + 255) / 256, 1, 8l * multiprocessors());
  reduce_kernel<<<static_cast<unsigned>(ctas), 256, 0, stream>>>(reinterpret_cast<const float4*>(partial),
                                                                 static_cast<uint2*>(d), splits, quads);
  measure::check(cudaGetLastError(), "split-K reduction");
}

}  // namespace rooftile::kernels::gemm
