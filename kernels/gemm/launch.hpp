// Host side of a GEMM: descriptors, grid and shared memory from a problem and a schedule.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <span>

#include "workloads/gemm/tiling.hpp"

namespace rooftile::kernels::gemm {

// Pitches are elements between rows; every row starts on 16 bytes.
struct Problem {
  int m, n, k;
  workloads::gemm::Element element;
  const void* a;
  const void* b;
  void* d;  // bf16
  int pitch_ab, pitch_d;
  float* partial = nullptr;  // split_k x m x pitch_d floats, when split_k > 1
};

struct Arguments;

// A product ready to run: no allocation, no host work but the launch itself.
class Launch {
 public:
  // `most_ctas` limits the persistent grid below one CTA per multiprocessor: checks use it to give each CTA many tiles.
  Launch(const Problem& problem, const workloads::gemm::Tiling& tiling, int most_ctas = 1 << 20);
  ~Launch();
  Launch(Launch&&) noexcept;

  void operator()(cudaStream_t stream) const;

 private:
  std::unique_ptr<Arguments> arguments_;
  const void* function_;
  int ctas_, cluster_, shared_bytes_;
};

// Pitch of rows of `columns` elements that keeps each row on 16 bytes.
constexpr int padded_pitch(int columns, int element_bytes) {
  const int unit = 16 / element_bytes;
  return (columns + unit - 1) / unit * unit;
}

// Compiled kernels, one table per translation unit.
struct Instance {
  workloads::gemm::CtaTile tile;
  const void* function;
};

std::span<const Instance> ping_pong_bf16();
std::span<const Instance> cooperative_bf16();
std::span<const Instance> all_fp8();

const void* find_kernel(std::span<const Instance> table, const workloads::gemm::CtaTile& tile);  // or null

// Lets a kernel use all shared memory and starts it as a grid of clusters.
void allow_shared_memory(const void* function, int bytes);
void launch_clusters(const void* function, Arguments& arguments, int ctas, int cluster, int shared_bytes,
                     cudaStream_t stream);

int multiprocessors();

// Sums the fp32 partials of split-K into bf16: `count` elements per split, a multiple of 4.
void reduce_splits(const float* partial, void* d, int splits, std::int64_t count, cudaStream_t stream);

}  // namespace rooftile::kernels::gemm
