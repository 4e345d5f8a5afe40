#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/ledger.hpp"
#include "reports/run_json.hpp"

namespace rooftile::reports {
namespace {

// A difference is known no better than the numbers that it is taken from.
std::string difference(const LedgerRow& r, std::size_t i, double band) {
  const std::string d = rounded(r.change(i), last_digit(std::max(std::abs(r.values[0]), std::abs(r.values[i])), band));
  if (d.find_first_not_of("-0.") == std::string::npos) return "0";
  return r.change(i) > 0 ? "+" + d : d;
}

// Letters stand for the runs: A, B, ... Z, then numbers.
std::string letter(std::size_t i) { return i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i + 1); }

Table table(const Ledger& l) {
  Table t{{"resource", "carrier", "unit"}};
  for (std::size_t i = 0; i < l.runs.size(); ++i) {
    t.header.push_back(letter(i));
    if (i > 0) t.header.insert(t.header.end(), {letter(i) + " - A", letter(i) + " %", letter(i) + " verdict"});
  }
  for (const LedgerRow& r : l.rows) {
    std::vector<std::string> cells{r.resource, r.carrier, r.unit};
    for (std::size_t i = 0; i < r.values.size(); ++i) {
      cells.push_back(within(r.values[i], l.bands[i]));
      if (i == 0) continue;
      cells.push_back(difference(r, i, std::max(l.bands[0], l.bands[i])));
      cells.push_back(r.has_ratio() ? fmt::format("{:+.0f}", r.percent(i)) : r.values[i] != 0 ? "new" : "");
      cells.emplace_back(r.verdict(i));
    }
    t.rows.push_back(std::move(cells));
  }
  return t;
}

std::string csv(const Ledger& l) {
  std::string out = "resource,carrier,unit";
  for (const RunReport& r : l.runs) out += "," + csv_cell(r.scenario);
  out += "\n";
  for (const LedgerRow& r : l.rows) {
    out += csv_cell(r.resource) + "," + csv_cell(r.carrier) + "," + r.unit;
    for (const double v : r.values) out += fmt::format(",{}", v);
    out += "\n";
  }
  return out;
}

}  // namespace

Json ledger_json(const Ledger& l) {
  Json j{{"schema_version", 1}, {"runs", Json::array()}, {"error_band_percent", l.bands}, {"ledger", Json::array()}, {"verdicts", l.verdicts}};
  for (const RunReport& r : l.runs) j["runs"].push_back(run_json(r));
  for (const LedgerRow& r : l.rows) {
    Json row{{"resource", r.resource}, {"carrier", r.carrier}, {"unit", r.unit}, {"values", r.values}, {"change", Json::array()}, {"verdict", Json::array()}};
    for (std::size_t i = 1; i < r.values.size(); ++i) {
      row["change"].push_back(r.change(i));
      row["verdict"].push_back(r.verdict(i));
    }
    j["ledger"].push_back(std::move(row));
  }
  return j;
}

Document document(const Ledger& l) {
  Document d;
  d.heading(1, fmt::format("Resource ledger of {} runs", l.runs.size()));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < l.runs.size(); ++i)
    names.push_back(fmt::format("{}: {} ({} at {} clock, error band {:.0f} %)", letter(i), l.runs[i].scenario, l.runs[i].hardware, l.runs[i].clock, l.bands[i]));
  d.list(names);
  d.list(l.verdicts);
  d.table("What each run takes of every carrier, and what it gains or pays against A", table(l));
  return d;
}

std::string write(const Ledger& l, Format format) {
  switch (format) {
    case Format::json: return dump(ledger_json(l));
    case Format::csv: return csv(l);
    case Format::markdown: return document(l).markdown();
    default: return document(l).text();
  }
}

}  // namespace rooftile::reports
