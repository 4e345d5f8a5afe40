#include "workloads/collective/schedule.hpp"

#include <algorithm>
#include <stdexcept>

#include "hw/fabric/transport.hpp"

namespace rooftile::workloads::collective {
namespace {

std::int64_t piece(std::int64_t bytes, std::size_t parts, std::size_t i) {
  const auto n = static_cast<std::int64_t>(parts), k = static_cast<std::int64_t>(i);
  return bytes * (k + 1) / n - bytes * k / n;
}

Schedule ring_steps(const Gpus& gpus, std::int64_t bytes, std::size_t steps) {
  const std::size_t n = gpus.size();
  Schedule s;
  for (std::size_t step = 0; step < steps; ++step)
    for (std::size_t r = 0; r < n; ++r) {
      Send send{gpus[r], gpus[(r + 1) % n], piece(bytes, n, (r + n * steps - step) % n), {}};
      if (step > 0) send.after.push_back(static_cast<std::uint32_t>((step - 1) * n + (r + n - 1) % n));
      s.sends.push_back(std::move(send));
    }
  return s;
}

// Sends start when what they wait for has arrived and their GPU is ready.
class Player : public core::EventHandler {
 public:
  Player(const Schedule& schedule, const hw::fabric::Topology& topology, core::Bytes chunk, const std::vector<core::Time>& ready)
      : schedule_(schedule), transport_(engine_, topology, chunk), ready_(ready), waits_(schedule.sends.size()), waiters_(waits_.size()) {
    played_.arrived.resize(waits_.size());
    for (std::uint32_t i = 0; i < waits_.size(); ++i) {
      waits_[i] = static_cast<std::uint32_t>(schedule.sends[i].after.size());
      for (const std::uint32_t before : schedule.sends[i].after) waiters_.at(before).push_back(i);
    }
  }

  Played run() {
    for (std::uint32_t i = 0; i < waits_.size(); ++i)
      if (waits_[i] == 0) start(i);
    engine_.run();
    if (done_ != waits_.size()) throw std::invalid_argument(std::to_string(waits_.size() - done_) + " sends wait for each other");
    return std::move(played_);
  }

  void handle(core::Engine&, std::uint32_t, std::uint32_t i) override {
    const Send& s = schedule_.sends[i];
    transport_.send(s.from, s.to, {s.bytes}, i, [this, i](core::Time at) { arrive(i, at); });
  }

 private:
  void start(std::uint32_t i) {
    const std::size_t from = schedule_.sends[i].from;
    const core::Time ready = from < ready_.size() ? ready_[from] : core::Time{};
    engine_.schedule(core::later(engine_.now(), ready), *this, 0, i);
  }
  void arrive(std::uint32_t i, core::Time at) {
    ++done_;
    played_.arrived[i] = at;
    played_.end = core::later(played_.end, at);
    for (const std::uint32_t w : waiters_[i])
      if (--waits_[w] == 0) start(w);
  }

  const Schedule& schedule_;
  core::Engine engine_;
  hw::fabric::Transport transport_;
  const std::vector<core::Time>& ready_;
  std::vector<std::uint32_t> waits_;
  std::vector<std::vector<std::uint32_t>> waiters_;
  std::size_t done_ = 0;
  Played played_;
};

}  // namespace

void Schedule::beside(const Schedule& other) {
  const auto shift = static_cast<std::uint32_t>(sends.size());
  for (Send s : other.sends) {
    for (std::uint32_t& a : s.after) a += shift;
    sends.push_back(std::move(s));
  }
}

Schedule ring_all_reduce(const Gpus& gpus, std::int64_t bytes) { return ring_steps(gpus, bytes, 2 * (gpus.size() - 1)); }
Schedule ring_all_gather(const Gpus& gpus, std::int64_t bytes) { return ring_steps(gpus, bytes, gpus.size() - 1); }

Schedule tree_all_reduce(const Gpus& gpus, std::int64_t bytes, std::int64_t pieces) {
  const std::size_t n = gpus.size();
  Schedule s;
  std::vector<std::uint32_t> up(n), down(n);  // the last send of each rank to and from its parent
  for (std::int64_t p = 0; p < pieces; ++p) {
    const std::int64_t size = piece(bytes, static_cast<std::size_t>(pieces), static_cast<std::size_t>(p));
    for (std::size_t r = n - 1; r > 0; --r) {
      Send send{gpus[r], gpus[(r - 1) / 2], size, {}};
      for (std::size_t child = 2 * r + 1; child <= 2 * r + 2 && child < n; ++child) send.after.push_back(up[child]);
      up[r] = static_cast<std::uint32_t>(s.sends.size());
      s.sends.push_back(std::move(send));
    }
    for (std::size_t r = 1; r < n; ++r) {
      Send send{gpus[(r - 1) / 2], gpus[r], size, {}};
      if (r > 2) send.after.push_back(down[(r - 1) / 2]);
      else for (std::size_t child = 1; child <= 2 && child < n; ++child) send.after.push_back(up[child]);
      down[r] = static_cast<std::uint32_t>(s.sends.size());
      s.sends.push_back(std::move(send));
    }
  }
  return s;
}

Schedule pairwise_all_to_all(const Gpus& gpus, std::int64_t bytes) {
  const std::size_t n = gpus.size();
  Schedule s;
  for (std::size_t round = 1; round < n; ++round)
    for (std::size_t r = 0; r < n; ++r) s.sends.push_back({gpus[r], gpus[(r + round) % n], bytes / static_cast<std::int64_t>(n), {}});
  return s;
}

Schedule by_matrix(const Gpus& gpus, const std::vector<std::vector<double>>& bytes) {
  const std::size_t n = gpus.size();
  Schedule s;
  for (std::size_t round = 1; round < n; ++round)
    for (std::size_t r = 0; r < n; ++r) {
      const std::size_t to = (r + round) % n;
      if (bytes.at(r).at(to) > 0) s.sends.push_back({gpus[r], gpus[to], static_cast<std::int64_t>(bytes[r][to]), {}});
    }
  return s;
}

Played play(const Schedule& schedule, const hw::fabric::Topology& topology, core::Bytes chunk, const std::vector<core::Time>& ready) {
  return Player(schedule, topology, chunk, ready).run();
}

}  // namespace rooftile::workloads::collective
