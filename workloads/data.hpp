// Where the files that come with rooftile lie, and how a name becomes one of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hw/gpu_spec.hpp"

namespace rooftile::workloads {

// $ROOFTILE_DATA, or the source tree that the program was built from.
std::filesystem::path data_folder();
// A name in hw/gpus, or a path to a YAML file. Throws InputError with the known names.
hw::GpuSpec load_gpu(const std::string& name_or_path);
input::Node load_gpu_node(const std::string& name_or_path);
std::vector<std::string> names_in(const std::filesystem::path& folder, const std::string& extension);

}  // namespace rooftile::workloads
