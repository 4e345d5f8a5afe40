#include "sim/core/input/node.hpp"

#include <utility>

namespace rooftile::input {

Node Node::scalar(std::string text, bool quoted) {
  Node node;
  node.value_ = Scalar{std::move(text), quoted};
  return node;
}

Node Node::sequence() {
  Node node;
  node.value_.emplace<std::vector<Node>>();
  return node;
}

Node Node::map() {
  Node node;
  node.value_.emplace<std::vector<Member>>();
  return node;
}

Node& Node::at(FileName file, Mark mark) {
  file_ = std::move(file);
  mark_ = mark;
  return *this;
}

Node& Node::at(const Place& place) { return at(file_name(place.file), {place.line, place.column}); }

std::string_view Node::kind_name() const {
  switch (kind()) {
    case Kind::kNull:
      return "empty";
    case Kind::kScalar:
      return "a single value";
    case Kind::kSequence:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  return "";
}

const std::string& Node::text() const {
  static const std::string kNone;
  const auto* s = std::get_if<Scalar>(&value_);
  return s == nullptr ? kNone : s->text;
}

bool Node::quoted() const {
  const auto* s = std::get_if<Scalar>(&value_);
  return s != nullptr && s->quoted;
}

std::span<const Node> Node::items() const {
  const auto* v = std::get_if<std::vector<Node>>(&value_);
  return v == nullptr ? std::span<const Node>{} : std::span<const Node>{*v};
}
std::span<Node> Node::items() {
  auto* v = std::get_if<std::vector<Node>>(&value_);
  return v == nullptr ? std::span<Node>{} : std::span<Node>{*v};
}
std::span<const Node::Member> Node::members() const {
  const auto* v = std::get_if<std::vector<Member>>(&value_);
  return v == nullptr ? std::span<const Member>{} : std::span<const Member>{*v};
}
std::span<Node::Member> Node::members() {
  auto* v = std::get_if<std::vector<Member>>(&value_);
  return v == nullptr ? std::span<Member>{} : std::span<Member>{*v};
}

const Node* Node::find(std::string_view key) const {
  for (const Member& m : members()) {
    if (m.key == key) return &m.value;
  }
  return nullptr;
}
Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node& Node::append(Node item) {
  if (is_null()) value_.emplace<std::vector<Node>>();
  return std::get<std::vector<Node>>(value_).emplace_back(std::move(item));
}

Node& Node::set(std::string key, Node value, Mark key_mark) {
  if (Node* old = find(key)) return *old = std::move(value);
  return add_unchecked(std::move(key), std::move(value), key_mark);
}

Node& Node::add_unchecked(std::string key, Node value, Mark key_mark) {
  if (is_null()) value_.emplace<std::vector<Member>>();
  auto& members = std::get<std::vector<Member>>(value_);
  return members.emplace_back(Member{std::move(key), key_mark, std::move(value)}).value;
}

Place Node::place() const { return {file_ ? *file_ : std::string{}, mark_.line, mark_.column}; }

Place Node::key_place(const Member& member) const {
  return {file_ ? *file_ : std::string{}, member.mark.line, member.mark.column};
}

}  // namespace rooftile::input
