// `rooftile run`: predict a scenario.
#include <memory>

#include "reports/page.hpp"
#include "sim/cli/common.hpp"
#include "sim/cli/predict_all.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::string scenario, output, trace, html;
  int trace_sms = 2;
  workloads::Overrides overrides;
  reports::Format format = reports::Format::text;
};

void run(const Arguments& a) {
  const workloads::Scenario s = workloads::read_scenario(a.scenario, a.overrides);
  Traces traces;
  const bool watch = !a.trace.empty() || !a.html.empty();
  const auto predictions = predict_all(s, watch ? &traces : nullptr, a.trace_sms);
  if (!a.trace.empty()) write_file(a.trace, reports::trace_json(s, predictions, traces));
  if (!a.html.empty()) {
    reports::ExplainOptions options;
    options.for_each = in_parallel;
    const reports::Explanation e = reports::explain(s, predictions, reports::load_bands(), options);
    write_file(a.html, reports::page(s.name, {reports::run_item(e, s, predictions, traces)}));
  }
  answer(reports::write(reports::collect(s, predictions), a.format), a.output);
}

}  // namespace

void add_run(CLI::App& app, int&) {
  auto* command = app.add_subcommand("run", "predict a scenario");
  auto a = std::make_shared<Arguments>();
  command->add_option("SCENARIO", a->scenario, "a scenario file (YAML)")->required();
  command->add_option("-o,--output", a->output, "write the answer to a file");
  command->add_option("--html", a->html, "write a self-contained page")->option_text("FILE.html");
  command->add_option("--trace", a->trace, "write a timeline for Perfetto or chrome://tracing")->option_text("FILE.json");
  command->add_option("--trace-sms", a->trace_sms, "SMs that the timeline shows (default 2)")->check(CLI::Range(1, 1024))->option_text("N");
  add_overrides(*command, a->overrides);
  add_format(*command, a->format);
  command->callback([a] {
    run(*a);
  });
}

}  // namespace rooftile::cli
