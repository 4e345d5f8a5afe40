// The `grouped_gemm` operation as scenarios and records write it.
#pragma once

#include <algorithm>

#include "workloads/common_keys.hpp"
#include "workloads/grouped_gemm/operation.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::grouped_gemm {

struct Keys : CommonKeys {
  std::vector<std::int64_t> rows_per_group{1};
  std::int64_t n = 1, k = 1;
  std::string dtype = "bf16";

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    v.field("rows_per_group", &Keys::rows_per_group, "rows of each group (tokens of each expert)", input::Range{0, kLargestSize});
    v.field("n", &Keys::n, "columns of y (features)", input::Range{1, kLargestSize});
    v.field("k", &Keys::k, "columns of x", input::Range{1, kLargestSize});
    v.field("dtype", &Keys::dtype, "storage type of x and W").optional();
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    check_type(at, "dtype", dtype, found, true);
    const input::Node* rows = at.find("rows_per_group");
    const input::Place place = (rows ? *rows : at).place();
    if (rows_per_group.empty() || rows_per_group.size() > 65536) found.add(place, std::to_string(rows_per_group.size()) + " groups", "1 to 65536 groups");
    double total = 0;
    for (const std::int64_t r : rows_per_group) total += static_cast<double>(r);
    if (total < 1) found.add(place, "no group has a row", "at least one row");
    if (total * static_cast<double>(n) > 1e12) found.add(at.place(), "the output has more than 1e12 elements", "fewer rows");
  }
  OperationPtr make() const {
    auto o = std::make_unique<GroupedGemm>();
    o->shape = {rows_per_group, n, k};
    o->dtype = dtype;
    return o;
  }
};

}  // namespace rooftile::workloads::grouped_gemm
