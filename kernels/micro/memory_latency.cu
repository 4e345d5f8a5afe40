// Load latency of L2, per SM (near and far half), and of HBM, as distributions.
//
// How: one thread of one SM; each address is a hash of the hop plus the loaded value (always 0), so that loads depend on
// each other and only one add is in the chain; every hop is timed. L2: random lines of 4 MiB, warm, all SMs in turn.
// HBM: random lines of 256 MiB and of 16 GiB, cold. Loads bypass L1. Not separated: the clock reads (about 15 cycles,
// included), TLB misses (they are the difference between the two spans).
#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr int hops = 2048;

__global__ void chase(const std::uint32_t* lines, std::uint64_t count, std::uint64_t seed, std::uint32_t target_sm,
                      std::uint32_t* latency) {
  if (target_sm != sm_id() || threadIdx.x != 0) return;
  __shared__ std::uint32_t stamps[hops];
  std::uint32_t zero = 0;
  for (int i = 0; i < hops; ++i) {
    const std::uint64_t line = mix(seed + static_cast<std::uint64_t>(i)) % count;
    const std::uint32_t* const address = lines + line * 32 + zero;
    const auto start = static_cast<std::uint32_t>(sm_clock());
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(zero) : "l"(address) : "memory");
    asm volatile("add.u32 %0, %0, 0;" : "+r"(zero));
    stamps[i] = static_cast<std::uint32_t>(sm_clock()) - start + zero;
  }
  for (int i = 0; i < hops; ++i) latency[i] = stamps[i];
}

std::vector<double> latencies(const Buffer<std::uint32_t>& lines, std::uint64_t count, std::uint64_t seed,
                              std::uint32_t sm) {
  const Buffer<std::uint32_t> stamps(hops);
  stamps.fill_bytes(0);
  chase<<<static_cast<unsigned>(multiprocessors()), 32>>>(lines.get(), count, seed, sm, stamps.get());
  finish("chase");
  const auto host = stamps.download();
  return {host.begin(), host.end()};
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

void percentiles(Session& session, const std::string& name, const std::vector<double>& values) {
  for (const int p : {1, 10, 25, 50, 75, 90, 99}) {
    session.record(name + ".p" + std::to_string(p), "cycles", percentile(values, p));
  }
  session.record(name + ".mean", "cycles", mean(values));
}

void l2(Session& session, const Buffer<std::uint32_t>& lines) {
  const std::uint64_t count = 4 * MiB / 128;
  std::vector<double> all, means;
  for (int sm = 0; sm < multiprocessors(); ++sm) {
    for (int warm = 0; warm < (sm == 0 ? 20 : 1); ++warm) latencies(lines, count, 7, static_cast<std::uint32_t>(sm));
    const auto one = latencies(lines, count, 7, static_cast<std::uint32_t>(sm));
    means.push_back(mean(one));
    all.insert(all.end(), one.begin(), one.end());
    if (sm == 0 || sm == 1 || sm == 64) percentiles(session, "l2.latency.sm" + std::to_string(sm), one);
  }
  percentiles(session, "l2.latency.all", all);
  session.record("l2.latency.sm_means.min", "cycles", percentile(means, 0));
  session.record("l2.latency.sm_means.median", "cycles", percentile(means, 50));
  session.record("l2.latency.sm_means.max", "cycles", percentile(means, 100));
}

void run(Session& session) {
  Buffer<std::uint32_t> lines(16 * GiB / 4);
  lines.fill_bytes(0);
  l2(session, lines);
  const auto evict = [&] { check(cudaMemset(lines.get() + 15 * GiB / 4, 0, 512 * MiB), "evict L2"); };
  evict();
  percentiles(session, "hbm.latency.256MB", latencies(lines, 256 * MiB / 128, 11, 3));
  evict();
  percentiles(session, "hbm.latency.14GB", latencies(lines, 14 * GiB / 128, 13, 3));
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
