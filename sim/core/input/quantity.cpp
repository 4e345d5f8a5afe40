#include "sim/core/input/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <map>

#include "sim/core/input/suggest.hpp"

namespace rooftile::input {
namespace {

struct Unit {
  std::string name;
  int ten = 0, two = 0;  // value in the stored unit = number * 10^ten * 2^two
  bool printed = true;   // false: accepted, never written
};

struct DimensionInfo {
  std::string_view name, example;
  double absurd;  // nothing larger is meant
  std::vector<Unit> units;
};

constexpr double kExa = 1e18;

std::vector<Unit> prefixed(std::string_view prefixes, std::initializer_list<Unit> bases) {
  static constexpr std::string_view kNames = "fpnum kMGTPE";
  static constexpr std::array<int, 12> kTens{-15, -12, -9, -6, -3, 0, 3, 6, 9, 12, 15, 18};
  std::vector<Unit> units;
  for (const Unit& base : bases) {
    for (const char p : prefixes) {
      const int ten = kTens[kNames.find(p)];
      units.push_back(
          {(p == ' ' ? "" : std::string(1, p)) + base.name, base.ten + ten, base.two, &base == bases.begin()});
    }
  }
  return units;
}

std::vector<Unit> with_binary(std::vector<Unit> units, std::string_view base) {
  int two = 0;
  for (const char* prefix : {"Ki", "Mi", "Gi", "Ti", "Pi"})
    units.push_back({prefix + std::string(base), 0, two += 10, true});
  return units;
}

std::vector<Unit> with_aliases(std::vector<Unit> units, const std::vector<Unit>& aliases) {
  for (Unit alias : aliases) {
    alias.printed = false;
    units.push_back(alias);
  }
  return units;
}

const DimensionInfo& info(Dimension dimension) {
  static const std::map<Dimension, DimensionInfo> kTable{
      {Dimension::kTime,
       {"a time", "67 ns", 9e18, with_aliases(prefixed("pnum ", {{"s", 12, 0}}), {{"µs", 6, 0}, {"μs", 6, 0}})}},
      {Dimension::kBytes, {"a size", "50 MiB", kExa, with_binary(prefixed(" kMGTP", {{"B", 0, 0}}), "B")}},
      {Dimension::kFrequency, {"a frequency", "1980 MHz", 1e15, prefixed(" kMGT", {{"Hz", 0, 0}})}},
      {Dimension::kBandwidth,
       {"a bandwidth", "4.8 TB/s", kExa,
        with_aliases(with_binary(prefixed(" kMGTP", {{"B/s", 0, 0}}), "B/s"), prefixed("kMGT", {{"bit/s", 0, -3}}))}},
      {Dimension::kPower, {"a power", "700 W", 1e9, prefixed(" mkMG", {{"W", 0, 0}})}},
      {Dimension::kEnergy, {"an energy", "30 pJ", kExa, prefixed(" fpnumkM", {{"J", 0, 0}})}},
      {Dimension::kCycles,
       {"a number of cycles", "273 cycles", kExa, with_aliases({{"cycles"}}, {{"cycle"}, {"clk"}})}},
      {Dimension::kBytesPerCycle, {"bytes per cycle", "128 B/clk", 1e12, with_aliases({{"B/clk"}}, {{"B/cycle"}})}},
      {Dimension::kOpsPerCycle,
       {"operations per cycle", "16 op/clk", 1e12,
        with_aliases({{"op/clk"}}, {{"FLOP/clk"}, {"/clk"}, {"op/cycle"}, {"FLOP/cycle"}})}},
      {Dimension::kOpsPerSecond,
       {"operations per second", "989 TFLOP/s", 1e24, prefixed(" kMGTPE", {{"FLOP/s", 0, 0}, {"op/s", 0, 0}})}},
      {Dimension::kEnergyPerByte,
       {"an energy per byte", "30 pJ/B", 1e3,
        with_aliases(prefixed(" fpnu", {{"J/B", 0, 0}}), prefixed("fpn", {{"J/bit", 0, 3}}))}},
      {Dimension::kEnergyPerOp,
       {"an energy per operation", "0.5 pJ/FLOP", 1e3, prefixed(" fpnu", {{"J/FLOP", 0, 0}, {"J/op", 0, 0}})}},
      {Dimension::kVoltage, {"a voltage", "0.85 V", 1e4, prefixed(" m", {{"V", 0, 0}})}},
      {Dimension::kFraction, {"a share", "3 %", 1e6, with_aliases({{"%", -2}}, {{""}})}},
  };
  return kTable.at(dimension);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

struct Number {
  std::string digits;     // sign, digits, decimal point
  long exponent = 0;      // limited, so that sums cannot overflow
  std::string_view rest;  // what follows, without spaces before it
};

std::optional<Number> scan(std::string_view text) {
  constexpr long kLargest = 100'000;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  const std::size_t first = i;
  int digits = 0, points = 0;
  for (; i < text.size() && (digit(text[i]) || text[i] == '.'); ++i) (digit(text[i]) ? digits : points) += 1;
  if (digits == 0 || points > 1) return {};
  Number n{(text[0] == '-' ? "-" : "") + std::string(text.substr(first, i - first)), 0, {}};
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t k = i + 1;
    const bool minus = k < text.size() && text[k] == '-';
    if (k < text.size() && (text[k] == '-' || text[k] == '+')) ++k;
    if (k < text.size() && digit(text[k])) {
      for (; k < text.size() && digit(text[k]); ++k) n.exponent = std::min(kLargest, n.exponent * 10 + (text[k] - '0'));
      if (minus) n.exponent = -n.exponent;
      i = k;
    }
  }
  n.rest = trim(text.substr(i));
  if (n.rest.starts_with('_') || n.rest.starts_with(',')) return {};
  return n;
}

std::optional<double> value_of(const Number& n, const Unit& unit) {
  const std::string text = n.digits + 'e' + std::to_string(n.exponent + unit.ten);
  double v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  v = std::ldexp(v, unit.two);
  if (!std::isfinite(v)) return {};
  return v;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return "`" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "...`" : "`");
}

std::string unit_hint(std::string_view wrong, Dimension dimension) {
  if (dimension == Dimension::kBytes || dimension == Dimension::kBandwidth) {
    if (wrong.starts_with("KB")) return " (did you mean `kB`, 1000 bytes, or `KiB`, 1024?)";
    if (wrong.find('b') != std::string_view::npos && wrong.find("bit") == std::string_view::npos && wrong != "b") {
      return " (`B` is a byte, `bit` a bit)";
    }
  }
  return did_you_mean(wrong, unit_names(dimension));
}

}  // namespace

std::optional<double> parse_quantity(std::string_view text, Dimension dimension, Problem& problem) {
  text = trim(text);
  const auto number = scan(text);
  if (!number) {
    problem = {shown(text) + " is not a number with a unit", dimension_expected(dimension)};
    return {};
  }
  const auto& units = info(dimension).units;
  const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == number->rest; });
  if (unit == units.end()) {
    const bool none = number->rest.empty();
    problem.what =
        none ? shown(text) + " has no unit" : shown(text) + " has an unknown unit" + unit_hint(number->rest, dimension);
    problem.expected = dimension_expected(dimension) + " (units: " + listed(unit_names(dimension)) + ")";
    return {};
  }
  const auto value = value_of(*number, *unit);
  if (!value) problem = {shown(text) + " is too large or too small to be represented", dimension_expected(dimension)};
  return value;
}

std::optional<double> parse_real(std::string_view text, Problem& problem) {
  const auto number = scan(text);
  if (!number || !number->rest.empty()) {
    problem = {shown(text) + " is not a plain number", "a number such as 0.5 or 3e-2"};
    return {};
  }
  const auto value = value_of(*number, {});
  if (!value) problem = {shown(text) + " is too large or too small to be represented", "a number of ordinary size"};
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text, Problem& problem) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && end == text.data() + text.size() && error == std::errc{}) return value;
  if (error == std::errc::result_out_of_range) {
    problem = {shown(text) + " does not fit in 64 bits", "a smaller whole number"};
  } else {
    problem = {shown(text) + " is not a whole number", "a whole number such as 128"};
  }
  return {};
}

std::string format_real(double value) {
  char buffer[40];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc{} ? std::string(buffer, end) : std::to_string(value);
}

namespace {

// The number in front of `unit`, or nothing if no decimal parses back to the same value.
std::string number_in(double value, const Unit& unit) {
  const double scaled = std::ldexp(value, -unit.two) / std::pow(10.0, unit.ten);
  for (const int precision : {6, 15, 17}) {  // the division may miss the short decimal by an ulp
    char buffer[40];
    const auto [end, error] =
        std::to_chars(buffer, buffer + sizeof buffer, scaled, std::chars_format::general, precision);
    const auto number = scan({buffer, end});
    if (error == std::errc{} && number && value_of(*number, unit) == value) return {buffer, end};
  }
  return {};
}

// Smaller is better to read: from 1 to 9999 first, then short.
std::size_t clumsiness(const std::string& number, double scaled) {
  const bool handy = scaled == 0 || (std::abs(scaled) >= 1 && std::abs(scaled) < 1e4);
  return number.size() + (handy ? 0 : 100);
}

}  // namespace

std::string format_quantity(double value, Dimension dimension) {
  std::string best;
  std::size_t least = 1000;
  for (const Unit& unit : info(dimension).units) {
    if (!unit.printed) continue;
    const std::string number = number_in(value, unit);
    const std::size_t score = clumsiness(number, std::ldexp(value, -unit.two) / std::pow(10.0, unit.ten));
    if (number.empty() || score >= least) continue;
    least = score;
    best = number + ' ' + unit.name;
  }
  return best.empty() ? format_real(value) : best;
}

std::string_view dimension_name(Dimension dimension) { return info(dimension).name; }

std::string dimension_expected(Dimension dimension) {
  return std::string(info(dimension).name) + " such as " + std::string(info(dimension).example);
}

std::vector<std::string> unit_names(Dimension dimension) {
  std::vector<std::string> names;
  for (const Unit& u : info(dimension).units) {
    if (!u.name.empty()) names.push_back(u.name);
  }
  return names;
}

double stored_per_base(Dimension dimension) { return dimension == Dimension::kTime ? 1e12 : 1.0; }

Range default_range(Dimension dimension) { return {0, info(dimension).absurd / stored_per_base(dimension)}; }

std::string range_text(const Range& range, std::optional<Dimension> dimension) {
  const auto text = [&](double v) {
    return dimension ? format_quantity(v * stored_per_base(*dimension), *dimension) : format_real(v);
  };
  if (!std::isfinite(range.hi)) return "at least " + text(range.lo);
  if (!std::isfinite(range.lo)) return "at most " + text(range.hi);
  return "from " + text(range.lo) + " to " + text(range.hi);
}

}  // namespace rooftile::input
