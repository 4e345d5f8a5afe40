// The L2 cache as two partitions that keep boxes (tile-granular lines) in least-recently-used order.
//
// Modelled: half of a box's lines have their home in each partition. An SM reads through its own partition,
// which keeps copies of lines whose home is the other one: data that both sides read is held twice, which is
// why the capacity for shared data is about half of the nominal one. Dirty boxes cost a write to memory when
// they leave. At the start the cache may hold what earlier kernels left, a part of it dirty.
// Not modelled: sets and hashing, sectors of a line, replacement other than LRU, compression.
// Source of the structure: hit rates and DRAM bytes of our counters (docs/decisions/0002-l2-partitions.md).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/units.hpp"

namespace rooftile::hw {

struct L2Traffic {
  core::Bytes read, written;           // between SMs and L2
  core::Bytes hits, lookups;           // lookups count a far hop as a second lookup, as the counters do
  core::Bytes far;                     // crossed between partitions
  core::Bytes dram_read, dram_written; // between L2 and HBM
};

class L2Cache {
 public:
  struct Outcome {
    core::Bytes dram_read, dram_written, far;
  };
  L2Cache(int partitions, core::Bytes partition_capacity);

  // Room for boxes 0..count-1; forgets nothing that is resident.
  void add_boxes(std::size_t count);
  std::size_t boxes() const { return boxes_; }
  // What earlier kernels left: everything full, `dirty` of it (0..1) to be written back when pushed out.
  void fill_with_stale(double dirty);

  Outcome read(int partition, std::uint32_t box, core::Bytes bytes);
  Outcome write(int partition, std::uint32_t box, core::Bytes bytes);
  const L2Traffic& traffic() const { return traffic_; }
  L2Traffic& traffic() { return traffic_; }
  core::Bytes dirty_bytes() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Line {  // one half of a box in one partition
    std::uint32_t previous = kNone, next = kNone;
    std::uint32_t bytes = 0;
    bool resident = false, dirty = false;
  };
  struct Partition {
    std::uint32_t newest = kNone, oldest = kNone;
    std::int64_t used = 0, stale = 0;
  };
  std::uint32_t line_of(std::uint32_t box, int home, int partition) const {
    return (box * static_cast<std::uint32_t>(partitions_) + static_cast<std::uint32_t>(home)) *
               static_cast<std::uint32_t>(partitions_) +
           static_cast<std::uint32_t>(partition);
  }
  bool touch(std::uint32_t line, int partition);
  std::int64_t insert(std::uint32_t line, int partition, std::uint32_t bytes, bool dirty);
  void unlink(std::uint32_t line, Partition& p);
  void push_front(std::uint32_t line, Partition& p);
  void drop(std::uint32_t line, int partition);
  std::int64_t make_room(int partition);

  int partitions_;
  std::int64_t capacity_;
  double stale_dirty_ = 0;
  std::size_t boxes_ = 0;
  std::vector<Line> lines_;
  std::vector<Partition> state_;
  L2Traffic traffic_;
};

}  // namespace rooftile::hw
