#include <catch2/catch.hpp>

#include <map>
#include <nlohmann/json.hpp>

#include "reports/trace.hpp"
#include "tests/reports/scenario_for_tests.hpp"

using namespace rooftile;
using namespace rooftile::reports;

namespace {

struct Recorded {
  workloads::Scenario scenario = small_scenario();
  std::vector<workloads::Prediction> predictions;
  std::vector<std::unique_ptr<OpTrace>> traces;

  explicit Recorded(const TraceLimits& limits) {
    for (const auto& op : scenario.ops) {
      traces.push_back(std::make_unique<OpTrace>(limits));
      predictions.push_back(workloads::predict(*op.operation, op.implementation, scenario.gpu, {.clock = scenario.clock, .observer = traces.back().get()}));
    }
  }
  nlohmann::json json() const { return nlohmann::json::parse(trace_json(scenario, predictions, traces)); }
};

}  // namespace

TEST_CASE("Watching a kernel does not change its prediction") {
  const Recorded watched({});
  const auto plain = predictions_of(small_scenario());
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(watched.predictions[i].time == plain[i].time);
}

TEST_CASE("Spans of one row of a timeline never overlap") {
  const auto trace = Recorded({}).json();
  std::map<std::pair<int, int>, double> free_at;
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> rows;
  for (const auto& e : trace["traceEvents"])
    if (e["ph"] == "X") rows[{e["pid"], e["tid"]}].emplace_back(e["ts"].get<double>(), e["dur"].get<double>());
  CHECK(rows.size() > 8);
  for (auto& [row, spans] : rows) {
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) {
      INFO("process " << row.first << ", row " << row.second);
      REQUIRE(spans[i].first >= spans[i - 1].first + spans[i - 1].second - 2e-6);
    }
  }
}

TEST_CASE("The kernels of a timeline last as long as predicted, gaps included") {
  const Recorded r({});
  double last = 0, total = 0;
  for (const auto& p : r.predictions) total += p.time.us();
  const auto trace = r.json();
  for (const auto& e : trace["traceEvents"])
    if (e["ph"] == "X" && e["pid"] == 1) last = std::max(last, e["ts"].get<double>() + e["dur"].get<double>());
  CHECK(last == Approx(total).epsilon(1e-6));
}

TEST_CASE("A timeline stays within its limits and says how far it reaches") {
  const Recorded r({.sms = 3, .spans = 50});
  bool said = false;
  for (const auto& t : r.traces)
    for (const auto& k : t->kernels()) {
      CHECK(k->spans().size() <= 50);
      CHECK(k->sms().size() == 3);
    }
  const auto trace = r.json();
  for (const auto& e : trace["traceEvents"]) said = said || (e.contains("args") && e["args"].contains("spans_recorded_until_us"));
  CHECK(said);
}

TEST_CASE("The binned traffic of a kernel is all of its traffic") {
  const Recorded r({});
  for (std::size_t i = 0; i < r.predictions.size(); ++i)
    for (std::size_t k = 0; k < r.predictions[i].kernels.size(); ++k) {
      double read = 0, written = 0;
      for (const TrafficBin& b : r.traces[i]->kernels()[k]->bins()) read += b.l2_read, written += b.hbm_written;
      const hw::L2Traffic& t = r.predictions[i].kernels[k].play.traffic;
      CHECK(read == Approx(static_cast<double>(t.read.value)));
      CHECK(written == Approx(static_cast<double>(t.dram_written.value)));
    }
}
