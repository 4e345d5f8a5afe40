#include "workloads/pointwise/kernels.hpp"

#include <algorithm>
#include <bit>

#include "sim/core/errors.hpp"
#include "workloads/pointwise/elementwise.hpp"

namespace rooftile::workloads::pointwise {
namespace {

using hw::PipeWork;
using hw::TileProgram;
using Programs = std::vector<TileProgram>;

// A warp reduces in five shuffles (24 cycles each, our microbenchmark) with `values` shuffled at each and `combine`
// cycles to merge; a block of `warps` then goes through shared memory (23 cycles) between barriers (15 + 2 a warp).
double reduction(int values, double combine, int warps) {
  const double warp = 5 * (24.0 * values + combine);
  const double steps = std::bit_width(static_cast<unsigned>(warps)) - 1;
  return warp + steps * (15 + 2.0 * warps + 2 * 23.0 * values + combine);
}

// Cycles to issue the next load after a step: address, predicate, loop.
constexpr double kLoop = 30;
constexpr double kL1 = 35;         // an L1 hit
constexpr double kWeights = 270;   // the first row of weights, from L2
constexpr double kDivision = 60;   // IEEE fp32 division, its slow-path test included

// ATen's vectorized_elementwise_kernel: 128 threads, eight elements each, loads of 16 bytes.
Programs eager_elementwise(const char* name, const Shape& s, int inputs, double out_bytes, PipeWork work) {
  Elementwise e{name, inputs, s.bytes, out_bytes};
  e.per_element = work;
  return {elementwise(e, s.elements())};
}
// Triton's pointwise kernel: 128 threads, 1024 elements a CTA, 512 when the tensor is small.
Programs triton_pointwise(const char* name, const Shape& s, int inputs, PipeWork work) {
  Elementwise e{name, inputs, s.bytes, s.bytes};
  if (s.elements() < (1 << 18)) e.elements_per_cta = 512;
  e.per_element = work;
  return {elementwise(e, s.elements())};
}

// ATen's vectorized_layer_norm_kernel: 128 threads a row, loads of four elements, one load in flight a thread.
Programs layer_norm(const Shape& s, bool rms) {
  // Mean and variance are carried along (Welford): a division an element in the chain; RMS only adds squares. Operations
  // an element as counted on the same loops by a profiler.
  const double chain = rms ? 4 * 4.0 : 4 * (kDivision + 2 * 4.0);
  RowKernel k{rms ? "vectorized_rms_norm" : "vectorized_layer_norm", 128, 27, 128 * 4, s.bytes, s.bytes, {}};
  Pass statistics;
  statistics.per_element = rms ? PipeWork{.fma = 2, .alu = 1, .issue_only = 2} : PipeWork{.fma = 8.5, .alu = 4.9, .mufu = 1, .issue_only = 3.8};
  statistics.step_latency = kLoop + chain;
  statistics.reduction_latency = reduction(3, rms ? 12 : kDivision + 40, 4) + kWeights;
  // A row is read again: from L1 while the rows of all CTAs of an SM (16: 64 warps of four each) fit beside the weights.
  constexpr std::int64_t kL1Bytes = 192 * 1024;
  const std::int64_t resident = std::min<std::int64_t>(16, (s.rows + s.sms - 1) / s.sms);
  const bool evicted = resident * s.cols * static_cast<std::int64_t>(s.bytes) > kL1Bytes;
  Pass normalise{.from_memory = evicted, .per_element = {.fma = 4.8, .alu = 4.1, .convert = 0.5, .issue_only = 1.3}, .step_latency = kLoop + kL1 + 20, .outputs = 1};
  k.passes = {statistics, normalise};
  return {row_kernel(k, s.rows, s.cols)};
}

// ATen's softmax over the last dimension. Rows that fit in registers: 1024 threads, each element loaded by itself.
// Operations an element from pipe counters of the kernel (exact exponential twice, an IEEE division).
Programs softmax(const Shape& s) {
  constexpr std::int64_t kRegisterRows = 9 * 1024;
  const bool in_registers = s.cols <= kRegisterRows;
  const double together = reduction(1, 10, 32);
  RowKernel k{in_registers ? "softmax_in_registers" : "softmax", 1024, 30, in_registers ? 1024 : 4096, s.bytes, s.bytes, {}};
  Pass maximum{.loads_in_flight = in_registers ? 9 : 1, .warps_drift = !in_registers, .step_latency = kLoop, .reduction_latency = together};
  Pass sum{.from_memory = !in_registers, .warps_drift = !in_registers, .step_latency = kLoop, .reduction_latency = together};
  Pass write{.from_memory = !in_registers, .warps_drift = !in_registers, .step_latency = kLoop + kDivision, .outputs = 1};
  if (in_registers) {
    maximum.per_element = {.alu = 4, .issue_only = 8};
    sum.per_element = {.fma = 16, .alu = 6, .mufu = 1, .issue_only = 8};
    write.per_element = {.fma = 17, .alu = 9, .mufu = 3, .issue_only = 11};
  } else {  // loads of four elements, nothing to convert
    maximum.per_element = {.alu = 1, .issue_only = 1.5};
    sum.per_element = {.fma = 6, .alu = 2, .mufu = 1, .issue_only = 2};
    write.per_element = {.fma = 11, .alu = 4, .mufu = 2, .issue_only = 3};
  }
  k.passes = {maximum, sum, write};
  return {row_kernel(k, s.rows, s.cols)};
}

// Triton reductions: a row a CTA of 512 threads, loads of 16 bytes, a step's loads in flight beside the work of another.
Programs triton_rows(const char* name, const Shape& s, Pass first, Pass second, double out_bytes) {
  RowKernel k{name, 512, 28, 4096, s.bytes, out_bytes, {first, second}};
  for (Pass& p : k.passes) p.warps_drift = true;
  return {row_kernel(k, s.rows, s.cols)};
}
Programs add_rms_norm(const Shape& s) {
  const Pass first{.inputs = 2, .per_element = {.fma = 3, .alu = 1, .convert = 0.5, .issue_only = 2}, .step_latency = kLoop,
                   .reduction_latency = reduction(1, 10, 16), .outputs = 1};
  const Pass second{.per_element = {.fma = 2, .alu = 1, .convert = 0.5, .issue_only = 2}, .step_latency = kLoop, .outputs = 1};
  return triton_rows("triton_add_rms_norm", s, first, second, s.bytes);
}
Programs rms_norm(const Shape& s) {
  const Pass first{.per_element = {.fma = 1, .alu = 1, .issue_only = 2}, .step_latency = kLoop, .reduction_latency = reduction(1, 10, 16)};
  const Pass second{.per_element = {.fma = 2, .alu = 1, .convert = 0.5, .issue_only = 2}, .step_latency = kLoop, .outputs = 1};
  return triton_rows("triton_rms_norm", s, first, second, s.bytes);
}
Programs quantize(const Shape& s) {
  const Pass first{.per_element = {.alu = 3, .issue_only = 2}, .step_latency = kLoop, .reduction_latency = reduction(1, 10, 16) + kDivision};
  const Pass second{.per_element = {.fma = 2, .alu = 3, .convert = 0.5, .issue_only = 2}, .step_latency = kLoop + kDivision, .outputs = 1};
  return triton_rows("triton_quantize_per_row", s, first, second, 1);
}

// ATen's reduce_kernel for an index: 512 threads a row, four elements a thread and step, value and index in the chain.
Programs argmax(const Shape& s) {
  RowKernel k{"reduce_argmax", 512, 32, 2048, s.bytes, s.bytes, {}};
  k.passes = {{.per_element = {.alu = 6, .issue_only = 6}, .step_latency = kLoop + 4 * 4 * 6, .reduction_latency = reduction(3, 20, 16)}};
  return {row_kernel(k, s.rows, s.cols)};
}

// The driver's copy kernel.
Programs copy(const Shape& s) {
  Elementwise e{"memcpy", 1, 1, 1};
  e.elements_per_cta = 16384;
  e.threads = 256;
  e.per_element = {.issue_only = 4.0 / 16};
  return {elementwise(e, s.elements() * static_cast<std::int64_t>(s.bytes))};
}

const PipeWork kAdd{.fma = 1, .alu = 1, .convert = 0.5, .issue_only = 0.7};
const PipeWork kGate{.fma = 4, .alu = 1, .mufu = 2, .convert = 0.5, .issue_only = 1};

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"add", 2, 1, 1, 0, {"torch_eager", "torch_compiled"}, [](const Shape& s, const std::string&) { return eager_elementwise("elementwise_add", s, 2, s.bytes, kAdd); }},
      {"mul", 2, 1, 1, 0, {"torch_eager"}, [](const Shape& s, const std::string&) { return eager_elementwise("elementwise_mul", s, 2, s.bytes, kAdd); }},
      {"rmsnorm", 1, 1, 4, 0, {"torch_eager", "torch_compiled"}, [](const Shape& s, const std::string& impl) { return impl == "torch_compiled" ? rms_norm(s) : layer_norm(s, true); }},
      {"rope", 1, 1, 6, 0, {"torch_compiled"}, [](const Shape& s, const std::string&) { return triton_pointwise("triton_rope", s, 1, {.fma = 4, .alu = 6, .convert = 0.5, .issue_only = 4}); }},
      {"layernorm", 1, 1, 8, 0, {"torch_eager"}, [](const Shape& s, const std::string&) { return layer_norm(s, false); }},
      {"softmax", 1, 1, 5, 0, {"torch_eager"}, [](const Shape& s, const std::string&) { return softmax(s); }},
      {"copy", 1, 1, 0, 0, {"cuda_memcpy_d2d"}, [](const Shape& s, const std::string&) { return copy(s); }},
      {"empty_kernel", 0, 0, 0, 0, {"torch_eager"}, [](const Shape& s, const std::string&) { return eager_elementwise("empty", s, 1, s.bytes, {}); }},
      {"swiglu", 2, 1, 5, 0, {"torch_compiled"}, [](const Shape& s, const std::string&) { return triton_pointwise("triton_swiglu", s, 2, kGate); }},
      {"sigmoid_gate", 2, 1, 4, 0, {"torch_compiled"}, [](const Shape& s, const std::string&) { return triton_pointwise("triton_sigmoid_gate", s, 2, kGate); }},
      {"add_rmsnorm", 2, 2, 5, 0, {"torch_compiled"}, [](const Shape& s, const std::string&) { return add_rms_norm(s); }},
      {"quantize_fp8_per_row", 1, 1, 3, 1, {"torch_compiled"}, [](const Shape& s, const std::string&) { return quantize(s); }},
      {"argmax", 1, 0, 1, 0, {"torch_eager"}, [](const Shape& s, const std::string&) { return argmax(s); }},
      {"temperature_softmax", 1, 1, 6, 0, {"torch_eager"}, [](const Shape& s, const std::string&) {
         Programs p = eager_elementwise("elementwise_div", s, 1, s.bytes, {.fma = 12, .alu = 3, .mufu = 1, .issue_only = 4});
         Programs q = softmax(s);
         q.front().tensors.front().warm = true;  // the scaled logits
         p.push_back(q.front());
         return p;
       }},
  };
  return all;
}

const Row& row(const std::string& op) {
  const auto at = std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return op == r.op; });
  core::ensure(at != rows().end(), "a pointwise operator is missing in its table");
  return *at;
}

}  // namespace rooftile::workloads::pointwise
