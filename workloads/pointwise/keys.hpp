// Pointwise and row-wise operators as scenarios and records write them: `rows` and `cols`, or `bytes` for a copy.
#pragma once

#include <string>

#include "workloads/common_keys.hpp"
#include "workloads/pointwise/operation.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::pointwise {

enum class Residency { cold, hot };
constexpr auto enum_names(Residency) {
  return std::array<std::pair<const char*, Residency>, 2>{{{"cold", Residency::cold}, {"hot", Residency::hot}}};
}

struct Keys : CommonKeys {
  std::optional<std::int64_t> rows, cols, bytes;
  std::string dtype = "bf16";
  Residency l2 = Residency::cold;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    v.field("rows", &Keys::rows, "rows (tokens)", input::Range{1, kLargestSize});
    v.field("cols", &Keys::cols, "columns (features)", input::Range{1, kLargestSize});
    v.field("bytes", &Keys::bytes, "bytes to copy, instead of rows and cols", input::Range{1, 1e12});
    v.field("dtype", &Keys::dtype, "storage type").optional();
    v.field("l2", &Keys::l2, "hot: the same data again and again").optional();
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    check_type(at, "dtype", dtype, found, false);
    if (op == "empty_kernel") return;
    const bool shape = rows && cols;
    if (!shape && !(bytes && op == "copy")) found.add(at.place(), "no size", op == "copy" ? "rows and cols, or bytes" : "rows and cols");
    if (bytes && (rows || cols || op != "copy")) found.add(at.place(), "`bytes` goes with a copy alone", "rows and cols");
    if (shape && static_cast<double>(*rows) * static_cast<double>(*cols) > 1e11) found.add(at.place(), "more than 1e11 elements", "a smaller tensor");
  }
  OperationPtr make() const {
    auto o = std::make_unique<Pointwise>();
    o->name = op;
    const double element = element_bytes(dtype);
    o->shape = bytes ? Shape{1, *bytes, 1} : Shape{rows.value_or(1), cols.value_or(1), element};
    o->hot = l2 == Residency::hot;
    return o;
  }
};

}  // namespace rooftile::workloads::pointwise
