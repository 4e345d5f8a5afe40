// `rooftile validate`: predict measured records and compare.
#include <fmt/format.h>

#include <memory>

#include "reports/page.hpp"
#include "sim/cli/common.hpp"
#include "sim/core/input/diagnostics.hpp"
#include "validation/bands.hpp"
#include "validation/counters.hpp"
#include "validation/tolerance.hpp"
#include "validation/write.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::vector<std::string> records;
  std::string clock, counters, output, tolerances, bands, html;
  validation::Options options;
  std::string hardware;
  reports::Format format = reports::Format::text;
  bool with_records = false;
};

void check_clock(Arguments& a) {
  if (a.clock.empty()) return;
  a.options.clock = workloads::parse_clock(a.clock);
  if (!a.options.clock) throw input::InputError({"--clock", 0, 0}, "unknown clock '" + a.clock + "'", "sustained, burst, boost or a frequency");
}

int run(Arguments& a) {
  check_clock(a);
  if (!a.hardware.empty()) a.options.hardware = a.hardware;
  if (!a.counters.empty()) {
    answer(validation::compare_counters(a.counters, a.options, a.format), a.output);
    if (a.records.empty()) return kDone;
  }
  if (a.records.empty()) throw input::InputError({}, "no records", "files or folders of JSON Lines");
  const auto records = validation::load_records(a.records);
  validation::Validation v;
  {
    Progress progress("predicting");
    a.options.progress = [&](std::size_t done, std::size_t all) { progress(done, all); };
    v = validation::validate(records, a.options);
  }
  answer(validation::write(v, a.format, a.with_records), a.output);
  if (!a.html.empty())
    write_file(a.html, reports::page("Predicted against measured", {reports::item_from_json(validation::write(v, reports::Format::json, true), "validation")}));
  if (!a.bands.empty()) write_file(a.bands, validation::bands_json(v));
  if (a.tolerances.empty()) return kDone;
  const std::string broken = validation::broken_tolerances(v, a.tolerances);
  fmt::print(stderr, "{}", broken);
  return broken.empty() ? kDone : kCheckFailed;
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("validate", "predict measured records and report errors by family");
  auto a = std::make_shared<Arguments>();
  command->add_option("RECORDS", a->records, "record files or folders (JSON Lines)");
  command->add_option("--hw", a->hardware, "hardware; default: the name of the records' folder")->option_text("NAME_OR_FILE");
  command->add_option("--clock", a->clock, "predict at this clock instead of the one each record was taken at")->option_text("CLOCK");
  command->add_flag("--known-schedule", a->options.known_schedule, "also read the schedule from the recorded kernel names");
  command->add_option("--counters", a->counters, "compare cycles, traffic and pipe use with hardware counters")->option_text("FILE");
  command->add_flag("--baseline", a->options.baseline, "add a cross-validated fitted roofline");
  command->add_flag("--records", a->with_records, "print every record, not only the families");
  command->add_option("--tolerances", a->tolerances, "fail (exit 1) when a family is worse than this file allows")->option_text("FILE");
  command->add_option("--html", a->html, "write a self-contained page")->option_text("FILE.html");
  command->add_option("--bands", a->bands, "write the error of every record, for the bands that explain and reports show")->option_text("FILE");
  command->add_option("--jobs", a->options.jobs, "threads; default: all cores")->check(CLI::Range(1, 1024));
  command->add_option("-o,--output", a->output, "write the answer to a file");
  add_format(*command, a->format);
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace rooftile::cli
