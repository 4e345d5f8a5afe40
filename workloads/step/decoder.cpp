#include "workloads/step/decoder.hpp"

#include <algorithm>

#include "workloads/attention/operation.hpp"
#include "workloads/gemm/operation.hpp"
#include "workloads/grouped_gemm/operation.hpp"
#include "workloads/pointwise/operation.hpp"
#include "workloads/routing/operation.hpp"

namespace rooftile::workloads::step {
namespace {

class Builder {
 public:
  Builder(const Decoder& model, const std::vector<Sequences>& batch) : m_(model), batch_(batch) {
    for (const Sequences& s : batch) {
      tokens_ += s.count * s.q_len;
      sequences_ += s.count;
    }
  }

  std::vector<Part> run() {
    pointwise("rmsnorm", tokens_, m_.hidden, 2 * m_.layers);
    gemm(tokens_, (m_.q_heads + 2 * m_.kv_heads) * m_.head_dim, m_.hidden, m_.layers);
    pointwise("rope", tokens_, m_.q_heads * m_.head_dim, m_.layers);
    pointwise("rope", tokens_, m_.kv_heads * m_.head_dim, 2 * m_.layers);  // keys, and values into the cache
    for (const Sequences& s : batch_) attention(s);
    output(m_.q_heads * m_.head_dim);
    if (m_.experts > 0) experts();
    else dense();
    pointwise("rmsnorm", sequences_, m_.hidden, 1);
    gemm(sequences_, m_.vocab, m_.hidden, 1);
    return std::move(parts_);
  }

 private:
  void add(const char* kind, OperationPtr op, std::string implementation, std::int64_t times, bool memset = false) {
    parts_.push_back({kind, std::move(op), std::move(implementation), times, memset});
  }
  void gemm(std::int64_t tokens, std::int64_t features, std::int64_t inner, std::int64_t times, bool memset = false) {
    auto o = std::make_unique<gemm::Gemm>();
    o->shape = {1, tokens, features, inner};
    add("gemm", std::move(o), "cublas", times, memset);
  }
  void pointwise(const char* name, std::int64_t rows, std::int64_t cols, std::int64_t times) {
    auto o = std::make_unique<pointwise::Pointwise>();
    o->name = name;
    o->shape = {rows, cols, 2};
    const std::string op = name;
    add("pointwise", std::move(o), op == "copy" ? "cuda_memcpy_d2d" : "torch_compiled", times);
  }
  // A product that is added to the residual: the residual is copied to where the sum goes.
  void output(std::int64_t inner) {
    pointwise("copy", tokens_, m_.hidden, m_.layers);
    gemm(tokens_, m_.hidden, inner, m_.layers, tokens_ >= 512);
  }
  void attention(const Sequences& s) {
    auto o = std::make_unique<attention::Attention>();
    o->shape = {s.count, m_.q_heads, m_.kv_heads, s.q_len, s.kv_len, m_.head_dim, m_.head_dim};
    o->shape.mask = s.q_len == 1 ? attention::Mask::none : attention::Mask::causal_bottom_right;
    add("attention", std::move(o), "flash2", m_.layers);
  }
  void dense() {
    gemm(tokens_, 2 * m_.intermediate, m_.hidden, m_.layers);
    pointwise("swiglu", tokens_, m_.intermediate, m_.layers);
    output(m_.intermediate);
  }
  // Router, sort by expert, gather, two grouped GEMMs over uniformly drawn counts, weighted sum.
  void experts() {
    const std::int64_t rows = tokens_ * m_.top_k;
    gemm(tokens_, m_.experts, m_.hidden, m_.layers);
    auto router = std::make_unique<routing::RouterTopK>();
    router->tokens = tokens_;
    router->experts = m_.experts;
    router->top_k = m_.top_k;
    add("routing", std::move(router), "torch_eager", m_.layers);
    // Radix sort of the expert indices: eight passes over small arrays, ten cleared counters.
    for (int pass = 0; pass < 2; ++pass) pointwise_small(rows, 4 * m_.layers, pass == 0);
    auto gather = std::make_unique<routing::GatherRows>();
    gather->source_rows = tokens_;
    gather->rows = rows;
    gather->cols = m_.hidden;
    add("routing", std::move(gather), "torch_eager", m_.layers);
    grouped(2 * m_.moe_intermediate, m_.hidden);
    pointwise("swiglu", rows, m_.moe_intermediate, m_.layers);
    grouped(m_.hidden, m_.moe_intermediate);
    pointwise("copy", rows, m_.hidden, m_.layers);         // back to token order
    pointwise("add", rows / 2, m_.hidden, m_.layers);      // weighted sum of the chosen experts: reads them all
  }
  void pointwise_small(std::int64_t rows, std::int64_t times, bool memset) {
    auto o = std::make_unique<pointwise::Pointwise>();
    o->name = "rope";
    o->shape = {1, rows, 8};
    add("routing", std::move(o), "torch_compiled", times, memset);
  }
  void grouped(std::int64_t n, std::int64_t k) {
    auto o = std::make_unique<grouped_gemm::GroupedGemm>();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(m_.experts));
    // Every token chooses top_k different experts, each as likely.
    std::uint64_t seed = 0;
    for (std::int64_t t = 0; t < tokens_; ++t)
      for (std::int64_t chosen = 0; chosen < m_.top_k; ++chosen) ++counts[core::mix(++seed) % counts.size()];
    o->shape = {counts, n, k};
    add("experts", std::move(o), "torch_grouped_mm", m_.layers);
  }

  const Decoder& m_;
  const std::vector<Sequences>& batch_;
  std::int64_t tokens_ = 0, sequences_ = 0;
  std::vector<Part> parts_;
};

}  // namespace

double Decoder::parameters() const {
  const auto h = static_cast<double>(hidden), heads = static_cast<double>(q_heads + 2 * kv_heads), d = static_cast<double>(head_dim);
  const double attention = h * heads * d + static_cast<double>(q_heads) * d * h;
  const double ffn = experts > 0 ? static_cast<double>(experts) * (3 * h * static_cast<double>(moe_intermediate) + h) : 3 * h * static_cast<double>(intermediate);
  return static_cast<double>(layers) * (attention + ffn) + static_cast<double>(vocab) * h;
}

std::vector<Part> parts(const Decoder& model, const std::vector<Sequences>& batch) { return Builder(model, batch).run(); }

}  // namespace rooftile::workloads::step
