#include <catch2/catch.hpp>

#include "reports/run_report.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/scenario.hpp"

using namespace rooftile;

namespace {

std::string errors(const std::string& op) {
  input::Diagnostics found;
  workloads::read_operation(input::parse_yaml(op, "s.yaml"), found);
  return found.text();
}

const std::string kBase = "layers: 64, attention: 600 us, mlp: 900 us, ";

}  // namespace

TEST_CASE("the parts of a scenario's communication add up to its time, and the text says them") {
  for (const char* name : {"moe-step-16384-gpus", "decode-layer-collectives"}) {
    const auto s = workloads::read_scenario(std::string(ROOFTILE_SOURCE_DIR) + "/workloads/scenarios/" + name + ".yaml");
    std::vector<workloads::Prediction> predictions;
    for (const auto& op : s.ops) predictions.push_back(workloads::predict(*op.operation, op.implementation, s.gpu, {.clock = s.clock}));
    const auto report = reports::collect(s, predictions);
    for (const auto& row : report.ops) {
      REQUIRE(row.communication);
      double sum = 0;
      for (const auto& [what, us] : row.communication->parts) sum += us;
      CHECK(sum == Approx(row.time_us).epsilon(1e-6));
    }
    CHECK(reports::write(report, reports::Format::text).find("of which us") != std::string::npos);
  }
}

TEST_CASE("a parallel step says every rule that its layout breaks") {
  const std::string found = errors("{op: parallel_step, " + kBase + "devices: 64, parallel: {tensor: 8, pipeline: 5, context: 2}}");
  CHECK(found.find("= 80, but there are 64 devices") != std::string::npos);
  CHECK(found.find("64 layers do not split into 5 pipeline stages") != std::string::npos);
  CHECK(found.find("tensor parallelism without `hidden`") != std::string::npos);
  CHECK(found.find("context parallelism without `kv`") != std::string::npos);
  CHECK(errors("{op: parallel_step, " + kBase + "parallel: {pipeline: 4, virtual_stages: 2, microbatches: 6}}").find("multiple of 4 microbatches") != std::string::npos);
  CHECK(errors("{op: parallel_step, " + kBase + "parallel: {data: 8, expert: 8}}").find("expert parallelism without `experts`") != std::string::npos);
}

TEST_CASE("hot experts slow a step, copies of them heal it") {
  const auto time = [](const std::string& more) {
    std::string loads = "expert_loads: [30";
    for (int i = 1; i < 64; ++i) loads += ", 1";
    input::Diagnostics found;
    const auto op = workloads::read_operation(
        input::parse_yaml("{op: parallel_step, " + kBase + "hidden: 8 MB, parallel: {tensor: 1, data: 8, expert: 8}, experts: {experts: 64, top_k: 4, tokens_per_rank: 512, hidden_size: 4096, " +
                              loads + "]" + more + "}}", "s.yaml"), found);
    REQUIRE(found.text().empty());
    return op.operation->communication("h100", "default")->time;
  };
  CHECK(time(", redundant_experts: 8").ps < time("").ps);
}
