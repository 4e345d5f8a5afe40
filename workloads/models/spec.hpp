// A language model as a list of layers: what its config.json means after every spelling, default and quirk is
// resolved. Widths count elements, never bytes; anything that changes cost is here, nothing else is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rooftile::models {

using Count = std::int64_t;

enum class QkNorm {
  none,
  per_head,   // one weight vector of head_dim, shared by the heads (Qwen3, Gemma-3, GLM-4.5)
  all_heads,  // one weight vector over all heads (MiniMax-M2)
  unweighted  // no parameters, still one pass over q and k (Llama 4)
};

// Scores every cached key with small heads, then attention reads only the best `topk` of them.
struct SparseIndexer {
  Count heads = 0;
  Count head_dim = 0;
  Count topk = 0;
  bool operator==(const SparseIndexer&) const = default;
};

// Softmax attention over a cache of keys and values. MHA, GQA and MQA differ only in the two head counts.
struct Attention {
  Count q_heads = 0;
  Count kv_heads = 0;
  Count head_dim = 0;
  Count rope_dims = 0;  // leading dims of a head that rotate; 0: no rotary embedding in this layer
  Count window = 0;     // keys a query sees, its own included; 0: all
  Count chunk = 0;      // a query sees only its own chunk of the sequence (Llama 4); 0: all
  QkNorm qk_norm = QkNorm::none;
  bool qkv_bias = false;
  bool o_bias = false;
  bool sinks = false;        // one learned scalar per head joins the softmax denominator (gpt-oss)
  bool output_gate = false;  // q projection carries a sigmoid gate of the same width (Qwen3-Next)
  bool k_is_v = false;       // no V projection: values are the unrotated keys (Gemma-4 full layers)
  double scale = 0;          // of the scores: head_dim^-1/2 unless the file says otherwise
  double softcap = 0;        // tanh cap on the scores (Gemma-2); 0: none
  bool operator==(const Attention&) const = default;
};

// Multi-head latent attention: the cache holds one latent of kv_lora_rank and one shared rotary key per token.
struct LatentAttention {
  Count heads = 0;
  Count q_lora_rank = 0;  // 0: full q projection
  Count kv_lora_rank = 0;
  Count qk_nope_head_dim = 0;
  Count qk_rope_head_dim = 0;
  Count v_head_dim = 0;
  std::optional<SparseIndexer> indexer;
  bool operator==(const LatentAttention&) const = default;
  Count qk_head_dim() const { return qk_nope_head_dim + qk_rope_head_dim; }
  Count cache_width() const { return kv_lora_rank + qk_rope_head_dim; }
};

// DeepSeek-V4: one shared key-value head in a window, plus one pooled entry per `ratio` tokens, and a grouped
// low-rank output projection.
struct CompressedAttention {
  Count q_heads = 0;
  Count head_dim = 0;
  Count rope_dims = 0;
  Count window = 0;
  Count ratio = 0;  // 0: window only
  Count q_lora_rank = 0;
  Count o_groups = 0;
  Count o_lora_rank = 0;
  std::optional<SparseIndexer> indexer;  // over the pooled entries
  bool operator==(const CompressedAttention&) const = default;
  // Overlapping pools (those with an indexer) project twice the width.
  Count pool_width(Count dim) const { return (indexer ? 2 : 1) * dim; }
};

struct GatedDeltaNet {
  Count k_heads = 0;
  Count v_heads = 0;
  Count k_head_dim = 0;
  Count v_head_dim = 0;
  Count conv_kernel = 0;
  bool operator==(const GatedDeltaNet&) const = default;
  Count key_dim() const { return k_heads * k_head_dim; }
  Count value_dim() const { return v_heads * v_head_dim; }
  Count conv_channels() const { return 2 * key_dim() + value_dim(); }
};

// MiniMax-Text-01: linear attention with a decay per head, an output gate and a norm.
struct LightningAttention {
  Count heads = 0;
  Count head_dim = 0;
  bool operator==(const LightningAttention&) const = default;
  Count width() const { return heads * head_dim; }
};

struct Mamba1 {
  Count d_inner = 0;
  Count state = 0;
  Count dt_rank = 0;
  Count conv_kernel = 0;
  bool conv_bias = true;
  bool proj_bias = false;
  bool inner_norms = false;  // RMSNorm of dt, B and C (Jamba)
  bool operator==(const Mamba1&) const = default;
};

struct Mamba2 {
  Count heads = 0;
  Count head_dim = 0;
  Count groups = 0;
  Count state = 0;
  Count conv_kernel = 0;
  Count chunk = 0;
  bool conv_bias = true;
  bool proj_bias = false;
  bool gated_norm = true;
  bool operator==(const Mamba2&) const = default;
  Count d_inner() const { return heads * head_dim; }
  Count conv_channels() const { return d_inner() + 2 * groups * state; }
};

using Mixer =
    std::variant<Attention, LatentAttention, CompressedAttention, GatedDeltaNet, LightningAttention, Mamba1, Mamba2>;

enum class Activation { silu, gelu, relu2 };

struct DenseMlp {
  Count width = 0;
  bool gated = true;  // gate and up; otherwise up alone
  bool bias = false;
  Activation activation = Activation::silu;
  bool operator==(const DenseMlp&) const = default;
};

struct Router {
  enum class Score { softmax, sigmoid, sqrt_softplus };
  Score score = Score::softmax;
  Count groups = 1;       // experts come in groups ...
  Count topk_groups = 1;  // ... of which the best few may be chosen from
  bool normalise = false;
  double scale = 1;
  bool bias = false;             // a bias of the router's linear layer
  bool correction_bias = false;  // added to the scores for the choice only (noaux_tc)
  bool hashed = false;           // experts are looked up by token id; the scores only weight them
  bool input_scale = false;      // Gemma-4: a weight per channel before, a weight per expert after
  bool operator==(const Router&) const = default;
};

struct Moe {
  Count experts = 0;
  Count top_k = 0;
  Count width = 0;         // intermediate size of one routed expert
  Count shared_width = 0;  // summed width of the experts that see every token
  bool shared_gate = false;
  bool bias = false;
  Activation activation = Activation::silu;
  Router router;
  bool operator==(const Moe&) const = default;
};

using FeedForward = std::variant<DenseMlp, Moe>;

enum class NormKind { rms, layer };

// Mixers of one layer run on the same input (Falcon-H1 has two); so do its feed-forwards (Gemma-4 has two).
// Either list may be empty: Mamba-2 layers have no feed-forward, Nemotron-H MLP layers no mixer.
struct LayerSpec {
  std::vector<Mixer> mixers;
  std::vector<FeedForward> feed_forwards;
  NormKind norm = NormKind::rms;
  Count norms = 2;         // hidden-wide norms in the layer
  Count hyper_streams = 0;  // residual streams mixed by hyper-connections (DeepSeek-V4); 0: a plain residual
  Count layer_scalars = 0;  // stored scalars (Gemma-4)
  bool operator==(const LayerSpec&) const = default;
};

// Multi-token prediction: each module joins hidden state and embedding (2 hidden -> hidden) and runs one layer.
struct MtpSpec {
  Count modules = 0;
  LayerSpec layer;
};

struct Quantization {
  std::string method;  // empty: none; else as in the file: fp8, mxfp4, ...
  Count block_rows = 0;
  Count block_cols = 0;
  std::string scale_format;
  std::string expert_dtype;              // when experts differ from the rest (DeepSeek-V4: fp4)
  std::vector<std::string> not_converted;  // modules_to_not_convert
};

// What the loader did not take from the file, so that nothing that changes cost is dropped in silence.
struct Note {
  enum class Kind {
    assumed,     // absent: a default of the model class was used
    ignored,     // present, known to leave shapes and cost alone
    unmodelled,  // present and it changes cost somewhat, but no figure here reflects it
    unknown      // present, not known to this loader: its effect on cost is not known either
  };
  Kind kind = Kind::assumed;
  std::string field;
  std::string text;
};

struct ModelSpec {
  std::string name;
  std::string source;
  std::string model_type;
  Count hidden = 0;
  Count vocab = 0;
  Count max_context = 0;
  Count learned_positions = 0;  // rows of a position table (GPT-2)
  bool tied_embeddings = false;
  NormKind final_norm = NormKind::rms;
  double final_softcap = 0;
  Count hyper_streams = 0;
  std::vector<LayerSpec> layers;
  MtpSpec mtp;
  std::string dtype;  // of the stored weights, as the file names it
  Quantization quantization;
  std::vector<Note> ignored;  // see Note: ignored, unmodelled, unknown and assumed fields alike
};

}  // namespace rooftile::models
