// A recording of one kernel while it plays, bounded in size: spans of a few SMs, and memory counters of the whole GPU.
//
// Sampling: the first SMs of evenly spaced places, and the first spans of them up to a limit; the time up to which spans
// are complete is kept. Counters are binned over the whole kernel: when the bins are full, neighbours are merged.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/play/result.hpp"
#include "workloads/predict.hpp"

namespace rooftile::reports {

struct TraceLimits {
  int sms = 2;
  std::size_t spans = 20'000;  // a kernel
};

struct TraceSpan {
  std::int16_t sm, role;
  std::int32_t cta;
  bool working, matrix;
  const char* what;
  core::Time begin, end;
};

struct TrafficBin {
  double hbm_read = 0, hbm_written = 0, l2_read = 0, l2_written = 0;  // bytes
};

class KernelTrace final : public hw::PlayObserver {
 public:
  explicit KernelTrace(const TraceLimits& limits) : limits_(limits) {}
  void begin(const std::vector<std::string>& roles, const hw::Machine& machine) override;
  bool wants(int sm) const override { return wanted_[static_cast<std::size_t>(sm)]; }
  void span(const hw::PlaySpan& span) override { add(span, false); }
  void matrix(const hw::PlaySpan& span) override { add(span, true); }
  void traffic(core::Time now, const hw::L2Traffic& so_far) override;

  const std::vector<std::string>& roles() const { return roles_; }
  const std::vector<int>& sms() const { return sms_; }
  const std::vector<TraceSpan>& spans() const { return spans_; }
  const std::vector<TrafficBin>& bins() const { return bins_; }
  core::Time bin_width() const { return width_; }
  // Everything up to here is recorded; later spans were dropped.
  core::Time complete_until() const { return complete_until_; }
  bool complete() const { return complete_until_ == core::Time::max(); }
  // Cycles that each unit of sampled SM number `i` was busy, by bin.
  const std::vector<std::array<float, hw::kSmResources>>& busy(std::size_t i) const { return busy_[i]; }

  static constexpr std::size_t kBins = 256;

 private:
  void add(const hw::PlaySpan& span, bool matrix);
  void widen();
  std::size_t bin(core::Time t);

  TraceLimits limits_;
  std::vector<std::string> roles_;
  std::vector<int> sms_;
  std::vector<bool> wanted_;
  std::vector<TraceSpan> spans_;
  std::vector<TrafficBin> bins_;
  std::vector<std::vector<std::array<float, hw::kSmResources>>> busy_;
  hw::L2Traffic last_;
  core::Time width_{}, complete_until_{};
};

// The recordings of one operation's kernels.
class OpTrace final : public workloads::PlanObserver {
 public:
  explicit OpTrace(const TraceLimits& limits) : limits_(limits) {}
  hw::PlayObserver* kernel(std::size_t i) override;
  const std::vector<std::unique_ptr<KernelTrace>>& kernels() const { return kernels_; }

 private:
  TraceLimits limits_;
  std::vector<std::unique_ptr<KernelTrace>> kernels_;
};

}  // namespace rooftile::reports
