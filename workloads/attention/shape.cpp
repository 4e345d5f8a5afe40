#include "workloads/attention/shape.hpp"

#include <algorithm>

namespace rooftile::workloads::attention {
namespace {

std::int64_t sequence_start(const Shape& s, std::int64_t row) {
  std::int64_t start = 0;
  for (const std::int64_t length : s.lengths) {
    if (row < start + length) break;
    start += length;
  }
  return std::min(start, row);
}

// Keys that row i sees within [first, end) under the block mask.
std::int64_t seen(const Shape& s, std::int64_t i, std::int64_t first, std::int64_t end) {
  const Shape::Range r = s.row(i);
  first = std::max(first, r.first);
  end = std::min(end, r.end);
  if (first >= end || s.mask != Mask::causal_blocks) return std::max<std::int64_t>(0, end - first);
  std::int64_t n = 0;
  for (std::int64_t block = first / Shape::kBlock; block * Shape::kBlock < end; ++block) {
    const std::int64_t a = std::max(first, block * Shape::kBlock), b = std::min(end, (block + 1) * Shape::kBlock);
    if ((i / Shape::kBlock - block) % s.stride == 0) n += b - a;
    else n += std::max<std::int64_t>(0, b - std::max(a, i + 1 - s.local_window));
  }
  return n;
}

}  // namespace

Shape::Range Shape::row(std::int64_t i) const {
  if (mask == Mask::none) return {0, kv_len};
  const std::int64_t end = std::clamp<std::int64_t>(i + 1 + diagonal(), 0, kv_len);
  if (mask == Mask::causal_window) return {std::min(end, std::max<std::int64_t>(0, i + 1 + diagonal() - window)), end};
  if (mask == Mask::causal_packed) return {std::min(end, sequence_start(*this, i)), end};
  return {0, end};
}

bool Shape::sees(std::int64_t query, std::int64_t key) const { return seen(*this, query, key, key + 1) > 0; }

double Shape::pairs() const {
  if (mask == Mask::none) return static_cast<double>(q_len) * static_cast<double>(kv_len);
  if (mask == Mask::causal || mask == Mask::causal_bottom_right) {
    // Row i sees min(kv_len, max(0, i + 1 + diagonal)) keys.
    const std::int64_t first = std::clamp<std::int64_t>(-diagonal(), 0, q_len);            // first row that sees a key
    const std::int64_t full = std::clamp<std::int64_t>(kv_len - diagonal(), first, q_len);  // first row that sees all
    const double growing = static_cast<double>(full - first), start = static_cast<double>(first + diagonal());
    return growing * start + growing * (growing + 1) / 2 + static_cast<double>(q_len - full) * static_cast<double>(kv_len);
  }
  double n = 0;
  for (std::int64_t i = 0; i < q_len; ++i) n += static_cast<double>(seen(*this, i, 0, kv_len));
  return n;
}

Steps steps(const Shape& s, std::int64_t first_row, std::int64_t rows, std::int64_t kv_tile) {
  const std::int64_t last_row = std::min(first_row + rows, s.q_len) - 1;
  const std::int64_t blocks = (s.kv_len + kv_tile - 1) / kv_tile;
  const std::int64_t ragged = s.kv_len % kv_tile != 0 ? 1 : 0;
  if (s.mask == Mask::none) return {blocks, ragged, 0};
  if (s.mask == Mask::causal || s.mask == Mask::causal_bottom_right) {
    const std::int64_t visible = s.row(last_row).end;
    const std::int64_t all = (visible + kv_tile - 1) / kv_tile;
    const std::int64_t clear = std::clamp<std::int64_t>((first_row + 1 + s.diagonal()) / kv_tile, 0, all);
    return {all, std::max(all - clear, all == blocks ? ragged : 0), 0};
  }
  Steps n;
  const std::int64_t first = s.row(first_row).first / kv_tile, end = (s.row(last_row).end + kv_tile - 1) / kv_tile;
  n.first = first;
  for (std::int64_t block = first; block < end; ++block) {
    std::int64_t pairs = 0;
    for (std::int64_t i = first_row; i <= last_row; ++i) pairs += seen(s, i, block * kv_tile, (block + 1) * kv_tile);
    n.all += pairs > 0;
    n.masked += pairs > 0 && pairs < (last_row - first_row + 1) * kv_tile;
  }
  return n;
}

}  // namespace rooftile::workloads::attention
