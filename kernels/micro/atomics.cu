// Global atomics: rate on one address, on an address per SM, spread over 16 MiB; fp32 adds by vector width; latency.
//
// How: fire-and-forget reductions by 1024 threads on every SM; rates are elements per cycle of the whole GPU. Latency is
// a chain of dependent atomics in one thread. Not separated: ROP units near and far.
#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

enum class Place { one_address, per_warp_line, spread };

template <int Width>
struct Reduce {
  float* data;
  std::uint64_t count;
  Place place;
  int turns;
  __device__ void operator()() const {
    const std::uint64_t thread = blockIdx.x * 1024ull + threadIdx.x;
    for (int i = 0; i < turns; ++i) {
      std::uint64_t at = 0;
      if (place == Place::per_warp_line) at = thread * Width % count;
      if (place == Place::spread) at = (thread + static_cast<std::uint64_t>(i) * gridDim.x * 1024) * Width % count;
      if constexpr (Width == 1) {
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(data + at), "f"(1.0f) : "memory");
      } else if constexpr (Width == 2) {
        asm volatile("red.global.add.v2.f32 [%0], {%1, %1};" ::"l"(data + at), "f"(1.0f) : "memory");
      } else {
        asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(data + at), "f"(1.0f) : "memory");
      }
    }
  }
};

struct Chain {
  unsigned* word;
  int hops;
  __device__ void operator()() const {
    unsigned value = 0;
    if (threadIdx.x == 0) {
      for (int i = 0; i < hops; ++i) value = atomicAdd(word + (value & 1u << 31), 1);
    }
    sink(value);
  }
};

template <int Width>
void rate(Session& session, const std::string& name, Buffer<float>& data, Place place) {
  session.measure("atomics." + name, "elements/cycle", [&] {
    const int turns = place == Place::one_address ? 16 : 128;
    const auto cycles = cta_cycles<1024>(Reduce<Width>{data.get(), data.size(), place, turns});
    const double longest = static_cast<double>(*std::max_element(cycles.begin(), cycles.end()));
    return static_cast<double>(cycles.size()) * 1024 * Width * turns / longest;
  });
}

void run(Session& session) {
  Buffer<float> data(16 * MiB / 4);
  data.fill_bytes(0);
  rate<1>(session, "f32.one_address", data, Place::one_address);
  rate<1>(session, "f32.own_line", data, Place::per_warp_line);
  rate<1>(session, "f32.spread_16MB", data, Place::spread);
  rate<2>(session, "f32x2.spread_16MB", data, Place::spread);
  rate<4>(session, "f32x4.spread_16MB", data, Place::spread);
  session.measure("atomics.latency", "cycles", [&] {
    return median_cycles<32>(Chain{reinterpret_cast<unsigned*>(data.get()), 512}, 1) / 512;
  });
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
