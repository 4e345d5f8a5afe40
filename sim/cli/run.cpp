// `rooftile run`: predict a scenario.
#include <memory>

#include "sim/cli/common.hpp"
#include "sim/cli/predict_all.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::string scenario, output, trace;
  int trace_sms = 2;
  workloads::Overrides overrides;
  reports::Format format = reports::Format::text;
};

}  // namespace

void add_run(CLI::App& app, int&) {
  auto* command = app.add_subcommand("run", "predict a scenario");
  auto a = std::make_shared<Arguments>();
  command->add_option("SCENARIO", a->scenario, "a scenario file (YAML)")->required();
  command->add_option("-o,--output", a->output, "write the answer to a file");
  command->add_option("--trace", a->trace, "write a timeline for Perfetto or chrome://tracing")->option_text("FILE.json");
  command->add_option("--trace-sms", a->trace_sms, "SMs that the timeline shows (default 2)")->check(CLI::Range(1, 1024))->option_text("N");
  add_overrides(*command, a->overrides);
  add_format(*command, a->format);
  command->callback([a] {
    const workloads::Scenario s = workloads::read_scenario(a->scenario, a->overrides);
    Traces traces;
    const auto predictions = predict_all(s, a->trace.empty() ? nullptr : &traces, a->trace_sms);
    if (!a->trace.empty()) write_file(a->trace, reports::trace_json(s, predictions, traces));
    answer(reports::write(reports::collect(s, predictions), a->format), a->output);
  });
}

}  // namespace rooftile::cli
