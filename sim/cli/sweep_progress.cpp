#include "sim/cli/sweep_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace rooftile::cli {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string duration(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s < 100) return fmt::format("{} s", s);
  if (s < 6000) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
}

std::string bar(double share) {
  constexpr int width = 24;
  const int full = static_cast<int>(share * width);
  return "[" + std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(width - full), '.') + "]";
}

}  // namespace

SweepProgress::SweepProgress(std::string objective, std::string label)
    : objective_(std::move(objective)), label_(std::move(label)), terminal_(::isatty(2) != 0), started_(now()), last_(started_) {
  if (!label_.empty()) label_ += " ";
}

void SweepProgress::operator()(const workloads::sweep::RunProgress& p) {
  if (first_ < 0) first_ = p.done - 1;
  const double t = now();
  if (t - last_ < (terminal_ ? 0.1 : 5.0) && p.done != p.all) return;
  last_ = t;
  const double rate = t > started_ ? static_cast<double>(p.done - first_) / (t - started_) : 0;
  const double share = static_cast<double>(p.done) / static_cast<double>(p.all);
  const std::string left = rate > 0 ? duration(static_cast<double>(p.all - p.done) / rate) : "?";
  const std::string best = p.best ? fmt::format(", best {} {:.5g}", objective_, *p.best) : "";
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}{} {}/{} {:.0f} points/s, {} left{}", label_, bar(share), p.done, p.all, rate, left, best);
  else
    fmt::print(stderr, "{}{}/{} points, {:.0f} points/s, {} left{}\n", label_, p.done, p.all, rate, left, best);
  std::fflush(stderr);
  drawn_ = terminal_;
}

SweepProgress::~SweepProgress() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

}  // namespace rooftile::cli
