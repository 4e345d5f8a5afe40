// What goes into a page: from collected reports, and from JSON files that commands wrote.
#include <algorithm>

#include "hw/fabric/topology.hpp"
#include "reports/page.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/data.hpp"

namespace rooftile::reports {
namespace {

// The longest row of operations is enough for a page; the rest would not be read.
constexpr std::size_t kMostOps = 2000;

std::string text_of(const Json& j, const char* key) { return j.contains(key) && j.at(key).is_string() ? j.at(key).get<std::string>() : std::string(); }

// Kernel names of records run to hundreds of characters and are shown nowhere.
void slim_records(Json& j) {
  if (!j.contains("records") || !j["records"].is_array()) return;
  for (Json& r : j["records"]) {
    if (!r.is_object()) continue;
    for (const char* key : {"kernels", "measured_kernels", "measured_schedule"}) r.erase(key);
    if (r.contains("file") && r["file"].is_string()) {
      const std::string file = r["file"];
      const auto slash = file.find_last_of('/');
      r["file"] = slash == std::string::npos ? file : file.substr(slash + 1);
    }
  }
}

const char* kind_of(const Json& j) {
  if (!j.is_object()) return nullptr;
  if (j.contains("ledger")) return "compare";
  if (j.contains("families")) return "validate";
  if (j.contains("sweep") || j.contains("points")) return "sweep";
  if (j.contains("ops")) return "run";
  return nullptr;
}

}  // namespace

PageItem run_item(const Explanation& e) { return {"run", e.run.scenario, explain_json(e), document(e).html()}; }

PageItem run_item(const Explanation& e, const workloads::Scenario& s, const std::vector<workloads::Prediction>& predictions,
                  const std::vector<std::unique_ptr<OpTrace>>& traces) {
  PageItem item = run_item(e);
  item.data["timeline"] = timeline_json(s, predictions, traces);
  return item;
}

PageItem compare_item(const Ledger& l) { return {"compare", "Resource ledger", ledger_json(l), ""}; }

PageItem topology_item(const std::string& fabric) {
  const bool is_path = fabric.find('/') != std::string::npos || fabric.ends_with(".yaml");
  const auto path = is_path ? std::filesystem::path(fabric) : workloads::data_folder() / "hw" / "fabrics" / (fabric + ".yaml");
  const hw::fabric::Topology t(hw::fabric::read_fabric(path.string()));
  Json nodes = Json::array(), links = Json::array();
  for (std::uint32_t v = 0; v < t.vertices() && v < kMostOps; ++v) nodes.push_back(t.describe(v));
  for (std::uint32_t e = 0; e < t.edges(); ++e) {
    const hw::fabric::Edge& edge = t.edge(e);
    if (edge.from < edge.to && edge.to < kMostOps) links.push_back({edge.from, edge.to, edge.bytes_per_second, edge.latency.us()});
  }
  return {"topology", "Topology of " + fabric, {{"nodes", nodes}, {"links", links}, {"vertices", t.vertices()}}, ""};
}

PageItem item_from_json(const std::string& text, const std::string& file) {
  input::parse_json(text, file);  // depth, size, repeated keys, UTF-8: refused with their place
  Json j;
  try {
    j = Json::parse(text);
  } catch (const Json::exception& e) {
    throw input::InputError({file, 1, 1}, "cannot be read: " + std::string(e.what()), "JSON that rooftile wrote");
  }
  const char* kind = kind_of(j);
  if (!kind)
    throw input::InputError({file, 1, 1}, "is not an answer of run, explain, compare, validate or sweep", "what one of them printed with --format json");
  if (std::string(kind) == "run" && j["ops"].is_array() && j["ops"].size() > kMostOps)
    throw input::InputError({file, 1, 1}, "has more operations than a page shows", "at most " + std::to_string(kMostOps));
  slim_records(j);
  std::string title = text_of(j, "scenario");
  if (title.empty()) title = text_of(j, "sweep");
  if (title.empty()) title = std::string(kind) == "validate" ? "Predicted against measured" : std::string(kind) == "compare" ? "Resource ledger" : file;
  return {kind, title, std::move(j), ""};
}

}  // namespace rooftile::reports
