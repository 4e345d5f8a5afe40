#include "sim/core/input/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace rooftile::input {
namespace {

using Units = std::map<std::string, double, std::less<>>;

Units with_prefixes(const std::string& unit, bool binary) {
  Units u{{unit, 1}, {"k" + unit, 1e3}, {"K" + unit, 1e3}, {"M" + unit, 1e6}, {"G" + unit, 1e9}, {"T" + unit, 1e12}, {"P" + unit, 1e15}};
  if (binary) {
    double scale = 1024;
    for (const char* p : {"Ki", "Mi", "Gi", "Ti"}) {
      u[p + unit] = scale;
      scale *= 1024;
    }
  }
  return u;
}

const Units& units_of(Dimension d) {
  static const Units bytes = with_prefixes("B", true), rate = with_prefixes("B/s", true), hertz = with_prefixes("Hz", false),
                     time{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}}, watts{{"W", 1}, {"kW", 1e3}, {"mW", 1e-3}},
                     none{};
  switch (d) {
    case Dimension::bytes: return bytes;
    case Dimension::bytes_per_second: return rate;
    case Dimension::hertz: return hertz;
    case Dimension::time: return time;
    case Dimension::watts: return watts;
    default: return none;
  }
}

const char* example_of(Dimension d) {
  switch (d) {
    case Dimension::bytes: return "a size with a unit, such as 60 MB or 228 KiB";
    case Dimension::bytes_per_second: return "a bandwidth with a unit, such as 4.8 TB/s";
    case Dimension::hertz: return "a frequency with a unit, such as 1980 MHz";
    case Dimension::time: return "a time with a unit, such as 67 ns";
    case Dimension::watts: return "a power with a unit, such as 700 W";
    default: return "a number";
  }
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

}  // namespace

Quantity parse_quantity(std::string_view raw, Dimension dimension) {
  const std::string_view text = trim(raw);
  Quantity q;
  q.expected = example_of(dimension);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string shown = "'" + std::string(text.substr(0, 60)) + "'";
  if (error == std::errc::result_out_of_range) return q.error = shown + " is out of range", q;
  if (error != std::errc()) return q.error = shown + " is not a number", q;
  if (!std::isfinite(value)) return q.error = shown + " is not finite", q;
  const std::string_view unit = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  const Units& units = units_of(dimension);
  if (units.empty()) {
    if (!unit.empty()) q.error = shown + " has a unit or stray text", q.expected = "a plain number";
    q.value = value;
    return q;
  }
  if (unit.empty()) return q.error = shown + " has no unit", q;
  const auto found = units.find(unit);
  if (found == units.end()) return q.error = "unit '" + std::string(unit.substr(0, 20)) + "' does not fit here", q;
  q.value = value * found->second;
  return q;
}

std::optional<long long> parse_integer(std::string_view raw) {
  const std::string_view text = trim(raw);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  if (word.size() > 100) return best;
  for (const std::string& c : candidates) {
    std::vector<std::size_t> row(c.size() + 1);
    for (std::size_t j = 0; j <= c.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= c.size(); ++j) {
        const std::size_t above = row[j];
        row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (word[i - 1] == c[j - 1] ? 0 : 1)});
        diagonal = above;
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = c;
    }
  }
  return best;
}

}  // namespace rooftile::input
