#include "reports/sweep_report.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "reports/table.hpp"

namespace rooftile::reports {
namespace {

using namespace workloads::sweep;
using Json = nlohmann::ordered_json;
constexpr std::size_t kMostRows = 25;

// `5768.9982812296339 GB/s` as `5769 GB/s`: for reading, the store keeps every digit.
std::string readable(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (end == value.c_str() || value.find(',') != std::string::npos || std::isalpha(static_cast<unsigned char>(value.front()))) return value;
  const std::string rest(end);
  if (!rest.empty() && rest.front() != ' ') return value;
  return fmt::format("{:.5g}{}", number, rest);
}

std::string number(const std::optional<double>& v) { return v ? fmt::format("{:.5g}", *v) : "-"; }

Table choice_table(const Answers& a, const std::vector<const Chosen*>& rows, const std::vector<std::string>& labels) {
  Table t;
  if (!labels.empty()) t.header.push_back("best by");
  for (const std::string& axis : a.axes) t.header.push_back(axis);
  for (std::size_t o = 0; o < a.objectives.size(); ++o) t.header.push_back(fmt::format("{} ({})", objective_name(a.objectives[o]), a.units[o]));
  t.header.push_back("bound by");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells;
    if (!labels.empty()) cells.push_back(labels[i]);
    for (const std::string& input : rows[i]->inputs) cells.push_back(readable(input));
    for (const auto& v : rows[i]->values) cells.push_back(number(v));
    cells.push_back(rows[i]->bottleneck);
    t.rows.push_back(std::move(cells));
  }
  return t;
}

Table best_table(const Answers& a) {
  std::vector<const Chosen*> rows;
  std::vector<std::string> labels;
  for (std::size_t o = 0; o < a.best.size(); ++o)
    if (a.best[o].point >= 0) {
      rows.push_back(&a.best[o]);
      labels.emplace_back(objective_name(a.objectives[o]));
    }
  return choice_table(a, rows, labels);
}

Table front_table(const Answers& a) {
  std::vector<const Chosen*> rows;
  for (const Chosen& c : a.front)
    if (rows.size() < kMostRows) rows.push_back(&c);
  return choice_table(a, rows, {});
}

Table effect_table(const Answers& a) {
  Table t{{"axis", "from", "to"}};
  for (const Objective o : a.objectives) {
    t.header.push_back(fmt::format("{} x", objective_name(o)));
    t.header.push_back("slope");
  }
  for (const AxisEffect& e : a.effects) {
    if (e.steps.empty()) continue;
    std::vector<std::string> cells{e.axis, readable(e.steps.front().from), readable(e.steps.back().to)};
    for (std::size_t o = 0; o < e.ratio.size(); ++o) {
      cells.push_back(fmt::format("{:.3f}", e.ratio[o]));
      cells.push_back(e.slope[o] ? fmt::format("{:+.2f}", *e.slope[o]) : "-");
    }
    t.rows.push_back(std::move(cells));
  }
  return t;
}

Table change_table(const Answers& a) {
  Table t{{"axis", "between", "and", "bound by", "then by", "points"}};
  for (const AxisEffect& e : a.effects)
    for (const AxisStep& s : e.steps)
      for (const auto& [change, pairs] : s.changes)
        t.rows.push_back({e.axis, readable(s.from), readable(s.to), change.first, change.second, fmt::format("{} of {}", pairs, s.pairs)});
  return t;
}

std::string heading(const Answers& a) {
  std::string text = fmt::format("{}\n{} points: {} predicted", a.title, a.points, a.predicted);
  if (a.predicted + a.failed < a.points) text += fmt::format(", {} not in the store", a.points - a.predicted - a.failed);
  if (a.excluded > 0) text += fmt::format(", {} of them outside the constraints", a.excluded);
  if (a.failed > 0) text += fmt::format(", {} cannot run:", a.failed);
  text += "\n";
  for (const auto& [reason, count] : a.failures) text += fmt::format("  {} x {}\n", count, reason);
  return text;
}

std::string document(const Answers& a, std::string (*table)(const Table&), const char* title) {
  const auto section = [&](const std::string& name, const Table& t) {
    return t.rows.empty() ? std::string() : fmt::format("\n{}{}\n{}{}", title, name, *title ? "\n" : "", table(t));
  };
  std::string out = heading(a) + section("Best points", best_table(a));
  if (a.objectives.size() > 1)
    out += section(a.front.size() > kMostRows ? fmt::format("Pareto front, {} of {} points", kMostRows, a.front.size()) : "Pareto front", front_table(a));
  out += section("What each axis moves, last value over first (slope: d ln result / d ln value)", effect_table(a));
  return out + section("Where the binding resource changes", change_table(a));
}

Json chosen_json(const Answers& a, const Chosen& c) {
  Json j{{"point", c.point}, {"inputs", Json::object()}};
  for (std::size_t i = 0; i < c.inputs.size(); ++i) j["inputs"][a.axes[i]] = c.inputs[i];
  for (std::size_t o = 0; o < c.values.size(); ++o) j[objective_name(a.objectives[o])] = c.values[o] ? Json(*c.values[o]) : Json();
  j["bottleneck"] = c.bottleneck;
  return j;
}

Json effect_json(const Answers& a, const AxisEffect& e) {
  Json j{{"axis", e.axis}};
  for (std::size_t o = 0; o < e.ratio.size(); ++o)
    j[objective_name(a.objectives[o])] = {{"ratio", e.ratio[o]}, {"slope", e.slope[o] ? Json(*e.slope[o]) : Json()}};
  j["steps"] = Json::array();
  for (const AxisStep& s : e.steps) {
    Json step{{"from", s.from}, {"to", s.to}, {"pairs", s.pairs}};
    for (std::size_t o = 0; o < s.ratio.size(); ++o) step[objective_name(a.objectives[o])] = s.ratio[o];
    step["binding_changes"] = Json::array();
    for (const auto& [change, pairs] : s.changes) step["binding_changes"].push_back({{"before", change.first}, {"after", change.second}, {"pairs", pairs}});
    j["steps"].push_back(std::move(step));
  }
  return j;
}

std::string json(const Answers& a) {
  Json j{{"schema_version", 1}, {"sweep", a.title}, {"points", a.points}, {"predicted", a.predicted}, {"failed", a.failed},
         {"excluded", a.excluded}, {"best", Json::object()}, {"front", Json::array()}, {"axes", Json::array()}, {"failures", a.failures}};
  for (std::size_t o = 0; o < a.best.size(); ++o)
    j["best"][objective_name(a.objectives[o])] = a.best[o].point < 0 ? Json() : chosen_json(a, a.best[o]);
  for (const Chosen& c : a.front) j["front"].push_back(chosen_json(a, c));
  for (const AxisEffect& e : a.effects) j["axes"].push_back(effect_json(a, e));
  return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string write(const Answers& answers, Format format) {
  switch (format) {
    case Format::json: return json(answers);
    case Format::markdown: return document(answers, &markdown, "## ");
    default: return document(answers, &text, "");
  }
}

std::string write_points(const Sweep& sweep, const Store& store) {
  std::string out = "point";
  for (const Axis& axis : sweep.space.axes())
    for (const AxisField& f : axis.fields) out += "," + csv_cell(f.path);
  out += ",time_us,energy_mj,power_w,clock_mhz,memory_bytes,tokens_per_second,cost,bottleneck,error\n";
  const auto cell = [](const std::optional<double>& v) { return v ? fmt::format("{:.6g}", *v) : std::string(); };
  store.each([&](const Row& row) {
    out += fmt::format("{}", row.point);
    for (std::size_t a = 0; a < sweep.space.axes().size(); ++a)
      for (const AxisField& f : sweep.space.axes()[a].fields) {
        const input::Node& v = f.values[sweep.space.position(row.point, a)];
        out += "," + csv_cell(v.is_scalar() ? v.text() : input::dump_json(v, -1));
      }
    const Outcome& o = row.outcome;
    const auto cost = sweep.price_per_hour > 0 && o.error.empty() ? value(o, Objective::cost, sweep.price_per_hour) : std::nullopt;
    const auto ran = [&](double v) { return o.error.empty() ? cell(v) : std::string(); };
    out += fmt::format(",{},{},{},{},{},{},{},{},{}\n", ran(o.time_us), ran(o.energy_mj), ran(o.power_w), ran(o.clock_mhz), cell(o.memory_bytes),
                       cell(o.tokens_per_second), cell(cost), csv_cell(o.bottleneck), csv_cell(o.error));
  });
  return out;
}

}  // namespace rooftile::reports
