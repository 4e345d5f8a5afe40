// What the microbenchmarks share: a timed kernel around a body, clocks, and a sink that keeps results alive.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/buffer.hpp"
#include "harness/error.hpp"
#include "micro/micro.hpp"

namespace rooftile::kernels::micro {

using measure::Buffer;
using measure::check;

inline constexpr std::size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

__device__ __forceinline__ std::uint64_t global_ns() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}

__device__ __forceinline__ std::uint64_t sm_clock() {
  std::uint64_t cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

__device__ __forceinline__ std::uint32_t sm_id() {
  std::uint32_t id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// Stores `value` only if it equals a number that it never takes, which the compiler cannot know.
static __device__ std::uint32_t sink_word;
__device__ __forceinline__ void sink(std::uint32_t value) {
  if (value == 0x9e3779b9u) sink_word = value;
}
__device__ __forceinline__ void sink(float value) { sink(__float_as_uint(value)); }

// splitmix64's finaliser.
__host__ __device__ __forceinline__ std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// Cycles from the CTA's start to its last thread's end; a body may have `before()`, which is not timed. The two
// barriers cost about 30 cycles: bodies run for thousands.
template <int Threads, class Body>
__global__ void __launch_bounds__(Threads, 1) timed(const Body body, std::uint64_t* cycles) {
  if constexpr (requires { body.before(); }) body.before();
  __syncthreads();
  const std::uint64_t start = sm_clock();
  body();
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = sm_clock() - start;
}

inline int multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return count;
}

template <class T>
T median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class T>
T percentile(std::vector<T> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p / 100 * static_cast<double>(values.size() - 1))];
}

inline void finish(const char* what) {
  check(cudaGetLastError(), what);
  check(cudaDeviceSynchronize(), what);
}

// Every CTA's cycles for `body`, one CTA per SM when `ctas` is 0.
template <int Threads, class Body>
std::vector<std::uint64_t> cta_cycles(const Body& body, int ctas = 0, int smem_bytes = 0) {
  if (ctas == 0) ctas = multiprocessors();
  const Buffer<std::uint64_t> cycles(static_cast<std::size_t>(ctas));
  check(cudaFuncSetAttribute(timed<Threads, Body>, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes),
        "shared memory of a microbenchmark");
  timed<Threads><<<static_cast<unsigned>(ctas), Threads, static_cast<std::size_t>(smem_bytes)>>>(body, cycles.get());
  finish("microbenchmark");
  return cycles.download();
}

template <int Threads, class Body>
double median_cycles(const Body& body, int ctas = 0, int smem_bytes = 0) {
  return static_cast<double>(median(cta_cycles<Threads>(body, ctas, smem_bytes)));
}

// Seconds between two events around `work` on the default stream.
template <class Work>
double seconds(const Work& work) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&stop), "cudaEventCreate");
  check(cudaEventRecord(start), "cudaEventRecord");
  work();
  check(cudaEventRecord(stop), "cudaEventRecord");
  check(cudaEventSynchronize(stop), "microbenchmark");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return ms * 1e-3;
}

}  // namespace rooftile::kernels::micro
