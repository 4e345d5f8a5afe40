#include "workloads/attention/program.hpp"

#include <algorithm>
#include <numeric>

namespace rooftile::workloads::attention {
namespace {

using namespace hw;

constexpr std::uint8_t kQ = 0, kK = 1, kV = 2, kO = 3;
constexpr std::uint8_t kRingQ = 0, kRingK = 1, kRingV = 2;
enum Coordinate { kBlock = 0, kHead = 1, kKvHead = 2, kFirst = 3 };
enum Count { kClear = 0, kMasked = 1 };

// The dependent phases of one softmax step over rows x keys scores: row max, scale and exponential, row sum
// and rescale of O, conversion of P.
Vector softmax(const SoftmaxWork& w, double rows, double keys, double v_dim, bool masked) {
  const double scores = rows * keys, outputs = rows * v_dim;
  const PipeWork maximum{.alu = scores * (w.alu + (masked ? w.mask_alu : 0)) + outputs * w.alu_rescale};
  const PipeWork exponential{.fma = scores, .mufu = scores * w.mufu};
  const PipeWork sum{.fma = scores * (w.fma - 1) + outputs * w.fma_rescale};
  const PipeWork convert{.convert = scores / 2};
  return {{maximum, exponential, sum, convert}, w.latency_cycles, masked ? "softmax (masked)" : "softmax"};
}

void add_tensors(TileProgram& p, const Shape& s, std::int64_t tile_m, std::int64_t tile_n, double bytes) {
  const std::int64_t heads = s.batch * s.q_heads, kv_heads = s.batch * s.kv_heads;
  p.tensors = {{"Q", heads, s.q_len, s.head_dim, tile_m, s.head_dim, bytes},
               {"K", kv_heads, s.kv_len, s.head_dim, tile_n, s.head_dim, bytes},
               {"V", kv_heads, s.kv_len, s.v_head_dim, tile_n, s.v_head_dim, bytes},
               {"O", heads, s.q_len, s.v_head_dim, tile_m, s.v_head_dim, 2}};
}

WorkItem item(const Shape& s, std::int64_t block, std::int64_t b, std::int64_t h, std::int64_t tile_m, std::int64_t tile_n) {
  const Steps n = steps(s, block * tile_m, tile_m, tile_n);
  WorkItem w;
  w.coordinate[kBlock] = static_cast<std::int32_t>(block);
  w.coordinate[kHead] = static_cast<std::int32_t>(b * s.q_heads + h);
  w.coordinate[kKvHead] = static_cast<std::int32_t>(b * s.kv_heads + h * s.kv_heads / s.q_heads);
  w.coordinate[kFirst] = static_cast<std::int32_t>(n.first);
  w.count[kMasked] = static_cast<std::int32_t>(n.masked);
  w.count[kClear] = static_cast<std::int32_t>(n.all - n.masked);
  return w;
}

// The part of an item that one split computes: `share` KV blocks from `first`.
WorkItem part_of(WorkItem w, std::int32_t first, std::int32_t share) {
  const std::int32_t all = w.count[kClear] + w.count[kMasked];
  const std::int32_t end = std::min(all, first + share), window_start = w.coordinate[kFirst];
  const std::int32_t clear = std::clamp(w.count[kClear] - first, 0, std::max(0, end - first));
  w.coordinate[kFirst] = window_start + first;
  w.count[kClear] = clear;
  w.count[kMasked] = std::max(0, end - first) - clear;
  return w;
}

}  // namespace

// Tiles of FlashAttention-2 as PyTorch ships it (H100 choices).
Flash2Schedule flash2_schedule(std::int64_t head_dim, bool) {
  Flash2Schedule s;
  if (head_dim <= 64) s.tile_n = 128;
  if (head_dim > 128 && head_dim <= 192) s.warps = 8;
  if (head_dim > 192) s.tile_m = 64;
  return s;
}

hw::TileProgram flash2_program(const Shape& s, const Flash2Schedule& f) {
  TileProgram p;
  p.kernel = std::string(f.name) + "_" + std::to_string(s.head_dim) + "_" + std::to_string(f.tile_m) + "x" + std::to_string(f.tile_n);
  p.engines = {{MmaFamily::mma_sync, MathType::bf16}};
  p.threads = f.warps * 32;
  p.registers = f.registers;
  const std::int64_t q_bytes = 2 * f.tile_m * s.head_dim;
  p.shared_memory = {q_bytes + 2 * f.tile_n * (s.head_dim + s.v_head_dim)};
  add_tensors(p, s, f.tile_m, f.tile_n, 2);
  if (f.splits > 1) p.tensors[kO] = {"O", s.batch * s.q_heads * f.splits, s.q_len, s.v_head_dim + 1, f.tile_m, s.v_head_dim + 1, 4};
  const std::int64_t blocks = (s.q_len + f.tile_m - 1) / f.tile_m;
  const std::int64_t kv_blocks = (s.kv_len + f.tile_n - 1) / f.tile_n;
  const auto share = static_cast<std::int32_t>((kv_blocks + f.splits - 1) / f.splits);
  for (std::int64_t h = 0; h < s.q_heads; ++h)
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int32_t split = 0; split < f.splits; ++split)
        for (std::int64_t m = 0; m < blocks; ++m)
          p.items.push_back(part_of(item(s, m, b, h, f.tile_m, f.tile_n), split * share, share));

  const double rows = f.tile_m, keys = f.tile_n;
  const Affine block = at_item(kFirst) + at_step();
  const Box first_k{kK, at_item(kKvHead), at_item(kFirst), {}}, v{kV, at_item(kKvHead), block, {}};
  const Box next_k{kK, at_item(kKvHead), block + Affine{.constant = 1}, {}};
  const Box q{kQ, at_item(kHead), at_item(kBlock), {}}, o{kO, at_item(kHead), at_item(kBlock), {}};
  // Every warp reads its rows of Q and all of K (then V) through ldmatrix.
  // cp.async writes of K and V take the same path.
  const PipeWork read_qk{.shared_bytes = 2 * (keys * static_cast<double>(s.head_dim) + rows * static_cast<double>(s.head_dim) + f.warps * keys * static_cast<double>(s.head_dim))};
  const PipeWork read_v{.shared_bytes = 2.0 * (f.warps + 1) * keys * static_cast<double>(s.v_head_dim)};
  // ldmatrix of the next k-slice is issued before the products of this one; what a slice of 16 cannot hide is
  // the shared-memory latency.
  const double slice = f.ldmatrix_latency / 16;
  const Mma qk{.flops = 2 * rows * keys * static_cast<double>(s.head_dim), .async = false, .beside = read_qk,
               .exposed_cycles = slice * static_cast<double>(s.head_dim)};
  const Mma pv{.flops = 2 * rows * keys * static_cast<double>(s.v_head_dim), .async = false, .beside = read_v,
               .exposed_cycles = slice * keys};
  const Vector barrier{{}, 60, "block barrier"};
  const auto step = [&](bool masked) {
    return std::vector<TileOp>{WaitLoads{0}, barrier, Load{v}, qk, WaitLoads{0}, barrier, Load{next_k},
                               softmax(f.softmax, rows, keys, static_cast<double>(s.v_head_dim), masked), pv};
  };
  const double out = rows * static_cast<double>(s.v_head_dim);
  const PipeWork finish{.fma = out, .convert = out / 2, .shared_bytes = 4 * out};
  Role role{"warps", f.warps, {}, 0, 1};
  role.sections = {{times(1), {Load{q, false}, Load{first_k}}, false},
                   {item_count(kClear), step(false), true},
                   {item_count(kMasked), step(true), true},
                   {times(1), {Vector{{finish}, 200, "epilogue"}, Store{o}}, false}};
  p.roles = {role};
  return p;
}

hw::TileProgram combine_program(std::int64_t rows, std::int64_t dim, int splits, int rows_per_cta, int threads, bool serial) {
  TileProgram p;
  p.kernel = "combine_" + std::to_string(splits) + "_splits";
  p.threads = threads;
  p.registers = 54;
  p.shared_memory = {static_cast<std::int64_t>(splits) * rows_per_cta * 4};
  p.tensors = {{"partials", splits, rows, dim + 1, rows_per_cta, dim + 1, 4, true}, {"O", 1, rows, dim, rows_per_cta, dim, 2}};
  for (std::int64_t r = 0; r < p.tensors[1].row_boxes(); ++r) {
    WorkItem w;
    w.coordinate[0] = static_cast<std::int32_t>(r);
    w.count[0] = splits;
    p.items.push_back(w);
  }
  const double elements = static_cast<double>(rows_per_cta * dim);
  Section add{item_count(0), {Load{{0, at_step(), at_item(0), {}}}}, true};
  // The loop over splits waits for each load before it adds (one accumulator, no prefetch).
  if (serial) add.ops.insert(add.ops.end(), {TileOp{WaitLoads{0}}, TileOp{Vector{{{.fma = elements}}, 30, "add a split"}}});
  Role role{"threads", threads / 32, {}};
  role.sections = {{times(1), {Vector{{}, 300, "read and reduce LSE"}}, false}, add,
                   {times(1), {WaitLoads{0}, Vector{{{.fma = elements, .convert = elements / 2}}, 60, "scale"}, Store{{1, {}, at_item(0), {}}}}, false}};
  p.roles = {role};
  return p;
}

hw::TileProgram warp_specialised_program(const Shape& s, const WarpSpecialisedSchedule& f, int sms) {
  TileProgram p;
  const int tile_m = 64 * f.warpgroups;
  p.kernel = "attention_ws_" + std::to_string(s.head_dim) + "_" + std::to_string(tile_m) + "x" + std::to_string(f.tile_n) +
             "_s" + std::to_string(f.stages) + (f.overlap ? "_overlap" : "") + (f.ping_pong ? "_pingpong" : "");
  p.engines = {{MmaFamily::wgmma, f.type}};
  p.threads = 128 * (1 + f.warpgroups);
  p.registers = 168;
  p.schedule = Schedule::static_persistent;
  p.grid = sms;
  const auto stage = static_cast<std::int64_t>(f.tile_n * (s.head_dim + s.v_head_dim) * f.input_bytes);
  p.shared_memory = {static_cast<std::int64_t>(tile_m * s.head_dim * f.input_bytes) + f.stages * stage + 1024};
  add_tensors(p, s, tile_m, f.tile_n, f.input_bytes);
  if (f.splits > 1) p.tensors[kO] = {"O", s.batch * s.q_heads * f.splits, s.q_len, s.v_head_dim + 1, tile_m, s.v_head_dim + 1, 4};
  const std::int64_t kv_blocks = (s.kv_len + f.tile_n - 1) / f.tile_n;
  const auto share = static_cast<std::int32_t>((kv_blocks + f.splits - 1) / f.splits);
  p.rings = {{"Q", 1, 1, f.warpgroups}, {"K", f.stages, 1, f.warpgroups}, {"V", f.stages, 1, f.warpgroups}};
  const std::int64_t blocks = (s.q_len + tile_m - 1) / tile_m;
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.q_heads; ++h)
      for (std::int32_t split = 0; split < f.splits; ++split)
        for (std::int64_t m = 0; m < blocks; ++m)
          p.items.push_back(part_of(item(s, f.longest_first ? blocks - 1 - m : m, b, h, tile_m, f.tile_n), split * share, share));
  if (s.mask != Mask::none && f.dynamic) p.schedule = Schedule::dynamic_persistent;

  const auto d = static_cast<double>(s.head_dim), dv = static_cast<double>(s.v_head_dim);
  const double keys = f.tile_n, rows = 64;
  const Box q{kQ, at_item(kHead), at_item(kBlock), {}}, o{kO, at_item(kHead), at_item(kBlock), {}};
  const Affine block = at_item(kFirst) + at_step();
  const Box k{kK, at_item(kKvHead), block, {}}, v{kV, at_item(kKvHead), block, {}};
  Role producer{"producer", 1, {}, 0, 1};
  const std::vector<TileOp> load{Acquire{kRingK}, TmaLoad{kRingK, k}, Acquire{kRingV}, TmaLoad{kRingV, v}};
  producer.sections = {{times(1), {Acquire{kRingQ}, TmaLoad{kRingQ, q}}, false},
                       {item_count(kClear), load, true},
                       {item_count(kMasked), load, true}};
  p.roles = {producer};
  // wgmma operands: QK reads Q and K from shared memory, PV has P in registers and reads V.
  const double bytes = f.input_bytes;
  const double qk_instructions = d * bytes / 32, pv_instructions = keys * bytes / 32;
  const Mma qk{.flops = 2 * rows * keys * d, .operand_bytes = qk_instructions * (2048 + keys * 32)};
  const Mma pv{.flops = 2 * rows * keys * dv, .operand_bytes = pv_instructions * dv * 32};
  const auto step = [&](bool masked) {
    std::vector<TileOp> ops{WaitFull{kRingK}};
    if (f.ping_pong) ops.push_back(TurnWait{0});
    ops.insert(ops.end(), {TileOp{qk}, TileOp{MmaWait{0}}});
    if (f.ping_pong) ops.push_back(TurnPass{0});
    ops.insert(ops.end(), {TileOp{Release{kRingK}}, TileOp{softmax(f.softmax, rows, keys, dv, masked)}, TileOp{WaitFull{kRingV}},
                           TileOp{pv}, TileOp{MmaWait{0}}, TileOp{Release{kRingV}}});
    return ops;
  };
  const double out = rows * dv;
  const PipeWork finish{.fma = out, .convert = out / 2, .shared_bytes = 2 * out};
  for (int w = 0; w < f.warpgroups; ++w) {
    Role role{"warpgroup " + std::to_string(w), 4, {}, 0, 1};
    role.sections = {{times(1), {WaitFull{kRingQ}}, false},
                     {item_count(kClear), step(false), true},
                     {item_count(kMasked), step(true), true},
                     {times(1), {Release{kRingQ}, WaitStores{}, Vector{{finish}, 150, "epilogue"}}, false}};
    role.turn = w;
    if (w == 0) role.sections.back().ops.push_back(Store{o, true});
    p.roles.push_back(role);
  }
  return p;
}

}  // namespace rooftile::workloads::attention
