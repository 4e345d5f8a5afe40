// The copy engine: latency by box size from L2 and from HBM, issue interval, and bandwidth against bytes in flight.
//
// How: latency is expect_tx, one copy, wait, by one thread, sources in L2 (64 KB, warm) or spread over 4 GiB; bulk is the
// one-dimensional form, box the two-dimensional one (64 bf16 wide, 128-byte swizzle). Issue interval: 32 copies back to
// back, stamps around the issue. Bandwidth: a ring of copies, one CTA per SM, all SMs or one.
// Not separated: descriptor fetch (warm after the first copy), 3-D boxes, multicast.
#include "micro/bulk_copy.cuh"
#include "micro/probe.cuh"
#include "wgmma/tensor_map.hpp"
#include "wgmma/tma.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr int smem_bytes = 200 * 1024;
constexpr int rows = 1 << 20;  // of the tensor: 64 bf16 = 128 B each, so 128 MiB

__device__ __forceinline__ char* ring() {
  extern __shared__ char raw[];
  return raw + ((1024 - (wgmma::smem_address(raw) & 1023)) & 1023);
}

struct BulkLatency {
  const char* base;
  std::uint64_t span, stride;
  std::uint32_t bytes;
  int hops;
  __device__ void operator()() const {
    __shared__ std::uint64_t full;
    if (threadIdx.x != 0) return;
    wgmma::mbarrier_init(&full, 1);
    wgmma::mbarrier_init_fence();
    const std::uint64_t first = mix(blockIdx.x + 1) * 65536;
    for (int i = 0; i < hops; ++i) {
      wgmma::mbarrier_arrive_expect(&full, bytes);
      bulk_load(ring(), base + ((first + i * stride) & (span - 1)), bytes, &full);
      wgmma::mbarrier_wait(&full, i & 1);
    }
  }
};

struct BoxLatency {
  CUtensorMap map;
  std::uint32_t bytes;
  int box_rows, span_rows, hops;
  __device__ void operator()() const {
    __shared__ std::uint64_t full;
    if (threadIdx.x != 0) return;
    wgmma::mbarrier_init(&full, 1);
    wgmma::mbarrier_init_fence();
    for (int i = 0; i < hops; ++i) {
      const auto row = static_cast<int>((mix(blockIdx.x + 1) + static_cast<std::uint64_t>(i) * 4096u) &
                                        static_cast<std::uint64_t>(span_rows - 1));
      wgmma::mbarrier_arrive_expect(&full, bytes);
      wgmma::tma_load_2d(ring(), &map, &full, 0, row & ~(box_rows - 1));
      wgmma::mbarrier_wait(&full, i & 1);
    }
  }
};

// Tensor maps must be kernel parameters in their own right.
__global__ void box_latency(const __grid_constant__ BoxLatency body, std::uint64_t* cycles) {
  const std::uint64_t start = sm_clock();
  body();
  if (threadIdx.x == 0) cycles[blockIdx.x] = sm_clock() - start;
}

struct IssueInterval {
  const char* base;
  std::uint32_t bytes;
  std::uint64_t* issue_cycles;
  __device__ void operator()() const {
    __shared__ std::uint64_t full;
    if (threadIdx.x != 0) return;
    wgmma::mbarrier_init(&full, 1);
    wgmma::mbarrier_init_fence();
    constexpr int copies = 32;
    for (int round = 0; round < 2; ++round) {  // the first round warms L2
      wgmma::mbarrier_arrive_expect(&full, bytes * copies);
      const std::uint64_t start = sm_clock();
#pragma unroll
      for (int i = 0; i < copies; ++i) bulk_load(ring() + i * 4096, base + i * 4096, bytes, &full);
      issue_cycles[blockIdx.x] = (sm_clock() - start) / copies;
      wgmma::mbarrier_wait(&full, round & 1);
    }
  }
};

struct Ring {
  const char* base;
  std::uint64_t span, first_stride;
  std::uint32_t bytes;
  int stages, copies;
  __device__ void operator()() const {
    __shared__ std::uint64_t full[64];
    if (threadIdx.x != 0) return;
    for (int i = 0; i < stages; ++i) wgmma::mbarrier_init(full + i, 1);
    wgmma::mbarrier_init_fence();
    int stage = 0, parity = 0;
    for (int i = 0; i < copies + stages; ++i) {
      if (i >= stages) wgmma::mbarrier_wait(full + stage, static_cast<std::uint32_t>(parity ^ 1));
      if (i < copies) {
        const std::uint64_t index = blockIdx.x + static_cast<std::uint64_t>(i) * gridDim.x;
        wgmma::mbarrier_arrive_expect(full + stage, bytes);
        bulk_load(ring() + static_cast<std::uint32_t>(stage) * bytes, base + (index * bytes & (span - 1)), bytes,
                  full + stage);
      }
      if (++stage == stages) stage = 0, parity ^= 1;
    }
  }
};

std::string size_name(std::uint32_t bytes) {
  return bytes < 1024 ? std::to_string(bytes) + "B" : std::to_string(bytes / 1024) + "KB";
}

void bulk_latencies(Session& session, const Buffer<char>& memory) {
  for (const std::uint32_t bytes : {128u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u, 65536u}) {
    const std::string name = "tma.latency.bulk." + size_name(bytes);
    constexpr int hops = 64;
    session.measure(name + ".l2", "cycles", [&] {
      return median_cycles<32>(BulkLatency{memory.get(), 65536, 0, bytes, hops}, 1, smem_bytes) / hops;
    });
    static std::uint64_t lap = 0;
    session.measure(name + ".hbm", "cycles", [&] {
      const std::uint64_t stride = 32 * MiB + 65536 * (1 + lap++ % 64);
      return median_cycles<32>(BulkLatency{memory.get(), 4 * GiB, stride, bytes, hops}, 1, smem_bytes) / hops;
    });
  }
}

void box_latencies(Session& session, const Buffer<char>& memory) {
  for (const std::uint32_t box_rows : {8u, 16u, 32u, 64u, 128u, 256u}) {
    const auto map = wgmma::make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, memory.get(),
                                            {{64, rows}, {128}, {64, box_rows}});
    const std::uint32_t bytes = box_rows * 128;
    const auto measure = [&](int span_rows) {
      constexpr int hops = 64;
      const Buffer<std::uint64_t> cycles(1);
      check(cudaFuncSetAttribute(box_latency, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes), "TMA box");
      box_latency<<<1, 32, smem_bytes>>>({map, bytes, static_cast<int>(box_rows), span_rows, hops}, cycles.get());
      finish("TMA box");
      return static_cast<double>(cycles.download()[0]) / hops;
    };
    const std::string name = "tma.latency.box." + size_name(bytes);
    session.measure(name + ".l2", "cycles", [&] { return measure(256); });
    session.measure(name + ".hbm", "cycles", [&] {
      check(cudaMemset(memory.get() + GiB, 0, 256 * MiB), "evict L2");
      return measure(rows);
    });
  }
}

void bytes_in_flight(Session& session, const Buffer<char>& memory, bool hbm, int ctas, const char* who) {
  for (const std::uint32_t kib : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 96u, 128u, 192u}) {
    const std::uint32_t bytes = std::min(8u, std::max(1u, kib / 2)) * 1024;
    const int stages = static_cast<int>(kib * 1024 / bytes);
    const std::string name =
        std::string("tma.in_flight.") + (hbm ? "hbm." : "l2.") + who + "." + std::to_string(kib) + "KB";
    session.measure(name, "GB/s", [&] {
      const std::uint64_t total = ctas == 1 ? 8 * MiB : (hbm ? 1 : 2) * GiB;
      const int copies = static_cast<int>(total / bytes / static_cast<std::uint64_t>(ctas));
      const std::uint64_t span = hbm ? (ctas == 1 ? 2 : 4) * GiB : 16 * MiB;
      const Ring body{memory.get(), span, 0, bytes, stages, copies};
      const Buffer<std::uint64_t> cycles(static_cast<std::size_t>(ctas));
      const auto kernel = timed<32, Ring>;
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes), "ring");
      if (hbm) check(cudaMemsetAsync(memory.get() + 4 * GiB, 0, 256 * MiB), "evict L2");
      const double s = seconds([&] {
        kernel<<<static_cast<unsigned>(ctas), 32, smem_bytes>>>(body, cycles.get());
      });
      finish("ring");
      return static_cast<double>(copies) * bytes * ctas / s * 1e-9;
    });
  }
}

void issue_interval(Session& session, const Buffer<char>& memory) {
  for (const std::uint32_t bytes : {128u, 1024u, 4096u}) {
    session.measure("tma.issue_interval." + size_name(bytes), "cycles", [&] {
      const Buffer<std::uint64_t> cycles(1);
      median_cycles<32>(IssueInterval{memory.get(), bytes, cycles.get()}, 1, smem_bytes);
      return static_cast<double>(cycles.download()[0]);
    });
  }
}

void run(Session& session) {
  Buffer<char> memory(4 * GiB + 256 * MiB);
  memory.fill_bytes(0);
  bulk_latencies(session, memory);
  box_latencies(session, memory);
  issue_interval(session, memory);
  bytes_in_flight(session, memory, true, multiprocessors(), "all_sms");
  bytes_in_flight(session, memory, false, multiprocessors(), "all_sms");
  bytes_in_flight(session, memory, true, 1, "one_sm");
  bytes_in_flight(session, memory, false, 1, "one_sm");
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
