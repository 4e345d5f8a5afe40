#include <charconv>
#include <utility>

#include "sim/core/input/node.hpp"
#include "sim/core/input/suggest.hpp"

namespace rooftile::input {
namespace {

bool to_index(std::string_view part, std::size_t& index) {
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  return error == std::errc{} && end == part.data() + part.size();
}

std::string span_text(std::string_view path, std::string_view last) {
  return std::string(path.substr(0, static_cast<std::size_t>(last.data() - path.data()) + last.size()));
}

// The part of a path that cannot be followed, told with what is there instead.
[[noreturn]] void refuse(const Node& node, std::string_view path, std::string_view part, const Place& at) {
  const std::string what = "no `" + span_text(path, part) + "`";
  if (node.is_map()) {
    std::vector<std::string> keys;
    for (const auto& m : node.members()) keys.push_back(m.key);
    throw InputError(at, what + did_you_mean(part, keys), keys.empty() ? "" : one_of(keys));
  }
  if (node.is_sequence()) {
    const std::size_t size = node.items().size();
    throw InputError(
        at, what, size == 0 ? "another path: the list is empty" : "a position from 0 to " + std::to_string(size - 1));
  }
  throw InputError(at, what + ": what holds it is " + std::string(node.kind_name()), "a path through maps and lists");
}

Node* step(Node& node, std::string_view part) {
  if (!node.is_sequence()) return node.find(part);
  std::size_t index = 0;
  return to_index(part, index) && index < node.items().size() ? &node.items()[index] : nullptr;
}

}  // namespace

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    parts.push_back(path.substr(start, dot - start));
    start = dot + 1;
  }
  return parts;
}

const Node* find_path(const Node& root, std::string_view path) {
  Node* node = const_cast<Node*>(&root);  // step() does not change it
  for (const auto part : split_path(path)) {
    node = step(*node, part);
    if (node == nullptr) return nullptr;
  }
  return node;
}

void set_path(Node& root, std::string_view path, Node value, Missing missing) {
  const Place at = value.place();
  const auto parts = split_path(path);
  for (const auto part : parts) {
    if (part.empty())
      throw InputError(at, "the path `" + std::string(path) + "` has an empty part", "keys joined by dots");
  }
  Node* node = &root;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (Node* next = step(*node, parts[i])) {
      node = next;
      continue;
    }
    const bool can_add = node->is_map() || (node->is_null() && missing == Missing::kCreate);
    if (!can_add || !(last || missing == Missing::kCreate)) refuse(*node, path, parts[i], at);
    node = &node->set(std::string(parts[i]), last ? Node{} : Node::map().at(at), {at.line, at.column});
  }
  *node = std::move(value);
}

}  // namespace rooftile::input
