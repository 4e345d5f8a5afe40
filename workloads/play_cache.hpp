// Kernels that were played before, by content: the tile program, the machine (every rate and latency at its
// clock) and the state of L2. Equal contents give equal results, so a cache changes no number; it may be shared
// by threads, each content is played once, and the least recently used results go when it is full.
// Plays with an observer are not kept. docs/sweeps.md tells what it saves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "hw/play/play.hpp"

namespace rooftile::workloads {

class PlayCache {
 public:
  explicit PlayCache(std::size_t most_results = 50'000);  // about 1 KB each
  ~PlayCache();
  PlayCache(const PlayCache&) = delete;
  PlayCache& operator=(const PlayCache&) = delete;

  // What hw::play gives, and the exceptions that it throws.
  hw::PlayResult play(const hw::TileProgram& program, const hw::Machine& machine, const hw::PlayOptions& options);

  struct Counts {
    std::uint64_t played = 0, reused = 0;
  };
  Counts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 128 bits of content. Every field counts but names that no result carries.
struct ContentKey {
  std::uint64_t high = 0, low = 0;
  bool operator==(const ContentKey&) const = default;
};
ContentKey content_key(const hw::TileProgram& program, const hw::Machine& machine, const hw::PlayOptions& options);

}  // namespace rooftile::workloads
