#include "workloads/attention/backward.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::workloads::attention {
namespace {

using namespace hw;

enum Tensors : std::uint8_t { kQ, kDo, kK, kV, kDq, kDk, kDv };
enum Coordinate { kBlock = 0, kHead = 1, kKvHead = 2, kFirst = 3 };
enum Count { kMasked = 0, kClear = 1 };

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// A tensor of heads x length x dim walked in CTAs of `rows` rows.
TileProgram row_pass(const char* name, std::int64_t rows_total, std::int64_t dim, int rows, int threads, int registers,
                     std::vector<Tensor> reads, std::vector<Tensor> writes, const PipeWork& work) {
  TileProgram p;
  p.kernel = name;
  p.threads = threads;
  p.registers = registers;
  const std::int64_t ctas = ceil_div(rows_total, rows);
  Section all{times(1), {}, true};
  for (const auto& list : {reads, writes})
    for (Tensor t : list) {
      t.rows = rows_total;
      t.cols = t.box_cols = dim;
      t.box_rows = rows;
      p.tensors.push_back(t);
    }
  for (std::size_t i = 0; i < reads.size(); ++i) all.ops.push_back(Load{Box{static_cast<std::uint8_t>(i), {}, at_item(0), {}}, i + 1 == reads.size()});
  all.ops.push_back(WaitLoads{0});
  all.ops.push_back(Vector{{work}, 100, name});
  for (std::size_t i = 0; i < writes.size(); ++i) all.ops.push_back(Store{Box{static_cast<std::uint8_t>(reads.size() + i), {}, at_item(0), {}}});
  p.items.resize(static_cast<std::size_t>(ctas));
  for (std::int64_t i = 0; i < ctas; ++i) p.items[static_cast<std::size_t>(i)].coordinate[0] = static_cast<std::int32_t>(i);
  p.roles = {{"threads", threads / 32, {all}}};
  return p;
}

// Copy to another layout, element by element with 64-bit index arithmetic: 22 ALU and 21 integer multiply-adds an
// element (pipe counters of the kernel), 64 issue slots at the IPC that goes with them.
TileProgram layout_copy(std::int64_t rows, std::int64_t dim) {
  const int rows_per_cta = static_cast<int>(std::max<std::int64_t>(1, 512 / dim));
  const double n = static_cast<double>(rows_per_cta * dim);
  return row_pass("layout_copy", rows, dim, rows_per_cta, 128, 18, {{"X", 1, 0, 0, 0, 0, 2}}, {{"Y", 1, 0, 0, 0, 0, 2, false, true}},
                  {.fma = 21 * n, .alu = 22 * n, .issue_only = 21 * n});
}

// Sums of dO times O by row; it also clears the fp32 accumulator of dQ.
TileProgram dot_do_o(std::int64_t rows, std::int64_t dim, int rows_per_cta, int threads) {
  const double n = static_cast<double>(rows_per_cta * dim);
  return row_pass("dot_do_o", rows, dim, rows_per_cta, threads, 50, {{"O", 1, 0, 0, 0, 0, 2}, {"dO", 1, 0, 0, 0, 0, 2}},
                  {{"dQ32", 1, 0, 0, 0, 0, 4, false, true}}, {.fma = 2 * n, .alu = 2 * n, .issue_only = n});
}

TileProgram convert_dq(std::int64_t rows, std::int64_t dim, int rows_per_cta, int threads) {
  const double n = static_cast<double>(rows_per_cta * dim);
  return row_pass("convert_dq", rows, dim, rows_per_cta, threads, 48, {{"dQ32", 1, 0, 0, 0, 0, 4}}, {{"dQ", 1, 0, 0, 0, 0, 2, false, true}},
                  {.fma = n, .convert = n / 2, .issue_only = n});
}

// Query tiles that a block of keys meets: the first, how many, and how many of them need the mask.
Steps query_steps(const Shape& s, std::int64_t first_key, std::int64_t keys, std::int64_t tile_m) {
  Steps n;
  const std::int64_t tiles = ceil_div(s.q_len, tile_m), last_key = std::min(first_key + keys, s.kv_len) - 1;
  if (s.mask == Mask::none) return {tiles, 0, 0};
  n.first = std::clamp<std::int64_t>((first_key - s.diagonal()) / tile_m, 0, tiles);
  n.all = tiles - n.first;
  n.masked = std::clamp<std::int64_t>(ceil_div(last_key + 1 - s.diagonal(), tile_m) - n.first, 0, n.all);
  return n;
}

void add_problem(TileProgram& p, const Shape& s, std::int64_t tile_m, std::int64_t tile_n) {
  const std::int64_t heads = s.batch * s.q_heads, kv = s.batch * s.kv_heads;
  p.tensors = {{"Q", heads, s.q_len, s.head_dim, tile_m, s.head_dim, 2},    {"dO", heads, s.q_len, s.v_head_dim, tile_m, s.v_head_dim, 2},
               {"K", kv, s.kv_len, s.head_dim, tile_n, s.head_dim, 2},      {"V", kv, s.kv_len, s.v_head_dim, tile_n, s.v_head_dim, 2},
               {"dQ32", heads, s.q_len, s.head_dim, tile_m, s.head_dim, 4, false, true},
               {"dK", heads, s.kv_len, s.head_dim, tile_n, s.head_dim, 2, false, true},
               {"dV", heads, s.kv_len, s.v_head_dim, tile_n, s.v_head_dim, 2, false, true}};
  for (std::int64_t h = 0; h < s.q_heads; ++h)
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int64_t n = 0; n < ceil_div(s.kv_len, tile_n); ++n) {
        const Steps q = query_steps(s, n * tile_n, tile_n, tile_m);
        WorkItem w;
        w.coordinate[kBlock] = static_cast<std::int32_t>(n);
        w.coordinate[kHead] = static_cast<std::int32_t>(b * s.q_heads + h);
        w.coordinate[kKvHead] = static_cast<std::int32_t>(b * s.kv_heads + h * s.kv_heads / s.q_heads);
        w.coordinate[kFirst] = static_cast<std::int32_t>(q.first);
        w.count[kMasked] = static_cast<std::int32_t>(q.masked);
        w.count[kClear] = static_cast<std::int32_t>(q.all - q.masked);
        p.items.push_back(w);
      }
}

// P = exp(S - LSE), then dS = P (dP - D): per score.
PipeWork probabilities(double scores, bool masked) { return {.fma = 2 * scores, .alu = scores * (masked ? 4 : 1), .mufu = scores, .convert = scores / 2}; }
PipeWork score_gradients(double scores) { return {.fma = 2 * scores, .alu = 0.5 * scores, .convert = scores / 2}; }

struct Matmul {
  double m, n, k;
  int warps_m, warps_n;  // warps that split the rows and the columns of the product
  // Every warp reads its rows of A and columns of B: A is read once by each column of warps, B by each row of them.
  double operand_bytes() const { return 2 * k * (m * warps_n + n * warps_m); }
};

Mma sync_mma(const Matmul& t, double ldmatrix_latency) {
  return {.flops = 2 * t.m * t.n * t.k, .async = false, .beside = {.shared_bytes = t.operand_bytes()}, .exposed_cycles = ldmatrix_latency * t.k / 16};
}

// FlashAttention-2's main kernel: eight warps, tiles and warp layouts of its kernel traits.
TileProgram flash2_main(const Shape& s) {
  const bool small = s.head_dim <= 64;
  const std::int64_t tile_m = small ? 128 : 64, tile_n = s.head_dim <= 128 ? 128 : 64;
  const int split_m = small ? 4 : 2;  // warps along the rows of S, dP and dQ
  TileProgram p;
  p.kernel = "flash2_bwd_" + std::to_string(s.head_dim) + "_" + std::to_string(tile_m) + "x" + std::to_string(tile_n);
  p.engines = {{MmaFamily::mma_sync, MathType::bf16}};
  p.threads = 256;
  p.registers = 255;
  p.shared_memory = {147456};
  add_problem(p, s, tile_m, tile_n);
  const double m = static_cast<double>(tile_m), n = static_cast<double>(tile_n), d = static_cast<double>(s.head_dim), dv = static_cast<double>(s.v_head_dim);
  constexpr double kLdmatrix = 50;
  const Mma scores = sync_mma({m, n, d, split_m, 8 / split_m}, kLdmatrix), dp = sync_mma({m, n, dv, split_m, 8 / split_m}, kLdmatrix);
  const Mma grad_v = sync_mma({n, dv, m, 4, 2}, kLdmatrix), grad_k = sync_mma({n, d, m, 4, 2}, kLdmatrix);
  const Mma grad_q = sync_mma({m, d, n, split_m, 8 / split_m}, kLdmatrix);
  const Affine tile = at_item(kFirst) + at_step();
  const Box q{kQ, at_item(kHead), tile, {}}, d_o{kDo, at_item(kHead), tile, {}}, dq{kDq, at_item(kHead), tile, {}};
  const Box next_q{kQ, at_item(kHead), tile + Affine{.constant = 1}, {}}, next_do{kDo, at_item(kHead), tile + Affine{.constant = 1}, {}};
  const Vector barrier{{}, 60, "block barrier"};
  PipeWork exchange_p{.shared_bytes = 2 * m * n}, exchange_ds = exchange_p;
  const PipeWork writes{.issue_only = m * d, .shared_bytes = 2 * m * (d + dv)};  // atomics, one an element; cp.async of Q and dO
  const auto step = [&](bool masked) {
    return std::vector<TileOp>{WaitLoads{0}, barrier, scores, Vector{{probabilities(m * n, masked), exchange_p}, 100, "probabilities"}, dp,
                               Vector{{score_gradients(m * n), exchange_ds}, 60, "score gradients"}, barrier, Load{next_do, false}, grad_v, grad_q,
                               Vector{{writes}, 60, "accumulate dQ"}, Store{dq, false, true}, barrier, Load{next_q}, grad_k};
  };
  const PipeWork finish{.fma = n * (d + dv), .convert = n * (d + dv) / 2, .shared_bytes = 4 * n * (d + dv)};
  p.roles = {{"warps", 8,
              {{times(1), {Load{{kK, at_item(kKvHead), at_item(kBlock), {}}, false}, Load{{kV, at_item(kKvHead), at_item(kBlock), {}}, false}, Load{q, false}, Load{d_o}}, false},
               {item_count(kMasked), step(true), true},
               {item_count(kClear), step(false), true},
               {times(1), {Vector{{finish}, 200, "epilogue"}, Store{{kDk, at_item(kHead), at_item(kBlock), {}}}, Store{{kDv, at_item(kHead), at_item(kBlock), {}}}}, false}}}};
  return p;
}

// cuDNN's main kernel: two warpgroups of 64 keys each, query tiles of 64 rows through rings.
TileProgram cudnn_main(const Shape& s, int sms) {
  constexpr std::int64_t kTileM = 64, kTileN = 128;
  TileProgram p;
  p.kernel = "cudnn_bwd_" + std::to_string(s.head_dim) + "_64x128";
  p.engines = {{MmaFamily::wgmma, MathType::bf16}};
  p.threads = 384;
  p.registers = 168;
  p.shared_memory = {s.head_dim <= 64 ? 152576 : 216064};
  p.schedule = s.mask == Mask::none ? Schedule::static_persistent : Schedule::dynamic_persistent;
  p.grid = sms;
  add_problem(p, s, kTileM, kTileN);
  p.rings = {{"KV", 1, 2, 2}, {"Q", 2, 1, 2}, {"dO", 2, 1, 2}};
  const Affine tile = at_item(kFirst) + at_step();
  const std::vector<TileOp> load{Acquire{1}, TmaLoad{1, {kQ, at_item(kHead), tile, {}}}, Acquire{2}, TmaLoad{2, {kDo, at_item(kHead), tile, {}}}};
  Role producer{"producer", 1,
                {{times(1), {Acquire{0}, TmaLoad{0, {kK, at_item(kKvHead), at_item(kBlock), {}}}, TmaLoad{0, {kV, at_item(kKvHead), at_item(kBlock), {}}}}, false},
                 {item_count(kMasked), load, true},
                 {item_count(kClear), load, true}}};
  p.roles = {producer};
  const double d = static_cast<double>(s.head_dim), dv = static_cast<double>(s.v_head_dim), rows = 64, keys = 64;
  // m64 instructions of k 16: 2 KB of A (none from registers) and 32 B for each column of B.
  const auto wgmma = [](double n, double k, bool a_in_registers) {
    return Mma{.flops = 2 * 64 * n * k, .operand_bytes = k / 16 * ((a_in_registers ? 0 : 2048) + 32 * n)};
  };
  const Mma scores = wgmma(rows, d, false), dp = wgmma(rows, dv, false), grad_v = wgmma(dv, rows, true), grad_k = wgmma(d, rows, true);
  const Mma grad_q = wgmma(d / 2, 2 * keys, false);  // each warpgroup makes half of the columns
  const Box dq{kDq, at_item(kHead), tile, {}};
  const auto step = [&](bool masked, int warpgroup) {
    PipeWork ds = score_gradients(rows * keys);
    ds.shared_bytes = 2 * rows * keys;  // to the other warpgroup
    // Each product is waited for before the next phase: with any of them in flight beside the vector work the tensor pipe
    // would be busier than the 54 % that counters show.
    std::vector<TileOp> ops{WaitFull{1}, scores, MmaWait{0}, Vector{{probabilities(rows * keys, masked)}, 60, "probabilities"}, WaitFull{2}, dp, MmaWait{0},
                            Vector{{ds}, 60, "score gradients"}, Sync{0, 2}, grad_v, grad_k, grad_q, MmaWait{0}, Release{1}, Release{2},
                            Vector{{{.shared_bytes = 4 * rows * d / 2}}, 40, "stage dQ"}, Sync{1, 2}};
    if (warpgroup == 0) ops.insert(ops.end(), {TileOp{WaitStores{}}, TileOp{Store{dq, true, true}}});
    return ops;
  };
  const PipeWork finish{.convert = keys * (d + dv) / 2, .shared_bytes = 2 * keys * (d + dv)};
  for (int w = 0; w < 2; ++w) {
    Role role{"warpgroup " + std::to_string(w), 4, {{times(1), {WaitFull{0}}, false}, {item_count(kMasked), step(true, w), true}, {item_count(kClear), step(false, w), true},
                                                   {times(1), {Release{0}, Vector{{finish}, 150, "epilogue"}}, false}}};
    if (w == 0)
      role.sections.back().ops.insert(role.sections.back().ops.end(), {TileOp{Store{{kDk, at_item(kHead), at_item(kBlock), {}}, true}}, TileOp{Store{{kDv, at_item(kHead), at_item(kBlock), {}}, true}}});
    p.roles.push_back(role);
  }
  return p;
}

}  // namespace

std::vector<Kernel> flash2_backward(const Shape& s) {
  const std::int64_t rows = s.batch * s.q_heads * s.q_len;
  std::vector<Kernel> k;
  for (int i = 0; i < 2; ++i) k.push_back({layout_copy(rows, s.head_dim), false, {}});
  const int tile_m = s.head_dim <= 64 ? 128 : 64;
  k.push_back({dot_do_o(rows, s.v_head_dim, tile_m, 256), false, {}});
  k.push_back({flash2_main(s), false, {}});
  k.push_back({convert_dq(rows, s.head_dim, tile_m, 256), false, {}});
  return k;
}

std::vector<Kernel> cudnn_backward(const Shape& s, int sms) {
  const std::int64_t rows = s.batch * s.q_heads * s.q_len;
  return {{dot_do_o(rows, s.v_head_dim, s.head_dim <= 64 ? 16 : 8, 128), true, {}},
          {cudnn_main(s, sms), false, {}},
          {convert_dq(rows, s.head_dim, s.head_dim <= 64 ? 32 : 16, 128), false, {}}};
}

}  // namespace rooftile::workloads::attention
