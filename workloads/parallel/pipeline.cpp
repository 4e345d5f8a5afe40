#include "workloads/parallel/pipeline.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rooftile::workloads::parallel {
namespace {

struct Work {
  std::int64_t micro = 0, chunk = 0;  // chunk of the stage
  bool forward = true;
};

using Order = std::vector<Work>;

// The k-th forward (or backward) of a stage with v chunks: groups of p microbatches pass through all chunks in turn.
Work nth(std::int64_t k, std::int64_t p, std::int64_t v, bool forward) {
  const std::int64_t group = k / (p * v), in_group = k % (p * v);
  const std::int64_t chunk = in_group / p;
  return {group * p + in_group % p, forward ? chunk : v - 1 - chunk, forward};
}

Order order_of(std::int64_t stage, std::int64_t p, std::int64_t m, PipelineSchedule schedule, std::int64_t v) {
  const std::int64_t total = m * v;
  Order order;
  const auto add = [&](std::int64_t k, bool forward) { order.push_back(v == 1 ? Work{k, 0, forward} : nth(k, p, v, forward)); };
  if (schedule == PipelineSchedule::forward_only) {
    for (std::int64_t k = 0; k < total; ++k) add(k, true);
    return order;
  }
  const std::int64_t warm = v == 1 ? p - 1 - stage : 2 * (p - 1 - stage) + (v - 1) * p;
  const std::int64_t first = std::min(warm, total);
  for (std::int64_t k = 0; k < first; ++k) add(k, true);
  for (std::int64_t k = first; k < total; ++k) {
    add(k, true);
    add(k - first, false);
  }
  for (std::int64_t k = total - first; k < total; ++k) add(k, false);
  return order;
}

class Runner {
 public:
  Runner(const std::vector<StageTimes>& stages, std::int64_t m, PipelineSchedule schedule, std::int64_t v)
      : stages_(stages), m_(m), v_(v), p_(static_cast<std::int64_t>(stages.size()) / v), backward_(schedule != PipelineSchedule::forward_only),
        done_(static_cast<std::size_t>(m * p_ * v * 2), -1), free_(static_cast<std::size_t>(p_)), next_(free_.size()) {
    for (std::int64_t s = 0; s < p_; ++s) orders_.push_back(order_of(s, p_, m, schedule, v));
    result_.busy.resize(free_.size());
  }

  PipelineResult run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::int64_t s = 0; s < p_; ++s)
        while (step(s)) moved = true;
    }
    for (std::size_t s = 0; s < orders_.size(); ++s)
      if (next_[s] < orders_[s].size()) throw std::invalid_argument("stage " + std::to_string(s) + " of the pipeline waits for ever");
    for (std::size_t s = 0; s < free_.size(); ++s) {
      result_.seconds = std::max(result_.seconds, free_[s]);
    }
    for (std::size_t s = 0; s < free_.size(); ++s) {
      result_.waited.push_back(result_.seconds - result_.busy[s]);
      result_.bubble += result_.waited[s] / result_.seconds / static_cast<double>(p_);
    }
    return result_;
  }

 private:
  // Chunks in the order that a microbatch passes them: chunk c of stage s is number c * p + s.
  std::size_t slot(std::int64_t micro, std::int64_t depth, bool forward) const {
    return static_cast<std::size_t>(((micro * p_ * v_) + depth) * 2 + (forward ? 0 : 1));
  }
  const StageTimes& times(std::int64_t stage, std::int64_t chunk) const { return stages_[static_cast<std::size_t>(stage * v_ + chunk)]; }

  // When the input is there; -1: not yet.
  double ready(const Work& w, std::int64_t depth) const {
    const std::int64_t last = p_ * v_ - 1;
    if (w.forward) return depth == 0 ? 0 : arrived(w.micro, depth - 1, true);
    return depth == last ? done_[slot(w.micro, last, true)] : arrived(w.micro, depth + 1, false);
  }
  double arrived(std::int64_t micro, std::int64_t depth, bool forward) const {
    const double end = done_[slot(micro, depth, forward)];
    const double send = p_ == 1 ? 0 : times(depth % p_, depth / p_).send;
    return end < 0 ? -1 : end + send;
  }

  bool step(std::int64_t s) {
    const auto at = static_cast<std::size_t>(s);
    if (next_[at] == orders_[at].size()) return false;
    const Work& w = orders_[at][next_[at]];
    const std::int64_t depth = w.chunk * p_ + s;
    const double from = ready(w, depth);
    if (from < 0) return false;
    const double length = w.forward ? times(s, w.chunk).forward : times(s, w.chunk).backward;
    free_[at] = std::max(free_[at], from) + length;
    done_[slot(w.micro, depth, w.forward)] = free_[at];
    result_.busy[at] += length;
    if (s == 0 && backward_) {
      held_ += w.forward ? 1 : -1;
      result_.in_flight = std::max(result_.in_flight, held_);
    }
    ++next_[at];
    return true;
  }

  const std::vector<StageTimes>& stages_;
  std::int64_t m_, v_, p_;
  bool backward_;
  std::vector<double> done_, free_;
  std::vector<std::size_t> next_;
  std::vector<Order> orders_;
  std::int64_t held_ = 0;
  PipelineResult result_;
};

}  // namespace

PipelineResult run_pipeline(const std::vector<StageTimes>& stages, std::int64_t microbatches, PipelineSchedule schedule, std::int64_t v) {
  const auto chunks = static_cast<std::int64_t>(stages.size());
  if (v < 1 || microbatches < 1 || chunks == 0 || chunks % v != 0) throw std::invalid_argument("a pipeline needs stages and microbatches, and as many chunks on each stage");
  if (schedule != PipelineSchedule::interleaved && v > 1 && schedule != PipelineSchedule::forward_only) throw std::invalid_argument("1F1B has one chunk a stage");
  if (v > 1 && microbatches % (chunks / v) != 0) throw std::invalid_argument("interleaving needs microbatches in multiples of the stages");
  return Runner(stages, microbatches, schedule, v).run();
}

}  // namespace rooftile::workloads::parallel
