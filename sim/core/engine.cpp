#include "sim/core/engine.hpp"

#include <algorithm>

#include "sim/core/errors.hpp"

namespace rooftile::core {
namespace {

constexpr std::size_t kArity = 4;

// One number for the order (time, sequence): compared without branches, which no predictor could guess.
inline unsigned __int128 order(const Event& e) {
  return static_cast<unsigned __int128>(static_cast<std::uint64_t>(e.at.ps)) << 64 | e.sequence;
}

}  // namespace

void Engine::schedule(Time at, EventHandler& handler, std::uint32_t code, std::uint32_t arg) {
  ensure(at >= now_, "an event was scheduled in the past");
  const Event event{at, next_sequence_++, &handler, code, arg};
  std::size_t hole = heap_.size();
  heap_.push_back(event);
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / kArity;
    if (order(event) > order(heap_[parent])) break;
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
  const unsigned __int128 moved = order(last);
  std::size_t hole = 0, first = 1;
  for (; first + kArity <= size; first = hole * kArity + 1) {
    const unsigned __int128 keys[kArity] = {order(heap_[first]), order(heap_[first + 1]), order(heap_[first + 2]), order(heap_[first + 3])};
    const std::size_t left = keys[1] < keys[0], right = 2 + (keys[3] < keys[2] ? 1U : 0U);
    const std::size_t least = keys[right] < keys[left] ? right : left;
    if (moved < keys[least]) break;
    heap_[hole] = heap_[first + least];
    hole = first + least;
  }
  if (first + kArity > size && first < size) {  // the last, shorter family
    std::size_t least = first;
    for (std::size_t child = first + 1; child < size; ++child)
      if (order(heap_[child]) < order(heap_[least])) least = child;
    if (order(heap_[least]) < moved) {
      heap_[hole] = heap_[least];
      hole = least;
    }
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
