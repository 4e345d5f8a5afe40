#include "workloads/attention/shape.hpp"

#include <algorithm>

namespace rooftile::workloads::attention {

double Shape::pairs() const {
  if (mask == Mask::none) return static_cast<double>(q_len) * static_cast<double>(kv_len);
  // Row i sees min(kv_len, max(0, i + 1 + diagonal)) keys.
  const std::int64_t first = std::clamp<std::int64_t>(-diagonal(), 0, q_len);            // first row that sees a key
  const std::int64_t full = std::clamp<std::int64_t>(kv_len - diagonal(), first, q_len);  // first row that sees all
  const double growing = static_cast<double>(full - first);
  const double start = static_cast<double>(first + diagonal());
  return growing * start + growing * (growing + 1) / 2 +
         static_cast<double>(q_len - full) * static_cast<double>(kv_len);
}

Steps steps(const Shape& s, std::int64_t first_row, std::int64_t rows, std::int64_t kv_tile) {
  const std::int64_t blocks = (s.kv_len + kv_tile - 1) / kv_tile;
  const std::int64_t ragged = s.kv_len % kv_tile != 0 ? 1 : 0;
  if (s.mask == Mask::none) return {blocks, ragged};
  const std::int64_t last_row = std::min(first_row + rows, s.q_len) - 1;
  const std::int64_t visible = std::clamp<std::int64_t>(last_row + 1 + s.diagonal(), 0, s.kv_len);
  const std::int64_t all = (visible + kv_tile - 1) / kv_tile;
  const std::int64_t clear = std::clamp<std::int64_t>((first_row + 1 + s.diagonal()) / kv_tile, 0, all);
  return {all, std::max(all - clear, all == blocks ? ragged : 0)};
}

}  // namespace rooftile::workloads::attention
