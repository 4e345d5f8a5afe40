// Attention as maths: shapes, masks, FLOPs and the bytes that any kernel must move. Every count is exact.
#pragma once

#include <cstdint>
#include <vector>

namespace rooftile::workloads::attention {

// causal: query i sees keys 0..i. causal_bottom_right: the last query sees the last key. causal_window: the `window`
// last keys of causal, itself included. causal_packed: sequences of `lengths` side by side. causal_blocks: causal, and
// of 128-blocks every `stride`-th diagonal, plus the `local_window` last keys.
enum class Mask { none, causal, causal_bottom_right, causal_window, causal_packed, causal_blocks };

struct Shape {
  std::int64_t batch = 1, q_heads = 1, kv_heads = 1, q_len = 1, kv_len = 1, head_dim = 128, v_head_dim = 128;
  Mask mask = Mask::none;
  std::int64_t window = 0;              // causal_window
  std::vector<std::int64_t> lengths;    // causal_packed
  std::int64_t stride = 1, local_window = 0;  // causal_blocks

  static constexpr std::int64_t kBlock = 128;
  // Row i sees no key beyond i + diagonal.
  std::int64_t diagonal() const { return mask == Mask::causal_bottom_right || mask == Mask::causal_window ? kv_len - q_len : 0; }
  // Query-key pairs that an exact kernel computes, per head.
  double pairs() const;
  double flops() const {  // forward: two matmuls
    return 2.0 * static_cast<double>(batch * q_heads) * pairs() * static_cast<double>(head_dim + v_head_dim);
  }
  // Keys that one row sees, as [first, end); blocks inside may be left out by causal_blocks.
  struct Range {
    std::int64_t first = 0, end = 0;
  };
  Range row(std::int64_t i) const;
  bool sees(std::int64_t query, std::int64_t key) const;
};

// KV steps of one query tile: the first block, how many are touched, and how many of them need the mask.
struct Steps {
  std::int64_t all = 0, masked = 0, first = 0;
};
Steps steps(const Shape& shape, std::int64_t first_row, std::int64_t rows, std::int64_t kv_tile);

}  // namespace rooftile::workloads::attention
