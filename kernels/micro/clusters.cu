// Thread-block clusters: barrier, latency and bandwidth of another CTA's shared memory, and how many fit the GPU.
//
// How: chain of dependent 4-byte remote loads by one thread; 16-byte remote loads by 512 threads, each CTA reading its
// neighbour; bulk copies of 8 KB from shared memory to the neighbour's. Not separated: which SMs of a GPC a cluster got.
#include <cooperative_groups.h>

#include "micro/probe.cuh"
#include "wgmma/mbarrier.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr int area = 64 * 1024;

__device__ __forceinline__ std::uint32_t remote(std::uint32_t address, std::uint32_t rank) {
  std::uint32_t mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

__device__ __forceinline__ std::uint32_t cluster_size() {
  std::uint32_t size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}

enum class What { barrier, latency, bandwidth, bulk };

template <What what>
__global__ void __launch_bounds__(512, 1) neighbours(int turns, std::uint64_t* cycles) {
  extern __shared__ __align__(128) char smem[];
  __shared__ std::uint64_t full;
  const std::uint32_t here = wgmma::smem_address(smem);
  const std::uint32_t there = remote(here, (wgmma::cluster_rank() + 1) % cluster_size());
  for (unsigned i = threadIdx.x * 4; i < area; i += blockDim.x * 4) *reinterpret_cast<std::uint32_t*>(smem + i) = 0;
  if (threadIdx.x == 0) wgmma::mbarrier_init(&full, 1);
  wgmma::mbarrier_init_fence();
  asm volatile("fence.proxy.async;" ::: "memory");
  wgmma::cluster_sync();
  const std::uint64_t start = sm_clock();
  std::uint32_t all = 0;
  if constexpr (what == What::barrier) {
    for (int i = 0; i < turns; ++i) wgmma::cluster_sync();
  } else if constexpr (what == What::latency) {
    std::uint32_t zero = 0;
    if (threadIdx.x == 0) {
      for (int i = 0; i < turns; ++i) {
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(zero) : "r"(there + zero) : "memory");
      }
    }
    all = zero;
  } else if constexpr (what == What::bandwidth) {
    for (int i = 0; i < turns; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        std::uint32_t x, y, z, w;
        asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "r"(there + threadIdx.x * 16 + j * 8192)
                     : "memory");
        all ^= x ^ y ^ z ^ w;
      }
    }
  } else if (threadIdx.x == 0) {
    for (int i = 0; i < turns; ++i) {
      wgmma::mbarrier_arrive_expect(&full, 32768);  // what the neighbour on the other side sends here
      for (unsigned j = 0; j < 4; ++j) {
        asm volatile(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                there + 32768 + j * 8192),
            "r"(here + j * 8192), "r"(8192),
            "r"(remote(wgmma::smem_address(&full), (wgmma::cluster_rank() + 1) % cluster_size()))
            : "memory");
      }
      wgmma::mbarrier_wait(&full, i & 1);
    }
  }
  sink(all);
  wgmma::cluster_sync();
  if (threadIdx.x == 0) cycles[blockIdx.x] = sm_clock() - start;
}

cudaLaunchConfig_t configure(cudaLaunchAttribute& attribute, int size, int ctas, int threads) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(size), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(ctas));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = area;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return config;
}

template <What what>
double per_turn(int size, int ctas, int threads, int turns) {
  const Buffer<std::uint64_t> cycles(static_cast<std::size_t>(ctas));
  check(cudaFuncSetAttribute(neighbours<what>, cudaFuncAttributeMaxDynamicSharedMemorySize, area), "cluster");
  check(cudaFuncSetAttribute(neighbours<what>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  cudaLaunchAttribute attribute;
  const auto config = configure(attribute, size, ctas, threads);
  check(cudaLaunchKernelEx(&config, neighbours<what>, turns, cycles.get()), "cluster");
  finish("cluster");
  return static_cast<double>(median(cycles.download())) / turns;
}

// Clusters of one CTA per SM (200 KB of shared memory each) that fit at once: less than SMs / size, as GPCs are uneven.
double fitting(int size) {
  check(cudaFuncSetAttribute(neighbours<What::barrier>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024),
        "cluster");
  check(cudaFuncSetAttribute(neighbours<What::barrier>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  cudaLaunchAttribute attribute;
  auto config = configure(attribute, size, size * 64, 128);
  config.dynamicSmemBytes = 200 * 1024;
  int clusters = 0;
  check(cudaOccupancyMaxActiveClusters(&clusters, neighbours<What::barrier>, &config), "cluster occupancy");
  return clusters;
}

void run(Session& session) {
  for (const int size : {2, 4, 8, 16}) {
    const std::string name = "cluster" + std::to_string(size) + ".";
    session.measure(name + "barrier", "cycles", [=] { return per_turn<What::barrier>(size, size, 128, 1024); });
    session.measure(name + "remote_load_latency", "cycles",
                    [=] { return per_turn<What::latency>(size, size, 32, 1024); });
    const int ctas = size * static_cast<int>(fitting(size));
    session.measure(name + "remote_load_bandwidth", "B/cycle/SM",
                    [=] { return 8 * 512 * 16 / per_turn<What::bandwidth>(size, ctas, 512, 256); });
    session.measure(name + "bulk_copy_bandwidth", "B/cycle/SM",
                    [=] { return 32768 / per_turn<What::bulk>(size, ctas, 32, 256); });
    session.record(name + "fitting", "clusters", fitting(size));
  }
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
