// Fair sharing: jobs that run side by side and slow each other down only where they meet.
//
// A job needs `solo` time when alone and, while it runs, uses a fraction `demand[r]` (0..1) of each resource
// r. While the demands on a resource add up to load > 1, every job that uses it advances at 1/load of its
// solo speed (the largest load among the resources it uses counts). One resource with demand 1 each is the
// classic processor-sharing queue. Jobs start and finish at events of the owner: `next_finish` says when.
// Not modelled: priorities, and the speed that others could gain when one job is held back elsewhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/units.hpp"

namespace rooftile::core {

template <int kResources>
class ProportionalShare {
 public:
  using Demand = std::array<float, kResources>;

  // `tag` is the owner's name for the job, given back when it finishes.
  void start(Time now, const Demand& demand, double solo_ps, std::uint32_t tag) {
    advance(now);
    jobs_.push_back({demand, solo_ps, 1.0, tag});
    for (int r = 0; r < kResources; ++r) load_[r] += demand[r];
    reprice();
  }

  bool idle() const { return jobs_.empty(); }
  std::size_t running() const { return jobs_.size(); }

  // The earliest finish if nothing else starts; rounded up to whole picoseconds.
  Time next_finish() const {
    double least = 1e300;
    for (const Job& job : jobs_) least = std::min(least, std::max(0.0, job.remaining) * job.slowdown);
    return Time{updated_.ps + static_cast<std::int64_t>(least) + (least > static_cast<double>(static_cast<std::int64_t>(least)) ? 1 : 0)};
  }

  // Removes one finished job, in the order of starting; false when none is finished at `now`.
  bool finish_one(Time now, std::uint32_t& tag) {
    advance(now);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].remaining > kDone) continue;
      tag = jobs_[i].tag;
      for (int r = 0; r < kResources; ++r) load_[r] -= jobs_[i].demand[r];
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
      if (jobs_.empty()) load_.fill(0);
      reprice();
      return true;
    }
    return false;
  }

 private:
  static constexpr double kDone = 0.5;  // picoseconds of solo work: below the resolution of time
  static constexpr float kFull = 1.0001F;

  struct Job {
    Demand demand;
    double remaining;  // solo picoseconds
    double slowdown;
    std::uint32_t tag;
  };

  void advance(Time now) {
    const auto elapsed = static_cast<double>(now.ps - updated_.ps);
    updated_ = now;
    if (elapsed > 0)
      for (Job& job : jobs_) job.remaining -= elapsed / job.slowdown;
  }

  void reprice() {
    bool contended = false;
    for (const float load : load_) contended |= load > kFull;
    if (!contended && !was_contended_) return;
    was_contended_ = contended;
    for (Job& job : jobs_) {
      float slow = 1;
      for (int r = 0; r < kResources; ++r)
        if (job.demand[r] > 0) slow = std::max(slow, load_[r]);
      job.slowdown = slow > kFull ? slow : 1.0;
    }
  }

  std::vector<Job> jobs_;
  std::array<float, kResources> load_{};
  Time updated_{};
  bool was_contended_ = false;
};

}  // namespace rooftile::core
