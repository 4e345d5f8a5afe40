// Bandwidth of HBM (read, write, copy, triad over 1 GiB arrays) and of L2 (read, write; one SM, all SMs), and how much
// of L2 is effective: read bandwidth against footprint.
//
// How: 16-byte accesses that bypass L1, eight in flight per thread, 2048 threads per SM, times by events. In the
// footprint sweep every SM reads its share of the footprint again and again (`own`), or a share that moves on by one SM
// per pass (`shared`), so that lines are wanted from both halves of L2. Not separated: HBM refresh, TLB misses.
#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

using Vector = uint4;
constexpr int threads = 1024, unroll = 8;

__device__ __forceinline__ Vector load(const Vector* from) {
  Vector v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from)
               : "memory");
  return v;
}

__device__ __forceinline__ Vector combine(Vector a, Vector b) { return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w}; }

// `Inputs` arrays read, `Outputs` (0 or 1) written, once.
template <int Inputs, int Outputs>
__global__ void __launch_bounds__(threads) stream(Vector* out, const Vector* a, const Vector* b, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * threads;
  Vector all{};
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(threads) + threadIdx.x; i < count; i += step * 4) {
    Vector v[4] = {};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (i + j * step >= count) break;
      if (Inputs >= 1) v[j] = load(a + i + j * step);
      if (Inputs >= 2) v[j] = combine(v[j], load(b + i + j * step));
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (Outputs == 1 && i + j * step < count) out[i + j * step] = v[j];
      if (Outputs == 0) all = combine(all, v[j]);
    }
  }
  sink(all.x ^ all.y ^ all.z ^ all.w);
}

// Passes over a footprint; CTA `c` takes share (c + pass * move) of it.
template <bool Write>
__global__ void __launch_bounds__(threads) sweep_footprint(Vector* data, std::size_t share, int passes, int move) {
  Vector all{};
  for (int pass = 0; pass < passes; ++pass) {
    Vector* const base = data + (blockIdx.x + static_cast<std::size_t>(pass) * move) % gridDim.x * share;
    std::size_t i = threadIdx.x;
    for (; i + (unroll - 1) * threads < share; i += unroll * threads) {
#pragma unroll
      for (int j = 0; j < unroll; ++j) {
        if (Write) {
          base[i + j * threads] = all;
        } else {
          all = combine(all, load(base + i + j * threads));
        }
      }
    }
    for (; i < share; i += threads) {
      if (Write) {
        base[i] = all;
      } else {
        all = combine(all, load(base + i));
      }
    }
  }
  sink(all.x ^ all.y ^ all.z ^ all.w);
}

template <int Inputs, int Outputs>
void hbm(Session& session, const char* name, Vector* memory) {
  session.measure(std::string("hbm.") + name, "GB/s", [=] {
    constexpr std::size_t count = GiB / sizeof(Vector);
    const unsigned ctas = 2 * static_cast<unsigned>(multiprocessors());
    const double s = seconds([&] {
      for (int i = 0; i < 4; ++i) {
        stream<Inputs, Outputs><<<ctas, threads>>>(memory, memory + count, memory + 2 * count, count);
      }
    });
    return 4.0 * (Inputs + Outputs) * GiB / s * 1e-9;
  });
}

template <bool Write>
double footprint_gbps(Vector* memory, std::size_t bytes, int ctas, int move) {
  const std::size_t share = bytes / sizeof(Vector) / static_cast<std::size_t>(ctas);
  const int passes = std::max(4, static_cast<int>(2 * GiB / bytes / (ctas < 100 ? 64 : 1)));
  const auto go = [&](int n) { sweep_footprint<Write><<<static_cast<unsigned>(ctas), threads>>>(memory, share, n, move); };
  go(3);
  const double s = seconds([&] { go(passes); });
  finish("footprint");
  return static_cast<double>(share * sizeof(Vector)) * ctas * passes / s * 1e-9;
}

void l2(Session& session, Vector* memory) {
  const int sms = multiprocessors();
  for (const int ctas : {1, 2, 8, 16, 33, 66, sms, 2 * sms}) {
    const std::string name = ".ctas" + std::to_string(ctas);
    const std::size_t bytes = static_cast<std::size_t>(ctas) * 64 * KiB;
    session.measure("l2.read" + name, "GB/s", [=] { return footprint_gbps<false>(memory, bytes, ctas, 0); });
    session.measure("l2.write" + name, "GB/s", [=] { return footprint_gbps<true>(memory, bytes, ctas, 0); });
  }
  for (const int mb : {6, 10, 14, 18, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60, 70, 100}) {
    const std::string name = "." + std::to_string(mb) + "MB";
    const auto bytes = static_cast<std::size_t>(mb) * 1000 * 1000;
    session.measure("l2.footprint.own" + name, "GB/s", [=] { return footprint_gbps<false>(memory, bytes, 2 * sms, 0); });
    session.measure("l2.footprint.shared" + name, "GB/s",
                    [=] { return footprint_gbps<false>(memory, bytes, 2 * sms, 1); });
    session.measure("l2.footprint.write" + name, "GB/s", [=] { return footprint_gbps<true>(memory, bytes, 2 * sms, 0); });
  }
}

void run(Session& session) {
  Buffer<char> memory(3 * GiB);
  memory.fill_bytes(1);
  auto* const vectors = reinterpret_cast<Vector*>(memory.get());
  hbm<1, 0>(session, "read", vectors);
  hbm<0, 1>(session, "write", vectors);
  hbm<1, 1>(session, "copy", vectors);
  hbm<2, 1>(session, "triad", vectors);
  session.measure("hbm.memset", "GB/s", [&] {
    return 4.0 * GiB / seconds([&] {
      for (int i = 0; i < 4; ++i) cudaMemsetAsync(memory.get(), 0, GiB);
    }) * 1e-9;
  });
  l2(session, vectors);
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
