#include "validation/counters.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/table.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/catalog.hpp"
#include "workloads/data.hpp"

namespace rooftile::validation {
namespace {

using input::Node;

double number(const Node& n, const char* key) {
  const Node* v = n.find(key);
  double x = 0;
  if (v) std::from_chars(v->text().data(), v->text().data() + v->text().size(), x);
  return x;
}

Node scalar(const std::string& text) { return Node::scalar(text); }

// `gemm M N K`, `gemm_fp8 M N K`, `flash|cudnn B4 Hq16 Hkv16 Sq4096 S4096 D128 causal0`; nothing for other cases.
std::optional<Node> operation_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  Node op = Node::map();
  if (words.size() == 4 && (words[0] == "gemm" || words[0] == "gemm_fp8")) {
    op.set("op", scalar("gemm"));
    const char* keys[] = {"m", "n", "k"};
    for (std::size_t i = 0; i < 3; ++i) op.set(keys[i], scalar(words[i + 1]));
    op.set("dtype", scalar(words[0] == "gemm" ? "bf16" : "fp8_e4m3"));
    op.set("impl", scalar("cublas"));
    return op;
  }
  if (words.size() == 8 && (words[0] == "flash" || words[0] == "cudnn")) {
    const auto value = [&](std::size_t i) { return words[i].substr(words[i].find_first_of("0123456789")); };
    op.set("op", scalar("attention"));
    const char* keys[] = {"batch", "q_heads", "kv_heads", "q_len", "kv_len", "head_dim"};
    for (std::size_t i = 0; i < 6; ++i) op.set(keys[i], scalar(value(i + 1)));
    op.set("mask", scalar(words[7].back() == '1' ? "causal" : "none"));
    op.set("impl", scalar(words[0] == "flash" ? "flash2" : "cudnn"));
    return op;
  }
  return std::nullopt;
}

bool is_main_kernel(const std::string& kernel) { return kernel.find("educe") == std::string::npos && kernel.find("reduction") == std::string::npos; }

void predict_row(CounterRow& row, const Options& options, const hw::GpuSpec& gpu) {
  const auto node = operation_of(row.name);
  if (!node || !is_main_kernel(row.kernel)) {
    row.skipped = "not modelled here";
    return;
  }
  Node op_node = *node;
  if (options.known_schedule && op_node.find("m")) op_node.set("known_kernel", Node::string(row.kernel));
  input::Diagnostics found;
  const auto op = workloads::read_operation(op_node, found);
  if (!op.operation) {
    row.skipped = found.text();
    return;
  }
  workloads::PredictOptions predict;
  predict.clock = {workloads::ClockMode::burst, {}};
  predict.cold_start = true;
  const auto p = workloads::predict(*op.operation, op.implementation, gpu, predict);
  const auto& k = p.kernels.front();
  const hw::Machine machine = hw::resolve(gpu, k.clock);
  row.predicted_cycles = k.play.cycles;
  row.predicted_dram = static_cast<double>((k.play.traffic.dram_read + k.play.traffic.dram_written).value);
  row.predicted_hit = 100.0 * static_cast<double>(k.play.traffic.hits.value) / std::max(1.0, static_cast<double>(k.play.traffic.lookups.value));
  row.predicted_tensor = 100 * k.play.unit_share(hw::kTensor, machine);
  row.predicted_mhz = k.clock.value / 1e6;
}

reports::Table table(const std::vector<CounterRow>& rows) {
  reports::Table t{{"case", "cycles", "predicted", "%", "DRAM MB", "predicted", "%", "L2 hit %", "predicted", "tensor %", "predicted", "MHz", "predicted"}};
  const auto f = [](double x) { return fmt::format("{:.1f}", x); };
  for (const CounterRow& r : rows)
    if (r.skipped.empty())
      t.rows.push_back({r.name, fmt::format("{:.0f}", r.cycles), fmt::format("{:.0f}", r.predicted_cycles),
                        fmt::format("{:+.1f}", 100 * (r.predicted_cycles / r.cycles - 1)), f(r.dram / 1e6), f(r.predicted_dram / 1e6),
                        fmt::format("{:+.1f}", 100 * (r.predicted_dram / r.dram - 1)), f(r.hit), f(r.predicted_hit), f(r.tensor), f(r.predicted_tensor),
                        fmt::format("{:.0f}", r.mhz), fmt::format("{:.0f}", r.predicted_mhz)});
  return t;
}

struct Medians {
  double cycles, dram, hit, tensor, clock;
};
Medians medians(const std::vector<CounterRow>& rows) {
  std::vector<double> cycles, dram, hit, tensor, clock;
  for (const CounterRow& r : rows) {
    if (!r.skipped.empty()) continue;
    cycles.push_back(100 * std::abs(r.predicted_cycles / r.cycles - 1));
    dram.push_back(100 * std::abs(r.predicted_dram / r.dram - 1));
    hit.push_back(std::abs(r.predicted_hit - r.hit));
    tensor.push_back(std::abs(r.predicted_tensor - r.tensor));
    clock.push_back(100 * std::abs(r.predicted_mhz / r.mhz - 1));
  }
  return {quantile(cycles, 0.5), quantile(dram, 0.5), quantile(hit, 0.5), quantile(tensor, 0.5), quantile(clock, 0.5)};
}

}  // namespace

std::vector<CounterRow> counter_rows(const std::string& file, const Options& options) {
  const hw::GpuSpec gpu = workloads::load_gpu(options.hardware.value_or("h200"));
  std::vector<CounterRow> rows;
  for (const Node& n : input::parse_json_lines_file(file)) {
    CounterRow r;
    if (const Node* c = n.find("case")) r.name = c->text();
    if (const Node* k = n.find("kernel")) r.kernel = k->text();
    r.cycles = number(n, "gpc_cycles");
    r.dram = number(n, "dram_bytes");
    r.hit = number(n, "l2_hit_pct");
    r.tensor = number(n, "tensor_pipe_active_pct");
    const double ns = number(n, "duration_ns");
    r.mhz = ns > 0 ? r.cycles / ns * 1e3 : 0;
    if (r.name.empty() || r.cycles <= 0) r.skipped = "not a counter row";
    else predict_row(r, options, gpu);
    rows.push_back(std::move(r));
  }
  return rows;
}

std::string compare_counters(const std::string& file, const Options& options, reports::Format format) {
  const auto rows = counter_rows(file, options);
  const Medians m = medians(rows);
  if (format == reports::Format::json) {
    nlohmann::ordered_json j{{"schema_version", 1}, {"median", {{"cycles_percent", m.cycles}, {"dram_percent", m.dram}, {"l2_hit_points", m.hit},
                             {"tensor_points", m.tensor}, {"clock_percent", m.clock}}}, {"rows", nlohmann::ordered_json::array()}};
    for (const CounterRow& r : rows)
      j["rows"].push_back({{"case", r.name}, {"kernel", r.kernel}, {"skipped", r.skipped}, {"cycles", r.cycles}, {"predicted_cycles", r.predicted_cycles},
                           {"dram_bytes", r.dram}, {"predicted_dram_bytes", r.predicted_dram}, {"l2_hit", r.hit}, {"predicted_l2_hit", r.predicted_hit},
                           {"tensor", r.tensor}, {"predicted_tensor", r.predicted_tensor}});
    return j.dump(1) + "\n";
  }
  const auto t = table(rows);
  const std::string line = fmt::format("median error over {} cases: cycles {:.1f} %, DRAM bytes {:.1f} %, L2 hit {:.1f} points, tensor pipe {:.1f} points, clock {:.1f} %\n",
                                       t.rows.size(), m.cycles, m.dram, m.hit, m.tensor, m.clock);
  return (format == reports::Format::markdown ? reports::markdown(t) : reports::text(t)) + line;
}

}  // namespace rooftile::validation
