// A hardware number and where it comes from: `{value: 4.8 TB/s, source: "datasheet DS-11364"}`.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "sim/core/input/diagnostics.hpp"
#include "sim/core/input/node.hpp"
#include "sim/core/input/quantity.hpp"

namespace rooftile::input {

struct Measured {
  std::string date, file;

  template <class V>
  static void visit_fields(V& v) {
    v.field("date", &Measured::date, "day of the measurement, YYYY-MM-DD");
    v.field("file", &Measured::file, "what it was measured with or written to");
  }
};

template <class T>
struct Sourced {
  static constexpr bool kIsSourced = true;

  T value{};
  std::string source;
  std::optional<Fraction> spread;    // relative, between runs or devices
  bool hand_kept = false;            // calibration leaves it alone
  std::optional<Measured> measured;  // set by calibration

  Sourced() = default;
  Sourced(T v, std::string from) : value(std::move(v)), source(std::move(from)) {}
  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }

  template <class V>
  static void visit_fields(V& v) {
    v.field("value", &Sourced::value, "the number");
    v.field("source", &Sourced::source, "document, table or measurement it was taken from");
    v.field("spread", &Sourced::spread, "relative spread between runs or devices", Range{0, 10});
    v.field("hand_kept", &Sourced::hand_kept, "calibration must not replace it").optional();
    v.field("measured", &Sourced::measured, "when and with what it was measured here");
  }
  void check(const Node& at, Diagnostics& found) const {
    if (source.find_first_not_of(' ') == std::string::npos) {
      found.add(at.place(), "the source of a hardware number is empty", "a document, table or measurement");
    }
  }
};

}  // namespace rooftile::input
