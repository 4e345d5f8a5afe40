// A document as a tree that remembers where each part was written. It is neutral between YAML and JSON: a
// scalar keeps its text and whether it stood in quotes; what the text means is decided by the field that reads it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/input/diagnostics.hpp"

namespace rooftile::input {

using FileName = std::shared_ptr<const std::string>;  // shared by all nodes of a file
inline FileName file_name(std::string name) { return std::make_shared<const std::string>(std::move(name)); }

struct Mark {
  int line = 0, column = 0;
};

class Node {
 public:
  enum class Kind { kNull, kScalar, kSequence, kMap };
  struct Member;

  Node() = default;  // null
  static Node scalar(std::string text, bool quoted = false);
  static Node string(std::string text);  // a scalar, in quotes where it could be taken for something else
  static Node sequence();
  static Node map();
  Node& at(FileName file, Mark mark);
  Node& at(const Place& place);

  Kind kind() const { return static_cast<Kind>(value_.index()); }
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_scalar() const { return kind() == Kind::kScalar; }
  bool is_sequence() const { return kind() == Kind::kSequence; }
  bool is_map() const { return kind() == Kind::kMap; }
  std::string_view kind_name() const;  // "a list", "a map", ...

  const std::string& text() const;  // empty unless a scalar
  bool quoted() const;
  std::span<const Node> items() const;      // empty unless a sequence
  std::span<const Member> members() const;  // empty unless a map; in the order of the file
  std::span<Node> items();
  std::span<Member> members();

  const Node* find(std::string_view key) const;  // nullptr if absent or not a map
  Node* find(std::string_view key);
  Node& append(Node item);                                          // a null node becomes a sequence
  Node& set(std::string key, Node value, Mark key_mark = {});       // replaces or adds; a null node becomes a map
  Node& add_unchecked(std::string key, Node value, Mark key_mark);  // for parsers, which know that the key is new

  Place place() const;
  Place key_place(const Member& member) const;

 private:
  struct Scalar {
    std::string text;
    bool quoted = false;
  };
  FileName file_;
  Mark mark_;
  std::variant<std::monostate, Scalar, std::vector<Node>, std::vector<Member>> value_;
};

struct Node::Member {
  std::string key;
  Mark mark;
  Node value;
};

enum class Missing { kRefuse, kCreate };

// Dotted paths: map keys and list positions, as in `ops.0.batch`.
std::vector<std::string_view> split_path(std::string_view path);
const Node* find_path(const Node& root, std::string_view path);
// Replaces or adds the last key. An unknown part before it is an InputError at the value's place, with a
// suggestion, unless missing maps may be created.
void set_path(Node& root, std::string_view path, Node value, Missing missing = Missing::kRefuse);

// Deterministic text. YAML in block style (short maps and lists of scalars in flow style), ending in a newline.
std::string dump_yaml(const Node& node);
std::string dump_json(const Node& node, int indent = 2);  // indent < 0: one line
// Quoted for JSON and YAML alike.
std::string quote(std::string_view text);

// How JSON would type an unquoted scalar.
bool is_json_number(std::string_view text);
bool is_json_word(std::string_view text);  // true, false, null

}  // namespace rooftile::input
