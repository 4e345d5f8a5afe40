#include "reports/kernel_trace.hpp"

#include <algorithm>

namespace rooftile::reports {

using core::Time;

namespace {
constexpr Time kFirstWidth{1'000};  // 1 ns; doubles as the kernel goes on
}

void KernelTrace::begin(const std::vector<std::string>& roles, const hw::Machine& machine) {
  roles_ = roles;
  spans_.clear();
  sms_.clear();
  wanted_.assign(static_cast<std::size_t>(machine.sms), false);
  const int n = std::clamp(limits_.sms, 1, machine.sms);
  for (int i = 0; i < n; ++i) {
    sms_.push_back(i * machine.sms / n);
    wanted_[static_cast<std::size_t>(sms_.back())] = true;
  }
  bins_.assign(kBins, {});
  busy_.assign(sms_.size(), std::vector<std::array<float, hw::kSmResources>>(kBins));
  last_ = {};
  width_ = kFirstWidth;
  complete_until_ = Time::max();
}

void KernelTrace::widen() {
  width_.ps *= 2;
  for (std::size_t i = 0; i < kBins; ++i) {
    const bool kept = i < kBins / 2;
    TrafficBin merged;
    if (kept)
      for (const TrafficBin& b : {bins_[2 * i], bins_[2 * i + 1]}) {
        merged.hbm_read += b.hbm_read, merged.hbm_written += b.hbm_written;
        merged.l2_read += b.l2_read, merged.l2_written += b.l2_written;
      }
    bins_[i] = merged;
    for (auto& sm : busy_)
      for (std::size_t r = 0; r < sm[i].size(); ++r) sm[i][r] = kept ? sm[2 * i][r] + sm[2 * i + 1][r] : 0;
  }
}

std::size_t KernelTrace::bin(Time t) {
  while (t.ps / width_.ps >= static_cast<std::int64_t>(kBins)) widen();
  return static_cast<std::size_t>(t.ps / width_.ps);
}

void KernelTrace::traffic(Time now, const hw::L2Traffic& t) {
  TrafficBin& b = bins_[bin(now)];
  b.hbm_read += static_cast<double>(t.dram_read.value - last_.dram_read.value);
  b.hbm_written += static_cast<double>(t.dram_written.value - last_.dram_written.value);
  b.l2_read += static_cast<double>(t.read.value - last_.read.value);
  b.l2_written += static_cast<double>(t.written.value - last_.written.value);
  last_ = t;
}

void KernelTrace::add(const hw::PlaySpan& s, bool matrix) {
  if (s.cycles) {  // spread evenly over the bins that the span touches
    const auto at = static_cast<std::size_t>(std::find(sms_.begin(), sms_.end(), s.sm) - sms_.begin());
    const std::size_t last = bin(s.end), first = bin(s.begin);
    const auto share = 1.0F / static_cast<float>(last - first + 1);
    for (std::size_t b = first; b <= last; ++b)
      for (std::size_t r = 0; r < s.cycles->size(); ++r) busy_[at][b][r] += (*s.cycles)[r] * share;
  }
  if (spans_.size() >= limits_.spans) {
    complete_until_ = std::min(complete_until_, s.begin);
    return;
  }
  spans_.push_back({static_cast<std::int16_t>(s.sm), static_cast<std::int16_t>(s.role), s.cta, s.working, matrix, s.what, s.begin, s.end});
}

hw::PlayObserver* OpTrace::kernel(std::size_t i) {
  while (kernels_.size() <= i) kernels_.push_back(std::make_unique<KernelTrace>(limits_));
  return kernels_[i].get();
}

}  // namespace rooftile::reports
