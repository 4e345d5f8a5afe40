// Reports of a scenario on the GPU with round numbers, byte by byte. After a change that is meant:
// scripts/update-golden.sh, then read the difference before committing it.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "reports/run_report.hpp"
#include "workloads/scenario.hpp"

using namespace rooftile;

TEST_CASE("the report of a small scenario is what was reviewed, in every format", "[golden]") {
  const std::string root = ROOFTILE_SOURCE_DIR;
  workloads::Overrides overrides;
  overrides.hardware = root + "/tests/support/tiny_gpu.yaml";
  workloads::Scenario s = workloads::read_scenario(root + "/tests/golden/scenario.yaml", overrides);
  s.hardware_name = "tiny";
  std::vector<workloads::Prediction> predictions;
  for (const auto& op : s.ops) predictions.push_back(workloads::predict(*op.operation, op.implementation, s.gpu, {.clock = s.clock}));
  const reports::RunReport report = reports::collect(s, predictions);
  const std::pair<const char*, reports::Format> formats[] = {{"report.txt", reports::Format::text},
                                                             {"report.json", reports::Format::json},
                                                             {"report.csv", reports::Format::csv},
                                                             {"report.md", reports::Format::markdown}};
  for (const auto& [name, format] : formats) {
    const std::string path = root + "/tests/golden/" + name, text = reports::write(report, format);
    if (std::getenv("ROOFTILE_UPDATE_GOLDEN")) std::ofstream(path) << text;
    std::ifstream in(path);
    std::stringstream reviewed;
    reviewed << in.rdbuf();
    CHECK(text == reviewed.str());
  }
}
