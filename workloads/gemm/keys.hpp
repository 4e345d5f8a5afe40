// The `gemm` operation as scenarios and records write it.
#pragma once

#include "workloads/common_keys.hpp"
#include "workloads/gemm/operation.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::gemm {

struct Keys : CommonKeys {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;
  std::string dtype = "bf16", out_dtype = "bf16";
  std::optional<std::string> known_kernel;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    const input::Range size{1, kLargestSize};
    v.field("batch", &Keys::batch, "independent products", input::Range{1, 1e6}).optional();
    v.field("m", &Keys::m, "rows of x (tokens)", size);
    v.field("n", &Keys::n, "rows of W (features)", size);
    v.field("k", &Keys::k, "columns of both", size);
    v.field("dtype", &Keys::dtype, "storage type of x and W").optional();
    v.field("out_dtype", &Keys::out_dtype, "storage type of y").optional();
    v.field("known_kernel", &Keys::known_kernel, "take the schedule from this kernel name");
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    check_type(at, "dtype", dtype, found, true);
    check_type(at, "out_dtype", out_dtype, found, false);
    if (static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch) > 1e12)
      found.add(at.place(), "the output has more than 1e12 elements", "a smaller product");
  }
  OperationPtr make() const {
    auto o = std::make_unique<Gemm>();
    o->shape = {batch, m, n, k};
    o->dtype = dtype;
    o->out_dtype = out_dtype;
    o->known_kernel = known_kernel.value_or("");
    return o;
  }
};

}  // namespace rooftile::workloads::gemm
