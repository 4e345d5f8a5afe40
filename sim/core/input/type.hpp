// What the readers and writers know about a C++ type at run time. Templates (type_of.hpp) only build these small
// descriptions; everything that walks them is compiled once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/input/diagnostics.hpp"
#include "sim/core/input/node.hpp"
#include "sim/core/input/quantity.hpp"

namespace rooftile::input {

// Where a reader is: the path for messages, and the range that the field at hand states.
struct Reading {
  Diagnostics& found;
  bool ignore_unknown = false;
  std::string path;
  Range range;

  void add(const Node& at, std::string what, std::string expected = {}) const;  // prefixed by the path
};

class Type;
using TypeGetter = const Type& (*)();  // late, so that a type may contain itself

struct Step {
  const Type* type = nullptr;  // nullptr: no such part
  const struct Field* field = nullptr;
};

class Type {
 public:
  virtual ~Type() = default;
  virtual void read(const Node& from, void* into, Reading& reading) const = 0;
  virtual Node write(const void* value) const = 0;
  virtual Node schema(const Range& range) const = 0;
  virtual std::string expected() const = 0;  // "a bandwidth such as 4.8 TB/s"

  virtual Step step(std::string_view) const { return {}; }       // one part of a dotted path
  virtual std::vector<std::string> parts() const { return {}; }  // names that step() knows
  virtual bool may_be_absent() const { return false; }           // std::optional
  virtual bool present(const void*) const { return true; }
  virtual const Type& bare() const { return *this; }  // without optional<> and Sourced<>
  virtual bool is_sourced() const { return false; }
  // Numbers as numbers, for sweeps; nothing for types that are none.
  virtual std::optional<double> number(const Node&) const { return {}; }
  virtual Node from_number(double) const { return {}; }
};

struct Field {
  std::string name, meaning;
  Range range;
  std::function<void*(void*)> member;
  TypeGetter type = nullptr;
  bool required = true;

  Field& optional() {  // an absent key leaves the member's initial value
    required = false;
    return *this;
  }
};

struct SpecInfo {
  std::deque<Field> fields;  // stable addresses
  bool sourced = false;
  bool open = false;  // other keys are allowed
  std::function<void(const void*, const Node&, Diagnostics&)> check;
  std::function<Node(TypeGetter, const Field&)> default_of;  // the initial value of a field
};

// The implementations; pointers are to objects of the described type.
class SpecType final : public Type {
 public:
  explicit SpecType(SpecInfo info) : info_(std::move(info)) {}
  void read(const Node& from, void* into, Reading& reading) const override;
  Node write(const void* value) const override;
  Node schema(const Range& range) const override;
  std::string expected() const override;
  Step step(std::string_view part) const override;
  std::vector<std::string> parts() const override;
  const Type& bare() const override;
  bool is_sourced() const override { return info_.sourced; }
  std::optional<double> number(const Node& node) const override;
  Node from_number(double v) const override;

 private:
  const Field* find(std::string_view name) const;
  void read_field(const Field& field, const Node& from, void* into, Reading& reading) const;
  void report_unknown(const Node& from, Reading& reading) const;
  SpecInfo info_;
};

struct ScalarInfo {
  std::string expected;
  // Both return false with a problem; `range` is the field's.
  std::function<bool(const Node&, void*, const Range&, Problem&)> read;
  std::function<Node(const void*)> write;
  std::function<Node(const Range&)> schema;
  std::function<std::optional<double>(const Node&)> number;  // may be empty
  std::function<Node(double)> from_number;
};

class ScalarType final : public Type {
 public:
  explicit ScalarType(ScalarInfo info) : info_(std::move(info)) {}
  void read(const Node& from, void* into, Reading& reading) const override;
  Node write(const void* value) const override { return info_.write(value); }
  Node schema(const Range& range) const override { return info_.schema(range); }
  std::string expected() const override { return info_.expected; }
  std::optional<double> number(const Node& n) const override { return info_.number ? info_.number(n) : std::nullopt; }
  Node from_number(double v) const override { return info_.from_number ? info_.from_number(v) : Node{}; }

 private:
  ScalarInfo info_;
};

// Lists, maps with free keys, and lists of pairs that keep the order of the file.
struct CollectionInfo {
  bool keyed = false;
  TypeGetter element = nullptr;
  std::function<void(void*)> clear;
  std::function<void(void*, const std::string&, const std::function<void(void*)>&)> add;  // fills the new element
  std::function<void(const void*, const std::function<void(const std::string&, const void*)>&)> each;
};

class CollectionType final : public Type {
 public:
  explicit CollectionType(CollectionInfo info) : info_(std::move(info)) {}
  void read(const Node& from, void* into, Reading& reading) const override;
  Node write(const void* value) const override;
  Node schema(const Range& range) const override;
  std::string expected() const override;
  Step step(std::string_view part) const override;

 private:
  CollectionInfo info_;
};

struct OptionalInfo {
  TypeGetter inner = nullptr;
  std::function<void*(void*)> emplace;
  std::function<const void*(const void*)> get;  // nullptr if empty
};

class OptionalType final : public Type {
 public:
  explicit OptionalType(OptionalInfo info) : info_(std::move(info)) {}
  void read(const Node& from, void* into, Reading& reading) const override;
  Node write(const void* value) const override;
  Node schema(const Range& range) const override { return info_.inner().schema(range); }
  std::string expected() const override { return info_.inner().expected(); }
  Step step(std::string_view part) const override { return info_.inner().step(part); }
  std::vector<std::string> parts() const override { return info_.inner().parts(); }
  bool may_be_absent() const override { return true; }
  bool present(const void* value) const override { return info_.get(value) != nullptr; }
  const Type& bare() const override { return info_.inner().bare(); }
  bool is_sourced() const override { return info_.inner().is_sourced(); }
  std::optional<double> number(const Node& n) const override { return info_.inner().number(n); }
  Node from_number(double v) const override { return info_.inner().from_number(v); }

 private:
  OptionalInfo info_;
};

// Any document part, kept as it is.
const Type& node_type();

// Descriptions of scalars.
ScalarInfo bool_info();
ScalarInfo string_info();
ScalarInfo real_info(std::function<void(void*, double)> set, std::function<double(const void*)> get);
ScalarInfo integer_info(std::int64_t lowest, std::int64_t highest, std::function<void(void*, std::int64_t)> set,
                        std::function<std::int64_t(const void*)> get);
ScalarInfo quantity_info(Dimension dimension, bool whole, std::function<void(void*, double)> set,
                         std::function<double(const void*)> get);
ScalarInfo enum_info(std::vector<std::pair<std::string, std::int64_t>> names,
                     std::function<void(void*, std::int64_t)> set, std::function<std::int64_t(const void*)> get);

}  // namespace rooftile::input
