// Costs of synchronisation inside a CTA: __syncthreads by warps, hand-over between two warps by mbarrier and by named
// barrier, and an uncontended mbarrier arrive with its wait.
//
// How: hand-over is a ping-pong of two warps through two barriers, halved; one lane arrives, all lanes wait.
// Not separated: what a waiting warp costs its scheduler (try_wait suspends for a hardware-defined time).
#include "micro/probe.cuh"
#include "wgmma/mbarrier.cuh"
#include "wgmma/named_barrier.cuh"

namespace rooftile::kernels::micro {
namespace {

struct Syncthreads {
  int turns;
  __device__ void operator()() const {
    for (int i = 0; i < turns; ++i) __syncthreads();
  }
};

struct MbarrierPingPong {
  int turns;
  __device__ static std::uint64_t* barriers() {
    __shared__ std::uint64_t pair[2];
    return pair;
  }
  __device__ void before() const {
    if (threadIdx.x < 2) wgmma::mbarrier_init(barriers() + threadIdx.x, 1);
    wgmma::mbarrier_init_fence();
  }
  __device__ void operator()() const {
    const unsigned warp = threadIdx.x / 32;
    for (int i = 0; i < turns; ++i) {
      if (warp == 1) wgmma::mbarrier_wait(barriers(), i & 1);
      if (threadIdx.x % 32 == 0) wgmma::mbarrier_arrive(barriers() + warp);
      if (warp == 0) wgmma::mbarrier_wait(barriers() + 1, i & 1);
    }
  }
};

struct MbarrierAlone {
  int turns;
  __device__ void before() const { MbarrierPingPong{0}.before(); }
  __device__ void operator()() const {
    if (threadIdx.x != 0) return;
    for (int i = 0; i < turns; ++i) {
      wgmma::mbarrier_arrive(MbarrierPingPong::barriers());
      wgmma::mbarrier_wait(MbarrierPingPong::barriers(), i & 1);
    }
  }
};

// Warp 0 arrives at 1 and waits at 2; warp 1 waits at 1 and arrives at 2.
struct NamedHandOver {
  int turns;
  __device__ void operator()() const {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    for (int i = 0; i < turns; ++i) {
      if (warp == 0) {
        wgmma::named_barrier_arrive(1, 64);
        wgmma::named_barrier_sync(2, 64);
      } else {
        wgmma::named_barrier_sync(1, 64);
        wgmma::named_barrier_arrive(2, 64);
      }
    }
  }
};

template <int Warps>
void syncthreads(Session& session) {
  session.measure("barrier.syncthreads.warps" + std::to_string(Warps), "cycles",
                  [] { return median_cycles<32 * Warps>(Syncthreads{1024}) / 1024; });
}

void run(Session& session) {
  syncthreads<1>(session);
  syncthreads<4>(session);
  syncthreads<8>(session);
  syncthreads<12>(session);
  syncthreads<16>(session);
  syncthreads<32>(session);
  session.measure("barrier.mbarrier.hand_over", "cycles",
                  [] { return median_cycles<64>(MbarrierPingPong{1024}) / 2048; });
  session.measure("barrier.mbarrier.arrive_and_wait", "cycles",
                  [] { return median_cycles<32>(MbarrierAlone{1024}) / 1024; });
  session.measure("barrier.named.hand_over", "cycles", [] { return median_cycles<64>(NamedHandOver{1024}) / 2048; });
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
