#include "workloads/sweep/answers.hpp"

#include <catch2/catch.hpp>

#include "reports/sweep_report.hpp"
#include "tests/workloads/sweep/support.hpp"
#include "workloads/sweep/run.hpp"

namespace rooftile::workloads::sweep {
namespace {

using Catch::Matchers::Contains;

// time = 1000 / bandwidth (TB/s) up to a floor of 200, where something else binds; energy rises with bandwidth.
Outcome toy(const Scenario& s) {
  const double bandwidth = s.gpu.hbm.bandwidth.value.value / 1e12;
  const bool memory = bandwidth < 5;
  return Outcome{.time_us = memory ? 1000 / bandwidth : 200, .energy_mj = 10 * bandwidth, .power_w = 1, .bottleneck = memory ? "HBM" : "tensor"};
}

struct Swept {
  Folder folder;
  Sweep sweep;
  Store store;
  explicit Swept(const std::string& text, const Evaluate& evaluate = toy)
      : sweep(read_sweep(folder.write("sweep.yaml", text))), store(Store::open("", {sweep.title, sweep.hash, "v", sweep.space.size()}, false)) {
    run(sweep, store, evaluate, {});
  }
  Answers answers() const { return answer(sweep, store); }
};

const char* const kBandwidths = R"(sweep: bandwidth
scenario: {scenario: s, hardware: h200, ops: [{op: gemm, m: 64, n: 64, k: 64, dtype: bf16}]}
vary:
  hardware.hbm.bandwidth: [1 TB/s, 2 TB/s, 4 TB/s, 8 TB/s]
  ops.0.m: [16, 32]
objectives: [time, energy]
)";

}  // namespace

TEST_CASE("the best point of each objective and the Pareto front are found") {
  const Answers a = Swept(kBandwidths).answers();
  CHECK(a.predicted == 8);
  CHECK(a.best[0].inputs == std::vector<std::string>{"8 TB/s", "16"});  // the first of equals
  CHECK(a.best[1].inputs == std::vector<std::string>{"1 TB/s", "16"});
  CHECK(a.front.size() == 4);  // every bandwidth once: the rows do not matter here
  CHECK(*a.front.front().values[0] == 200);
  CHECK(*a.front.back().values[1] == 10);
}

TEST_CASE("a dominated point is not on the front") {
  const auto worse_at_two = [](const Scenario& s) {
    Outcome o = toy(s);
    if (o.time_us == 500) o.time_us = 2000;
    return o;
  };
  const Answers a = Swept(kBandwidths, worse_at_two).answers();
  CHECK(a.front.size() == 3);
  for (const Chosen& c : a.front) CHECK(c.inputs[0] != "2 TB/s");
}

TEST_CASE("the effect of an axis is the ratio over its range and the slope between logarithms") {
  const Answers a = Swept(kBandwidths).answers();
  const AxisEffect& bandwidth = a.effects[0];
  CHECK(bandwidth.ratio[0] == Approx(200.0 / 1000));
  CHECK(*bandwidth.slope[0] == Approx(std::log(0.2) / std::log(8.0)));
  CHECK(*bandwidth.slope[1] == Approx(1));
  CHECK(bandwidth.steps[0].ratio[0] == Approx(0.5));
  CHECK(bandwidth.steps[0].pairs == 2);
  CHECK(a.effects[1].ratio[0] == Approx(1));
  CHECK(*a.effects[1].slope[0] == Approx(0).margin(1e-12));
}

TEST_CASE("the step of an axis across which another resource binds is named") {
  const Answers a = Swept(kBandwidths).answers();
  CHECK(a.effects[0].steps[1].changes.empty());
  CHECK(a.effects[0].steps[2].changes.at({"HBM", "tensor"}) == 2);
  CHECK_THAT(reports::write(a, reports::Format::text), Contains("HBM") && Contains("2 of 2"));
}

TEST_CASE("points that cannot run or miss a constraint are counted and take no part") {
  const auto fails_at_one = [](const Scenario& s) {
    if (s.gpu.hbm.bandwidth.value.value < 1.5e12) throw std::invalid_argument("does not fit");
    return toy(s);
  };
  const Answers a = Swept(std::string(kBandwidths) + "constraints: [\"time <= 400 us\"]\n", fails_at_one).answers();
  CHECK(a.failed == 2);
  CHECK(a.failures.at("does not fit") == 2);
  CHECK(a.excluded == 2);
  CHECK(a.front.size() == 2);
  CHECK(a.effects[0].steps[1].pairs == 0);
}

TEST_CASE("the lines of a point table are one a point, with its inputs and outputs") {
  const Swept s(kBandwidths);
  const std::string csv = reports::write_points(s.sweep, s.store);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 9);
  CHECK_THAT(csv, Contains("\n3,2 TB/s,32,500,20,1,0,,,,HBM,\n"));
}

}  // namespace rooftile::workloads::sweep
