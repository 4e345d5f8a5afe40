// Keys that every operation shares in scenarios and records.
#pragma once

#include <optional>
#include <string>

#include "sim/core/input/fields.hpp"

namespace rooftile::workloads {

// Sizes beyond this are refused: a trillion elements along one side is a slip of the pen.
inline constexpr double kLargestSize = 1 << 26;

struct CommonKeys {
  std::string op;
  std::optional<std::string> name, impl;
  std::int64_t repeat = 1;

  template <class V>
  static void common_fields(V& v) {
    v.field("op", &CommonKeys::op, "the operator");
    v.field("name", &CommonKeys::name, "what reports call it");
    v.field("impl", &CommonKeys::impl, "whose kernel runs it");
    v.field("repeat", &CommonKeys::repeat, "times it runs", input::Range{1, 1e6}).optional();
  }
};

}  // namespace rooftile::workloads
