// Reading YAML and JSON Lines into Nodes. Untrusted input: size, depth and node counts are bounded.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/input/node.hpp"

namespace rooftile::input {

struct Limits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t nodes = 4'000'000;  // after aliases are expanded
  int depth = 64;
};

// Throws InputError naming file, line and column. `first_line` shifts the places.
Node parse_yaml(std::string_view text, const std::string& file, int first_line = 1, const Limits& limits = {});
Node parse_yaml_file(const std::filesystem::path& path, const Limits& limits = {});
// A file of one JSON object a line; empty lines are skipped. All broken lines are reported at once.
std::vector<Node> parse_json_lines(const std::filesystem::path& path, const Limits& limits = {});
std::string read_text(const std::filesystem::path& path, const Limits& limits = {});
// A scalar as if written in a file, for --set and sweeps.
Node parse_value(std::string_view text, const std::string& origin);

}  // namespace rooftile::input
