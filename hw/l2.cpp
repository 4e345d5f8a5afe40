#include "hw/l2.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::hw {

using core::Bytes;

L2Cache::L2Cache(int partitions, Bytes partition_capacity)
    : partitions_(partitions), capacity_(partition_capacity.value), state_(static_cast<std::size_t>(partitions)) {}

void L2Cache::add_boxes(std::size_t count) {
  boxes_ += count;
  lines_.resize(boxes_ * static_cast<std::size_t>(partitions_ * partitions_));
}

void L2Cache::fill_with_stale(double dirty) {
  stale_dirty_ = dirty;
  for (Partition& p : state_) p.stale = std::max<std::int64_t>(0, capacity_ - p.used);
}

void L2Cache::unlink(std::uint32_t line, Partition& p) {
  Line& l = lines_[line];
  (l.previous == kNone ? p.newest : lines_[l.previous].next) = l.next;
  (l.next == kNone ? p.oldest : lines_[l.next].previous) = l.previous;
}

void L2Cache::push_front(std::uint32_t line, Partition& p) {
  Line& l = lines_[line];
  l.previous = kNone;
  l.next = p.newest;
  (p.newest == kNone ? p.oldest : lines_[p.newest].previous) = line;
  p.newest = line;
}

bool L2Cache::touch(std::uint32_t line, int partition) {
  if (!lines_[line].resident) return false;
  Partition& p = state_[static_cast<std::size_t>(partition)];
  if (p.newest != line) {
    unlink(line, p);
    push_front(line, p);
  }
  return true;
}

void L2Cache::drop(std::uint32_t line, int partition) {
  Partition& p = state_[static_cast<std::size_t>(partition)];
  unlink(line, p);
  p.used -= lines_[line].bytes;
  lines_[line].resident = lines_[line].dirty = false;
}

// Pushes out what is oldest until the partition fits; returns the bytes to be written back.
std::int64_t L2Cache::make_room(int partition) {
  Partition& p = state_[static_cast<std::size_t>(partition)];
  std::int64_t written = 0;
  std::int64_t excess = p.used + p.stale - capacity_;
  if (excess <= 0) return 0;
  const std::int64_t from_stale = std::min(excess, p.stale);
  p.stale -= from_stale;
  written += std::llround(static_cast<double>(from_stale) * stale_dirty_);
  for (excess -= from_stale; excess > 0 && p.oldest != kNone;) {
    const std::uint32_t victim = p.oldest;
    excess -= lines_[victim].bytes;
    if (lines_[victim].dirty) written += lines_[victim].bytes;
    drop(victim, partition);
  }
  return written;
}

std::int64_t L2Cache::insert(std::uint32_t line, int partition, std::uint32_t bytes, bool dirty) {
  Partition& p = state_[static_cast<std::size_t>(partition)];
  lines_[line].bytes = bytes;
  lines_[line].resident = true;
  lines_[line].dirty = dirty;
  push_front(line, p);
  p.used += bytes;
  return make_room(partition);
}

L2Cache::Outcome L2Cache::read(int partition, std::uint32_t box, Bytes bytes) {
  Outcome out{};
  const auto part = static_cast<std::uint32_t>(bytes.value / partitions_);
  for (int home = 0; home < partitions_; ++home) {
    const std::uint32_t near = line_of(box, home, partition);
    traffic_.lookups.value += part;
    if (touch(near, partition)) {
      traffic_.hits.value += part;
      continue;
    }
    if (home != partition) {
      const std::uint32_t at_home = line_of(box, home, home);
      traffic_.lookups.value += part;
      out.far.value += part;
      if (touch(at_home, home)) {
        traffic_.hits.value += part;
      } else {
        out.dram_read.value += part;
        out.dram_written.value += insert(at_home, home, part, false);
      }
    } else {
      out.dram_read.value += part;
    }
    out.dram_written.value += insert(near, partition, part, false);
  }
  traffic_.read += bytes;
  traffic_.far += out.far;
  traffic_.dram_read += out.dram_read;
  traffic_.dram_written += out.dram_written;
  return out;
}

// A write goes to the home partition of each line and takes copies elsewhere away.
L2Cache::Outcome L2Cache::write(int partition, std::uint32_t box, Bytes bytes) {
  Outcome out{};
  const auto part = static_cast<std::uint32_t>(bytes.value / partitions_);
  for (int home = 0; home < partitions_; ++home) {
    if (home != partition) out.far.value += part;
    for (int other = 0; other < partitions_; ++other)
      if (other != home && lines_[line_of(box, home, other)].resident) drop(line_of(box, home, other), other);
    const std::uint32_t line = line_of(box, home, home);
    if (touch(line, home))
      lines_[line].dirty = true;
    else
      out.dram_written.value += insert(line, home, part, true);
  }
  traffic_.lookups += bytes;
  traffic_.hits += bytes;
  traffic_.written += bytes;
  traffic_.far += out.far;
  traffic_.dram_written += out.dram_written;
  return out;
}

Bytes L2Cache::dirty_bytes() const {
  Bytes sum;
  for (const Line& line : lines_)
    if (line.resident && line.dirty) sum.value += line.bytes;
  return sum;
}

}  // namespace rooftile::hw
