// FlexAttention as PyTorch compiles it with Triton: one CTA a query tile, blocks of 128 x 128 that hold a visible pair.
#include <algorithm>

#include "workloads/attention/program.hpp"

namespace rooftile::workloads::attention {

using namespace hw;

FlexSchedule flex_schedule(std::int64_t head_dim) {
  if (head_dim <= 64) return {128, 128, 3, 4, 255};
  if (head_dim <= 128) return {128, 64, 3, 8, 199};
  return {64, 32, 3, 4, 255};
}

TileProgram flex_program(const Shape& s, const FlexSchedule& f) {
  TileProgram p;
  p.kernel = "flex_attention_" + std::to_string(s.head_dim) + "_" + std::to_string(f.tile_m) + "x" + std::to_string(f.tile_n);
  p.engines = {{MmaFamily::wgmma, MathType::bf16}};
  p.threads = f.warps * 32;
  p.registers = f.registers;
  p.shared_memory = {2 * (f.tile_m * s.head_dim + (f.stages - 1) * f.tile_n * (s.head_dim + s.v_head_dim))};
  const std::int64_t heads = s.batch * s.q_heads, kv_heads = s.batch * s.kv_heads;
  p.tensors = {{"Q", heads, s.q_len, s.head_dim, f.tile_m, s.head_dim, 2},
               {"K", kv_heads, s.kv_len, s.head_dim, f.tile_n, s.head_dim, 2},
               {"V", kv_heads, s.kv_len, s.v_head_dim, f.tile_n, s.v_head_dim, 2},
               {"O", heads, s.q_len, s.v_head_dim, f.tile_m, s.v_head_dim, 2}};
  const auto per_block = static_cast<std::int32_t>(std::max<std::int64_t>(1, Shape::kBlock / f.tile_n));
  const std::int64_t tiles = (s.q_len + f.tile_m - 1) / f.tile_m;
  std::vector<Steps> of_tile;
  for (std::int64_t m = 0; m < tiles; ++m) of_tile.push_back(steps(s, m * f.tile_m, f.tile_m, Shape::kBlock));
  for (std::int64_t h = 0; h < s.q_heads; ++h)
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int64_t m = 0; m < tiles; ++m) {
        const Steps& n = of_tile[static_cast<std::size_t>(m)];
        WorkItem w;
        w.coordinate[0] = static_cast<std::int32_t>(m);
        w.coordinate[1] = static_cast<std::int32_t>(b * s.q_heads + h);
        w.coordinate[2] = static_cast<std::int32_t>(b * s.kv_heads + h * s.kv_heads / s.q_heads);
        w.coordinate[3] = static_cast<std::int32_t>(n.first) * per_block;
        w.count[0] = static_cast<std::int32_t>(n.masked) * per_block;
        w.count[1] = static_cast<std::int32_t>(n.all - n.masked) * per_block;
        p.items.push_back(w);
      }
  const double rows = f.tile_m, keys = f.tile_n, d = static_cast<double>(s.head_dim), dv = static_cast<double>(s.v_head_dim);
  const Affine block = at_item(3) + at_step();
  const auto ahead = [&](int n) { return block + Affine{.constant = n}; };
  const Box q{0, at_item(1), at_item(0), {}}, o{3, at_item(1), at_item(0), {}};
  const double warpgroups = rows / 64;
  const Mma qk{.flops = 2 * rows * keys * d, .operand_bytes = warpgroups * d / 16 * (2048 + keys * 32)};
  const Mma pv{.flops = 2 * rows * keys * dv, .operand_bytes = warpgroups * keys / 16 * dv * 32};
  const int prefetch = f.stages - 1;
  // Scores, probabilities and the output of a thread, and forty more: what exceeds 255 registers is stored to local
  // memory (L1) and read back at every step.
  const double wanted = (rows * keys * 1.5 + rows * dv) / (f.warps * 32) + 40;
  const double spilled_bytes = 2 * 4 * f.warps * 32 * std::max(0.0, wanted - 255);
  const auto step = [&](bool masked) {
    const double scores = rows * keys, outputs = rows * dv;
    // The mask function of a partial block: indices, comparison and select of every score.
    const PipeWork maximum{.fma = scores, .alu = scores * (1.5 + (masked ? 6 : 0))};
    const PipeWork exponential{.fma = scores, .mufu = scores};
    const PipeWork sum{.fma = scores + outputs, .convert = scores / 2, .shared_bytes = spilled_bytes};
    return std::vector<TileOp>{WaitLoads{static_cast<std::uint8_t>(prefetch - 1)}, Vector{{}, 60, "block barrier"},
                               Load{{1, at_item(2), ahead(prefetch), {}}, false}, Load{{2, at_item(2), ahead(prefetch), {}}},
                               qk, MmaWait{0}, Vector{{maximum, exponential, sum}, f.latency_cycles, masked ? "softmax (masked)" : "softmax"}, pv};
  };
  Role role{"warps", f.warps, {}};
  Section first{times(1), {Load{q, false}}, false};
  for (int n = 0; n < prefetch; ++n) {
    first.ops.push_back(Load{{1, at_item(2), ahead(n), {}}, false});
    first.ops.push_back(Load{{2, at_item(2), ahead(n), {}}});
  }
  const PipeWork finish{.fma = rows * dv, .convert = rows * dv / 2};
  role.sections = {first,
                   {item_count(0), step(true), true},
                   {item_count(1), step(false), true},
                   {times(1), {MmaWait{0}, Vector{{finish}, 200, "epilogue"}, Store{o}}, false}};
  p.roles = {role};
  return p;
}

}  // namespace rooftile::workloads::attention
