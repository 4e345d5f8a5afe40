#include "sim/core/engine.hpp"

#include <algorithm>

#include "sim/core/errors.hpp"

namespace rooftile::core {
namespace {

constexpr std::size_t kArity = 4;

inline bool before(const Event& a, const Event& b) {
  return a.at.ps != b.at.ps ? a.at.ps < b.at.ps : a.sequence < b.sequence;
}

}  // namespace

void Engine::schedule(Time at, EventHandler& handler, std::uint32_t code, std::uint32_t arg) {
  ensure(at >= now_, "an event was scheduled in the past");
  const Event event{at, next_sequence_++, &handler, code, arg};
  std::size_t hole = heap_.size();
  heap_.push_back(event);
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / kArity;
    if (!before(event, heap_[parent])) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = event;
}

Event Engine::pop() {
  const Event top = heap_.front();
  const Event last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  std::size_t hole = 0;
  for (std::size_t first = 1; first < size; first = hole * kArity + 1) {
    std::size_t least = first;
    const std::size_t end = std::min(first + kArity, size);
    for (std::size_t child = first + 1; child < end; ++child)
      if (before(heap_[child], heap_[least])) least = child;
    if (!before(heap_[least], last)) break;
    heap_[hole] = heap_[least];
    hole = least;
  }
  if (size > 0) heap_[hole] = last;
  return top;
}

void Engine::dispatch(const Event& event) {
  now_ = event.at;
  ++events_run_;
  event.handler->handle(*this, event.code, event.arg);
}

Time Engine::run() {
  while (!heap_.empty()) dispatch(pop());
  return now_;
}

void Engine::run_until(Time limit) {
  while (!heap_.empty() && heap_.front().at <= limit) dispatch(pop());
  now_ = later(now_, limit);
}

}  // namespace rooftile::core
