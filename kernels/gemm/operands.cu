#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <algorithm>

#include "gemm/launch.hpp"
#include "gemm/operands.hpp"

namespace rooftile::kernels::gemm {
namespace {

// A bijective mix (splitmix64's finaliser): counter in, independent-looking bits out.
__device__ std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// Box and Muller.
__device__ float normal(std::uint64_t seed, std::size_t index) {
  const std::uint64_t bits = mix(seed * 0x9e3779b97f4a7c15ull + mix(index + 1));
  const float u = (static_cast<float>(bits >> 40) + 1.0f) * 0x1p-24f;
  const float v = static_cast<float>(bits & 0xffffff) * 0x1p-24f;
  return sqrtf(-2.0f * logf(u)) * cospif(2.0f * v);
}

template <class T>
__global__ void fill_kernel(T* out, std::size_t count, std::uint64_t seed) {
  for (std::size_t i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
    out[i] = static_cast<T>(normal(seed, i));
  }
}

template <class T>
__global__ void widen_kernel(const T* in, float* out, std::size_t count) {
  for (std::size_t i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull) {
    out[i] = static_cast<float>(in[i]);
  }
}

unsigned grid(std::size_t count) {
  return static_cast<unsigned>(std::clamp<std::size_t>((count + 255) / 256, 1, 16ull * multiprocessors()));
}

}  // namespace

void fill_normal(const Buffer& buffer, workloads::gemm::Element element, std::uint64_t seed) {
  const std::size_t count = buffer.bytes() / static_cast<std::size_t>(workloads::gemm::element_bytes(element));
  if (element == workloads::gemm::Element::bf16) {
    fill_kernel<<<grid(count), 256>>>(pointer<__nv_bfloat16>(buffer), count, seed);
  } else {
    fill_kernel<<<grid(count), 256>>>(pointer<__nv_fp8_e4m3>(buffer), count, seed);
  }
  measure::check(cudaGetLastError(), "fill_normal");
}

std::vector<float> download(const Buffer& buffer, workloads::gemm::Element element) {
  const std::size_t count = buffer.bytes() / static_cast<std::size_t>(workloads::gemm::element_bytes(element));
  const measure::Buffer<float> wide(count);
  if (element == workloads::gemm::Element::bf16) {
    widen_kernel<<<grid(count), 256>>>(pointer<const __nv_bfloat16>(buffer), wide.get(), count);
  } else {
    widen_kernel<<<grid(count), 256>>>(pointer<const __nv_fp8_e4m3>(buffer), wide.get(), count);
  }
  return wide.download();
}

}  // namespace rooftile::kernels::gemm
