// `rooftile run`: predict a scenario.
#include <memory>

#include "sim/cli/common.hpp"
#include "sim/cli/predict_all.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::string scenario, output;
  workloads::Overrides overrides;
  reports::Format format = reports::Format::text;
};

}  // namespace

void add_run(CLI::App& app, int&) {
  auto* command = app.add_subcommand("run", "predict a scenario");
  auto a = std::make_shared<Arguments>();
  command->add_option("SCENARIO", a->scenario, "a scenario file (YAML)")->required();
  command->add_option("-o,--output", a->output, "write the answer to a file");
  add_overrides(*command, a->overrides);
  add_format(*command, a->format);
  command->callback([a] {
    const workloads::Scenario s = workloads::read_scenario(a->scenario, a->overrides);
    answer(reports::write(reports::collect(s, predict_all(s)), a->format), a->output);
  });
}

}  // namespace rooftile::cli
