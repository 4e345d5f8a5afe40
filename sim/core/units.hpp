// Physical quantities. Simulated time is integer picoseconds; a count of cycles becomes time by one
// 128-bit multiplication rounded up, so 1.755 GHz never turns into a truncated period.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace rooftile::core {

struct Time {
  std::int64_t ps = 0;
  static constexpr Time max() { return {std::numeric_limits<std::int64_t>::max()}; }
  constexpr double us() const { return static_cast<double>(ps) * 1e-6; }
  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }
  auto operator<=>(const Time&) const = default;
};
constexpr Time operator+(Time a, Time b) { return {a.ps + b.ps}; }
constexpr Time operator-(Time a, Time b) { return {a.ps - b.ps}; }
constexpr Time& operator+=(Time& a, Time b) { return a = a + b; }
constexpr Time later(Time a, Time b) { return a < b ? b : a; }
constexpr Time nanoseconds(double ns) { return {static_cast<std::int64_t>(ns * 1e3 + 0.5)}; }

struct Bytes {
  std::int64_t value = 0;
  auto operator<=>(const Bytes&) const = default;
};
constexpr Bytes operator+(Bytes a, Bytes b) { return {a.value + b.value}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return {a.value - b.value}; }
constexpr Bytes& operator+=(Bytes& a, Bytes b) { return a = a + b; }

struct Hertz {
  double value = 0;
  auto operator<=>(const Hertz&) const = default;
};
struct BytesPerSecond {
  double value = 0;
  auto operator<=>(const BytesPerSecond&) const = default;
};
struct Watts {
  double value = 0;
  auto operator<=>(const Watts&) const = default;
};
struct Joules {
  double value = 0;
  auto operator<=>(const Joules&) const = default;
};
constexpr Hertz megahertz(double mhz) { return {mhz * 1e6}; }

// Rounds up: a unit that is busy for a fraction of a picosecond is busy.
constexpr Time ratio_up(__int128 numerator, __int128 denominator) {
  return {static_cast<std::int64_t>((numerator + denominator - 1) / denominator)};
}

// A clock with an exact integer frequency; `time(n)` is n cycles, rounded up once.
class Clock {
 public:
  explicit constexpr Clock(Hertz f) : hz_(static_cast<std::int64_t>(f.value + 0.5)) {}
  constexpr Time time(std::int64_t cycles) const { return ratio_up(__int128{cycles} * 1'000'000'000'000, hz_); }
  constexpr Time time(double cycles) const {
    const double ps = cycles * (1e12 / static_cast<double>(hz_));
    const auto whole = static_cast<std::int64_t>(ps);
    return {whole + (static_cast<double>(whole) < ps ? 1 : 0)};
  }
  constexpr double cycles(Time t) const { return static_cast<double>(t.ps) * (static_cast<double>(hz_) * 1e-12); }
  constexpr Hertz frequency() const { return {static_cast<double>(hz_)}; }

 private:
  std::int64_t hz_;
};

// Time to move `bytes` at `rate`, rounded up.
constexpr Time transfer_time(Bytes bytes, BytesPerSecond rate) {
  const double ps = static_cast<double>(bytes.value) * (1e12 / rate.value);
  const auto whole = static_cast<std::int64_t>(ps);
  return {whole + (static_cast<double>(whole) < ps ? 1 : 0)};
}

// A number that looks random and is the same in every run (the finaliser of splitmix64).
constexpr std::uint32_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return static_cast<std::uint32_t>(x >> 32 ^ x);
}

}  // namespace rooftile::core
