// `model_step` and `mixed_step` as scenarios and records write them: `config` gives the widths of the decoder.
#pragma once

#include "workloads/common_keys.hpp"
#include "workloads/step/operation.hpp"

namespace rooftile::workloads::step {

struct Config {
  std::int64_t layers = 1, hidden_size = 64, q_heads = 1, kv_heads = 1, head_dim = 64, vocab_size = 1;
  std::optional<std::int64_t> intermediate_size, experts, top_k, moe_intermediate_size;

  template <class V>
  static void visit_fields(V& v) {
    const input::Range width{1, kLargestSize};
    v.field("layers", &Config::layers, "decoder layers", input::Range{1, 1000});
    v.field("hidden_size", &Config::hidden_size, "width of the residual stream", width);
    v.field("q_heads", &Config::q_heads, "query heads", input::Range{1, 4096});
    v.field("kv_heads", &Config::kv_heads, "key and value heads", input::Range{1, 4096});
    v.field("head_dim", &Config::head_dim, "columns of a head", input::Range{8, 1024});
    v.field("vocab_size", &Config::vocab_size, "rows of the output matrix", width);
    v.field("intermediate_size", &Config::intermediate_size, "width inside a dense layer", width);
    v.field("experts", &Config::experts, "experts of a layer", input::Range{1, 65536});
    v.field("top_k", &Config::top_k, "experts that a token takes", input::Range{1, 1024});
    v.field("moe_intermediate_size", &Config::moe_intermediate_size, "width inside an expert", width);
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    if (q_heads % kv_heads != 0) found.add(at.place(), std::to_string(q_heads) + " query heads over " + std::to_string(kv_heads) + " KV heads", "a multiple of kv_heads");
    const bool moe = experts && top_k && moe_intermediate_size;
    if (moe == intermediate_size.has_value() || (!moe && (experts || top_k || moe_intermediate_size)))
      found.add(at.place(), "the layer is neither dense nor a mixture of experts", "intermediate_size, or experts, top_k and moe_intermediate_size");
    if (moe && *top_k > *experts) found.add(at.place(), "top_k is larger than experts", "at most as many as there are");
  }
  Decoder decoder() const {
    return {layers, hidden_size, q_heads, kv_heads, head_dim, vocab_size, intermediate_size.value_or(0), experts.value_or(0), top_k.value_or(0),
            moe_intermediate_size.value_or(0)};
  }
};

constexpr double kMostTokens = 4e6;

struct Keys : CommonKeys {
  Config config;
  std::int64_t batch = 1, q_len = 1, kv_len = 1;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    v.field("config", &Keys::config, "widths of the decoder");
    v.field("batch", &Keys::batch, "sequences", input::Range{1, 1e6});
    v.field("q_len", &Keys::q_len, "new tokens a sequence", input::Range{1, kLargestSize});
    v.field("kv_len", &Keys::kv_len, "keys a sequence, the new ones included", input::Range{1, kLargestSize});
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    if (kv_len < q_len) found.add(at.place(), "fewer keys than new tokens", "kv_len of at least q_len");
    if (static_cast<double>(batch) * static_cast<double>(q_len) > kMostTokens) found.add(at.place(), "more than 4e6 tokens in a step", "a smaller batch");
  }
  OperationPtr make() const {
    auto o = std::make_unique<ModelStep>();
    o->model = config.decoder();
    o->batch = {{batch, q_len, kv_len}};
    return o;
  }
};

struct MixedKeys : CommonKeys {
  Config config;
  std::int64_t prefill_tokens = 0, prefill_context = 0, decodes = 0, decode_context = 0;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    const input::Range size{0, kLargestSize};
    v.field("config", &MixedKeys::config, "widths of the decoder");
    v.field("prefill_tokens", &MixedKeys::prefill_tokens, "new tokens of the prefill chunk", size);
    v.field("prefill_context", &MixedKeys::prefill_context, "keys of its sequence, the new ones included", size);
    v.field("decodes", &MixedKeys::decodes, "sequences that decode one token", size);
    v.field("decode_context", &MixedKeys::decode_context, "keys of each", size);
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    if (prefill_tokens + decodes == 0) found.add(at.place(), "a step without tokens", "prefill_tokens or decodes");
    if (prefill_context < prefill_tokens) found.add(at.place(), "fewer keys than new tokens", "prefill_context of at least prefill_tokens");
    if (static_cast<double>(prefill_tokens + decodes) > kMostTokens) found.add(at.place(), "more than 4e6 tokens in a step", "fewer");
  }
  OperationPtr make() const {
    auto o = std::make_unique<ModelStep>();
    o->name = "mixed_step";
    o->model = config.decoder();
    if (prefill_tokens > 0) o->batch.push_back({1, prefill_tokens, prefill_context});
    if (decodes > 0) o->batch.push_back({decodes, 1, decode_context});
    return o;
  }
};

}  // namespace rooftile::workloads::step
