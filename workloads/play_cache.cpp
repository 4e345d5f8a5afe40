#include "workloads/play_cache.hpp"

#include <future>
#include <list>
#include <mutex>
#include <unordered_map>

namespace rooftile::workloads {
namespace {

using Result = std::shared_ptr<const hw::PlayResult>;

struct HashKey {
  std::size_t operator()(const ContentKey& k) const { return k.low; }
};

}  // namespace

struct PlayCache::State {
  struct Entry {
    ContentKey key;
    std::shared_future<Result> result;
  };
  explicit State(std::size_t most) : most_results(most) {}

  std::mutex mutex;
  std::size_t most_results;
  std::list<Entry> recent;  // the most recently used first
  std::unordered_map<ContentKey, std::list<Entry>::iterator, HashKey> places;
  Counts counts;

  // A result that is there or on its way; else the caller has to make it.
  std::shared_future<Result> find_or_promise(const ContentKey& key, std::promise<Result>& mine) {
    const std::lock_guard lock(mutex);
    if (const auto at = places.find(key); at != places.end()) {
      ++counts.reused;
      recent.splice(recent.begin(), recent, at->second);
      return at->second->result;
    }
    ++counts.played;
    recent.push_front({key, mine.get_future().share()});
    places[key] = recent.begin();
    while (recent.size() > most_results) {
      places.erase(recent.back().key);
      recent.pop_back();
    }
    return {};
  }
};

PlayCache::PlayCache(std::size_t most_results) : state_(std::make_unique<State>(most_results)) {}
PlayCache::~PlayCache() = default;

hw::PlayResult PlayCache::play(const hw::TileProgram& program, const hw::Machine& machine, const hw::PlayOptions& options) {
  if (options.observer) return hw::play(program, machine, options);
  std::promise<Result> mine;
  const auto known = state_->find_or_promise(content_key(program, machine, options), mine);
  if (known.valid()) return *known.get();
  try {
    const auto result = std::make_shared<const hw::PlayResult>(hw::play(program, machine, options));
    mine.set_value(result);
    return *result;
  } catch (...) {
    mine.set_exception(std::current_exception());
    throw;
  }
}

PlayCache::Counts PlayCache::counts() const {
  const std::lock_guard lock(state_->mutex);
  return state_->counts;
}

}  // namespace rooftile::workloads
