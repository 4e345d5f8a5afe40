#include "workloads/data.hpp"

#include <algorithm>
#include <cstdlib>

#include "sim/core/input/suggest.hpp"
#include "sim/core/input/yaml.hpp"

namespace rooftile::workloads {

namespace fs = std::filesystem;

fs::path data_folder() {
  if (const char* set = std::getenv("ROOFTILE_DATA")) return set;
  return ROOFTILE_DATA_DIR;
}

std::vector<std::string> names_in(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

input::Node load_gpu_node(const std::string& name) {
  const bool is_path = name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml");
  if (is_path) return input::parse_yaml_file(name);
  const fs::path folder = data_folder() / "hw" / "gpus";
  const std::vector<std::string> known = names_in(folder, ".yaml");
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw input::InputError({}, "unknown hardware '" + name + "'" + input::did_you_mean(name, known),
                            input::one_of(known) + ", or a path to a YAML file");
  return input::parse_yaml_file((folder / (name + ".yaml")).string());
}

hw::GpuSpec load_gpu(const std::string& name) { return input::read<hw::GpuSpec>(load_gpu_node(name)); }

}  // namespace rooftile::workloads
