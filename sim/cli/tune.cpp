// `rooftile tune`: rank the tile programs of the operations of a scenario.
#include <tbb/global_control.h>

#include <filesystem>
#include <memory>

#include "reports/tune_report.hpp"
#include "sim/cli/common.hpp"
#include "sim/core/input/diagnostics.hpp"
#include "workloads/tune/program_spec.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::string scenario, output;
  workloads::Overrides overrides;
  std::vector<std::string> programs;
  int jobs = 0, op = -1;
  std::size_t places = 10;
  reports::Format format = reports::Format::text;
};

std::vector<workloads::Variant> own_programs(const std::vector<std::string>& paths) {
  std::vector<workloads::Variant> own;
  for (const std::string& path : paths) {
    const auto program = std::make_shared<const hw::TileProgram>(workloads::tune::read_program_file(path));
    own.push_back({program->kernel, [program] { return workloads::Plan{program->kernel, {{*program, false}}}; }, {}});
  }
  return own;
}

std::string run(const Arguments& a) {
  const workloads::Scenario s = workloads::read_scenario(a.scenario, a.overrides);
  if (a.op >= static_cast<int>(s.ops.size()))
    throw input::InputError({"--op", 0, 0}, "there is no operation " + std::to_string(a.op), "a position from 0 to " + std::to_string(s.ops.size() - 1));
  workloads::tune::Options options;
  options.places = a.places;
  options.predict.clock = s.clock;
  options.predict.exact = s.exact;
  options.own = own_programs(a.programs);
  std::optional<tbb::global_control> limit;
  if (a.jobs > 0) limit.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(a.jobs));
  std::vector<reports::TuneReport> all;
  for (std::size_t i = 0; i < s.ops.size(); ++i) {
    if (a.op >= 0 && static_cast<std::size_t>(a.op) != i) continue;
    Progress progress("playing schedules of " + s.ops[i].name);
    options.progress = [&](std::size_t done, std::size_t of) { progress(done, of); };
    all.push_back(reports::collect(s.ops[i], s, workloads::tune::rank(*s.ops[i].operation, s.gpu, options)));
  }
  return reports::write(all, a.format);
}

}  // namespace

void add_tune(CLI::App& app, int&) {
  auto* command = app.add_subcommand("tune", "rank the tile programs of the operations of a scenario by predicted time");
  auto a = std::make_shared<Arguments>();
  command->add_option("SCENARIO", a->scenario, "a scenario file (YAML)")->required();
  command->add_option("--op", a->op, "only this operation, counted from 0")->check(CLI::Range(0, 100'000));
  command->add_option("--program", a->programs, "place this tile program (YAML) in the ranking (repeatable)")->option_text("FILE.yaml");
  command->add_option("--top", a->places, "places of the ranking; default: 10")->check(CLI::Range(1, 1000));
  command->add_option("--jobs", a->jobs, "threads; default: all cores")->check(CLI::Range(1, 1024));
  command->add_option("-o,--output", a->output, "write the answer to a file");
  add_overrides(*command, a->overrides);
  add_format(*command, a->format);
  command->callback([a] { answer(run(*a), a->output); });
}

}  // namespace rooftile::cli
