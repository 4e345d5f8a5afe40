// mma.sync m16n8k16 bf16: cycles per instruction and sub-core by number of warps, and the latency of a dependent chain.
//
// How: eight independent accumulators per warp (one for the latency), operands in registers. Not separated: ldmatrix,
// which real kernels issue beside it.
#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

template <int Chains>
struct Body {
  int turns;
  __device__ void operator()() const {
    float d[Chains][4] = {};
    const std::uint32_t a[4] = {threadIdx.x & 0u, 0, 0, 0}, b[2] = {threadIdx.x & 0u, 0};
    for (int i = 0; i < turns; ++i) {
#pragma unroll
      for (int c = 0; c < Chains; ++c) {
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(d[c][0]), "+f"(d[c][1]), "+f"(d[c][2]), "+f"(d[c][3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
      }
    }
    float sum = 0;
    for (auto& chain : d) sum += chain[0] + chain[1] + chain[2] + chain[3];
    sink(sum);
  }
};

template <int Warps>
void rate(Session& session) {
  session.measure("mma_sync.bf16.m16n8k16.warps" + std::to_string(Warps), "cycles/instruction/SM", [] {
    constexpr int turns = 1024;
    return median_cycles<32 * Warps>(Body<8>{turns}) / (turns * 8.0 * Warps);
  });
}

void run(Session& session) {
  rate<1>(session);
  rate<4>(session);
  rate<8>(session);
  rate<16>(session);
  session.measure("mma_sync.bf16.m16n8k16.latency", "cycles",
                  [] { return median_cycles<32>(Body<1>{1024}) / 1024; });
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
