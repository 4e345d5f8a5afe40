// One step of a decoder as the operators that PyTorch runs, compiled and in one CUDA graph: fused QKV and gate/up GEMMs,
// residuals added by the GEMM that makes their other half, FlashAttention-2, grouped GEMM experts, logits of the last
// position of each sequence.
//
// Modelled: every kernel by its operator, once for all layers (a step costs what its distinct kernels cost); prefill
// chunks and decodes in one batch share the linear layers and have their own attention kernels. Not modelled:
// embedding lookup, sampling, the few kernels that run once a step and move next to nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/operation.hpp"

namespace rooftile::workloads::step {

struct Decoder {
  std::int64_t layers = 1, hidden = 1, q_heads = 1, kv_heads = 1, head_dim = 128, vocab = 1;
  std::int64_t intermediate = 0;                                // of a dense layer
  std::int64_t experts = 0, top_k = 0, moe_intermediate = 0;    // of a mixture of experts
  double parameters() const;
};

// Sequences that run together: `count` of them, each with `q_len` new tokens at the end of `kv_len` keys.
struct Sequences {
  std::int64_t count = 0, q_len = 0, kv_len = 0;
};

struct Part {
  std::string kind;       // class of kernel: gemm, attention, pointwise, experts, routing
  OperationPtr operation;
  std::string implementation;
  std::int64_t times = 1;
  bool memset = false;    // a memset node before it
};
std::vector<Part> parts(const Decoder& model, const std::vector<Sequences>& batch);

}  // namespace rooftile::workloads::step
