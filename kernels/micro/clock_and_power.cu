// SM clock and board power under one kind of load at a time: what a power model is fitted to.
//
// How: launches of about 1 ms for 0.4 s, after 0.15 s idle; each stamps clock64 and the GPU-wide timer at its start and
// end on SM 0's CTA, which gives the true clock: `first` over the first 5 launches, `last` over the last 40. Power is
// read at the end (a running average of about 0.1 s). The rate of the load is reported beside it.
// Not separated: temperature; wgmma operands are bf16, random normal or zero, same tiles again and again.
#include <chrono>
#include <thread>

#include "micro/wgmma_body.cuh"

namespace rooftile::kernels::micro {
namespace {

struct Stamps {
  std::uint64_t clock[2], ns[2];
};

template <class Body>
__global__ void __launch_bounds__(Body::threads, 1) load(const Body body, Stamps* stamps, std::uint64_t slot) {
  if constexpr (requires { body.before(); }) body.before();
  __syncthreads();
  const bool first = blockIdx.x == 0 && threadIdx.x == 0;
  if (first) stamps[slot].clock[0] = sm_clock(), stamps[slot].ns[0] = global_ns();
  body();
  __syncthreads();
  if (first) stamps[slot].clock[1] = sm_clock(), stamps[slot].ns[1] = global_ns();
}

struct Ffma {
  static constexpr int threads = 1024;
  int turns;
  __device__ void operator()() const {
    float x[8];
    for (int c = 0; c < 8; ++c) x[c] = 1.0f + static_cast<float>(threadIdx.x * 8 + c) * 1e-4f;
    const float a = 0.999f + static_cast<float>(threadIdx.x) * 1e-7f, b = 1e-3f * static_cast<float>(threadIdx.x + 1);
    for (int i = 0; i < turns * 128; ++i) {
#pragma unroll
      for (int c = 0; c < 8; ++c) asm volatile("fma.rn.ftz.f32 %0, %0, %1, %2;" : "+f"(x[c]) : "f"(a), "f"(b));
    }
    float sum = 0;
    for (const float v : x) sum += v;
    sink(sum);
  }
};

struct Mufu {
  static constexpr int threads = 1024;
  int turns;
  __device__ void operator()() const {
    float x[8];
    for (int c = 0; c < 8; ++c) x[c] = -1.0f - static_cast<float>(threadIdx.x * 8 + c) * 1e-4f;
    for (int i = 0; i < turns * 16; ++i) {
#pragma unroll
      for (int c = 0; c < 8; ++c) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[c]));
    }
    float sum = 0;
    for (const float v : x) sum += v;
    sink(sum);
  }
};

template <int Threads>
struct Idle {  // resident but asleep: what being awake costs
  static constexpr int threads = Threads;
  int turns;
  __device__ void operator()() const {
    for (int i = 0; i < turns; ++i) __nanosleep(1000);
  }
};

template <bool Random, Kind kind, int N>
struct Tensor {
  static constexpr int threads = 256;
  int turns;
  __device__ void before() const {
    clear_operands();
    if (!Random) return;
    auto* const words = reinterpret_cast<std::uint32_t*>(aligned_smem());
    for (int i = static_cast<int>(threadIdx.x); i < (wgmma_smem_bytes - 1024) / 4; i += threads) {
      words[i] = kind == Kind::e4m3_ss ? e4m3_quad(i) : bf16_pair(i);
    }
    wgmma::fence_proxy_async();
  }
  // Sums of four uniform numbers, scaled to variance 1: near enough to normal for toggling bits.
  __device__ static float normal(std::uint64_t i) {
    const std::uint64_t bits = mix(i * 0x9e3779b97f4a7c15ull + 1);
    float sum = -2.0f;
    for (int j = 0; j < 4; ++j) sum += static_cast<float>(bits >> (16 * j) & 0xffff) * 0x1p-16f;
    return sum * 1.7320508f;
  }
  __device__ static std::uint32_t bf16_pair(int i) {
    std::uint32_t pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(normal(2 * i)), "f"(normal(2 * i + 1)));
    return pair;
  }
  __device__ static std::uint32_t e4m3_quad(int i) {
    std::uint16_t low, high;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(low) : "f"(normal(4 * i)), "f"(normal(4 * i + 1)));
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(high) : "f"(normal(4 * i + 2)), "f"(normal(4 * i + 3)));
    return low | static_cast<std::uint32_t>(high) << 16;
  }
  __device__ void operator()() const {
    for (int i = 0; i < turns; ++i) wgmma_loop<kind, N, 16, false>(16, static_cast<int>(threadIdx.x) / 128);
  }
};

struct Read {
  static constexpr int threads = 1024;
  const uint4* data;
  std::uint64_t span;  // vectors, a power of two
  int turns;
  __device__ void operator()() const {
    std::uint64_t at = (blockIdx.x * static_cast<std::uint64_t>(threads) + threadIdx.x) & (span - 1);
    std::uint32_t all = 0;
    for (int i = 0; i < turns; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        std::uint32_t x, y, z, w;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "l"(data + at)
                     : "memory");
        all ^= x ^ y ^ z ^ w;
        at = (at + gridDim.x * static_cast<std::uint64_t>(threads)) & (span - 1);
      }
    }
    sink(all);
  }
};

struct SharedLoads {
  static constexpr int threads = 1024;
  int turns;
  __device__ void operator()() const {
    const std::uint32_t base = wgmma::smem_address(aligned_smem()) + threadIdx.x * 16;
    std::uint32_t all = 0;
    for (int i = 0; i < turns * 16; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        std::uint32_t x, y, z, w;
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "r"(base + j * 16384)
                     : "memory");
        all ^= x ^ y ^ z ^ w;
      }
    }
    sink(all);
  }
};

__global__ void fill_random(std::uint32_t* words, std::size_t count) {
  for (std::size_t i = blockIdx.x * 1024ull + threadIdx.x; i < count; i += gridDim.x * 1024ull) {
    words[i] = static_cast<std::uint32_t>(mix(i + 1));
  }
}

double mhz(const std::vector<Stamps>& all, std::size_t from, std::size_t to) {
  double cycles = 0, ns = 0;
  for (std::size_t i = from; i < to; ++i) {
    cycles += static_cast<double>(all[i].clock[1] - all[i].clock[0]);
    ns += static_cast<double>(all[i].ns[1] - all[i].ns[0]);
  }
  return cycles / ns * 1e3;
}

// `amount` is what one launch does, in units of `unit` (per second, times 1e-12).
template <class Body>
void under_load(Session& session, const std::string& name, const Body& body, double amount, const char* unit) {
  constexpr std::size_t most = 4096;
  const Buffer<Stamps> stamps(most);
  const int smem = wgmma_smem_bytes;
  check(cudaFuncSetAttribute(load<Body>, cudaFuncAttributeMaxDynamicSharedMemorySize, smem), "load");
  const auto go = [&](std::size_t slot) {
    load<Body><<<static_cast<unsigned>(multiprocessors()), Body::threads, smem>>>(body, stamps.get(), slot);
  };
  go(0);
  finish("load");
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  const double one = seconds([&] { go(0); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::size_t launches = std::min(most, static_cast<std::size_t>(0.4 / one) + 50);
  std::optional<double> watts, reported;
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < launches; ++i) go(i);
  cudaEvent_t done;
  check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), "event");
  check(cudaEventRecord(done), "event");
  while (cudaEventQuery(done) == cudaErrorNotReady) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(0.93 * one * launches)) {
      watts = session.nvml().power_w();
      reported = session.nvml().sm_mhz();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  cudaEventDestroy(done);
  finish("load");
  auto all = stamps.download();
  all.resize(launches);
  double last_ns = 0;
  for (std::size_t i = launches - 40; i < launches; ++i) last_ns += static_cast<double>(all[i].ns[1] - all[i].ns[0]);
  session.record("load." + name + ".mhz.first", "MHz", mhz(all, 0, 5));
  session.record("load." + name + ".mhz.last", "MHz", mhz(all, launches - 40, launches));
  if (reported) session.record("load." + name + ".mhz.reported", "MHz", *reported);
  if (watts) session.record("load." + name + ".power", "W", *watts);
  session.record("load." + name + ".rate", unit, amount / (last_ns / 40 * 1e-9) * 1e-12);
}

template <bool Random, Kind kind, int N>
void tensor_load(Session& session, const std::string& name) {
  const int k = kind == Kind::e4m3_ss ? 32 : 16;
  const int turns = 28 * 256 / N;
  const double flops = 132.0 * turns * 16 * 16 * 2 * (2.0 * 64 * N * k);
  under_load(session, name, Tensor<Random, kind, N>{turns}, flops, "TFLOP/s");
}

void run(Session& session) {
  Buffer<std::uint32_t> data(4 * GiB / 4);
  fill_random<<<264, 1024>>>(data.get(), data.size());
  finish("random data");
  const auto* const vectors = reinterpret_cast<const uint4*>(data.get());
  const double sms = multiprocessors();
  if (const auto watts = session.nvml().power_w()) session.record("load.idle.power", "W", *watts);
  under_load(session, "asleep", Idle<1024>{1000}, 1, "-");
  under_load(session, "ffma", Ffma{224}, sms * 1024 * 1024 * 224 * 2, "TFLOP/s");
  under_load(session, "mufu", Mufu{224}, sms * 1024 * 128 * 224, "Tex2/s");
  under_load(session, "smem_read", SharedLoads{448}, sms * 1024 * 64 * 16 * 448, "TB/s");
  under_load(session, "l2_read", Read{vectors, 16 * MiB / 16, 360}, sms * 1024 * 8 * 16 * 360, "TB/s");
  under_load(session, "hbm_read", Read{vectors, 4 * GiB / 16, 240}, sms * 1024 * 8 * 16 * 240, "TB/s");
  tensor_load<false, Kind::bf16_ss, 256>(session, "wgmma.bf16.zeros");
  tensor_load<true, Kind::bf16_ss, 256>(session, "wgmma.bf16.random");
  tensor_load<true, Kind::bf16_rs, 128>(session, "wgmma.bf16.rs_zero_a.n128");
  tensor_load<true, Kind::e4m3_ss, 256>(session, "wgmma.e4m3.random");
  tensor_load<false, Kind::e4m3_ss, 256>(session, "wgmma.e4m3.zeros");
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
