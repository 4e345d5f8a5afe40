// Warpgroup matrix instructions (wgmma, sm_90a): D[64, N] += A[64, K] * B[N, K]^T with fp32 accumulators in registers.
//
// Accumulator layout: thread t of the warpgroup holds, of row 16 * (t / 32) + (t % 32) / 4, columns 8j + 2 (t % 4) and
// the next in d[4j], d[4j + 1], and the same columns of the row 8 below in d[4j + 2], d[4j + 3].
// The fp8 instructions keep fewer accumulator bits than fp32 (about 14 of the mantissa) between their internal adds.
#pragma once

#include <cstdint>

#include "wgmma/mbarrier.cuh"

namespace rooftile::kernels::wgmma {

// Shared-memory layouts the tensor core can read, as encoded in bits 62..63 of a descriptor.
enum class Swizzle : std::uint64_t { none = 0, bytes_128 = 1, bytes_64 = 2, bytes_32 = 3 };

// Where an operand lies. A swizzled K-major operand is rows of one swizzle width (128 B = 64 bf16 = 128 fp8), eight
// rows to a group: `stride_bytes` leads from group to group (1024 when rows are packed) and `leading_bytes` is unused.
// A swizzled MN-major operand (bf16 only) is rows of 64 elements along M or N, one row per k: `stride_bytes` leads to
// the next 8 values of k, `leading_bytes` to the next 64 along M or N.
__device__ __forceinline__ std::uint64_t make_descriptor(const void* operand, std::uint32_t leading_bytes = 16,
                                                         std::uint32_t stride_bytes = 1024,
                                                         Swizzle swizzle = Swizzle::bytes_128) {
  std::uint64_t descriptor = (smem_address(operand) & 0x3ffff) >> 4;
  descriptor |= static_cast<std::uint64_t>((leading_bytes & 0x3ffff) >> 4) << 16;
  descriptor |= static_cast<std::uint64_t>((stride_bytes & 0x3ffff) >> 4) << 32;
  return descriptor | static_cast<std::uint64_t>(swizzle) << 62;
}

// A step inside a K-major swizzled operand: one instruction's k is 32 bytes of each row, for every type.
__device__ __forceinline__ std::uint64_t advance_descriptor(std::uint64_t descriptor, int bytes) {
  return descriptor + static_cast<std::uint64_t>(bytes >> 4);
}

// Before the first instruction, and whenever accumulators or register operands were written by ordinary code.
__device__ __forceinline__ void warpgroup_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

__device__ __forceinline__ void warpgroup_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Waits until at most `Pending` committed groups are unfinished.
template <int Pending>
__device__ __forceinline__ void warpgroup_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

// Keeps the compiler from moving ordinary accesses to accumulators across this point.
template <int Count>
__device__ __forceinline__ void pin_registers(float (&values)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) asm volatile("" : "+f"(values[i])::"memory");
}

// Instructions of width N. `accumulate` = 0 overwrites d. TransA, TransB = 1: that operand is MN-major.
//   bf16_ss, e4m3_ss: A and B in shared memory. bf16_rs, e4m3_rs: A in four registers per thread.
template <int N>
struct Wgmma;

#define RT_LIST_0 "%0, %1, %2, %3, %4, %5, %6, %7"
#define RT_LIST_1 "%8, %9, %10, %11, %12, %13, %14, %15"
#define RT_LIST_2 "%16, %17, %18, %19, %20, %21, %22, %23"
#define RT_LIST_3 "%24, %25, %26, %27, %28, %29, %30, %31"
#define RT_LIST_4 "%32, %33, %34, %35, %36, %37, %38, %39"
#define RT_LIST_5 "%40, %41, %42, %43, %44, %45, %46, %47"
#define RT_LIST_6 "%48, %49, %50, %51, %52, %53, %54, %55"
#define RT_LIST_7 "%56, %57, %58, %59, %60, %61, %62, %63"
#define RT_LIST_8 "%64, %65, %66, %67, %68, %69, %70, %71"
#define RT_LIST_9 "%72, %73, %74, %75, %76, %77, %78, %79"
#define RT_LIST_10 "%80, %81, %82, %83, %84, %85, %86, %87"
#define RT_LIST_11 "%88, %89, %90, %91, %92, %93, %94, %95"
#define RT_LIST_12 "%96, %97, %98, %99, %100, %101, %102, %103"
#define RT_LIST_13 "%104, %105, %106, %107, %108, %109, %110, %111"
#define RT_LIST_14 "%112, %113, %114, %115, %116, %117, %118, %119"
#define RT_LIST_15 "%120, %121, %122, %123, %124, %125, %126, %127"
#define RT_ACC(b)                                                                                             \
  "+f"(d[b]), "+f"(d[b + 1]), "+f"(d[b + 2]), "+f"(d[b + 3]), "+f"(d[b + 4]), "+f"(d[b + 5]), "+f"(d[b + 6]), \
      "+f"(d[b + 7])

// P0..P6 are the operand numbers that follow the N / 2 accumulators.
#define RT_WGMMA(N, LIST, B, P0, P1, P2, P3, P4, P5, P6)                                                               \
  template <>                                                                                                          \
  struct Wgmma<N> {                                                                                                    \
    template <int TransA = 0, int TransB = 0>                                                                          \
    __device__ __forceinline__ static void bf16_ss(float (&d)[N / 2], std::uint64_t a, std::uint64_t b,                \
                                                   int accumulate) {                                                   \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " P2                                                              \
                   ", 0;\n"                                                                                            \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.bf16.bf16 {" LIST "}, " P0 ", " P1 ", p, 1, 1, " P3 \
                   ", " P4 ";\n}"                                                                                      \
                   : RT_ACCS_##B                                                                                       \
                   : "l"(a), "l"(b), "r"(accumulate), "n"(TransA), "n"(TransB));                                       \
    }                                                                                                                  \
    template <int TransB = 0>                                                                                          \
    __device__ __forceinline__ static void bf16_rs(float (&d)[N / 2], const std::uint32_t (&a)[4], std::uint64_t b,    \
                                                   int accumulate) {                                                   \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " P5                                                              \
                   ", 0;\n"                                                                                            \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32.bf16.bf16 {" LIST "}, {" P0 ", " P1 ", " P2 ", " P3 \
                   "}, " P4 ", p, 1, 1, " P6 ";\n}"                                                                    \
                   : RT_ACCS_##B                                                                                       \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate), "n"(TransB));                \
    }                                                                                                                  \
    __device__ __forceinline__ static void e4m3_ss(float (&d)[N / 2], std::uint64_t a, std::uint64_t b,                \
                                                   int accumulate) {                                                   \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " P2                                                              \
                   ", 0;\n"                                                                                            \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k32.f32.e4m3.e4m3 {" LIST "}, " P0 ", " P1 ", p, 1, 1;\n}"  \
                   : RT_ACCS_##B                                                                                       \
                   : "l"(a), "l"(b), "r"(accumulate));                                                                 \
    }                                                                                                                  \
    __device__ __forceinline__ static void e4m3_rs(float (&d)[N / 2], const std::uint32_t (&a)[4], std::uint64_t b,    \
                                                   int accumulate) {                                                   \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " P5                                                              \
                   ", 0;\n"                                                                                            \
                   "wgmma.mma_async.sync.aligned.m64n" #N "k32.f32.e4m3.e4m3 {" LIST "}, {" P0 ", " P1 ", " P2 ", " P3 \
                   "}, " P4 ", p, 1, 1;\n}"                                                                            \
                   : RT_ACCS_##B                                                                                       \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(accumulate));                             \
    }                                                                                                                  \
  };

#define RT_LISTS_1 RT_LIST_0
#define RT_ACCS_1 RT_ACC(0)
#define RT_NEXT_1 "%8", "%9", "%10", "%11", "%12", "%13", "%14"
#define RT_LISTS_2 RT_LISTS_1 ", " RT_LIST_1
#define RT_ACCS_2 RT_ACCS_1, RT_ACC(8)
#define RT_NEXT_2 "%16", "%17", "%18", "%19", "%20", "%21", "%22"
#define RT_LISTS_3 RT_LISTS_2 ", " RT_LIST_2
#define RT_ACCS_3 RT_ACCS_2, RT_ACC(16)
#define RT_NEXT_3 "%24", "%25", "%26", "%27", "%28", "%29", "%30"
#define RT_LISTS_4 RT_LISTS_3 ", " RT_LIST_3
#define RT_ACCS_4 RT_ACCS_3, RT_ACC(24)
#define RT_NEXT_4 "%32", "%33", "%34", "%35", "%36", "%37", "%38"
#define RT_LISTS_5 RT_LISTS_4 ", " RT_LIST_4
#define RT_ACCS_5 RT_ACCS_4, RT_ACC(32)
#define RT_NEXT_5 "%40", "%41", "%42", "%43", "%44", "%45", "%46"
#define RT_LISTS_6 RT_LISTS_5 ", " RT_LIST_5
#define RT_ACCS_6 RT_ACCS_5, RT_ACC(40)
#define RT_NEXT_6 "%48", "%49", "%50", "%51", "%52", "%53", "%54"
#define RT_LISTS_7 RT_LISTS_6 ", " RT_LIST_6
#define RT_ACCS_7 RT_ACCS_6, RT_ACC(48)
#define RT_NEXT_7 "%56", "%57", "%58", "%59", "%60", "%61", "%62"
#define RT_LISTS_8 RT_LISTS_7 ", " RT_LIST_7
#define RT_ACCS_8 RT_ACCS_7, RT_ACC(56)
#define RT_NEXT_8 "%64", "%65", "%66", "%67", "%68", "%69", "%70"
#define RT_LISTS_9 RT_LISTS_8 ", " RT_LIST_8
#define RT_ACCS_9 RT_ACCS_8, RT_ACC(64)
#define RT_NEXT_9 "%72", "%73", "%74", "%75", "%76", "%77", "%78"
#define RT_LISTS_10 RT_LISTS_9 ", " RT_LIST_9
#define RT_ACCS_10 RT_ACCS_9, RT_ACC(72)
#define RT_NEXT_10 "%80", "%81", "%82", "%83", "%84", "%85", "%86"
#define RT_LISTS_11 RT_LISTS_10 ", " RT_LIST_10
#define RT_ACCS_11 RT_ACCS_10, RT_ACC(80)
#define RT_NEXT_11 "%88", "%89", "%90", "%91", "%92", "%93", "%94"
#define RT_LISTS_12 RT_LISTS_11 ", " RT_LIST_11
#define RT_ACCS_12 RT_ACCS_11, RT_ACC(88)
#define RT_NEXT_12 "%96", "%97", "%98", "%99", "%100", "%101", "%102"
#define RT_LISTS_13 RT_LISTS_12 ", " RT_LIST_12
#define RT_ACCS_13 RT_ACCS_12, RT_ACC(96)
#define RT_NEXT_13 "%104", "%105", "%106", "%107", "%108", "%109", "%110"
#define RT_LISTS_14 RT_LISTS_13 ", " RT_LIST_13
#define RT_ACCS_14 RT_ACCS_13, RT_ACC(104)
#define RT_NEXT_14 "%112", "%113", "%114", "%115", "%116", "%117", "%118"
#define RT_LISTS_15 RT_LISTS_14 ", " RT_LIST_14
#define RT_ACCS_15 RT_ACCS_14, RT_ACC(112)
#define RT_NEXT_15 "%120", "%121", "%122", "%123", "%124", "%125", "%126"
#define RT_LISTS_16 RT_LISTS_15 ", " RT_LIST_15
#define RT_ACCS_16 RT_ACCS_15, RT_ACC(120)
#define RT_NEXT_16 "%128", "%129", "%130", "%131", "%132", "%133", "%134"
// Expands RT_NEXT before RT_WGMMA counts its arguments.
#define RT_WGMMA_EXPAND(...) RT_WGMMA(__VA_ARGS__)
#define RT_WGMMA_OF(N, B) RT_WGMMA_EXPAND(N, RT_LISTS_##B, B, RT_NEXT_##B)
RT_WGMMA_OF(16, 1)
RT_WGMMA_OF(32, 2)
RT_WGMMA_OF(48, 3)
RT_WGMMA_OF(64, 4)
RT_WGMMA_OF(80, 5)
RT_WGMMA_OF(96, 6)
RT_WGMMA_OF(112, 7)
RT_WGMMA_OF(128, 8)
RT_WGMMA_OF(144, 9)
RT_WGMMA_OF(160, 10)
RT_WGMMA_OF(176, 11)
RT_WGMMA_OF(192, 12)
RT_WGMMA_OF(208, 13)
RT_WGMMA_OF(224, 14)
RT_WGMMA_OF(240, 15)
RT_WGMMA_OF(256, 16)

#undef RT_WGMMA_OF
#undef RT_WGMMA_EXPAND
#undef RT_WGMMA

}  // namespace rooftile::kernels::wgmma
