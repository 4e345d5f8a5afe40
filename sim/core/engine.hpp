// The discrete-event core: a queue of small PODs in the total order (time, sequence).
//
// Two events at the same picosecond run in the order in which they were scheduled, so a run is a pure
// function of its input. The queue is a 4-ary heap over one vector: after the first growth nothing is
// allocated in the loop. The engine knows nothing of GPUs; a handler gives `code` and `arg` their meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/units.hpp"

namespace rooftile::core {

class Engine;

class EventHandler {
 public:
  virtual void handle(Engine& engine, std::uint32_t code, std::uint32_t arg) = 0;

 protected:
  ~EventHandler() = default;
};

struct Event {
  Time at;
  std::uint64_t sequence;
  EventHandler* handler;
  std::uint32_t code;
  std::uint32_t arg;
};

class Engine {
 public:
  Time now() const { return now_; }
  std::uint64_t events_run() const { return events_run_; }
  bool empty() const { return heap_.empty(); }

  // An event in the past is an invariant error.
  void schedule(Time at, EventHandler& handler, std::uint32_t code, std::uint32_t arg = 0);
  // Runs until the queue is dry; returns the time of the last event.
  Time run();
  // Runs events up to and including `limit`.
  void run_until(Time limit);
  void reserve(std::size_t events) { heap_.reserve(events); }

 private:
  Event pop();
  void dispatch(const Event& event);

  std::vector<Event> heap_;
  Time now_{};
  std::uint64_t next_sequence_ = 0;
  std::uint64_t events_run_ = 0;
};

}  // namespace rooftile::core
