// Instructions that only the microbenchmarks use: N = 8, and tf32 (m64nNk8).
#pragma once

#include "wgmma/wgmma.cuh"

namespace rooftile::kernels::micro {

struct Wgmma8 {
  __device__ __forceinline__ static void bf16_ss(float (&d)[4], std::uint64_t a, std::uint64_t b, int accumulate) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a), "l"(b), "r"(accumulate));
  }
  __device__ __forceinline__ static void bf16_rs(float (&d)[4], const std::uint32_t (&a)[4], std::uint64_t b,
                                                 int accumulate) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, 1, 1, 0;\n}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));
  }
};

// Accumulator lists as in wgmma/wgmma.cuh.
struct WgmmaTf32N64 {
  __device__ __forceinline__ static void ss(float (&d)[32], std::uint64_t a, std::uint64_t b, int accumulate) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" RT_LISTS_4 "}, %32, %33, p, 1, 1;\n}"
                 : RT_ACCS_4
                 : "l"(a), "l"(b), "r"(accumulate));
  }
};

struct WgmmaTf32N128 {
  __device__ __forceinline__ static void ss(float (&d)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {" RT_LISTS_8 "}, %64, %65, p, 1, 1;\n}"
                 : RT_ACCS_8
                 : "l"(a), "l"(b), "r"(accumulate));
  }
};

}  // namespace rooftile::kernels::micro
