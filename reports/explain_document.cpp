// `explain` as a document. Shapes, FLOPs and bytes are exact and printed in full; predicted times only to the digits that
// the error band supports, rounded so that the printed parts add up to the printed total.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/explain.hpp"
#include "reports/rounding.hpp"

namespace rooftile::reports {
namespace {

std::string whole(double v) { return v < 1e15 ? fmt::format("{:.0f}", v) : fmt::format("{:.6g}", v); }
std::string percent(double part, double all) { return all > 0 ? fmt::format("{:.0f}", 100 * part / all) : "0"; }

std::string factor_value(double v) { return v == std::floor(v) && v < 1e15 ? fmt::format("{:.0f}", v) : fmt::format("{:.17g}", v); }

Table terms(const std::vector<workloads::Term>& list) {
  Table t{{"term", "formula", "numbers", "value"}};
  for (const workloads::Term& term : list) {
    std::string formula, numbers;
    for (const workloads::Factor& f : term.factors) {
      formula += (formula.empty() ? "" : " * ") + (f.symbol.empty() ? factor_value(f.value) : f.symbol);
      numbers += (numbers.empty() ? "" : " * ") + factor_value(f.value);
    }
    t.rows.push_back({term.what, formula, numbers, whole(term.value())});
  }
  t.rows.push_back({"sum", "", "", whole(workloads::sum(list))});
  return t;
}

std::vector<std::string> program_row(const ProgramOp& o) {
  const auto c = [&](int r) {
    const double n = o.cycles[static_cast<std::size_t>(r)];
    return n > 0 ? fmt::format("{:.0f}", n) : std::string();
  };
  return {"", o.what, fmt::format("{:.4g}", o.per_item), whole(o.executions), c(hw::kTensor), c(hw::kSharedPath), c(hw::kIssue), c(hw::kFma),
          c(hw::kAlu), c(hw::kMufu), c(hw::kConvert), o.solo > 0 ? fmt::format("{:.0f}", o.solo) : ""};
}

// Roles that do the same share their rows.
Table program_table(const ProgramView& v) {
  Table t{{"role", "op", "an item", "in all", "tensor", "smem", "issue", "FMA", "ALU", "MUFU", "convert", "cycles alone"}};
  std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> roles;
  std::vector<std::string> names;
  for (const ProgramOp& o : v.ops) {
    if (names.empty() || names.back() != o.role) {
      names.push_back(o.role);
      roles.push_back({o.role, {}});
    }
    roles.back().second.push_back(program_row(o));
  }
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const auto same = std::find_if(roles.begin(), roles.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& r) { return r.second == roles[i].second; });
    if (same == roles.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    same->first += ", " + roles[i].first + " (each)";
    roles[i].second.clear();
  }
  for (auto& [name, rows] : roles)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 0) rows[i][0] = name;
      t.rows.push_back(rows[i]);
    }
  return t;
}

// Roles side by side: each column adds up to the kernel's time.
Table role_table(const KernelExplained& k, double band) {
  Table t{{"reason", "group"}};
  std::vector<std::vector<std::string>> columns;
  std::vector<std::pair<std::string, std::string>> names;
  for (const RoleAccount& r : k.roles)
    for (const Reason& reason : r.reasons)
      if (std::find(names.begin(), names.end(), std::pair(reason.what, reason.group)) == names.end()) names.emplace_back(reason.what, reason.group);
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string total = within(k.time_us, band);
  for (const RoleAccount& r : k.roles) {
    t.header.push_back(r.role + " us");
    std::vector<double> parts;
    for (const auto& [what, group] : names) {
      double us = 0;
      for (const Reason& reason : r.reasons)
        if (reason.what == what && reason.group == group) us += reason.us;
      parts.push_back(us);
    }
    columns.push_back(parts_of(parts, k.time_us, last_digit(k.time_us, band)));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> row{names[i].first, names[i].second};
    bool empty = true;
    for (const auto& c : columns) {
      row.push_back(c[i]);
      empty = empty && c[i].find_first_not_of("0.-") == std::string::npos;
    }
    if (!empty) t.rows.push_back(std::move(row));
  }
  std::vector<std::string> sum{"sum = time of the kernel", ""};
  sum.insert(sum.end(), columns.size(), total);
  t.rows.push_back(std::move(sum));
  return t;
}

void add_kernel(Document& d, const KernelExplained& k, double band) {
  const ProgramView& v = k.program;
  d.heading(3, "Kernel " + v.kernel);
  d.list({fmt::format("{} work items, {}; cluster {} x {}; {} threads, {} registers each, {:.0f} B shared memory", v.items, v.schedule, v.cluster_x,
                      v.cluster_y, v.threads, v.registers, v.shared_memory),
          fmt::format("CTAs that fit an SM: {} (limit: {})", v.ctas_per_sm, v.occupancy_limit)});
  std::vector<std::string> parts = v.tensors;
  for (const std::string& r : v.rings) parts.push_back("ring " + r);
  d.list(parts);
  d.table("Tile program: cycles of one execution on each unit; an op takes the longest of its units, phases of a vector op add up",
          program_table(v));
  d.table("Where each role's time goes, microseconds of one CTA slot", role_table(k, band));
  d.paragraph("The pace is set by '" + k.pacing_role + "', the role that waits least for others.");
}

Table bounds_table(const OpExplained& o) {
  const double band = o.band_percent();
  Table t{{"resource", "formula", "numbers", "us", "% of time"}};
  for (const BoundRow& b : o.bounds)
    t.rows.push_back({b.resource, b.formula, b.numbers, within(b.us, band), percent(b.us, o.row.time_us)});
  return t;
}

Table where_table(const OpExplained& o) {
  const std::string total = within(o.row.time_us, o.band_percent());
  std::vector<double> us;
  for (const Reason& r : o.where) us.push_back(r.us);
  const auto printed = parts_of(us, o.row.time_us, last_digit(o.row.time_us, o.band_percent()));
  Table t{{"reason", "group", "us", "% of time"}};
  for (std::size_t i = 0; i < o.where.size(); ++i)
    if (printed[i].find_first_not_of("0.-") != std::string::npos)
      t.rows.push_back({o.where[i].what, o.where[i].group, printed[i], percent(o.where[i].us, o.row.time_us)});
  t.rows.push_back({"sum = time of the operation", "", total, "100"});
  return t;
}

std::string band_text(const OpExplained& o) {
  if (!o.band) return "No measured record of this operator: the error is unknown.";
  const Band& b = *o.band;
  return fmt::format("Error band: family {} on {}, {} records: median {:.1f} %, 90 % within {:.1f} %, bias {:+.1f} %. {}: the nearest record is {:.2g}x away in FLOPs or bytes{}.",
                     b.family, b.device, b.records, b.median, b.p90, b.bias, b.confidence(), b.distance,
                     b.same_impl ? "" : " and of another implementation");
}

void add_op(Document& d, const OpExplained& o) {
  const OpRow& r = o.row;
  const double band = o.band_percent();
  d.heading(2, r.name + fmt::format(": {} us", within(r.time_us, band)) + (r.repeat > 1 ? fmt::format(", {} times", r.repeat) : ""));
  d.paragraph(r.op + " by " + r.impl + ": " + r.shape);
  d.table("FLOPs", terms(o.derivation.flops));
  d.table("Bytes that no kernel can avoid: inputs once, outputs once", terms(o.derivation.bytes));
  d.list(o.derivation.notes);
  d.paragraph("Schedule: " + r.schedule + (o.candidates > 1 ? fmt::format(", the fastest of {} simulated candidates.", o.candidates) : ", the only candidate."));
  for (const KernelExplained& k : o.kernels) add_kernel(d, k, band);
  d.heading(3, "Bounds");
  d.table("Time that each resource needs for its own work", bounds_table(o));
  const BoundRow& bound = o.bounds.front();
  d.paragraph(fmt::format("The bound is {}: {} us; the prediction is {:.2f} times that. Clock {:.0f} MHz{}, {} W.", bound.resource, within(bound.us, band),
                          r.time_us / std::max(1e-9, bound.us), r.clock_mhz, o.capped ? " (set by the power cap)" : "", within(r.power_w, band)));
  d.table("Where the time goes", where_table(o));
  d.paragraph(band_text(o));
  if (o.levers.empty()) return;
  Table t{{"if", "us", "change %"}};
  for (const Lever& l : o.levers) t.rows.push_back({l.change, within(l.time_us, band), fmt::format("{:+.0f}", 100 * (l.time_us / r.time_us - 1))});
  d.heading(3, "What one would change");
  d.table("Played again with one thing changed, same schedule", t);
}

}  // namespace

Document document(const Explanation& e) {
  Document d;
  const RunReport& r = e.run;
  d.heading(1, r.scenario);
  d.paragraph(fmt::format("{} at {} clock: {} us, {:.0f} MHz on average, {} W, {} mJ. Error band of this mix: {:.0f} %; digits beyond it are not printed.",
                          r.hardware, r.clock, within(r.time_us, e.band_percent), r.clock_mhz, within(r.power_w, e.band_percent),
                          within(r.energy_mj, e.band_percent), e.band_percent));
  Table t{{"operation", "times", "us each", "us", "% of time", "band %"}};
  std::vector<double> parts;
  for (const OpExplained& o : e.ops) parts.push_back(o.row.time_us * static_cast<double>(o.row.repeat));
  const std::string total = within(r.time_us, e.band_percent);
  const auto printed = parts_of(parts, r.time_us, last_digit(r.time_us, e.band_percent));
  for (std::size_t i = 0; i < e.ops.size(); ++i) {
    const OpExplained& o = e.ops[i];
    t.rows.push_back({o.row.name, std::to_string(o.row.repeat), within(o.row.time_us, o.band_percent()), printed[i], percent(parts[i], r.time_us),
                      o.band ? fmt::format("{:.0f}", o.band->p90) : "unknown"});
  }
  t.rows.push_back({"sum", "", "", total, "100", ""});
  d.table("Time = sum of times x time of each operation", t);
  for (const OpExplained& o : e.ops) add_op(d, o);
  d.heading(2, "Constants used and where they come from");
  Table c{{"key", "value", "source", ""}};
  for (const Provenance& p : e.constants) c.rows.push_back({p.key, p.value, p.source, p.weak ? "weak" : ""});
  d.table("hw/gpus/" + r.hardware + "; weak: assumed or fitted, not measured by itself", c);
  d.heading(2, "Assumptions and limits");
  d.list(e.assumptions);
  return d;
}

}  // namespace rooftile::reports
