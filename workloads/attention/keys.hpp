// The `attention` operation as scenarios and records write it.
#pragma once

#include "workloads/attention/mask.hpp"
#include "workloads/attention/operation.hpp"
#include "workloads/common_keys.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::attention {

struct Keys : CommonKeys {
  std::int64_t batch = 1, q_heads = 1, kv_heads = 1, q_len = 1, kv_len = 1, head_dim = 128;
  std::optional<std::int64_t> v_head_dim;
  input::Node mask;
  std::string dtype = "bf16", direction = "forward";
  std::optional<std::string> kv_dtype;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    const input::Range size{1, kLargestSize};
    v.field("batch", &Keys::batch, "sequences", input::Range{1, 1e6}).optional();
    v.field("q_heads", &Keys::q_heads, "query heads", input::Range{1, 4096});
    v.field("kv_heads", &Keys::kv_heads, "key and value heads", input::Range{1, 4096});
    v.field("q_len", &Keys::q_len, "queries a sequence", size);
    v.field("kv_len", &Keys::kv_len, "keys a sequence", size);
    v.field("head_dim", &Keys::head_dim, "columns of Q and K", input::Range{8, 1024});
    v.field("v_head_dim", &Keys::v_head_dim, "columns of V; as head_dim if absent", input::Range{8, 1024});
    v.field("mask", &Keys::mask, "which keys a query sees").optional();
    v.field("dtype", &Keys::dtype, "storage type of Q, K and V").optional();
    v.field("kv_dtype", &Keys::kv_dtype, "storage type of K and V; as dtype if absent");
    v.field("direction", &Keys::direction, "forward or backward").optional();
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    check_type(at, "dtype", dtype, found, true);
    if (kv_dtype) check_type(at, "kv_dtype", *kv_dtype, found, true);
    if (q_heads % kv_heads != 0)
      found.add((at.find("q_heads") ? *at.find("q_heads") : at).place(),
                std::to_string(q_heads) + " query heads over " + std::to_string(kv_heads) + " KV heads",
                "a multiple of kv_heads");
    if (direction != "forward" && direction != "backward")
      found.add((at.find("direction") ? *at.find("direction") : at).place(), "unknown direction '" + direction + "'", "forward or backward");
    Shape s = shape();
    read_mask(mask, s, found);
  }
  Shape shape() const { return {batch, q_heads, kv_heads, q_len, kv_len, head_dim, v_head_dim.value_or(head_dim)}; }
  OperationPtr make() const {
    auto o = std::make_unique<Attention>();
    o->shape = shape();
    input::Diagnostics checked;  // mistakes were told by `check`
    read_mask(mask, o->shape, checked);
    o->backward = direction == "backward";
    o->dtype = dtype;
    o->kv_dtype = kv_dtype.value_or(dtype);
    return o;
  }
};

}  // namespace rooftile::workloads::attention
