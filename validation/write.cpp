#include "validation/write.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "reports/table.hpp"

namespace rooftile::validation {
namespace {

using Json = nlohmann::ordered_json;
using reports::Table;

Json family_json(const Family& f) {
  Json j{{"family", f.family}, {"device", f.device}, {"records", f.records}, {"predicted", f.predicted}, {"skipped", f.skipped},
         {"median_ape", f.median_ape}, {"mean_ape", f.mean_ape}, {"p90_ape", f.p90_ape}, {"p95_ape", f.p95_ape},
         {"worst_ape", f.worst_ape}, {"bias", f.bias}, {"clock_median_ape", f.clock_median}};
  if (f.baseline_median) j["baseline"] = {{"median_ape", *f.baseline_median}, {"mean_ape", *f.baseline_mean}};
  return j;
}

Json row_json(const Row& r) {
  Json j{{"file", r.file}, {"line", r.line}, {"op", r.op}, {"impl", r.impl}};
  if (!r.skipped.empty()) {
    j["skipped"] = r.skipped;
    return j;
  }
  j.update({{"measured_us", r.measured_us}, {"predicted_us", r.predicted_us}, {"ape", r.ape()}, {"bottleneck", r.bottleneck},
            {"shape", r.shape}, {"schedule", r.schedule}, {"clock_mhz", r.clock_mhz}, {"power_w", r.power_w}});
  if (r.measured_mhz > 0) j["measured_mhz"] = r.measured_mhz;
  if (r.baseline_us) j["baseline_us"] = *r.baseline_us;
  Json kernels = Json::array();
  for (const auto& [name, us] : r.kernels) kernels.push_back({{"name", name}, {"us", us}});
  j["kernels"] = kernels;
  Json measured = Json::array();
  for (const auto& [name, us] : r.measured_kernels) measured.push_back({{"name", name}, {"us", us}});
  j["measured_kernels"] = measured;
  return j;
}

Table family_table(const std::vector<Family>& families, const char* what) {
  bool baseline = false;
  for (const Family& f : families) baseline |= f.baseline_median.has_value();
  Table t{{what, "device", "records", "skipped", "median %", "mean %", "p90 %", "p95 %", "worst %", "bias %", "clock %"}};
  if (baseline) t.header.insert(t.header.end(), {"roofline median %", "roofline mean %"});
  for (const Family& f : families) {
    const auto n = [&](double x) { return f.predicted ? fmt::format("{:.1f}", x) : std::string("-"); };
    t.rows.push_back({f.family, f.device, std::to_string(f.records), std::to_string(f.skipped), n(f.median_ape), n(f.mean_ape), n(f.p90_ape),
                      n(f.p95_ape), n(f.worst_ape), n(f.bias), n(f.clock_median)});
    if (baseline) {
      t.rows.back().push_back(f.baseline_median ? n(*f.baseline_median) : "-");
      t.rows.back().push_back(f.baseline_mean ? n(*f.baseline_mean) : "-");
    }
  }
  return t;
}

Table record_table(const Validation& v) {
  Table t{{"family", "line", "impl", "shape", "measured us", "predicted us", "error %", "MHz", "bound by", "schedule taken", "schedule measured"}};
  for (const Row& r : v.rows) {
    if (!r.skipped.empty()) continue;
    t.rows.push_back({r.family, std::to_string(r.line), r.impl, r.shape, fmt::format("{:.2f}", r.measured_us), fmt::format("{:.2f}", r.predicted_us),
                      fmt::format("{:+.1f}", r.error()), fmt::format("{:.0f}", r.clock_mhz), r.bottleneck, r.schedule, r.measured_schedule.substr(0, 60)});
  }
  return t;
}

std::string skipped_list(const Validation& v) {
  std::map<std::string, std::size_t> reasons;
  for (const Row& r : v.rows)
    if (!r.skipped.empty()) ++reasons[r.family + ": " + r.skipped];
  std::string out;
  for (const auto& [reason, n] : reasons) out += fmt::format("skipped {:4} of {}\n", n, reason);
  return out;
}

}  // namespace

std::string write(const Validation& v, reports::Format format, bool with_records) {
  if (format == reports::Format::json) {
    Json j{{"schema_version", 1}, {"families", Json::array()}, {"records", Json::array()}};
    for (const Family& f : v.families) j["families"].push_back(family_json(f));
    for (const Family& f : v.groups) j["groups"].push_back(family_json(f));
    for (const Row& r : v.rows) j["records"].push_back(row_json(r));
    return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  if (format == reports::Format::csv) {
    std::string out = "file,line,op,impl,shape,measured_us,predicted_us,error_percent,bottleneck,skipped\n";
    for (const Row& r : v.rows)
      out += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", reports::csv_cell(r.file), r.line, reports::csv_cell(r.op), reports::csv_cell(r.impl),
                         reports::csv_cell(r.shape), r.measured_us, r.predicted_us, r.skipped.empty() ? fmt::format("{:.2f}", r.error()) : "",
                         r.bottleneck, reports::csv_cell(r.skipped));
    return out;
  }
  const auto form = [&](const Table& t) { return format == reports::Format::markdown ? reports::markdown(t) : reports::text(t); };
  return (with_records ? form(record_table(v)) + "\n" : "") + form(family_table(v.families, "family")) +
         (v.groups.empty() ? "" : "\n" + form(family_table(v.groups, "communication"))) + skipped_list(v);
}

}  // namespace rooftile::validation
