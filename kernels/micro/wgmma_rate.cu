// Cycles per wgmma by shape, operand place, type and number of warpgroups, and the latency of a lone one.
//
// How: 16 instructions per group, one group always in flight, same accumulators, operands zero in 128-byte swizzle;
// cycles of the loop over instructions of the SM (all warpgroups together). The latency is a group of one waited for at
// once, so it includes the fence, the commit and the wait. Not separated: the clock (zeros draw little power and the
// figures are cycles, so it does not matter), MN-major operands, other swizzles.
#include "micro/wgmma_body.cuh"

namespace rooftile::kernels::micro {
namespace {

template <Kind kind, int N, int PerGroup, bool Drain>
struct Loop {
  int groups;
  __device__ void before() const { clear_operands(); }
  __device__ void operator()() const {
    wgmma_loop<kind, N, PerGroup, Drain>(groups, static_cast<int>(threadIdx.x) / 128);
  }
};

constexpr const char* names[] = {"bf16.ss", "bf16.rs", "e4m3.ss", "e4m3.rs", "tf32.ss"};

template <Kind kind, int N, int Warpgroups>
void rate(Session& session) {
  const std::string name = std::string("wgmma.") + names[static_cast<int>(kind)] + ".n" + std::to_string(N);
  session.measure(name + ".wg" + std::to_string(Warpgroups), "cycles/instruction", [] {
    constexpr int groups = 64;
    return median_cycles<128 * Warpgroups>(Loop<kind, N, 16, false>{groups}, 0, wgmma_smem_bytes) /
           (groups * 16 * Warpgroups);
  });
}

template <Kind kind, int N>
void latency(Session& session) {
  session.measure(
      std::string("wgmma.latency.") + names[static_cast<int>(kind)] + ".n" + std::to_string(N), "cycles", [] {
        constexpr int groups = 256;
        return median_cycles<128>(Loop<kind, N, 1, true>{groups}, 0, wgmma_smem_bytes) / groups;
      });
}

template <Kind kind, int... Ns>
void shapes(Session& session) {
  (rate<kind, Ns, 1>(session), ...);
}

void run(Session& session) {
  shapes<Kind::bf16_ss, 8, 16, 32, 64, 96, 128, 176, 192, 256>(session);
  shapes<Kind::bf16_rs, 8, 16, 32, 64, 96, 128, 176, 192, 256>(session);
  shapes<Kind::e4m3_ss, 16, 32, 64, 128, 224, 256>(session);
  shapes<Kind::e4m3_rs, 16, 32, 64, 128, 224, 256>(session);
  shapes<Kind::tf32_ss, 64, 128>(session);
  rate<Kind::bf16_ss, 32, 2>(session);
  rate<Kind::bf16_ss, 64, 2>(session);
  rate<Kind::bf16_ss, 128, 2>(session);
  rate<Kind::bf16_ss, 256, 2>(session);
  rate<Kind::bf16_rs, 64, 2>(session);
  rate<Kind::bf16_rs, 128, 2>(session);
  rate<Kind::e4m3_ss, 128, 2>(session);
  latency<Kind::bf16_ss, 8>(session);
  latency<Kind::bf16_ss, 64>(session);
  latency<Kind::bf16_ss, 128>(session);
  latency<Kind::bf16_ss, 256>(session);
  latency<Kind::bf16_rs, 128>(session);
  latency<Kind::e4m3_ss, 128>(session);
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
