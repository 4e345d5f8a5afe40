#include "sim/cli/common.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "sim/core/input/diagnostics.hpp"

namespace rooftile::cli {

using reports::Format;

void add_format(CLI::App& app, Format& format) {
  static const std::map<std::string, Format> names{
      {"text", Format::text}, {"json", Format::json}, {"csv", Format::csv}, {"markdown", Format::markdown}};
  app.add_option("--format", format, "text, json, csv or markdown")
      ->transform(CLI::CheckedTransformer(names).description(""))
      ->option_text("FORMAT");
}

void add_overrides(CLI::App& app, workloads::Overrides& o) {
  app.add_option("--hw", o.hardware, "hardware: a name in hw/gpus, or a path")->option_text("NAME_OR_FILE");
  app.add_option("--clock", o.clock, "sustained, burst, boost, or a frequency")->option_text("CLOCK");
  app.add_option("--set", o.assignments, "change a field, e.g. hardware.hbm.bandwidth='6 TB/s' or ops.0.m=512 (repeatable)")
      ->option_text("KEY.PATH=VALUE")
      ->take_all();
  app.add_flag("--exact", o.exact, "play every CTA of large kernels instead of a part that stands for all (slower)");
}

void write_file(const std::string& path, const std::string& content) {
  namespace fs = std::filesystem;
  const fs::path target(path);
  const fs::path temporary = target.string() + fmt::format(".{}.tmp", ::getpid());
  std::ofstream out(temporary, std::ios::binary);
  out << content;
  out.close();
  std::error_code error;
  if (out) fs::rename(temporary, target, error);
  if (!out || error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw input::InputError({path, 0, 0}, "cannot be written", "a writable place with room");
  }
}

void answer(const std::string& content, const std::string& path) {
  if (!path.empty()) return write_file(path, content);
  std::fwrite(content.data(), 1, content.size(), stdout);
}

namespace {
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
}  // namespace

Progress::Progress(std::string what) : what_(std::move(what)), terminal_(::isatty(2) != 0), started_(now()), last_(now()) {}

void Progress::operator()(std::size_t done, std::size_t all) {
  const double t = now();
  if (t - last_ < (terminal_ ? 0.1 : 5.0) && !(terminal_ && done == all)) return;
  last_ = t;
  const double left = done > 0 ? (t - started_) / static_cast<double>(done) * static_cast<double>(all - done) : 0;
  fmt::print(stderr, "{}{} {}/{}, {:.0f} s left{}", terminal_ ? "\r\033[K" : "", what_, done, all, left, terminal_ ? "" : "\n");
  std::fflush(stderr);
  drawn_ = terminal_;
}

Progress::~Progress() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

}  // namespace rooftile::cli
