#include "workloads/parallel/streams.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace rooftile::workloads::parallel {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

class Fluid {
 public:
  Fluid(const std::vector<Task>& tasks, const Gpu& gpu) : tasks_(tasks), gpu_(gpu), left_(tasks.size(), 1), waits_(tasks.size()), waiters_(tasks.size()) {
    result_.start.assign(tasks.size(), -1);
    result_.end.assign(tasks.size(), -1);
    std::map<int, std::uint32_t> last;
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      for (const std::uint32_t before : tasks[i].after) wait_for(i, before);
      if (const auto it = last.find(tasks[i].stream); it != last.end()) wait_for(i, it->second);
      last[tasks[i].stream] = i;
    }
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
      if (waits_[i] == 0) launch(i);
  }

  StreamsResult run() {
    while (!running_.empty()) advance();
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (result_.end[i] < 0) throw std::invalid_argument("task '" + tasks_[i].name + "' waits for ever");
    result_.seconds = now_;
    return result_;
  }

 private:
  void wait_for(std::uint32_t task, std::uint32_t before) {
    ++waits_[task];
    waiters_.at(before).push_back(task);
  }

  // A kernel that comes while another fills the GPU starts when CTAs of that one end.
  void launch(std::uint32_t i) {
    double held = 0;
    if (tasks_[i].communication)
      for (const std::uint32_t r : running_)
        if (!tasks_[r].communication && tasks_[r].sms >= gpu_.sms) held = std::max(held, std::min(tasks_[r].wave, left_[r] * tasks_[r].seconds));
    starts_.resize(tasks_.size());
    starts_[i] = now_ + held;
    running_.push_back(i);
    result_.start[i] = now_ + held;
  }

  bool started(std::uint32_t i) const { return starts_[i] <= now_; }

  // Share of its own speed at which each running task runs.
  std::vector<double> speeds() const {
    double held = 0, wanted = 0;
    for (const std::uint32_t i : running_)
      if (started(i)) (tasks_[i].communication ? held : wanted) += tasks_[i].sms;
    const double room = std::max(0.0, gpu_.sms - held);
    std::vector<double> speed(running_.size());
    for (std::size_t k = 0; k < running_.size(); ++k) {
      const Task& t = tasks_[running_[k]];
      if (!started(running_[k])) continue;
      speed[k] = t.communication || wanted <= room ? 1 : room / wanted;
    }
    share_memory(speed);
    return speed;
  }

  // Max-min: those that ask for less than an even share get all of it.
  void share_memory(std::vector<double>& speed) const {
    if (gpu_.bytes_per_second <= 0) return;
    std::vector<std::pair<double, std::size_t>> demand;
    for (std::size_t k = 0; k < speed.size(); ++k) {
      const Task& t = tasks_[running_[k]];
      if (speed[k] > 0 && t.seconds > 0) demand.emplace_back(speed[k] * t.memory_bytes / t.seconds, k);
    }
    std::sort(demand.begin(), demand.end());
    double left = gpu_.bytes_per_second;
    for (std::size_t d = 0; d < demand.size(); ++d) {
      const double share = left / static_cast<double>(demand.size() - d), given = std::min(share, demand[d].first);
      if (demand[d].first > 0) speed[demand[d].second] *= given / demand[d].first;
      left -= given;
    }
  }

  void advance() {
    const std::vector<double> speed = speeds();
    double next = kNever;
    bool compute = false, communication = false;
    for (std::size_t k = 0; k < running_.size(); ++k) {
      const std::uint32_t i = running_[k];
      if (!started(i)) next = std::min(next, starts_[i]);
      else if (tasks_[i].seconds <= 0) next = now_;
      else if (speed[k] > 0) next = std::min(next, now_ + left_[i] * tasks_[i].seconds / speed[k]);
      if (started(i)) (tasks_[i].communication ? communication : compute) = true;
    }
    if (next == kNever) throw std::invalid_argument("collectives hold all SMs");
    const double span = next - now_;
    result_.compute += compute ? span : 0;
    result_.communication += communication ? span : 0;
    result_.exposed += communication && !compute ? span : 0;
    now_ = next;
    finish(speed, span);
  }

  void finish(const std::vector<double>& speed, double span) {
    std::vector<std::uint32_t> going, done;
    for (std::size_t k = 0; k < running_.size(); ++k) {
      const std::uint32_t i = running_[k];
      const double length = tasks_[i].seconds;
      if (speed[k] > 0) left_[i] -= length > 0 ? span * speed[k] / length : left_[i];
      (speed[k] > 0 && left_[i] <= 1e-12 ? done : going).push_back(i);
    }
    running_ = std::move(going);
    for (const std::uint32_t i : done) result_.end[i] = now_;
    for (const std::uint32_t i : done)
      for (const std::uint32_t w : waiters_[i])
        if (--waits_[w] == 0) launch(w);
  }

  const std::vector<Task>& tasks_;
  const Gpu& gpu_;
  std::vector<double> left_, starts_;
  std::vector<std::uint32_t> waits_;
  std::vector<std::vector<std::uint32_t>> waiters_;
  std::vector<std::uint32_t> running_;
  double now_ = 0;
  StreamsResult result_;
};

}  // namespace

StreamsResult run_streams(const std::vector<Task>& tasks, const Gpu& gpu) { return Fluid(tasks, gpu).run(); }

}  // namespace rooftile::workloads::parallel
