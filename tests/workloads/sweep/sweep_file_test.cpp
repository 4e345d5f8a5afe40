#include <catch2/catch.hpp>

#include "tests/workloads/sweep/support.hpp"

namespace rooftile::workloads::sweep {
namespace {

using Catch::Matchers::Contains;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

Sweep read(const std::string& text) {
  const Folder folder;
  return read_sweep(folder.write("sweep.yaml", text));
}

}  // namespace

TEST_CASE("the points of crossed axes are those of nested loops, the first axis slowest") {
  const Sweep s = read(kSmallSweep);
  REQUIRE(s.space.size() == 24);
  CHECK(s.space.inputs(0) == R"({"ops.0.m": 16, "ops.0.k": 256, "hardware.hbm.bandwidth": "3 TB/s"})");
  CHECK(s.space.inputs(1) == R"({"ops.0.m": 16, "ops.0.k": 256, "hardware.hbm.bandwidth": "4 TB/s"})");
  CHECK(s.space.inputs(4) == R"({"ops.0.m": 16, "ops.0.k": 512, "hardware.hbm.bandwidth": "3 TB/s"})");
  CHECK(s.space.inputs(23) == R"({"ops.0.m": 64, "ops.0.k": 1024, "hardware.hbm.bandwidth": "6 TB/s"})");
}

TEST_CASE("fields of a zip advance together as one axis, crossed with the others") {
  const Sweep s = read(replaced(kSmallSweep, "objectives", "zip:\n  - {ops.0.n: [256, 512, 1024], ops.0.batch: [4, 2, 1]}\nobjectives"));
  REQUIRE(s.space.size() == 72);
  REQUIRE(s.space.axes().back().fields.size() == 2);
  CHECK_THAT(s.space.inputs(1), Contains(R"("ops.0.n": 512, "ops.0.batch": 2)"));
}

TEST_CASE("an unknown path fails before anything runs, with a suggestion and its place") {
  CHECK_THAT(mistakes(replaced(kSmallSweep, "hardware.hbm.bandwidth", "hardware.hbm.bandwith")),
             Contains("sweep.yaml:10:") && Contains("did you mean `bandwidth`?"));
  CHECK_THAT(mistakes(replaced(kSmallSweep, "ops.0.k:", "ops.0.kk:")), Contains("kk") && Contains("sweep.yaml:9:"));
  CHECK_THAT(mistakes(replaced(kSmallSweep, "ops.0.m:", "ops.3.m:")), Contains("no `ops.3`"));
  CHECK_THAT(mistakes(replaced(kSmallSweep, "ops.0.m:", "clok:")), Contains("did you mean `clock`?"));
}

TEST_CASE("a sweep tells all its mistakes at once") {
  std::string text = replaced(kSmallSweep, "[time, energy]", "[tiem, cost]\nprize: 3");
  text = replaced(text, "steps: 4", "steps: none");
  text = replaced(text, "[16, 64]", "[16, many]");
  const std::string found = mistakes(text);
  CHECK_THAT(found, Contains("did you mean `time`?") && Contains("cost without a price") && Contains("unknown key 'prize'"));
  CHECK_THAT(found, Contains("steps is 'none'") && Contains("many"));
}

TEST_CASE("a value that the hardware cannot have is told at its place in the sweep") {
  CHECK_THAT(mistakes(replaced(kSmallSweep, "from: 3 TB/s", "from: 3 GB")), Contains("sweep.yaml:10:"));
  CHECK_THAT(mistakes(replaced(kSmallSweep, "[16, 64]", "[16, -2]")), Contains("sweep.yaml:8:"));
}

TEST_CASE("a constraint on axes drops points before they run, one on outputs leaves them out of the answers") {
  const Sweep s = read(replaced(kSmallSweep, "objectives", "constraints: [\"ops.0.m * ops.0.k <= 32768\", \"hardware.hbm.bandwidth < 5 TB/s\", \"time <= 10 us\"]\nobjectives"));
  int runs = 0;
  for (PointId p = 0; p < s.space.size(); ++p) runs += s.runs(p) ? 1 : 0;
  CHECK(runs == 2 * (3 + 2));  // two bandwidths; m 16 with every k, m 64 with two
  Outcome o{.time_us = 9.9, .bottleneck = "L2"};
  CHECK(s.counts(0, o));
  o.time_us = 10.1;
  CHECK_FALSE(s.counts(0, o));
  CHECK_THAT(mistakes(replaced(kSmallSweep, "objectives", "constraints: [\"ops.0.mm <= 3\"]\nobjectives")), Contains("did you mean `ops.0.m`?"));
}

TEST_CASE("cost is the price of the time that a million runs take") {
  const Outcome o{.time_us = 3600};
  CHECK(*value(o, Objective::cost, 2.5) == Approx(2.5));  // 1e6 runs of 3.6 ms: one hour
  CHECK_FALSE(value(o, Objective::memory, 0).has_value());
}

}  // namespace rooftile::workloads::sweep
