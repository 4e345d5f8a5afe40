// `rooftile run`: predict a scenario.
#include <tbb/parallel_for.h>

#include <memory>

#include "sim/cli/common.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::string scenario, output;
  workloads::Overrides overrides;
  reports::Format format = reports::Format::text;
};

// Operations are independent: each is predicted by itself, on any thread, into its own place.
std::vector<workloads::Prediction> predict_all(const workloads::Scenario& s) {
  std::vector<workloads::Prediction> predictions(s.ops.size());
  workloads::PredictOptions options;
  options.clock = s.clock;
  tbb::parallel_for(std::size_t{0}, s.ops.size(), [&](std::size_t i) {
    predictions[i] = workloads::predict(*s.ops[i].operation, s.ops[i].implementation, s.gpu, options);
  });
  return predictions;
}

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
