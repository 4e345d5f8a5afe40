// `rooftile explain`: derive every number of a prediction.
#include <memory>

#include "reports/explain.hpp"
#include "sim/cli/common.hpp"
#include "sim/cli/predict_all.hpp"
#include "sim/core/input/diagnostics.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::string scenario, output, bands;
  workloads::Overrides overrides;
  reports::Format format = reports::Format::text;
  reports::ExplainOptions options;
};

void run(const Arguments& a) {
  if (a.format == reports::Format::csv) throw input::InputError({"--format", 0, 0}, "explain has no CSV form", "text, json or markdown");
  const workloads::Scenario s = workloads::read_scenario(a.scenario, a.overrides);
  const reports::Bands bands = a.bands.empty() ? reports::load_bands() : reports::load_bands(a.bands);
  reports::ExplainOptions options = a.options;
  options.for_each = in_parallel;
  answer(reports::write(reports::explain(s, predict_all(s), bands, options), a.format), a.output);
}

}  // namespace

void add_explain(CLI::App& app, int&) {
  auto* command = app.add_subcommand("explain", "derive every number of a prediction");
  auto a = std::make_shared<Arguments>();
  command->add_option("SCENARIO", a->scenario, "a scenario file (YAML)")->required();
  command->add_option("--bands", a->bands, "errors that `validate --bands` wrote; default: those that come with rooftile")->option_text("FILE");
  command->add_option("--levers-for", a->options.levers_for, "operations, longest first, for which changes are played (default 6)")
      ->check(CLI::Range(0, 1000));
  command->add_option("-o,--output", a->output, "write the answer to a file");
  add_overrides(*command, a->overrides);
  add_format(*command, a->format);
  command->callback([a] { run(*a); });
}

}  // namespace rooftile::cli
