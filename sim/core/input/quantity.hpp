// Numbers with units: `4.8 TB/s`, `60 MB`, `1980 MHz`, `67 ns`. Decimal and binary prefixes; the unit of a
// dimensioned number is never optional.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::input {

enum class Dimension { number, bytes, bytes_per_second, hertz, time, watts };

// The value in base units (bytes, bytes/s, Hz, s, W); an error text when the scalar is not such a quantity.
struct Quantity {
  double value = 0;
  std::string error, expected;
  bool ok() const { return error.empty(); }
};
Quantity parse_quantity(std::string_view text, Dimension dimension);
// A count: digits only, no fraction, within 64 bits.
std::optional<long long> parse_integer(std::string_view text);
// The shortest of `candidates` that is near `word`, or "".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace rooftile::input
