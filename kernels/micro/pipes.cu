// Rates of the vector pipes in results per cycle and SM, and the latency of a dependent chain.
//
// How: 8 independent chains per thread, 16 warps (rate) or one chain, one warp (latency). Each instruction is one line
// of PTX that becomes one machine instruction (exceptions: see the name; `cvt` of a pair counts as one result).
// Not separated: register bank conflicts.
#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

// x: the chain, y: the next chain, which keeps the compiler from folding a chain. Both 32-bit.
#define ROOFTILE_PIPE(Name, text)                                              \
  struct Name {                                                                \
    __device__ static void step(std::uint32_t& x, const std::uint32_t& y) {    \
      asm volatile(text : "+r"(x) : "r"(y));                                   \
    }                                                                          \
  };

ROOFTILE_PIPE(Ex2, "ex2.approx.ftz.f32 %0, %0;")
ROOFTILE_PIPE(Rcp, "rcp.approx.ftz.f32 %0, %0;")
ROOFTILE_PIPE(Rsqrt, "rsqrt.approx.ftz.f32 %0, %0;")
ROOFTILE_PIPE(Lg2, "lg2.approx.ftz.f32 %0, %0;")
ROOFTILE_PIPE(Tanh, "tanh.approx.f32 %0, %0;")
ROOFTILE_PIPE(Ex2F16x2, "ex2.approx.f16x2 %0, %0;")
ROOFTILE_PIPE(Ffma, "fma.rn.ftz.f32 %0, %0, %1, %1;")
ROOFTILE_PIPE(Fadd, "add.rn.ftz.f32 %0, %0, %1;")
ROOFTILE_PIPE(Fmul, "mul.rn.ftz.f32 %0, %0, %1;")
ROOFTILE_PIPE(Fmax, "max.ftz.f32 %0, %0, %1;")
ROOFTILE_PIPE(HfmaBf16x2, "fma.rn.bf16x2 %0, %0, %1, %1;")
ROOFTILE_PIPE(Iadd, "add.u32 %0, %0, %1;")
ROOFTILE_PIPE(Lop3, "lop3.b32 %0, %0, %1, %0, 0x96;")
ROOFTILE_PIPE(Imad, "mad.lo.u32 %0, %0, %1, %1;")
ROOFTILE_PIPE(Shf, "shf.l.wrap.b32 %0, %0, %1, 7;")
ROOFTILE_PIPE(Prmt, "prmt.b32 %0, %0, %1, 0x5410;")
ROOFTILE_PIPE(Popc, "popc.b32 %0, %0;")
ROOFTILE_PIPE(CvtBf16x2, "cvt.rn.bf16x2.f32 %0, %0, %1;")
ROOFTILE_PIPE(CvtF16x2, "cvt.rn.f16x2.f32 %0, %0, %1;")
ROOFTILE_PIPE(CvtE4m3x2, "{.reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, %0, %1; cvt.u32.u16 %0, t;}")
ROOFTILE_PIPE(CvtE4m3ToF16, "{.reg .b16 t; cvt.u16.u32 t, %0; cvt.rn.f16x2.e4m3x2 %0, t;}")
ROOFTILE_PIPE(CvtF16ToF32, "{.reg .b16 t, u; mov.b32 {t, u}, %0; cvt.f32.f16 %0, t;}")
ROOFTILE_PIPE(CvtI2F, "cvt.rn.f32.s32 %0, %0;")
ROOFTILE_PIPE(CvtF2I, "cvt.rni.s32.f32 %0, %0;")
ROOFTILE_PIPE(Shuffle, "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;")
ROOFTILE_PIPE(ReduxAdd, "redux.sync.add.u32 %0, %0, 0xffffffff;")
ROOFTILE_PIPE(Ballot, "{.reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}")

template <class Op, int Chains>
struct Body {
  int turns;
  __device__ void operator()() const {
    std::uint32_t x[Chains];
#pragma unroll
    for (int c = 0; c < Chains; ++c) x[c] = __float_as_uint(1.0f + static_cast<float>(threadIdx.x + c));
    for (int i = 0; i < turns; ++i) {
#pragma unroll
      for (int u = 0; u < 4; ++u) {
#pragma unroll
        for (int c = 0; c < Chains; ++c) Op::step(x[c], x[(c + 1) % Chains]);
      }
    }
    std::uint32_t all = 0;
#pragma unroll
    for (int c = 0; c < Chains; ++c) all += x[c];
    sink(all);
  }
};

template <class Op>
void pipe(Session& session, const std::string& name) {
  constexpr int turns = 512;
  session.measure("pipe." + name + ".rate", "results/cycle/SM",
                  [] { return turns * 4 * 8 * 512 / median_cycles<512>(Body<Op, 8>{turns}); });
  session.measure("pipe." + name + ".latency", "cycles",
                  [] { return median_cycles<32>(Body<Op, 1>{turns}) / (turns * 4); });
}

void run(Session& session) {
  pipe<Ex2>(session, "ex2.f32");
  pipe<Rcp>(session, "rcp.f32");
  pipe<Rsqrt>(session, "rsqrt.f32");
  pipe<Lg2>(session, "lg2.f32");
  pipe<Tanh>(session, "tanh.f32");
  pipe<Ex2F16x2>(session, "ex2.f16x2");
  pipe<Ffma>(session, "ffma");
  pipe<Fadd>(session, "fadd");
  pipe<Fmul>(session, "fmul");
  pipe<Fmax>(session, "fmax");
  pipe<HfmaBf16x2>(session, "hfma2.bf16x2");
  pipe<Iadd>(session, "iadd");
  pipe<Lop3>(session, "lop3");
  pipe<Imad>(session, "imad");
  pipe<Shf>(session, "shift");
  pipe<Prmt>(session, "prmt");
  pipe<Popc>(session, "popc");
  pipe<CvtBf16x2>(session, "cvt.f32_to_bf16x2");
  pipe<CvtF16x2>(session, "cvt.f32_to_f16x2");
  pipe<CvtE4m3x2>(session, "cvt.f32_to_e4m3x2");
  pipe<CvtE4m3ToF16>(session, "cvt.e4m3x2_to_f16x2");
  pipe<CvtF16ToF32>(session, "cvt.f16_to_f32");
  pipe<CvtI2F>(session, "cvt.s32_to_f32");
  pipe<CvtF2I>(session, "cvt.f32_to_s32");
  pipe<Shuffle>(session, "shuffle");
  pipe<ReduxAdd>(session, "redux.add");
  pipe<Ballot>(session, "ballot");
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
