#include <catch2/catch.hpp>

#include "sim/core/input/yaml.hpp"
#include "workloads/catalog.hpp"
#include "workloads/data.hpp"
#include "workloads/predict.hpp"

using namespace rooftile;
using namespace rooftile::workloads;

namespace {

NamedOperation read(const std::string& text, std::string* errors = nullptr) {
  input::Diagnostics found;
  NamedOperation op = read_operation(input::parse_yaml(text, "s.yaml"), found);
  if (errors) *errors = found.text();
  else REQUIRE(found.text() == "");
  return op;
}

const std::string kGemm = "{op: gemm, m: 1024, n: 4096, k: 4096}", kSum = "{op: all_reduce, ranks: 8, bytes: 67108864}";

double seconds(const std::string& text) {
  static const hw::GpuSpec gpu = load_gpu("h200");
  const NamedOperation op = read(text);
  return predict(*op.operation, op.implementation, gpu, {.clock = {ClockMode::fixed, core::megahertz(1500)}}).time.seconds();
}

}  // namespace

TEST_CASE("an overlap takes at least as long as its longer side, and no longer than one after the other") {
  const double gemm = seconds(kGemm), sum = seconds(kSum);
  for (const char* first : {"compute", "communication"}) {
    const double both = seconds("{op: overlap, compute: " + kGemm + ", communication: " + kSum + ", first: " + first + "}");
    CHECK(both >= std::max(gemm, sum) * 0.999);
    CHECK(both <= (gemm + sum) * 1.001);
  }
}

TEST_CASE("a sum that is launched first hides behind the GEMM, which loses SMs to it") {
  const double sum = seconds(kSum);
  const double both = seconds("{op: overlap, compute: {op: gemm, m: 8192, n: 8192, k: 4096}, communication: " + kSum + ", first: communication}");
  const double gemm = seconds("{op: gemm, m: 8192, n: 8192, k: 4096}");
  CHECK(both > gemm + 0.5 * sum * 16 / 132);
  CHECK(both < gemm + 1.5 * sum * 16 / 132);
}

TEST_CASE("what does not belong on a side of an overlap is refused") {
  std::string errors;
  read("{op: overlap, compute: " + kSum + ", communication: " + kSum + "}", &errors);
  CHECK(errors.find("all_reduce does not go there") != std::string::npos);
  read("{op: overlap, compute: " + kGemm + ", communication: {op: all_reduce, ranks: 8}}", &errors);
  CHECK(errors.find("no size") != std::string::npos);
}
