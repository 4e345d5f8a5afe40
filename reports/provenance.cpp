#include "reports/provenance.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace rooftile::reports {
namespace {

using input::Node;

bool says(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

void walk(const Node& node, const std::string& path, std::vector<Provenance>& out) {
  const Node* value = node.find("value");
  const Node* source = node.find("source");
  if (value && source) {
    const std::string& s = source->text();
    out.push_back({path, value->text(), s, says(s, "assumed") || says(s, "no public figure") || says(s, "fit of") || says(s, "fit;") || s == "fit" || says(s, "fit:")});
    return;
  }
  for (const Node::Member& m : node.members()) walk(m.value, path.empty() ? m.key : path + "." + m.key, out);
}

// Keys whose numbers matter only when a pipe has work.
const std::map<std::string, int>& pipe_keys() {
  static const std::map<std::string, int> keys{{"sm.fma", hw::kFma}, {"sm.alu", hw::kAlu}, {"sm.mufu", hw::kMufu},
                                               {"sm.convert", hw::kConvert}, {"sm.issue", hw::kIssue}, {"sm.shared_path", hw::kSharedPath}};
  return keys;
}

std::set<std::string> tensor_keys(const std::vector<ProgramView>& programs) {
  std::set<std::string> used;
  for (const ProgramView& p : programs) {
    const bool multiplies = std::any_of(p.ops.begin(), p.ops.end(), [](const ProgramOp& o) { return o.is_mma; });
    if (!multiplies) continue;
    used.insert("sm.tensor.latency");
    for (const std::string& e : p.engines) {
      used.insert(says(e, "fp8") || says(e, "int8") ? "sm.tensor.fp8" : says(e, "tf32") ? "sm.tensor.tf32" : "sm.tensor.bf16");
      if (says(e, "mma.sync")) used.insert({"sm.tensor.mma_sync_share", "power.mma_sync_factor"});
    }
  }
  return used;
}

}  // namespace

std::vector<Provenance> provenance(const hw::GpuSpec& gpu) {
  std::vector<Provenance> out;
  walk(input::write(gpu), "", out);
  return out;
}

std::vector<Provenance> provenance_of(const hw::GpuSpec& gpu, const std::vector<ProgramView>& programs) {
  std::array<double, hw::kSmResources> work{};
  for (const ProgramView& p : programs)
    for (const ProgramOp& o : p.ops)
      for (std::size_t r = 0; r < work.size(); ++r) work[r] += o.executions * o.cycles[r];
  const std::set<std::string> tensor = tensor_keys(programs);
  std::vector<Provenance> used;
  for (Provenance& p : provenance(gpu)) {
    const auto pipe = pipe_keys().find(p.key);
    if (pipe != pipe_keys().end() && work[static_cast<std::size_t>(pipe->second)] <= 0) continue;
    if ((p.key.starts_with("sm.tensor.") || p.key == "power.mma_sync_factor") && !tensor.count(p.key)) continue;
    used.push_back(std::move(p));
  }
  return used;
}

}  // namespace rooftile::reports
