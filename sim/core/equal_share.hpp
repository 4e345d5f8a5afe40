// One resource shared equally by any number of jobs (the processor-sharing queue), O(log n) a job.
//
// A virtual clock runs at 1/n of real time while n jobs share the resource; a job that needs `service` when alone
// finishes when the clock has advanced by `service`. Ties finish in the order of starting.
//
// `half`: many servers behind one name (channels, banks) are not all busy when there is little work. With `load` the
// service of all jobs present, the speed is load / (load + half), the throughput of a closed network of equal servers
// (mean value analysis: M customers, K servers: M / (M + K - 1)). Zero: always full speed.
// Not modelled: weights, several resources (proportional_share.hpp has those).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/core/units.hpp"

namespace rooftile::core {

class EqualShare {
 public:
  explicit EqualShare(Time half = {}) : half_(static_cast<double>(half.ps)) {}

  // `tag` is the owner's name for the job, given back when it finishes.
  void start(Time now, Time service, std::uint32_t tag) {
    advance(now);
    const auto work = static_cast<double>(service.ps);
    jobs_.push_back({clock_ + work, work, next_sequence_++, tag});
    load_ += work;
    std::push_heap(jobs_.begin(), jobs_.end(), later_job);
  }
  bool idle() const { return jobs_.empty(); }
  std::size_t running() const { return jobs_.size(); }

  // The earliest finish if nothing else starts; rounded up to whole picoseconds. Time::max() when idle.
  Time next_finish() const {
    if (jobs_.empty()) return Time::max();
    const double left = std::max(0.0, jobs_.front().finish - clock_) * slowdown();
    return Time{updated_.ps + static_cast<std::int64_t>(std::ceil(left - kSlack))};
  }

  // Removes one job that is finished at `now`; false when there is none.
  bool finish_one(Time now, std::uint32_t& tag) {
    advance(now);
    if (jobs_.empty() || jobs_.front().finish > clock_ + kSlack) return false;
    tag = jobs_.front().tag;
    load_ -= jobs_.front().work;
    std::pop_heap(jobs_.begin(), jobs_.end(), later_job);
    jobs_.pop_back();
    if (jobs_.empty()) load_ = 0;
    return true;
  }
  Time busy() const { return busy_; }

 private:
  static constexpr double kSlack = 1e-3;  // ps; far below a picosecond, above the rounding of sums of doubles
  struct Job {
    double finish, work;
    std::uint64_t sequence;
    std::uint32_t tag;
  };
  static bool later_job(const Job& a, const Job& b) {
    return a.finish != b.finish ? a.finish > b.finish : a.sequence > b.sequence;
  }
  void advance(Time now) {
    const Time elapsed = now - updated_;
    updated_ = now;
    if (jobs_.empty()) return;
    busy_ += elapsed;
    clock_ += static_cast<double>(elapsed.ps) / slowdown();
  }

  // Real time for a unit of the virtual clock.
  double slowdown() const {
    const double speed = half_ > 0 ? std::max(load_, 1.0) / (std::max(load_, 1.0) + half_) : 1.0;
    return static_cast<double>(jobs_.size()) / speed;
  }

  std::vector<Job> jobs_;
  double half_ = 0, load_ = 0;
  double clock_ = 0;
  Time updated_{}, busy_{};
  std::uint64_t next_sequence_ = 0;
};

}  // namespace rooftile::core
