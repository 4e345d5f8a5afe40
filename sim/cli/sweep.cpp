// `rooftile sweep`: predict every point of a sweep into a store, and say what was found.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "reports/sweep_evaluate.hpp"
#include "reports/sweep_report.hpp"
#include "sim/cli/common.hpp"
#include "sim/cli/sweep_progress.hpp"
#include "sim/core/input/diagnostics.hpp"
#include "sim/core/version.hpp"
#include "workloads/sweep/run.hpp"

namespace rooftile::cli {
namespace {

namespace sweep = workloads::sweep;

struct Arguments {
  std::string file, store, shard, output;
  bool resume = false;
  int jobs = 0;
  reports::Format format = reports::Format::text;
};

std::optional<sweep::PointId> number(std::string_view text) {
  input::Problem problem;
  const auto n = input::parse_integer(text, problem);
  return n && *n >= 0 && *n <= 1'000'000'000 ? n : std::nullopt;
}

std::optional<sweep::PointId> variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? number(text) : std::nullopt;
}

// `I/N` counted from 1, or the place in a Slurm job array, or everything.
sweep::Shard read_shard(const std::string& text) {
  if (text.empty()) {
    const auto id = variable("SLURM_ARRAY_TASK_ID"), count = variable("SLURM_ARRAY_TASK_COUNT");
    if (!id || !count) return {};
    const auto first = variable("SLURM_ARRAY_TASK_MIN").value_or(1), step = std::max<sweep::PointId>(1, variable("SLURM_ARRAY_TASK_STEP").value_or(1));
    return {(*id - first) / step + 1, *count};
  }
  const std::size_t slash = text.find('/');
  const auto index = number(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : number(std::string_view(text).substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count)
    throw input::InputError({"--shard", 0, 0}, "'" + text + "' is no shard", "I/N with I from 1 to N, such as 2/4");
  return {*index, *count};
}

void run(const Arguments& a) {
  const sweep::Sweep s = sweep::read_sweep(a.file);
  sweep::RunOptions options;
  options.jobs = a.jobs;
  options.shard = read_shard(a.shard);
  if (a.store.empty() && (a.resume || options.shard.count > 1))
    throw input::InputError({"--store", 0, 0}, "is missing", "a file: without one nothing can be resumed or merged");
  sweep::Store store = sweep::Store::open(a.store, {s.title, s.hash, core::model_version(), s.space.size()}, a.resume);
  {
    SweepProgress progress(objective_name(s.objectives.front()), options.shard.count > 1 ? fmt::format("shard {}/{}", options.shard.index, options.shard.count) : "");
    options.progress = [&](const sweep::RunProgress& p) { progress(p); };
    sweep::run(s, store, reports::evaluator(), options);
  }
  answer(a.format == reports::Format::csv ? reports::write_points(s, store) : reports::write(sweep::answer(s, store), a.format), a.output);
}

}  // namespace

void add_sweep(CLI::App& app, int&) {
  auto* command = app.add_subcommand("sweep", "predict every point that the axes of a sweep span");
  auto a = std::make_shared<Arguments>();
  command->add_option("SWEEP", a->file, "a sweep file (YAML)")->required();
  command->add_option("--store", a->store, "keep the points in this SQLite file")->option_text("FILE.sqlite");
  command->add_flag("--resume", a->resume, "continue a store; points in it are not run again");
  command->add_option("--shard", a->shard, "run the I-th of N parts; default: the place in a Slurm job array, or everything")->option_text("I/N");
  command->add_option("--jobs", a->jobs, "threads; default: all cores")->check(CLI::Range(1, 1024));
  command->add_option("-o,--output", a->output, "write the answer to a file");
  add_format(*command, a->format);
  command->callback([a] { run(*a); });
}

}  // namespace rooftile::cli
