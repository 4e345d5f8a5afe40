// The answer of `rooftile explain`: how each number of a run report came about, so that a reader can redo it by hand.
//
// Collected once from the same predictions as the run report (their numbers are equal), then written as text, Markdown
// or JSON. Levers are played, not estimated: the same schedule on the same GPU with one number changed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/bands.hpp"
#include "reports/document.hpp"
#include "reports/provenance.hpp"
#include "reports/run_report.hpp"
#include "reports/time_account.hpp"

namespace rooftile::reports {

// Time that one resource needs for its own work when nothing else holds it back: a lower bound of the whole.
struct BoundRow {
  std::string resource, formula, numbers;
  double us = 0;
};

struct Lever {
  std::string change;
  double time_us = 0;
};

struct KernelExplained {
  ProgramView program;
  std::vector<RoleAccount> roles;
  std::string pacing_role;
  double time_us = 0;
};

struct OpExplained {
  OpRow row;
  workloads::Derivation derivation;
  std::size_t candidates = 0;
  bool capped = false;
  std::vector<KernelExplained> kernels;
  std::vector<BoundRow> bounds;  // longest first
  std::vector<Reason> where;     // adds up to row.time_us
  std::optional<Band> band;
  std::vector<Lever> levers;     // best first
  double band_percent() const { return band ? band->p90 : kUnknownBand; }
};

struct Explanation {
  RunReport run;
  std::vector<OpExplained> ops;
  std::vector<Provenance> constants;
  std::vector<std::string> assumptions;
  double band_percent = 0;  // of the whole: the time-weighted bands of its operations
};

struct ExplainOptions {
  int levers_for = 6;  // the operations that take longest
  // Runs 0 .. n-1, in any order, on as many threads as it likes.
  std::function<void(std::size_t n, const std::function<void(std::size_t)>&)> for_each = [](std::size_t n, const auto& f) {
    for (std::size_t i = 0; i < n; ++i) f(i);
  };
};
Explanation explain(const workloads::Scenario& scenario, const std::vector<workloads::Prediction>& predictions, const Bands& bands,
                    const ExplainOptions& options = {});
std::vector<Lever> levers(const workloads::NamedOperation& op, const workloads::Prediction& prediction, const hw::GpuSpec& gpu,
                          const workloads::ClockChoice& clock);

Document document(const Explanation& explanation);
std::string write(const Explanation& explanation, Format format);

}  // namespace rooftile::reports
