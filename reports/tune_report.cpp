#include "reports/tune_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/table.hpp"

namespace rooftile::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string largest_wait(const OpRow& op) {
  std::string most;
  double share = 0.05;  // below that nothing is worth naming
  for (const auto& [name, s] : op.stalls)
    // A producer that waits for a free stage is ahead: nobody waits for it.
    if (name != "working" && name != "waiting for a free stage" && s > share) {
      most = name;
      share = s;
    }
  return most.empty() ? "-" : fmt::format("{} {:.0f} %", most, 100 * share);
}

Table ranking_table(const TuneReport& r) {
  Table t{{"#", "schedule", "time us", "over best", "bound us", "bound by", "limited by", "tensor %", "MUFU %", "L2 %", "HBM %", "CTAs/SM", "roles wait for"}};
  const double best = r.rows.empty() ? 1 : r.rows.front().op.time_us;
  for (const TuneRow& row : r.rows) {
    const auto use = [&](const char* name) { return fmt::format("{:.0f}", 100 * row.op.utilization.at(name)); };
    t.rows.push_back({std::to_string(row.place), (row.own ? "* " : "") + row.name, fmt::format("{:.1f}", row.op.time_us),
                      fmt::format("{:+.1f} %", 100 * (row.op.time_us / best - 1)), fmt::format("{:.1f}", row.bound_us), row.bound_by,
                      row.op.bottleneck, use("tensor"), use("MUFU"), use("L2"), use("HBM"),
                      std::to_string(row.op.kernels.front().ctas_per_sm), row.waits_for});
  }
  return t;
}

// Reasons with the same first word are one line, with the first schedule as the example.
Table refused_table(const TuneReport& r) {
  std::map<std::string, std::pair<std::size_t, const workloads::tune::Refused*>> by_kind;
  Table t{{"cannot run", "such as", "because"}};
  for (const auto& refused : r.refused) {
    if (refused.own) {
      t.rows.push_back({"1", "* " + refused.name, refused.why});
      continue;
    }
    auto& [count, first] = by_kind[refused.why.substr(0, refused.why.find(':'))];
    if (count++ == 0) first = &refused;
  }
  for (const auto& [kind, found] : by_kind) t.rows.push_back({std::to_string(found.first), found.second->name, found.second->why});
  return t;
}

std::string heading(const TuneReport& r) {
  return fmt::format("{}\n{} at {} clock: {} schedules considered, {} played, {} ruled out by their bound, {} cannot run\n", r.title, r.hardware,
                     r.clock, r.considered, r.played, r.pruned, r.refused.size());
}

Json json(const TuneReport& r) {
  Json j{{"operation", r.title}, {"hardware", r.hardware}, {"clock", r.clock}, {"considered", r.considered}, {"played", r.played},
         {"pruned", r.pruned}, {"ranking", Json::array()}, {"refused", Json::array()}};
  for (const TuneRow& row : r.rows)
    j["ranking"].push_back({{"place", row.place}, {"schedule", row.name}, {"own", row.own}, {"time_us", row.op.time_us}, {"nominal_us", row.nominal_us},
                            {"bound_us", row.bound_us}, {"bound_by", row.bound_by}, {"bottleneck", row.op.bottleneck}, {"clock_mhz", row.op.clock_mhz},
                            {"energy_mj", row.op.energy_mj}, {"l2_hit_rate", row.op.l2_hit_rate}, {"bytes", row.op.bytes},
                            {"utilization", row.op.utilization}, {"stalls", row.op.stalls}});
  for (const auto& refused : r.refused) j["refused"].push_back({{"schedule", refused.name}, {"why", refused.why}, {"own", refused.own}});
  return j;
}

std::string csv(const std::vector<TuneReport>& reports) {
  std::string out = "operation,place,schedule,own,time_us,nominal_us,bound_us,bound_by,bottleneck,l2_hit_rate\n";
  for (const TuneReport& r : reports)
    for (const TuneRow& row : r.rows)
      out += fmt::format("{},{},{},{},{:.3f},{:.3f},{:.3f},{},{},{:.4f}\n", csv_cell(r.title), row.place, csv_cell(row.name), row.own ? 1 : 0,
                         row.op.time_us, row.nominal_us, row.bound_us, row.bound_by, row.op.bottleneck, row.op.l2_hit_rate);
  return out;
}

}  // namespace

TuneReport collect(const workloads::NamedOperation& op, const workloads::Scenario& scenario, const workloads::tune::Ranking& ranking) {
  const std::string shape = op.operation->describe();
  TuneReport r{op.name == shape ? shape : op.name + ": " + shape, scenario.hardware_name, workloads::clock_name(scenario.clock),
               ranking.considered, ranking.played, ranking.pruned, {}, ranking.refused};
  for (const auto& ranked : ranking.best) {
    TuneRow row{collect_op(op, ranked.prediction, scenario.gpu), ranked.name, ranked.bound.by, {}, ranked.bound.time.us(), ranked.nominal.us(), ranked.place, ranked.own};
    row.waits_for = largest_wait(row.op);
    r.rows.push_back(std::move(row));
  }
  return r;
}

std::string write(const std::vector<TuneReport>& reports, Format format) {
  if (format == Format::csv) return csv(reports);
  if (format == Format::json) {
    Json j{{"schema_version", 1}, {"operations", Json::array()}};
    for (const TuneReport& r : reports) j["operations"].push_back(json(r));
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  const auto table = format == Format::markdown ? &markdown : &text;
  std::string out;
  for (const TuneReport& r : reports) {
    out += (out.empty() ? "" : "\n") + heading(r) + "\n" + table(ranking_table(r));
    if (const Table refused = refused_table(r); !refused.rows.empty()) out += "\n" + table(refused);
  }
  return out;
}

}  // namespace rooftile::reports
