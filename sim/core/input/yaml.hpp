// From text to Node. Everything that is refused here is refused with its place; nothing here can exhaust memory
// or the stack, whatever the bytes are. YAML is read as plain data: anchors, aliases, merge keys, tags and a
// second document are errors, since a reader of a scenario should see every value where it is used.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/input/node.hpp"

namespace rooftile::input {

struct Limits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t values = 2'000'000;  // scalars, lists and maps of one document
  int depth = 64;
};

// All throw InputError.
Node parse_yaml(std::string_view text, std::string file, const Limits& limits = {});
Node parse_json(std::string_view text, std::string file, const Limits& limits = {});
Node parse_file(const std::string& path, const Limits& limits = {});       // by extension: .json or YAML
Node parse_yaml_file(const std::string& path, const Limits& limits = {});  // YAML, whatever the extension

// One JSON value per line; blank lines are skipped. Each node carries its true line. Broken lines are reported
// together, after the good ones were handed over.
void parse_json_lines(std::string_view text, std::string file, const std::function<void(Node&&)>& each,
                      const Limits& limits = {});
std::vector<Node> parse_json_lines_file(const std::string& path, const Limits& limits = {});

std::string read_file(const std::string& path, const Limits& limits = {});
// Size, NUL and other control characters, UTF-8. Without a byte-order mark, which is dropped.
std::string_view checked_text(std::string_view text, const std::string& file, const Limits& limits);

}  // namespace rooftile::input
