// Numbers with a unit: `4.8 TB/s`, `50 MiB`, `67 ns`, `128 B/clk`. Prefixes k M G T P are powers of ten, Ki Mi Gi
// Ti powers of two; a prefix is added to the decimal exponent, so 4.8 TB/s is the double nearest to 4.8e12.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/units.hpp"

namespace rooftile::input {

enum class Dimension {
  kTime,
  kBytes,
  kFrequency,
  kBandwidth,
  kPower,
  kEnergy,
  kCycles,
  kBytesPerCycle,
  kOpsPerCycle,
  kOpsPerSecond,
  kEnergyPerByte,
  kEnergyPerOp,
  kVoltage,
  kFraction,
};

// Quantities of the architect's tables that the event core does not need.
struct Cycles {
  double value = 0;
};
struct BytesPerCycle {
  double value = 0;
};
struct OpsPerCycle {
  double value = 0;
};
struct OpsPerSecond {
  double value = 0;
};
struct JoulesPerByte {
  double value = 0;
};
struct JoulesPerOp {
  double value = 0;
};
struct Volts {
  double value = 0;
};
struct Fraction {  // `3 %` or 0.03
  double value = 0;
};

// Bounds in SI base units (seconds, bytes, hertz, ...), both included.
struct Range {
  double lo = -std::numeric_limits<double>::infinity();
  double hi = std::numeric_limits<double>::infinity();
  bool is_set() const { return std::isfinite(lo) || std::isfinite(hi); }
};

struct Problem {
  std::string what, expected;
};

// In SI base units, except time, which is in picoseconds. Nothing (and the problem) if the text is not such a
// quantity. Any sign and size that a double holds is accepted; ranges are the field's business.
std::optional<double> parse_quantity(std::string_view text, Dimension dimension, Problem& problem);
// The shortest text that parses back to the same value.
std::string format_quantity(double value, Dimension dimension);
// Plain numbers, by the same rules (no infinity, no NaN, no `1_000`).
std::optional<double> parse_real(std::string_view text, Problem& problem);
std::optional<std::int64_t> parse_integer(std::string_view text, Problem& problem);
std::string format_real(double value);

std::string_view dimension_name(Dimension dimension);      // "a bandwidth"
std::string dimension_expected(Dimension dimension);       // "a bandwidth such as 4.8 TB/s"
std::vector<std::string> unit_names(Dimension dimension);  // every accepted spelling
std::string range_text(const Range& range, std::optional<Dimension> dimension);
double stored_per_base(Dimension dimension);  // 1e12 for time, otherwise 1
Range default_range(Dimension dimension);     // not negative, not absurd

// How a type holds a dimensioned number. Specialise it for a type of your own.
template <class T>
struct QuantityTraits;

template <class T, Dimension D>
struct DoubleQuantity {
  static constexpr Dimension kDimension = D;
  static constexpr bool kWhole = false;
  static T from(double v) { return T{v}; }
  static double to(const T& q) { return q.value; }
};
template <>
struct QuantityTraits<core::Time> {
  static constexpr Dimension kDimension = Dimension::kTime;
  static constexpr bool kWhole = false;  // a fraction of a picosecond is rounded
  static core::Time from(double v) { return {std::llround(v)}; }
  static double to(const core::Time& t) { return static_cast<double>(t.ps); }
};
template <>
struct QuantityTraits<core::Bytes> {
  static constexpr Dimension kDimension = Dimension::kBytes;
  static constexpr bool kWhole = true;
  static core::Bytes from(double v) { return {std::llround(v)}; }
  static double to(const core::Bytes& b) { return static_cast<double>(b.value); }
};
template <>
struct QuantityTraits<core::Hertz> : DoubleQuantity<core::Hertz, Dimension::kFrequency> {};
template <>
struct QuantityTraits<core::BytesPerSecond> : DoubleQuantity<core::BytesPerSecond, Dimension::kBandwidth> {};
template <>
struct QuantityTraits<core::Watts> : DoubleQuantity<core::Watts, Dimension::kPower> {};
template <>
struct QuantityTraits<core::Joules> : DoubleQuantity<core::Joules, Dimension::kEnergy> {};
template <>
struct QuantityTraits<Cycles> : DoubleQuantity<Cycles, Dimension::kCycles> {};
template <>
struct QuantityTraits<BytesPerCycle> : DoubleQuantity<BytesPerCycle, Dimension::kBytesPerCycle> {};
template <>
struct QuantityTraits<OpsPerCycle> : DoubleQuantity<OpsPerCycle, Dimension::kOpsPerCycle> {};
template <>
struct QuantityTraits<OpsPerSecond> : DoubleQuantity<OpsPerSecond, Dimension::kOpsPerSecond> {};
template <>
struct QuantityTraits<JoulesPerByte> : DoubleQuantity<JoulesPerByte, Dimension::kEnergyPerByte> {};
template <>
struct QuantityTraits<JoulesPerOp> : DoubleQuantity<JoulesPerOp, Dimension::kEnergyPerOp> {};
template <>
struct QuantityTraits<Volts> : DoubleQuantity<Volts, Dimension::kVoltage> {};
template <>
struct QuantityTraits<Fraction> : DoubleQuantity<Fraction, Dimension::kFraction> {};

}  // namespace rooftile::input
