#include "sim/core/input/node.hpp"

#include <charconv>

#include "sim/core/input/diagnostics.hpp"

namespace rooftile::input {

std::string Place::text() const {
  if (!file) return "";
  if (line == 0) return *file;
  return *file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

void Node::set(const std::string& key, Node value) {
  if (Node* old = find(key)) {
    *old = std::move(value);
    return;
  }
  kind = Kind::map;
  keys.push_back(key);
  key_places.push_back(value.place);
  items.push_back(std::move(value));
}

const char* kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::scalar: return "a single value";
    case Node::Kind::sequence: return "a list";
    default: return "a mapping";
  }
}

void set_path(Node& root, std::string_view path, Node value) {
  Node* at = &root;
  const std::string whole(path);
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    const bool last = dot == std::string_view::npos;
    if (key.empty()) throw InputError(value.place, "empty step in path '" + whole + "'", "key.key.key");
    Node* next = nullptr;
    if (at->is_sequence()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc() || end != key.data() + key.size() || index >= at->items.size())
        throw InputError(value.place, "path '" + whole + "': no element " + key,
                         "an index below " + std::to_string(at->items.size()));
      next = &at->items[index];
    } else if (at->is_scalar()) {
      throw InputError(value.place, "path '" + whole + "': '" + key + "' lies inside a single value", "a mapping");
    } else {
      if (!at->find(key)) {
        Node fresh;
        fresh.place = value.place;
        at->set(key, fresh);
      }
      next = at->find(key);
    }
    if (last) {
      *next = std::move(value);
      return;
    }
    at = next;
    path.remove_prefix(dot + 1);
  }
}

}  // namespace rooftile::input
