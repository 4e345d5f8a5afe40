// Host side of a grouped GEMM. Nothing here reads the row counts.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>

#include "gemm/launch.hpp"
#include "workloads/grouped_gemm/tiling.hpp"

namespace rooftile::kernels::grouped_gemm {

// D[r, :] = A[r, :] * B[g]^T for the rows r of group g. bf16; pitches in elements, rows on 16 bytes.
struct Problem {
  int groups, rows, n, k;  // rows: how many A and D have room for
  const int* group_ends;   // device; ascending, at most `rows`
  const void* a;           // rows x k
  const void* b;           // groups x n x k
  void* d;                 // rows x n
  int pitch_ab, pitch_d;
};

class Launch {
 public:
  Launch(const Problem& problem, const workloads::gemm::Tiling& tiling, int most_ctas = 1 << 20);
  ~Launch();
  Launch(Launch&&) noexcept;

  void operator()(cudaStream_t stream) const;

 private:
  std::unique_ptr<gemm::Arguments> arguments_;
  const void* function_;
  int ctas_, cluster_, shared_bytes_;
};

std::span<const gemm::Instance> kernels();

}  // namespace rooftile::kernels::grouped_gemm
