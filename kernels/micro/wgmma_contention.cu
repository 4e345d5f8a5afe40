// wgmma beside other users of shared memory: loads by other warps, and copies into it by the copy engine.
//
// How: one warpgroup runs the wgmma loop; a second one loads 16 bytes per thread without conflicts, paced to one warp
// load every `pace` cycles per warp, or one thread keeps four copies of 8 KB from L2 in flight, until a flag says that
// the loop is done. Reported: cycles per wgmma, and the bytes per cycle that the other user got meanwhile.
// Not separated: arbitration between warps of one scheduler (wgmma issue is one slot per instruction), L2's own limit
// on the copies (all SMs copy at once).
#include "micro/bulk_copy.cuh"
#include "micro/wgmma_body.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr int groups = 256, per_group = 16;
constexpr int copy_bytes = 8 * 1024, copy_stages = 8;
constexpr int smem_bytes = wgmma_smem_bytes + copy_bytes * copy_stages;

__device__ __forceinline__ void load_16(std::uint32_t address, std::uint32_t& x) {
  std::uint32_t y, z, w;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(address) : "memory");
  x ^= y ^ z ^ w;
}

// Four independent loads per turn; the flag is read once a turn.
__device__ std::uint32_t load_until(const volatile int* done, const char* area, int pace) {
  const std::uint32_t address = wgmma::smem_address(area) + (threadIdx.x % 128) * 16;
  std::uint32_t turns = 0, all = 0;
  std::uint64_t next = sm_clock();
  while (*done == 0) {
    std::uint32_t x[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) load_16(address + i * 2048, x[i]);
    all ^= x[0] ^ x[1] ^ x[2] ^ x[3];
    ++turns;
    next += static_cast<std::uint64_t>(4 * pace);
    while (sm_clock() < next) {
    }
  }
  sink(all);
  return turns;
}

__device__ std::uint32_t copy_until(const volatile int* done, char* ring, std::uint64_t* full, const char* source,
                                    std::uint64_t span) {
  std::uint32_t copies = 0;
  const std::uint64_t first = mix(blockIdx.x + 1) * copy_bytes;
  const auto start = [&](std::uint32_t i) {
    const std::uint32_t stage = i % copy_stages;
    wgmma::mbarrier_arrive_expect(full + stage, copy_bytes);
    bulk_load(ring + stage * copy_bytes, source + ((first + i * static_cast<std::uint64_t>(copy_bytes)) & (span - 1)),
              copy_bytes, full + stage);
  };
  for (std::uint32_t i = 0; i < copy_stages; ++i) start(i);
  while (*done == 0) {
    wgmma::mbarrier_wait(full + copies % copy_stages, copies / copy_stages & 1);
    start(copies + copy_stages);
    ++copies;
  }
  for (std::uint32_t i = copies; i < copies + copy_stages; ++i) {
    wgmma::mbarrier_wait(full + i % copy_stages, i / copy_stages & 1);
  }
  return copies;
}

template <Kind kind, int N>
__global__ void __launch_bounds__(256, 1) contend(int pace, const char* source, std::uint64_t span,
                                                  std::uint64_t* cycles, std::uint64_t* moved) {
  __shared__ volatile int done;
  __shared__ std::uint64_t full[copy_stages];
  clear_operands();
  if (threadIdx.x == 0) {
    done = 0;
    for (auto& barrier : full) wgmma::mbarrier_init(&barrier, 1);
    wgmma::mbarrier_init_fence();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    const std::uint64_t start = sm_clock();
    wgmma_loop<kind, N, per_group, false>(groups, 0);
    if (threadIdx.x == 0) {
      cycles[blockIdx.x] = sm_clock() - start;
      done = 1;
    }
  } else if (source == nullptr && pace > 0) {
    const std::uint32_t turns = load_until(&done, aligned_smem() + a_tile_bytes + b_tile_bytes, pace);
    if (threadIdx.x == 128) moved[blockIdx.x] = turns * 4ull * 128 * 16;
  } else if (source != nullptr && threadIdx.x == 128) {
    moved[blockIdx.x] = copy_until(&done, aligned_smem() + wgmma_smem_bytes - 1024, full, source, span) *
                        static_cast<std::uint64_t>(copy_bytes);
  }
}

struct Outcome {
  double per_wgmma, bytes_per_cycle;
};

template <Kind kind, int N>
Outcome contended(int pace, const Buffer<char>* source) {
  const auto ctas = static_cast<std::size_t>(multiprocessors());
  const Buffer<std::uint64_t> cycles(ctas), moved(ctas);
  moved.fill_bytes(0);
  check(cudaFuncSetAttribute(contend<kind, N>, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes), "contention");
  contend<kind, N><<<static_cast<unsigned>(ctas), 256, smem_bytes>>>(pace, source ? source->get() : nullptr,
                                                                     source ? source->bytes() : 0, cycles.get(),
                                                                     moved.get());
  finish("contention");
  const auto all = static_cast<double>(median(cycles.download()));
  return {all / (groups * per_group), static_cast<double>(median(moved.download())) / all};
}

template <Kind kind, int N>
void sweep(Session& session, const std::string& shape, const Buffer<char>& source) {
  const std::string name = "contention." + shape;
  session.measure(name + ".alone", "cycles/wgmma", [] { return contended<kind, N>(0, nullptr).per_wgmma; });
  for (const int pace : {128, 64, 48, 32, 24, 16}) {
    const std::string offered = name + ".loads_every_" + std::to_string(pace);
    session.measure(offered, "cycles/wgmma", [&] { return contended<kind, N>(pace, nullptr).per_wgmma; });
    session.measure(offered + ".loaded", "B/cycle", [&] { return contended<kind, N>(pace, nullptr).bytes_per_cycle; });
  }
  session.measure(name + ".copies", "cycles/wgmma", [&] { return contended<kind, N>(0, &source).per_wgmma; });
  session.measure(name + ".copies.written", "B/cycle",
                  [&] { return contended<kind, N>(0, &source).bytes_per_cycle; });
}

void run(Session& session) {
  Buffer<char> source(16 * MiB);
  source.fill_bytes(0);
  sweep<Kind::bf16_ss, 256>(session, "bf16.ss.n256", source);
  sweep<Kind::bf16_ss, 128>(session, "bf16.ss.n128", source);
  sweep<Kind::bf16_ss, 64>(session, "bf16.ss.n64", source);
  sweep<Kind::bf16_rs, 128>(session, "bf16.rs.n128", source);
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
