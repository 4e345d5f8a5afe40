// A document as a tree with places, whatever format it came from.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::input {

struct Place {
  std::shared_ptr<const std::string> file;
  int line = 0, column = 0;  // from 1; 0 when unknown
  std::string text() const;
};

struct Node {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  std::string text;          // of a scalar
  bool quoted = false;       // a quoted scalar is never a number
  Place place;
  std::vector<std::string> keys;  // of a map, beside items
  std::vector<Place> key_places;
  std::vector<Node> items;   // of a sequence, or the values of a map

  bool is_map() const { return kind == Kind::map; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_scalar() const { return kind == Kind::scalar; }
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  void set(const std::string& key, Node value);
};

const char* kind_name(Node::Kind kind);
// Replaces the value at a dotted path (`ops.0.batch`), making maps on the way; throws InputError when a step
// leads into a scalar or past the end of a list.
void set_path(Node& root, std::string_view path, Node value);

}  // namespace rooftile::input
