// The routing operators as scenarios and records write them.
#pragma once

#include "workloads/common_keys.hpp"
#include "workloads/routing/operation.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::routing {

struct GatherKeys : CommonKeys {
  std::int64_t source_rows = 1, rows = 1, cols = 1;
  std::string dtype = "bf16";

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    const input::Range size{1, kLargestSize};
    v.field("source_rows", &GatherKeys::source_rows, "rows to choose from", size);
    v.field("rows", &GatherKeys::rows, "rows gathered", size);
    v.field("cols", &GatherKeys::cols, "columns", size);
    v.field("dtype", &GatherKeys::dtype, "storage type").optional();
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    check_type(at, "dtype", dtype, found, false);
    if (static_cast<double>(rows) * static_cast<double>(cols) > 1e11) found.add(at.place(), "more than 1e11 elements", "fewer rows");
  }
  OperationPtr make() const {
    auto o = std::make_unique<GatherRows>();
    o->source_rows = source_rows;
    o->rows = rows;
    o->cols = cols;
    o->bytes = element_bytes(dtype);
    return o;
  }
};

struct RouterKeys : CommonKeys {
  std::int64_t tokens = 1, experts = 8, top_k = 2;
  std::string dtype = "fp32";

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    v.field("tokens", &RouterKeys::tokens, "rows of router logits", input::Range{1, kLargestSize});
    v.field("experts", &RouterKeys::experts, "columns of router logits", input::Range{1, 4096});
    v.field("top_k", &RouterKeys::top_k, "experts chosen for each token", input::Range{1, 32});
    v.field("dtype", &RouterKeys::dtype, "storage type of the logits").optional();
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    check_type(at, "dtype", dtype, found, false);
    if (top_k > experts) found.add(at.place(), "top_k " + std::to_string(top_k) + " of " + std::to_string(experts) + " experts", "at most as many as there are");
  }
  OperationPtr make() const {
    auto o = std::make_unique<RouterTopK>();
    o->tokens = tokens;
    o->experts = experts;
    o->top_k = top_k;
    return o;
  }
};

}  // namespace rooftile::workloads::routing
