#include "validation/records.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "sim/core/input/yaml.hpp"

namespace rooftile::validation {
namespace {

namespace fs = std::filesystem;
using input::Diagnostics;
using input::Node;

std::vector<fs::path> expand(const std::vector<std::string>& paths, Diagnostics& found) {
  std::vector<fs::path> files;
  for (const std::string& text : paths) {
    const fs::path path(text);
    std::error_code error;
    if (!fs::exists(path, error)) {
      found.add({text, 0, 0}, "no such file or folder", "records in JSON Lines");
      continue;
    }
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::directory_iterator(path, error))
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
    if (files.size() == before) found.add({text, 0, 0}, "no .jsonl file in this folder", "records in JSON Lines");
  }
  return files;
}

std::optional<double> time_of(const Node& measured, const char* key, Diagnostics& found) {
  const Node* n = measured.find(key);
  if (!n || n->is_null() || n->text() == "null") return std::nullopt;
  double v = 0;
  const std::string& t = n->text();
  const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), v);
  if (error != std::errc() || end != t.data() + t.size() || !std::isfinite(v) || v <= 0) {
    found.add(n->place(), std::string("measured.") + key + " is '" + t + "'", "a positive number");
    return std::nullopt;
  }
  return v;
}

Record read_record(Node node, const fs::path& path, Diagnostics& found) {
  Record r;
  r.file = path.string();
  r.family = path.stem().string();
  r.device = fs::absolute(path).parent_path().filename().string();
  r.line = node.place().line;
  r.published = node.find("source") != nullptr;
  if (const Node* m = node.find("measured")) {
    r.sustained_us = time_of(*m, "sustained_us", found);
    r.burst_us = time_of(*m, "burst_us", found);
    r.sm_mhz = time_of(*m, "sustained_sm_mhz", found);
    if (const Node* kernels = m->find("kernels"))
      for (const Node& k : kernels->items()) {
        const Node* name = k.find("name");
        const auto us = time_of(k, "us", found);
        if (name) r.kernels.emplace_back(name->text(), us.value_or(0));
      }
  } else if (node.is_map()) {
    found.add(node.place(), "no `measured`", "measured times");
  }
  r.node = std::move(node);
  return r;
}

}  // namespace

std::vector<Record> load_records(const std::vector<std::string>& paths) {
  Diagnostics found;
  std::vector<Record> records;
  for (const fs::path& path : expand(paths, found)) try {
      for (Node& node : input::parse_json_lines_file(path.string())) records.push_back(read_record(std::move(node), path, found));
    } catch (const input::InputError& e) {
      found.add(e.diagnostics());
    }
  found.throw_if_any();
  return records;
}

}  // namespace rooftile::validation
