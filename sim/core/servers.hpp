// Closed-form servers: they need no events, because a first-come-first-served unit knows at arrival when
// it will be done. Arrivals must come in time order (the engine guarantees it).
#pragma once

#include "sim/core/units.hpp"

namespace rooftile::core {

// One customer at a time, first come first served.
class FifoServer {
 public:
  // Returns when a job that arrives at `now` and needs `service` leaves.
  Time serve(Time now, Time service) {
    free_at_ = later(now, free_at_) + service;
    busy_ += service;
    return free_at_;
  }
  Time free_at() const { return free_at_; }
  Time busy() const { return busy_; }
  // Work queued ahead of a job that arrives now.
  Time backlog(Time now) const { return free_at_ > now ? free_at_ - now : Time{}; }

 private:
  Time free_at_{};
  Time busy_{};
};

// Accepts one job per initiation interval and completes it a fixed latency later; jobs overlap.
class PipelinedServer {
 public:
  PipelinedServer(Time interval, Time latency) : interval_(interval), latency_(latency) {}
  Time serve(Time now) { return entry_.serve(now, interval_) - interval_ + latency_; }
  Time busy() const { return entry_.busy(); }

 private:
  FifoServer entry_;
  Time interval_;
  Time latency_;
};

}  // namespace rooftile::core
