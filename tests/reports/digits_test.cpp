#include <catch2/catch.hpp>

#include <cmath>

#include "reports/bands.hpp"
#include "reports/rounding.hpp"
#include "sim/core/input/diagnostics.hpp"

using namespace rooftile::reports;

TEST_CASE("A number is printed with the digits that its band supports") {
  CHECK(within(2037.3, 11) == "2040");
  CHECK(within(2037.3, 50) == "2000");
  CHECK(within(2037.3, 0.5) == "2037");
  CHECK(within(12.345, 10) == "12.3");
  CHECK(within(0.05, 20) == "0.050");
  CHECK(within(0, 10) == "0");
}

TEST_CASE("The last digit's step is at most a quarter of the band and at least a fortieth") {
  for (const double value : {0.013, 0.99, 1.0, 3.7, 99.9, 1234.5, 8.1e6})
    for (const double band : {1.0, 5.0, 12.9, 40.0}) {
      const double step = std::pow(10.0, last_digit(value, band));
      CHECK(step <= value * band / 100 / 4 * 1.000001);
      CHECK(step >= value * band / 100 / 40 * 0.999999);
    }
}

TEST_CASE("Printed parts add up to the printed total") {
  const std::vector<double> parts{333.3, 333.3, 333.4, 4.9, 0.1};
  for (const int digit : {-1, 0, 1, 2}) {
    double total = 0, printed = 0;
    for (const double p : parts) total += p;
    for (const std::string& p : parts_of(parts, total, digit)) printed += std::stod(p);
    const double unit = std::pow(10.0, digit);
    CHECK(printed == Approx(std::round(total / unit) * unit));
  }
}

TEST_CASE("An operation's band is that of the family with the nearest record of its operator") {
  const Bands bands({{"h200", "small", "gemm", "cublas", 1e9, 1e6, -10}, {"h200", "small", "gemm", "cublas", 2e9, 2e6, 20},
                     {"h200", "large", "gemm", "cublas", 1e12, 1e9, 2}, {"h100", "huge", "gemm", "cublas", 1e13, 1e10, 1}});
  const auto near = bands.find("h200", "gemm", "cublas", 1.1e9, 1e6);
  REQUIRE(near);
  CHECK(near->family == "small");
  CHECK(near->records == 2);
  CHECK(near->median == Approx(15));
  CHECK(near->bias == Approx(5));
  CHECK(near->confidence() == "validated nearby");
  CHECK(bands.find("h200", "gemm", "cublas", 1e13, 1e10)->family == "large");  // this device before a nearer shape
  CHECK(bands.find("h200", "gemm", "cublas", 1e13, 1e10)->confidence() == "extrapolated");
  CHECK(bands.find("h100", "gemm", "rooftile", 1e13, 1e10)->confidence() == "other implementation");
  CHECK_FALSE(bands.find("h200", "attention", "cudnn", 1, 1));
}

TEST_CASE("The committed bands can be read and cover attention and GEMM on the H200") {
  const Bands bands = load_bands();
  CHECK(bands.find("h200", "gemm", "cublas", 1e12, 1e8));
  CHECK(bands.find("h200", "attention", "flash2", 1e12, 1e8));
  CHECK_THROWS_AS(load_bands("no/such/file.json"), rooftile::input::InputError);
}
