// Shared memory: bandwidth of loads and stores by width, ldmatrix and stmatrix, load latency, bank conflicts.
//
// How: 16 warps, eight independent accesses per turn, conflict-free unless the name gives a stride; latency is a chain
// of dependent 4-byte loads in one thread. Not separated: mixes of loads and stores.
#include "micro/probe.cuh"
#include "wgmma/mbarrier.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr int area = 64 * 1024;

enum class Access { load_4, load_8, load_16, store_4, store_16, ldmatrix_4, stmatrix_4, atomic_add };

template <Access access>
__device__ __forceinline__ void touch(std::uint32_t address, std::uint32_t (&x)[4]) {
  if constexpr (access == Access::load_4) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x[0]) : "r"(address) : "memory");
  } else if constexpr (access == Access::load_8) {
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x[0]), "=r"(x[1]) : "r"(address) : "memory");
  } else if constexpr (access == Access::load_16) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address)
                 : "memory");
  } else if constexpr (access == Access::store_4) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(x[0]) : "memory");
  } else if constexpr (access == Access::store_16) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3])
                 : "memory");
  } else if constexpr (access == Access::ldmatrix_4) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address)
                 : "memory");
  } else if constexpr (access == Access::stmatrix_4) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(x[0]),
                 "r"(x[1]), "r"(x[2]), "r"(x[3])
                 : "memory");
  } else {
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(x[0]) : "memory");
  }
}

template <Access access>
struct Stream {
  int turns, lane_stride;
  __device__ void operator()() const {
    extern __shared__ char smem[];
    const std::uint32_t warp_base = wgmma::smem_address(smem) + (threadIdx.x / 32) * 2048;
    const std::uint32_t address = warp_base + threadIdx.x % 32 * static_cast<std::uint32_t>(lane_stride);
    std::uint32_t all = 0;
    for (int i = 0; i < turns; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        std::uint32_t x[4] = {threadIdx.x, threadIdx.x, threadIdx.x, threadIdx.x};
        touch<access>(address + j % 2 * 512, x);
        all ^= x[0] ^ x[1] ^ x[2] ^ x[3];
      }
    }
    sink(all);
  }
};

template <Access access>
void bandwidth(Session& session, const std::string& name, int bytes, int lane_stride) {
  session.measure("smem." + name, "B/cycle/SM", [=] {
    constexpr int turns = 256;
    return turns * 8.0 * 512 * bytes / median_cycles<512>(Stream<access>{turns, lane_stride}, 0, area);
  });
}

struct Chain {
  int hops;
  __device__ void before() const {
    extern __shared__ char smem[];
    if (threadIdx.x == 0) *reinterpret_cast<std::uint32_t*>(smem) = wgmma::smem_address(smem);
  }
  __device__ void operator()() const {
    extern __shared__ char smem[];
    std::uint32_t address = wgmma::smem_address(smem);
    for (int i = 0; i < hops; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(address)::"memory");
    sink(address);
  }
};

void run(Session& session) {
  bandwidth<Access::load_4>(session, "load_4B", 4, 4);
  bandwidth<Access::load_8>(session, "load_8B", 8, 8);
  bandwidth<Access::load_16>(session, "load_16B", 16, 16);
  bandwidth<Access::store_4>(session, "store_4B", 4, 4);
  bandwidth<Access::store_16>(session, "store_16B", 16, 16);
  bandwidth<Access::ldmatrix_4>(session, "ldmatrix_x4", 16, 16);
  bandwidth<Access::stmatrix_4>(session, "stmatrix_x4", 16, 16);
  bandwidth<Access::atomic_add>(session, "atomic_add_4B", 4, 4);
  bandwidth<Access::load_4>(session, "load_4B.stride_8B", 4, 8);
  bandwidth<Access::load_4>(session, "load_4B.stride_16B", 4, 16);
  session.measure("smem.latency", "cycles", [] { return median_cycles<32>(Chain{1024}, 0, area) / 1024; });
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
