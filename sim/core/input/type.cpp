#include "sim/core/input/type.hpp"

#include <algorithm>
#include <cctype>

namespace rooftile::input {

void Reading::add(const Node& at, std::string what, std::string expected) const {
  found.add(at.place(), path.empty() ? std::move(what) : path + ": " + what, std::move(expected));
}

void ScalarType::read(const Node& from, void* into, Reading& reading) const {
  Problem problem;
  if (from.is_null()) {
    reading.add(from, "has no value", info_.expected);
  } else if (!from.is_scalar()) {
    reading.add(from, "is " + std::string(from.kind_name()), info_.expected);
  } else if (!info_.read(from, into, reading.range, problem)) {
    reading.add(from, problem.what, problem.expected);
  }
}

void CollectionType::read(const Node& from, void* into, Reading& reading) const {
  if (info_.keyed ? !from.is_map() : !from.is_sequence()) {
    reading.add(from, "is " + std::string(from.kind_name()), expected());
    return;
  }
  info_.clear(into);
  const std::size_t length = reading.path.size();
  const auto one = [&](const std::string& name, const std::string& key, const Node& node) {
    reading.path += (length == 0 ? "" : ".") + name;
    info_.add(into, key, [&](void* element) { info_.element().read(node, element, reading); });
    reading.path.resize(length);
  };
  std::size_t i = 0;
  for (const Node& item : from.items()) one(std::to_string(i++), {}, item);
  for (const auto& m : from.members()) one(m.key, m.key, m.value);
}

Node CollectionType::write(const void* value) const {
  Node node = info_.keyed ? Node::map() : Node::sequence();
  info_.each(value, [&](const std::string& key, const void* element) {
    Node part = info_.element().write(element);
    info_.keyed ? node.add_unchecked(key, std::move(part), {}) : node.append(std::move(part));
  });
  return node;
}

Node CollectionType::schema(const Range& range) const {
  Node schema = Node::map();
  schema.set("type", Node::string(info_.keyed ? "object" : "array"));
  schema.set(info_.keyed ? "additionalProperties" : "items", info_.element().schema(range));
  return schema;
}

std::string CollectionType::expected() const {
  return (info_.keyed ? "a map; each value: " : "a list; each element: ") + info_.element().expected();
}

Step CollectionType::step(std::string_view part) const {
  const bool index =
      !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  return info_.keyed || index ? Step{&info_.element()} : Step{};
}

void OptionalType::read(const Node& from, void* into, Reading& reading) const {
  if (!from.is_null()) info_.inner().read(from, info_.emplace(into), reading);
}

Node OptionalType::write(const void* value) const {
  const void* inner = info_.get(value);
  return inner == nullptr ? Node{} : info_.inner().write(inner);
}

namespace {
class NodeType final : public Type {
 public:
  void read(const Node& from, void* into, Reading&) const override { *static_cast<Node*>(into) = from; }
  Node write(const void* value) const override { return *static_cast<const Node*>(value); }
  Node schema(const Range&) const override { return Node::map(); }
  std::string expected() const override { return "any value"; }
  Step step(std::string_view) const override { return {this}; }
};
}  // namespace

const Type& node_type() {
  static const NodeType kType;
  return kType;
}

}  // namespace rooftile::input
