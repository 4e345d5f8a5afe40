// What the start of a large kernel is made of: the same chain of dependent kernels in a graph, one ingredient more
// each time (shared memory, cluster, tensor maps as parameters, barrier set-up, one TMA load, one TMA store), and
// straight-line code of growing size.
//
// How: chain of 400 in a CUDA graph, time per kernel over three replays; data (1 MB) stays in L2.
// Not separated: what the ingredients overlap among themselves.
#include "micro/bulk_copy.cuh"
#include "micro/graph_chain.cuh"
#include "micro/probe.cuh"
#include "wgmma/tensor_map.hpp"
#include "wgmma/tma.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr int kShared = 200 * 1024;
enum Ingredient { nothing, registers, cluster_barrier, barriers, tma_load, tma_round_trip };

__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

struct Maps {
  CUtensorMap a, b, d;
};

template <int Last>
__global__ void __launch_bounds__(384, 1) anatomy(const __grid_constant__ Maps maps, int never) {
  extern __shared__ char raw[];
  char* stage = raw + ((1024 - (wgmma::smem_address(raw) & 1023)) & 1023);
  __shared__ std::uint64_t full;
  if (never != 0) sink(static_cast<std::uint32_t>(never));
  if constexpr (Last >= barriers) {
    if (threadIdx.x == 0) {
      wgmma::mbarrier_init(&full, 1);
      wgmma::mbarrier_init_fence();
    }
  }
  if constexpr (Last >= cluster_barrier) cluster_sync();
  if constexpr (Last >= tma_load) {
    if (threadIdx.x == 0) {
      wgmma::mbarrier_arrive_expect(&full, 8192);
      wgmma::tma_load_2d(stage, &maps.a, &full, 0, static_cast<int>(blockIdx.x) * 64);
    }
    wgmma::mbarrier_wait(&full, 0);
  }
  if constexpr (Last >= tma_round_trip) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      wgmma::tma_store_2d(&maps.d, stage, 0, static_cast<int>(blockIdx.x) * 64);
      asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
    }
  }
}

template <int Last>
void launch(cudaStream_t stream, const Maps& maps, unsigned cluster, int shared) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(128);
  config.blockDim = dim3(384);
  config.dynamicSmemBytes = static_cast<std::size_t>(shared);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, anatomy<Last>, maps, 0), "launch anatomy");
}

template <int Last>
void step(Session& session, const std::string& name, const Maps& maps, unsigned cluster, int shared) {
  check(cudaFuncSetAttribute(anatomy<Last>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared), "launch anatomy");
  in_graph(session, "anatomy." + name, [&](cudaStream_t s, int) { launch<Last>(s, maps, cluster, shared); });
}

// One load and one store of 16 B a thread, as an elementwise kernel does.
__global__ void __launch_bounds__(128) copy_once(const uint4* from, uint4* to) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  to[i] = from[i];
}

// Straight-line code of 16-byte instructions: volatile, so nothing is merged or rolled up.
template <int Repeats>
__global__ void __launch_bounds__(128) straight(float y) {
  float x = y;
#pragma unroll
  for (int i = 0; i < Repeats * 256; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));
  sink(x);
}

template <int Repeats>
void code(Session& session) {
  const std::string bytes = std::to_string(Repeats * 256 * 16 / 1024) + "KB";
  in_graph(session, "code.same." + bytes, [](cudaStream_t s, int) { straight<Repeats><<<132, 128, 0, s>>>(1.5f); });
  in_graph(session, "code.alternating." + bytes, [](cudaStream_t s, int i) {
    if (i % 2 == 0) straight<Repeats><<<132, 128, 0, s>>>(1.5f);
    else straight<Repeats + 1><<<132, 128, 0, s>>>(1.5f);
  });
}

void run(Session& session) {
  const Buffer<std::uint16_t> data(128 * 64 * 64), out(128 * 64 * 64);
  const auto map = [](const void* base) {
    return wgmma::make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, base, {{64, 128 * 64}, {128}, {64, 64}});
  };
  const Maps maps{map(data.get()), map(data.get()), map(out.get())};
  step<nothing>(session, "empty", maps, 1, 0);
  step<nothing>(session, "shared", maps, 1, kShared);
  step<nothing>(session, "shared.cluster2", maps, 2, kShared);
  step<nothing>(session, "shared.cluster4", maps, 4, kShared);
  step<cluster_barrier>(session, "cluster2.sync", maps, 2, kShared);
  step<barriers>(session, "cluster2.sync.barriers", maps, 2, kShared);
  step<tma_load>(session, "cluster2.load", maps, 2, kShared);
  step<tma_round_trip>(session, "cluster2.load.store", maps, 2, kShared);
  step<tma_load>(session, "cluster1.load", maps, 1, kShared);
  step<tma_round_trip>(session, "cluster1.load.store", maps, 1, kShared);
  step<tma_load>(session, "cluster1.small_shared.load", maps, 1, 16 * 1024);
  check(cudaFuncSetAttribute(anatomy<nothing>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared), "anatomy");
  in_graph(session, "anatomy.alternating.shared_none", [&](cudaStream_t s, int i) {
    if (i % 2 == 0) launch<nothing>(s, maps, 2, kShared);
    else copy_once<<<128, 128, 0, s>>>(reinterpret_cast<const uint4*>(data.get()), reinterpret_cast<uint4*>(out.get()));
  });
  for (const unsigned ctas : {1u, 4u, 128u, 512u})
    in_graph(session, "copy_once.ctas" + std::to_string(ctas), [&](cudaStream_t s, int) {
      copy_once<<<ctas, 128, 0, s>>>(reinterpret_cast<const uint4*>(data.get()), reinterpret_cast<uint4*>(out.get()));
    });
  code<1>(session);
  code<4>(session);
  code<8>(session);
  code<16>(session);
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
