#include "workloads/routing/kernels.hpp"

#include <algorithm>
#include <bit>

namespace rooftile::workloads::routing {

using namespace hw;

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

TileProgram rows_program(const char* name, int threads, int registers, std::int64_t ctas) {
  TileProgram p;
  p.kernel = name;
  p.threads = threads;
  p.registers = registers;
  p.items.resize(static_cast<std::size_t>(ctas));
  for (std::int64_t i = 0; i < ctas; ++i) p.items[static_cast<std::size_t>(i)].coordinate[0] = static_cast<std::int32_t>(i);
  return p;
}

// Latencies in cycles (our microbenchmarks): a dependent instruction, a shuffle or ballot, a shared-memory access, a
// block barrier. These kernels run few warps, so their time is their chain of instructions.
constexpr double kDependent = 4.3, kShuffle = 24, kShared = 23;
double barrier(int warps) { return warps > 1 ? 15 + 2.0 * warps : 0; }

// Rows are gathered expert by expert, tokens ascending within each: one walk over the source an expert.
std::int64_t source_of(std::int64_t row, std::int64_t source_rows, std::int64_t rows) {
  constexpr std::int64_t kExperts = 128;
  const std::int64_t share = std::max<std::int64_t>(1, rows / kExperts);
  const std::int64_t stride = std::max<std::int64_t>(1, source_rows / share);
  const auto shift = static_cast<std::int64_t>(core::mix(static_cast<std::uint64_t>(row))) % stride;
  return (row % share * stride + shift) % source_rows;
}

}  // namespace

// vectorized_gather_kernel: 256 threads copy up to 4 KB of a row, 16 bytes each, after reading the row's index.
TileProgram gather_rows(std::int64_t source_rows, std::int64_t rows, std::int64_t cols, double bytes) {
  const auto piece = static_cast<std::int64_t>(4096 / bytes);
  const std::int64_t pieces = ceil_div(cols, piece), width = std::min(cols, piece);
  TileProgram p = rows_program("gather_rows", 256, 32, rows * pieces);
  p.tensors = {{"index", 1, rows, 1, 16, 1, 8},
               {"source", 1, source_rows, cols, 1, width, bytes},
               {"rows", 1, rows, cols, 1, width, bytes, false, true}};
  for (std::int64_t i = 0; i < rows * pieces; ++i) {
    WorkItem& w = p.items[static_cast<std::size_t>(i)];
    w.coordinate[0] = static_cast<std::int32_t>(i % rows);  // the grid's first dimension runs fastest
    w.coordinate[1] = static_cast<std::int32_t>(i / rows);
    w.coordinate[3] = w.coordinate[0] / 16;  // a line holds sixteen indices
    w.coordinate[2] = static_cast<std::int32_t>(source_of(w.coordinate[0], source_rows, rows));
  }
  const Section all{times(1),
                    {Load{{0, {}, at_item(3), {}}}, WaitLoads{0}, Vector{{}, 60, "address"}, Load{{1, {}, at_item(2), at_item(1)}}, WaitLoads{0},
                     Vector{{{.issue_only = 256.0 * 12}}, 20, "copy"}, Store{{2, {}, at_item(0), at_item(1)}}}};
  p.roles = {{"threads", 8, {all}}};
  return p;
}

// softmax_warp_forward: a warp (or a part of it) a row, two rows each, all in registers.
TileProgram softmax_warps(std::int64_t tokens, std::int64_t experts) {
  const auto width = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(experts)));
  const std::int64_t lanes = std::min<std::int64_t>(32, width), batch = width <= 128 ? 2 : 1;
  const std::int64_t rows_per_cta = 128 / lanes * batch;
  TileProgram p = rows_program("softmax_warp_forward", 128, 31, ceil_div(tokens, rows_per_cta));
  p.tensors = {{"logits", 1, tokens, experts, rows_per_cta, experts, 4}, {"probabilities", 1, tokens, experts, rows_per_cta, experts, 4, false, true}};
  const double steps = std::bit_width(static_cast<unsigned>(lanes)) - 1;
  const double elements = static_cast<double>(rows_per_cta * width);
  const Section all{times(1),
                    {Load{{0, {}, at_item(0), {}}}, WaitLoads{0},
                     Vector{{{.fma = 10 * elements, .alu = 6 * elements, .mufu = 2 * elements, .issue_only = 8 * elements}}, 2 * steps * (kShuffle + kDependent) + 26 * kDependent * elements / 128, "softmax"},
                     Store{{1, {}, at_item(0), {}}}}};
  p.roles = {{"threads", 4, {all}}};
  return p;
}

// sbtopk::gatherTopK: a CTA a row. Two bits of the key are decided at a time: 16 rounds that count digits by ballots
// (4 a row of 32 keys), add them up in shared memory and meet at barriers; then two passes that write the chosen.
TileProgram radix_top_k(std::int64_t tokens, std::int64_t experts, std::int64_t top_k) {
  const auto threads = static_cast<int>(std::min<std::int64_t>(1024, ceil_div(experts, 32) * 32));
  const int warps = threads / 32;
  TileProgram p = rows_program("gather_top_k", threads, 32, tokens);
  p.shared_memory = {128};
  p.tensors = {{"probabilities", 1, tokens, experts, 1, experts, 4, true},
               {"values", 1, tokens, top_k, 1, top_k, 4, false, true},
               {"indices", 1, tokens, top_k, 1, top_k, 8, false, true}};
  constexpr double kRounds = 16, kInstructions = 84, kL1 = 35;  // instructions a round: loop, four digit counts, their sums
  const double round = kInstructions * kDependent + kL1 + 3 * kShared + 3 * barrier(warps);
  const double instructions = threads * (kRounds * kInstructions + 120);
  const Section all{times(1),
                    {Load{{0, {}, at_item(0), {}}}, WaitLoads{0}, Vector{{{.alu = 0.3 * instructions, .issue_only = 0.7 * instructions}}, kRounds * round, "radix selection"},
                     Vector{{}, 120 * kDependent + 2 * (kL1 + 2 * barrier(warps) + kShared), "write the chosen"}, Store{{1, {}, at_item(0), {}}}, Store{{2, {}, at_item(0), {}}}}};
  p.roles = {{"threads", warps, {all}}};
  return p;
}

// bitonicSortKVInPlace for up to 32 keys: 16 threads a row, several rows a CTA when there are many. Every one of the
// 15 compare-exchange steps goes through shared memory and a barrier.
TileProgram bitonic_sort(std::int64_t tokens, std::int64_t top_k) {
  const std::int64_t rows_per_cta = tokens < 4096 ? 1 : tokens < 16384 ? 5 : 16;
  const auto threads = static_cast<int>(ceil_div(16 * rows_per_cta, 32) * 32);
  const int warps = threads / 32;
  TileProgram p = rows_program("bitonic_sort", threads, 39, ceil_div(tokens, rows_per_cta));
  p.shared_memory = {rows_per_cta * 416};
  p.tensors = {{"values", 1, tokens, top_k, rows_per_cta, top_k, 4, true, true}, {"indices", 1, tokens, top_k, rows_per_cta, top_k, 8, true, true}};
  constexpr double kSteps = 15;
  // Keys, values and validity of both partners are read, compared and written.
  constexpr double kInstructions = 60;
  const double step = kInstructions * kDependent + 2 * kShared + std::max(20.0, barrier(warps));
  const double instructions = threads * (kSteps * kInstructions + 200);
  const Section all{times(1),
                    {Load{{0, {}, at_item(0), {}}, false}, Load{{1, {}, at_item(0), {}}}, WaitLoads{0},
                     Vector{{{.alu = 0.4 * instructions, .issue_only = 0.6 * instructions}}, kSteps * step + 200 * kDependent, "compare and exchange"},
                     Store{{0, {}, at_item(0), {}}}, Store{{1, {}, at_item(0), {}}}}};
  p.roles = {{"threads", warps, {all}}};
  return p;
}

}  // namespace rooftile::workloads::routing
