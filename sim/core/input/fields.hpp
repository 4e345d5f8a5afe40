// A Spec lists its fields once, and everything else walks that list:
//
//   struct L2Spec {
//     Sourced<core::Bytes> capacity;
//     int ways = 16;
//     template <class V>
//     static void visit_fields(V& v) {
//       v.field("capacity", &L2Spec::capacity, "all partitions together", Range{1 << 16, 1LL << 40});
//       v.field("ways", &L2Spec::ways, "lines of a set", Range{1, 64}).optional();
//     }
//   };
//
// docs/input.md tells the rest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/input/node.hpp"
#include "sim/core/input/sourced.hpp"
#include "sim/core/input/type.hpp"
#include "sim/core/input/type_of.hpp"

namespace rooftile::input {

enum class UnknownKeys { kRefuse, kIgnore };

// Adds every mistake to `found`; what could not be read keeps its initial value. For a map inside a document,
// `path` is what messages call it.
template <class T>
T read(const Node& from, Diagnostics& found, UnknownKeys unknown = UnknownKeys::kRefuse, std::string path = {}) {
  T value{};
  Reading reading{found, unknown == UnknownKeys::kIgnore, std::move(path), {}};
  type_of<T>().read(from, &value, reading);
  return value;
}

// Throws an InputError with every mistake.
template <class T>
T read(const Node& from, UnknownKeys unknown = UnknownKeys::kRefuse) {
  Diagnostics found;
  T value = read<T>(from, found, unknown);
  found.throw_if_any();
  return value;
}

template <class T>
Node write(const T& value) {
  return type_of<T>().write(&value);
}

// JSON Schema, draft 2020-12.
Node schema(const Type& type, std::string title);
template <class T>
Node schema(std::string title) {
  return schema(type_of<T>(), std::move(title));
}

// What a dotted path leads to.
struct Target {
  const Type* type = nullptr;
  std::string meaning;
  Range range;

  // A number with its unit as a double, and back: for sweeps from A to B.
  double number(const Node& node) const;  // InputError if it is none
  Node from_number(double value) const;
};

// InputError at `at`, with a suggestion, if there is no such field.
Target resolve(const Type& type, std::string_view path, const Place& at);
template <class T>
Target resolve(std::string_view path, const Place& at = {}) {
  return resolve(type_of<T>(), path, at);
}

// Sets a field by its path in a document that describes a T; creates maps on the way. A bare number for a Sourced
// field is given the value's place as its source.
void assign(const Type& type, Node& root, std::string_view path, Node value);
template <class T>
void assign(Node& root, std::string_view path, Node value) {
  assign(type_of<T>(), root, path, std::move(value));
}

// `key.path=value` of the command line; the value is YAML. Its place is `option` (such as "--set key.path").
struct Assignment {
  std::string path;
  Node value;
};
Assignment parse_assignment(std::string_view text, std::string_view option = "--set");

// `from: A, to: B, steps: N` of a sweep: N values, evenly spaced (or by a constant factor), as document parts.
std::vector<Node> spaced(const Target& target, const Node& from, const Node& to, int steps, bool by_factor = false);

}  // namespace rooftile::input
