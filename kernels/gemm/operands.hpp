// Device memory and random operands of the GEMM measurements and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/buffer.hpp"
#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

// Storage whose element type is a run-time choice.
using Buffer = measure::Buffer<std::byte>;

template <class T>
T* pointer(const Buffer& buffer) {
  return reinterpret_cast<T*>(buffer.get());
}

// rows x pitch elements drawn from the standard normal distribution, rounded to `element`. Padding columns get values
// too: a kernel that reads them gives wrong results.
void fill_normal(const Buffer& buffer, workloads::gemm::Element element, std::uint64_t seed);

// The elements as the device holds them, widened.
std::vector<float> download(const Buffer& buffer, workloads::gemm::Element element);

}  // namespace rooftile::kernels::gemm
