// Device memory and random operands of the GEMM measurements and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

// Owned device memory.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Buffer& operator=(Buffer&&) = delete;

  void* get() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t bytes() const { return bytes_; }

  void poison() const;  // every byte 0xff: NaN as bf16, as fp32 and as e4m3

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

// rows x pitch elements drawn from the standard normal distribution, rounded to `element`. Padding columns get values
// too: a kernel that reads them gives wrong results.
void fill_normal(const Buffer& buffer, workloads::gemm::Element element, std::uint64_t seed);

// The elements as the device holds them, widened.
std::vector<float> download(const Buffer& buffer, workloads::gemm::Element element);

}  // namespace rooftile::kernels::gemm
