#include "sim/core/input/quantity.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>

using namespace rooftile;
using namespace rooftile::input;
using Catch::Contains;

namespace {
double value(const char* text, Dimension d) {
  Problem problem;
  const auto v = parse_quantity(text, d, problem);
  INFO(text << ": " << problem.what);
  REQUIRE(v.has_value());
  return *v;
}
std::string problem_of(const char* text, Dimension d) {
  Problem problem;
  INFO(text);
  REQUIRE_FALSE(parse_quantity(text, d, problem).has_value());
  return problem.what + ", expected " + problem.expected;
}
}  // namespace

TEST_CASE("Quantities of a datasheet mean what they say, to the last bit") {
  CHECK(value("4.8 TB/s", Dimension::kBandwidth) == 4.8e12);
  CHECK(value("60 MB", Dimension::kBytes) == 60e6);
  CHECK(value("50 MiB", Dimension::kBytes) == 50.0 * 1024 * 1024);
  CHECK(value("1980 MHz", Dimension::kFrequency) == 1.98e9);
  CHECK(value("67 ns", Dimension::kTime) == 67e3);
  CHECK(value("0.1 ns", Dimension::kTime) == 100);
  CHECK(value("3.5us", Dimension::kTime) == 3.5e6);
  CHECK(value("3.5 µs", Dimension::kTime) == 3.5e6);
  CHECK(value("700 W", Dimension::kPower) == 700);
  CHECK(value("128 B/clk", Dimension::kBytesPerCycle) == 128);
  CHECK(value("0.5 pJ/FLOP", Dimension::kEnergyPerOp) == 0.5e-12);
  CHECK(value("30 pJ/B", Dimension::kEnergyPerByte) == 30e-12);
  CHECK(value("273 cycles", Dimension::kCycles) == 273);
  CHECK(value("400 Gbit/s", Dimension::kBandwidth) == 50e9);
  CHECK(value("989 TFLOP/s", Dimension::kOpsPerSecond) == 989e12);
  CHECK(value("16 /clk", Dimension::kOpsPerCycle) == 16);
  CHECK(value("3 %", Dimension::kFraction) == 0.03);
  CHECK(value("0.03", Dimension::kFraction) == 0.03);
}

TEST_CASE("A number without its unit is told which units there are") {
  CHECK_THAT(problem_of("60", Dimension::kBytes),
             Contains("`60` has no unit, expected a size such as 50 MiB (units: B, kB, MB"));
}

TEST_CASE("A wrong unit is told what was probably meant") {
  CHECK_THAT(problem_of("60 KB", Dimension::kBytes), Contains("`kB`, 1000 bytes, or `KiB`, 1024"));
  CHECK_THAT(problem_of("60 Mb", Dimension::kBytes), Contains("`B` is a byte"));
  CHECK_THAT(problem_of("1980 mhz", Dimension::kFrequency), Contains("did you mean `MHz`"));
  CHECK_THAT(problem_of("3 TB/S", Dimension::kBandwidth), Contains("did you mean `TB/s`"));
  CHECK_THAT(problem_of("60 MB", Dimension::kTime), Contains("unknown unit"));
  CHECK_THAT(problem_of("3 pct", Dimension::kFraction), Contains("(units: %)"));
}

TEST_CASE("What is not a finite number with a unit is an error") {
  for (const char* bad :
       {"", " ", "MB", "nan MB", "inf MB", "-inf MB", "1e999 MB", "1_000 MB", "1,000 MB", "1.2.3 MB", "0x10 MB", ". MB",
        "- MB", "--1 MB", "1e MB", "1e99999999999999999999 MB", "5 5 MB", "1 MB x"}) {
    CHECK_FALSE(problem_of(bad, Dimension::kBytes).empty());
  }
}

TEST_CASE("Plain numbers follow the same rules") {
  Problem p;
  CHECK(parse_real("3e-2", p) == 0.03);
  CHECK(parse_integer("-7", p) == -7);
  for (const char* bad : {"", "nan", "inf", "1e999", "1_0", "0x1", "1 2", "true"}) CHECK_FALSE(parse_real(bad, p));
  for (const char* bad : {"", "1.5", "1e3", "99999999999999999999", "+1", " 1", "1 "})
    CHECK_FALSE(parse_integer(bad, p));
}

TEST_CASE("Quantities are written briefly") {
  CHECK(format_quantity(60e6, Dimension::kBytes) == "60 MB");
  CHECK(format_quantity(50.0 * 1024 * 1024, Dimension::kBytes) == "50 MiB");
  CHECK(format_quantity(4.8e12, Dimension::kBandwidth) == "4.8 TB/s");
  CHECK(format_quantity(1.98e9, Dimension::kFrequency) == "1980 MHz");
  CHECK(format_quantity(5e-13, Dimension::kEnergyPerOp) == "500 fJ/FLOP");
  CHECK(format_quantity(0.03, Dimension::kFraction) == "3 %");
}

TEST_CASE("Every written quantity reads back as the same value") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(1, 10), exponent(-14, 17);
  for (const auto d : {Dimension::kBytes, Dimension::kBandwidth, Dimension::kTime, Dimension::kEnergyPerOp,
                       Dimension::kFraction, Dimension::kVoltage, Dimension::kCycles}) {
    for (int i = 0; i < 500; ++i) {
      const double v = mantissa(random) * std::pow(10.0, std::floor(exponent(random)));
      Problem problem;
      const std::string text = format_quantity(v, d);
      INFO(text);
      CHECK(parse_quantity(text, d, problem) == v);
    }
  }
}
