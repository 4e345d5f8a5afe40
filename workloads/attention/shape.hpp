// Attention as maths: shapes, masks, FLOPs and the bytes that any kernel must move.
#pragma once

#include <cstdint>

namespace rooftile::workloads::attention {

enum class Mask { none, causal, causal_bottom_right };

struct Shape {
  std::int64_t batch = 1, q_heads = 1, kv_heads = 1, q_len = 1, kv_len = 1, head_dim = 128, v_head_dim = 128;
  Mask mask = Mask::none;
  // The first key that query row 0 does not see, minus one: row i sees keys 0..i+offset.
  std::int64_t diagonal() const { return mask == Mask::causal_bottom_right ? kv_len - q_len : 0; }
  // Query-key pairs that are computed by an exact kernel, per head.
  double pairs() const;
  double flops() const {  // forward: two matmuls
    return 2.0 * static_cast<double>(batch * q_heads) * pairs() * static_cast<double>(head_dim + v_head_dim);
  }
};

// KV steps of one query tile: all, and how many of them cut the mask's edge.
struct Steps {
  std::int64_t all = 0, masked = 0;
};
Steps steps(const Shape& shape, std::int64_t first_row, std::int64_t rows, std::int64_t kv_tile);

}  // namespace rooftile::workloads::attention
