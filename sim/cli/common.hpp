// What every command shares: formats, output that is whole or absent, progress, exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "reports/run_report.hpp"
#include "workloads/scenario.hpp"

namespace rooftile::cli {

enum Exit { kDone = 0, kCheckFailed = 1, kInputWrong = 2, kInvariantBroken = 3 };

// Adds `--format`; the result is filled when the command line is parsed.
void add_format(CLI::App& app, reports::Format& format);
// Adds --hw, --clock and --set.
void add_overrides(CLI::App& app, workloads::Overrides& overrides);

// Writes to a temporary file beside `path` and renames it; throws InputError when the place is not writable.
void write_file(const std::string& path, const std::string& content);
// To stdout, or to a file when `path` is not empty.
void answer(const std::string& content, const std::string& path = "");

// A line that is redrawn on a terminal; at most a few plain lines elsewhere. Goes to stderr.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  void operator()(std::size_t done, std::size_t all);

 private:
  std::string what_;
  bool terminal_;
  bool drawn_ = false;
  double started_, last_ = 0;
};

// One a command: adds its subcommand; the callback sets `exit_code`.
void add_run(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_sweep(CLI::App& app, int& exit_code);
void add_merge(CLI::App& app, int& exit_code);
void add_tune(CLI::App& app, int& exit_code);

}  // namespace rooftile::cli
