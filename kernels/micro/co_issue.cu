// What issues together: MUFU, FMA, ALU and conversion instructions mixed in one warp, and the issue limit.
//
// How: per turn M ex2, F ffma, A lop3 and C packed conversions on independent chains, 16 warps; warp instructions per
// cycle and SM. The pipes add up in time if they exclude each other and take the maximum if they overlap; 4 is the
// issue limit. Not separated: dual use of the FMA pipe's heavy and light halves.
#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

template <int M, int F, int A, int C>
struct Mix {
  int turns;
  __device__ void operator()() const {
    float m[M + 1], f[F + 1];
    std::uint32_t a[A + 1], c[C + 1];
    for (int i = 0; i <= M; ++i) m[i] = 1.0f + static_cast<float>(threadIdx.x);
    for (int i = 0; i <= F; ++i) f[i] = 2.0f + static_cast<float>(threadIdx.x);
    for (int i = 0; i <= A; ++i) a[i] = threadIdx.x + 17;
    for (int i = 0; i <= C; ++i) c[i] = threadIdx.x + 71;
    for (int i = 0; i < turns; ++i) {
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        if (j < M) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(m[j % (M + 1)]));
        if (j < C) asm volatile("cvt.rn.bf16x2.f32 %0, %0, %1;" : "+r"(c[j % (C + 1)]) : "r"(c[C]));
        if (j < A) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(a[j % (A + 1)]) : "r"(a[A]), "r"(a[(j + 1) % (A + 1)]));
        if (j < F) asm volatile("fma.rn.ftz.f32 %0, %0, %1, %1;" : "+f"(f[j % (F + 1)]) : "f"(f[F]));
      }
    }
    float sum = 0;
    for (int i = 0; i <= M; ++i) sum += m[i];
    for (int i = 0; i <= F; ++i) sum += f[i];
    std::uint32_t all = 0;
    for (int i = 0; i <= A; ++i) all ^= a[i];
    for (int i = 0; i <= C; ++i) all ^= c[i];
    sink(sum);
    sink(all);
  }
};

template <int M, int F, int A, int C>
void mix_of(Session& session) {
  const std::string name = "co_issue.mufu" + std::to_string(M) + ".fma" + std::to_string(F) + ".alu" +
                           std::to_string(A) + ".cvt" + std::to_string(C);
  constexpr int turns = 512, warps = 16;
  session.measure(name, "warp instructions/cycle/SM", [] {
    return static_cast<double>(turns) * (M + F + A + C) * warps / median_cycles<32 * warps>(Mix<M, F, A, C>{turns});
  });
}

void run(Session& session) {
  mix_of<2, 0, 0, 0>(session);
  mix_of<0, 16, 0, 0>(session);
  mix_of<0, 0, 16, 0>(session);
  mix_of<0, 0, 0, 8>(session);
  mix_of<2, 8, 0, 0>(session);
  mix_of<2, 16, 0, 0>(session);
  mix_of<2, 0, 8, 0>(session);
  mix_of<0, 8, 8, 0>(session);
  mix_of<2, 8, 4, 0>(session);
  mix_of<2, 8, 8, 0>(session);
  mix_of<2, 0, 0, 2>(session);
  mix_of<0, 8, 0, 4>(session);
  mix_of<0, 0, 8, 4>(session);
  mix_of<2, 4, 2, 1>(session);
  mix_of<4, 6, 4, 2>(session);
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
