// The four forms of a run report.
#include <fmt/format.h>

#include "reports/run_json.hpp"
#include "reports/table.hpp"

namespace rooftile::reports {

Json op_json(const OpRow& o) {
  Json j{{"name", o.name}, {"op", o.op}, {"impl", o.impl}, {"shape", o.shape}, {"schedule", o.schedule}, {"repeat", o.repeat},
         {"time_us", o.time_us}, {"cycles", o.cycles}, {"clock_mhz", o.clock_mhz}, {"power_w", o.power_w},
         {"energy_mj", o.energy_mj}, {"flops", o.flops}, {"compulsory_bytes", o.compulsory_bytes}, {"bytes", o.bytes},
         {"l2_hit_rate", o.l2_hit_rate}, {"bottleneck", o.bottleneck}, {"stalls", o.stalls}, {"utilization", o.utilization},
         {"launch_gaps_us", o.gaps_us}, {"kernels", Json::array()}};
  if (o.communication) {
    Json parts = Json::object();
    for (const auto& [what, us] : o.communication->parts) parts[what] = parts.value(what, 0.0) + us;
    j["communication"] = {{"parts_us", parts}, {"sms", o.communication->sms}, {"sent_bytes", o.communication->sent_bytes}, {"memory_bytes", o.communication->memory_bytes}};
  }
  for (const auto& k : o.kernels)
    j["kernels"].push_back({{"name", k.name}, {"time_us", k.time_us}, {"cycles", k.cycles}, {"clock_mhz", k.clock_mhz},
                            {"ctas", k.ctas}, {"ctas_per_sm", k.ctas_per_sm}, {"threads", k.threads},
                            {"registers", k.registers}, {"shared_memory", k.shared_memory}, {"launches", k.launches}});
  return j;
}

Json run_json(const RunReport& r) {
  Json j{{"schema_version", 1}, {"scenario", r.scenario}, {"hardware", r.hardware}, {"clock", r.clock}, {"clock_mhz", r.clock_mhz},
         {"time_us", r.time_us}, {"energy_mj", r.energy_mj}, {"power_w", r.power_w}, {"ops", Json::array()},
         {"memory", nullptr}};
  j["roofs"] = {{"flops", r.roofs.flops}, {"bandwidth", r.roofs.bandwidth}};
  for (const OpRow& o : r.ops) j["ops"].push_back(op_json(o));
  return j;
}

std::string dump(const Json& j, int indent) { return j.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n"; }

namespace {

std::string csv(const RunReport& r) {
  std::string out = "name,op,impl,shape,schedule,repeat,time_us,cycles,clock_mhz,power_w,flops,hbm_read,hbm_write,l2_read,l2_write,l2_hit_rate,bottleneck\n";
  for (const OpRow& o : r.ops)
    out += fmt::format("{},{},{},{},{},{},{:.3f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.4f},{}\n", csv_cell(o.name), o.op,
                       o.impl, csv_cell(o.shape), csv_cell(o.schedule), o.repeat, o.time_us, o.cycles, o.clock_mhz, o.power_w, o.flops,
                       o.bytes.at("hbm_read"), o.bytes.at("hbm_write"), o.bytes.at("l2_read"), o.bytes.at("l2_write"), o.l2_hit_rate, o.bottleneck);
  return out;
}

std::string percent(double share) { return fmt::format("{:.0f}", 100 * share); }

Table op_table(const RunReport& r) {
  Table t{{"operation", "impl", "time us", "cycles", "MHz", "W", "GFLOP", "HBM MB", "L2 MB", "smem MB", "L2 hit %", "tensor %", "MUFU %",
           "FMA %", "ALU %", "smem %", "L2 %", "HBM %", "bound by"}};
  for (const OpRow& o : r.ops) {
    const auto use = [&](const char* name) { return percent(o.utilization.at(name)); };
    t.rows.push_back({o.repeat > 1 ? fmt::format("{} (x{})", o.name, o.repeat) : o.name, o.impl, fmt::format("{:.1f}", o.time_us), fmt::format("{:.0f}", o.cycles),
                      fmt::format("{:.0f}", o.clock_mhz), fmt::format("{:.0f}", o.power_w), fmt::format("{:.1f}", o.flops / 1e9),
                      fmt::format("{:.1f}", (o.bytes.at("hbm_read") + o.bytes.at("hbm_write")) / 1e6),
                      fmt::format("{:.0f}", (o.bytes.at("l2_read") + o.bytes.at("l2_write")) / 1e6), fmt::format("{:.0f}", o.bytes.at("shared") / 1e6),
                      percent(o.l2_hit_rate), use("tensor"), use("MUFU"), use("FMA"), use("ALU"), use("shared memory path"), use("L2"), use("HBM"),
                      o.bottleneck});
  }
  return t;
}

Table schedule_table(const RunReport& r) {
  Table t{{"operation", "shape", "schedule taken", "kernels"}};
  for (const OpRow& o : r.ops) t.rows.push_back({o.name, o.shape, o.schedule, std::to_string(o.kernels.size())});
  return t;
}

std::string communication_part(const OpRow& o) {
  std::string out;
  for (const auto& [what, us] : o.communication->parts)
    if (us > 0) out += fmt::format("{}{} {:.1f}", out.empty() ? "" : " + ", what, us);
  return out;
}

// Empty without communication.
Table communication_table(const RunReport& r) {
  Table t{{"communication", "time us", "of which us", "SMs held", "sent MB a GPU"}};
  for (const OpRow& o : r.ops)
    if (o.communication)
      t.rows.push_back({o.op + ", " + o.name, fmt::format("{:.1f}", o.time_us), communication_part(o), std::to_string(o.communication->sms),
                        fmt::format("{:.2f}", o.communication->sent_bytes / 1e6)});
  return t;
}

std::string heading(const RunReport& r) {
  return fmt::format("{}\n{} at {} clock: {:.1f} us, {:.0f} MHz on average, {:.0f} W, {:.1f} mJ\n", r.scenario, r.hardware, r.clock, r.time_us,
                     r.clock_mhz, r.power_w, r.energy_mj);
}

}  // namespace

std::string write(const RunReport& r, Format format) {
  const Table moved = communication_table(r);
  const auto also = [&](std::string (*form)(const Table&)) { return moved.rows.empty() ? std::string() : "\n" + form(moved); };
  switch (format) {
    case Format::json: return dump(run_json(r));
    case Format::csv: return csv(r);
    case Format::markdown: return heading(r) + "\n" + markdown(op_table(r)) + "\n" + markdown(schedule_table(r)) + also(markdown);
    default: return heading(r) + "\n" + text(op_table(r)) + "\n" + text(schedule_table(r)) + also(text);
  }
}

}  // namespace rooftile::reports
