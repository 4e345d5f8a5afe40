#include "workloads/attention/operation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "workloads/attention/backward.hpp"
#include "workloads/attention/program.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::attention {
namespace {

std::string mask_name(const Shape& s) {
  switch (s.mask) {
    case Mask::none: return "no mask";
    case Mask::causal: return "causal";
    case Mask::causal_bottom_right: return "causal, bottom right";
    case Mask::causal_window: return "causal, window " + std::to_string(s.window);
    case Mask::causal_packed: return "causal, " + std::to_string(s.lengths.size()) + " packed sequences";
    default: return "causal, blocks of stride " + std::to_string(s.stride) + " and window " + std::to_string(s.local_window);
  }
}

// cuDNN's Hopper kernel: two consumer warpgroups, as many K and V stages as 227 KB hold.
WarpSpecialisedSchedule cudnn_schedule(const Shape& s, double bytes) {
  WarpSpecialisedSchedule w;
  w.tile_n = 128;
  w.input_bytes = bytes;
  w.longest_first = false;  // DRAM bytes and time of our counters: dynamic, in index order
  w.softmax.latency_cycles = 30;
  const auto q = static_cast<std::int64_t>(128 * s.head_dim * bytes);
  const auto stage = static_cast<std::int64_t>(w.tile_n * (s.head_dim + s.v_head_dim) * bytes);
  w.stages = s.head_dim <= 64 ? 3 : static_cast<int>((231000 - q) / stage);
  if (w.stages < 1) {
    w.tile_n = 64;
    w.stages = static_cast<int>((231000 - q) / (stage / 2));
  }
  return w;
}

// FlashAttention-3's tile table (bf16).
WarpSpecialisedSchedule flash3_schedule(const Shape& s, double bytes) {
  WarpSpecialisedSchedule w;
  w.input_bytes = bytes;
  w.overlap = true;
  w.ping_pong = s.head_dim <= 128;
  const bool causal = s.mask != Mask::none;
  if (s.head_dim <= 64) {
    w.warpgroups = 3;
    w.tile_n = causal ? 128 : 192;
  } else if (s.head_dim <= 128) {
    w.tile_n = causal ? 128 : 176;
  } else {
    w.tile_n = s.head_dim <= 192 ? 112 : 80;
  }
  return w;
}

// FlashAttention-2's split rule for two CTAs an SM: the fewest splits within 85 % of the best wave fill.
int flash2_splits(std::int64_t tiles, std::int64_t slots, std::int64_t kv_blocks) {
  if (static_cast<double>(tiles) >= 0.8 * static_cast<double>(slots)) return 1;
  const std::int64_t most = std::min<std::int64_t>({128, slots, kv_blocks});
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const auto eligible = [&](std::int64_t s) { return s == 1 || up(kv_blocks, s) != up(kv_blocks, s - 1); };
  const auto fill = [&](std::int64_t s) {
    const double waves = static_cast<double>(tiles * s) / static_cast<double>(slots);
    return waves / std::ceil(waves);
  };
  double best = 0;
  for (std::int64_t s = 1; s <= most; ++s)
    if (eligible(s)) best = std::max(best, fill(s));
  for (std::int64_t s = 1; s <= most; ++s)
    if (eligible(s) && fill(s) >= 0.85 * best) return static_cast<int>(s);
  return 1;
}

Plan flash2_plan(const Shape& shape, std::int64_t sms) {
  const Shape s = packed(shape);
  Plan p;
  const std::int64_t split_n = s.head_dim <= 64 ? 256 : s.head_dim <= 128 ? 128 : 64;
  const std::int64_t tiles = s.batch * s.q_heads * ((s.q_len + 63) / 64);
  const int splits = flash2_splits(tiles, 2 * sms, (s.kv_len + split_n - 1) / split_n);
  if (splits == 1) {
    p.kernels.push_back({flash2_program(s, flash2_schedule(s.head_dim, s.mask != Mask::none)), false});
    return p;
  }
  Flash2Schedule f = flash2_schedule(s.head_dim, false);
  f.tile_m = 64;
  f.tile_n = static_cast<int>(split_n);
  f.registers = 246;
  f.splits = splits;
  f.name = "flash2_splitkv";
  p.kernels.push_back({flash2_program(s, f), false});
  const int rows = s.head_dim % 128 == 0 ? 4 : s.head_dim % 64 == 0 ? 8 : 16;
  p.kernels.push_back({combine_program(s.batch * s.q_heads * s.q_len, s.v_head_dim, splits, rows, 128, true), false});
  return p;
}

// FlashAttention-3 on one query a sequence: the heads of a group are the rows of one tile, KV split by the same rule as
// in FlashAttention-2 with one CTA an SM, then a combine kernel.
Plan flash3_decode_plan(const Shape& shape, std::int64_t sms, const std::string& kv_dtype) {
  const Shape s = packed(shape);
  WarpSpecialisedSchedule w = flash3_schedule(s, element_bytes(kv_dtype));
  w.type = math_type(kv_dtype);
  w.tile_n = s.head_dim <= 128 ? 128 : 64;
  w.warpgroups = s.q_len <= 64 ? 1 : 2;
  w.ping_pong = false;
  w.longest_first = false;
  const std::int64_t blocks = (s.kv_len + w.tile_n - 1) / w.tile_n;
  w.splits = flash2_splits(s.batch * s.q_heads * ((s.q_len + 127) / 128), sms, blocks);
  Plan p;
  p.kernels.push_back({warp_specialised_program(s, w, static_cast<int>(sms)), false, {}});
  if (w.splits > 1) p.kernels.push_back({combine_program(s.batch * s.q_heads * s.q_len, s.v_head_dim, w.splits, 8, 128, false), false, {}});
  return p;
}

// cuDNN's decode kernel: 16 query rows, four warps along the keys, as many CTAs as two fit an SM.
Plan cudnn_decode_plan(const Shape& shape, std::int64_t sms) {
  const Shape s = packed(shape);
  Flash2Schedule f;
  f.tile_m = 16;
  f.tile_n = 128;
  f.registers = s.head_dim <= 64 ? 120 : 183;
  f.name = "cudnn_sm80_decode";
  const std::int64_t tiles = s.batch * s.q_heads, blocks = (s.kv_len + f.tile_n - 1) / f.tile_n;
  if (tiles < sms * 9 / 10)
    while (tiles * f.splits * 2 <= 2 * sms && f.splits * 2 <= blocks) f.splits *= 2;
  Plan p;
  p.kernels.push_back({flash2_program(s, f), false});
  if (f.splits > 1) p.kernels.push_back({combine_program(s.batch * s.q_heads * s.q_len, s.v_head_dim, f.splits, 1, 256, false), false});
  return p;
}

}  // namespace

Shape packed(const Shape& s) {
  Shape p = s;
  if (s.q_len == 1) {
    p.q_len = s.q_heads / s.kv_heads;
    p.q_heads = s.kv_heads;
    if (s.mask == Mask::causal_window) p.kv_len = std::min(s.kv_len, s.window);  // the last keys
    p.mask = Mask::none;
  }
  return p;
}

std::string Attention::describe() const {
  return "batch " + std::to_string(shape.batch) + ", heads " + std::to_string(shape.q_heads) + "/" +
         std::to_string(shape.kv_heads) + ", " + std::to_string(shape.q_len) + " queries, " + std::to_string(shape.kv_len) +
         " keys, dim " + std::to_string(shape.head_dim) + ", " + mask_name(shape);
}

double Attention::compulsory_bytes() const {
  if (backward) return sum(derivation().bytes);
  const double e = element_bytes(kv_dtype);
  const Shape& s = shape;
  const auto q = static_cast<double>(s.batch * s.q_heads * s.q_len), kv = static_cast<double>(s.batch * s.kv_heads * s.kv_len);
  return q * static_cast<double>(s.head_dim) * e + q * static_cast<double>(s.v_head_dim) * 2 +
         kv * static_cast<double>(s.head_dim + s.v_head_dim) * e;
}

Derivation Attention::derivation() const {
  const Shape& s = shape;
  const auto factor = [](const char* symbol, std::int64_t v) { return Factor{symbol, static_cast<double>(v)}; };
  const Factor batch = factor("batch", s.batch), heads = factor("q_heads", s.q_heads), kv_heads = factor("kv_heads", s.kv_heads);
  const Factor queries = factor("q_len", s.q_len), keys = factor("kv_len", s.kv_len);
  const Factor dim = factor("head_dim", s.head_dim), v_dim = factor("v_head_dim", s.v_head_dim);
  const Factor pairs{"pairs", s.pairs()}, in{"bytes of " + kv_dtype, element_bytes(kv_dtype)}, out{"bytes of output", 2};
  Derivation d;
  if (backward) {
    const Factor gradient{"bytes of gradients", 2};
    d.flops = {{"S = Q K^T, dQ = dS K, dK = dS^T Q", {{"", 6}, batch, heads, pairs, dim}}, {"dP = dO V^T, dV = P^T dO", {{"", 4}, batch, heads, pairs, v_dim}}};
    d.bytes = {{"read Q, write dQ", {{"", 2}, batch, heads, queries, dim, gradient}},
               {"read O and dO", {{"", 2}, batch, heads, queries, v_dim, gradient}},
               {"read K, write dK", {{"", 2}, batch, kv_heads, keys, dim, gradient}},
               {"read V, write dV", {{"", 2}, batch, kv_heads, keys, v_dim, gradient}}};
    return d;
  }
  d.flops = {{"Q K^T", {{"", 2}, batch, heads, pairs, dim}}, {"P V", {{"", 2}, batch, heads, pairs, v_dim}}};
  d.bytes = {{"read Q", {batch, heads, queries, dim, in}},
             {"read K", {batch, kv_heads, keys, dim, in}},
             {"read V", {batch, kv_heads, keys, v_dim, in}},
             {"write O", {batch, heads, queries, v_dim, out}}};
  d.notes = {s.mask == Mask::none ? "pairs = q_len x kv_len: every query sees every key"
                                  : "pairs = sum over query rows i of min(kv_len, max(0, i + 1 + " + std::to_string(s.diagonal()) +
                                        ")): keys that row i sees under the mask"};
  return d;
}

std::vector<Plan> Attention::plans(const hw::GpuSpec& gpu, const std::string& implementation) const {
  const auto sms = static_cast<int>(gpu.sm.count.value);
  Plan p;
  if (backward) {
    if (implementation != "flash2" && implementation != "cudnn") throw std::invalid_argument("no backward pass of " + implementation);
    p.kernels = implementation == "flash2" ? flash2_backward(shape) : cudnn_backward(shape, sms);
  } else if (implementation == "flash2") {
    p = flash2_plan(shape, sms);
  } else if (implementation == "torch_flex") {
    p.kernels.push_back({flex_program(shape, flex_schedule(shape.head_dim)), false, {}});
  } else if (implementation == "cudnn" && shape.q_len == 1) {
    p = cudnn_decode_plan(shape, sms);
  } else if (implementation == "flash3" && shape.q_len == 1) {
    p = flash3_decode_plan(shape, sms, kv_dtype);
  } else if (implementation == "cudnn" || implementation == "flash3") {
    const double bytes = element_bytes(kv_dtype);
    WarpSpecialisedSchedule w = implementation == "cudnn" ? cudnn_schedule(shape, bytes) : flash3_schedule(shape, bytes);
    w.type = math_type(kv_dtype);
    p.kernels.push_back({warp_specialised_program(shape, w, sms), implementation == "cudnn"});
  } else {
    throw std::invalid_argument("attention has no implementation " + implementation);
  }
  p.schedule = p.kernels.front().program.kernel;
  if (p.kernels.size() > 1) p.schedule += " + " + p.kernels.back().program.kernel;
  if (backward) p.schedule = implementation + "_backward, " + std::to_string(p.kernels.size()) + " kernels";
  return {p};
}

}  // namespace rooftile::workloads::attention
