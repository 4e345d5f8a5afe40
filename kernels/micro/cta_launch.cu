// How fast CTAs start: launch rate of a grid of empty CTAs, and the time between one CTA's exit and its successor's
// first instruction on the same SM.
//
// How: rate from long grids, two sizes subtracted, by events. Refill: every CTA stamps its SM, start and end (clock64 of
// one SM is common to its CTAs) around a wait of `hold` cycles, staggered by CTA; on each SM every start after the first
// wave is paired with the latest unused end before it. Not separated: which of several free slots is refilled first.
#include <map>

#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

__global__ void empty(int never) {
  if (never != 0) sink(static_cast<std::uint32_t>(never));
}

struct Stamp {
  std::uint64_t start, end;
  std::uint32_t sm, cta;
};

__global__ void stamped(int hold, Stamp* stamps) {
  const std::uint64_t start = sm_clock();
  // No two CTAs of an SM end together.
  const std::uint64_t until = start + static_cast<std::uint64_t>(hold) + mix(blockIdx.x) % static_cast<unsigned>(hold);
  while (sm_clock() < until) {
  }
  __syncthreads();
  if (threadIdx.x == 0) stamps[blockIdx.x] = {start, sm_clock(), sm_id(), blockIdx.x};
}

void launch_rate(Session& session, int threads, int smem_bytes) {
  const std::string name = "cta.launch_interval.threads" + std::to_string(threads) +
                           (smem_bytes > 0 ? ".smem" + std::to_string(smem_bytes / 1024) + "KB" : "");
  check(cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes), "CTA launch");
  session.measure(name, "ns/CTA of the GPU", [=] {
    const auto go = [&](unsigned ctas) {
      return seconds([&] {
        empty<<<ctas, static_cast<unsigned>(threads), static_cast<std::size_t>(smem_bytes)>>>(0);
      });
    };
    go(1000);
    const unsigned few = 132 * 100, many = 132 * 1100;
    const double start = go(few);
    return (go(many) - start) / (many - few) * 1e9;
  });
}

// Gaps of one SM, from its stamps.
void collect_gaps(std::vector<Stamp> stamps, std::size_t resident, std::vector<double>& gaps) {
  std::sort(stamps.begin(), stamps.end(), [](const Stamp& a, const Stamp& b) { return a.start < b.start; });
  std::vector<std::uint64_t> ends;
  for (const Stamp& s : stamps) ends.push_back(s.end);
  std::sort(ends.begin(), ends.end());
  // The k-th start after the first wave follows the k-th end: a slot is free only once that many CTAs have left.
  for (std::size_t i = resident; i < stamps.size(); ++i) {
    gaps.push_back(static_cast<double>(stamps[i].start) - static_cast<double>(ends[i - resident]));
  }
}

void refill(Session& session, int threads, int smem_bytes, int hold) {
  check(cudaFuncSetAttribute(stamped, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes), "CTA refill");
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, stamped, threads, static_cast<std::size_t>(smem_bytes)),
        "occupancy");
  const std::size_t ctas = static_cast<std::size_t>(multiprocessors() * resident) * 8;
  const Buffer<Stamp> stamps(ctas);
  for (int warm = 0; warm < 2; ++warm) {
    stamped<<<static_cast<unsigned>(ctas), static_cast<unsigned>(threads), static_cast<std::size_t>(smem_bytes)>>>(
        hold, stamps.get());
    finish("CTA refill");
  }
  std::map<std::uint32_t, std::vector<Stamp>> by_sm;
  for (const Stamp& s : stamps.download()) by_sm[s.sm].push_back(s);
  std::vector<double> gaps;
  for (auto& [sm, list] : by_sm) collect_gaps(std::move(list), static_cast<std::size_t>(resident), gaps);
  const std::string name = "cta.refill.threads" + std::to_string(threads) + ".smem" +
                           std::to_string(smem_bytes / 1024) + "KB.resident" + std::to_string(resident);
  for (const int p : {10, 50, 90}) {
    session.record(name + ".p" + std::to_string(p), "cycles", percentile(gaps, p));
  }
}

// Start of every CTA of the first wave after the first one, by the GPU-wide timer (32 ns steps).
__global__ void started(std::uint64_t* when) {
  if (threadIdx.x == 0) when[blockIdx.x] = global_ns();
  const std::uint64_t until = sm_clock() + 20000;
  while (sm_clock() < until) {
  }
}

void first_wave(Session& session, int threads, int smem_bytes) {
  check(cudaFuncSetAttribute(started, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes), "first wave");
  session.measure("cta.first_wave_spread.threads" + std::to_string(threads) + ".smem" +
                      std::to_string(smem_bytes / 1024) + "KB",
                  "ns", [=] {
                    const auto ctas = static_cast<std::size_t>(multiprocessors());
                    const Buffer<std::uint64_t> when(ctas);
                    started<<<static_cast<unsigned>(ctas), static_cast<unsigned>(threads),
                              static_cast<std::size_t>(smem_bytes)>>>(when.get());
                    finish("first wave");
                    const auto host = when.download();
                    return static_cast<double>(*std::max_element(host.begin(), host.end()) -
                                               *std::min_element(host.begin(), host.end()));
                  });
}

void run(Session& session) {
  for (const int threads : {32, 128, 256, 384, 1024}) launch_rate(session, threads, 0);
  launch_rate(session, 128, 100 * 1024);
  launch_rate(session, 128, 200 * 1024);
  launch_rate(session, 384, 200 * 1024);
  refill(session, 128, 0, 20000);
  refill(session, 128, 100 * 1024, 20000);
  refill(session, 128, 200 * 1024, 20000);
  refill(session, 384, 200 * 1024, 20000);
  refill(session, 1024, 0, 20000);
  first_wave(session, 128, 0);
  first_wave(session, 384, 200 * 1024);
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
