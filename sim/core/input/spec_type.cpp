#include <algorithm>

#include "sim/core/input/suggest.hpp"
#include "sim/core/input/type.hpp"

namespace rooftile::input {
namespace {

bool absent_allowed(const Field& field) { return !field.required || field.type().may_be_absent(); }

// Sets the path and the range for one field and restores them.
class Inside {
 public:
  Inside(Reading& reading, const std::string& name, const Range& range)
      : reading_(reading), length_(reading.path.size()), range_(reading.range) {
    if (!reading.path.empty() && !name.empty()) reading.path += '.';
    reading.path += name;
    reading.range = range;
  }
  ~Inside() {
    reading_.path.resize(length_);
    reading_.range = range_;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Reading& reading_;
  std::size_t length_;
  Range range_;
};

}  // namespace

void SpecType::read(const Node& from, void* into, Reading& reading) const {
  if (!from.is_map()) {
    const bool number = info_.sourced && from.is_scalar();
    reading.add(from, number ? "a hardware number without a source" : "is " + std::string(from.kind_name()),
                expected());
    return;
  }
  const std::size_t before = reading.found.count();
  if (!info_.open && !reading.ignore_unknown) report_unknown(from, reading);
  for (const Field& field : info_.fields) read_field(field, from, into, reading);
  if (info_.check && reading.found.count() == before) info_.check(into, from, reading.found);
}

void SpecType::read_field(const Field& field, const Node& from, void* into, Reading& reading) const {
  const Node* value = from.find(field.name);
  if (value == nullptr) {
    if (!absent_allowed(field)) {
      reading.add(from, "the key `" + field.name + "` is missing (" + field.meaning + ")", field.type().expected());
    }
    return;
  }
  // The number inside Sourced<T> has no range of its own; it takes that of the field that holds it.
  const bool number = info_.sourced && field.name == "value";
  const Inside inside(reading, number ? "" : field.name, number ? reading.range : field.range);
  field.type().read(*value, field.member(into), reading);
}

void SpecType::report_unknown(const Node& from, Reading& reading) const {
  std::vector<std::string> names;
  for (const auto& m : from.members()) {
    if (find(m.key) != nullptr) continue;
    if (names.empty()) names = parts();
    Node key;
    key.at(from.key_place(m));
    reading.add(key, "unknown key `" + m.key + "`" + did_you_mean(m.key, names), one_of(names));
  }
}

Node SpecType::write(const void* value) const {
  Node map = Node::map();
  for (const Field& field : info_.fields) {
    const void* member = field.member(const_cast<void*>(value));  // only an address is computed
    const Type& type = field.type();
    if (!type.present(member)) continue;
    Node part = type.write(member);
    // A sourced number stays on one line: what was not said about it is not written either.
    if (info_.sourced && !field.required && dump_json(part) == dump_json(info_.default_of(field.type, field))) continue;
    map.add_unchecked(field.name, std::move(part), {});
  }
  return map;
}

Node SpecType::schema(const Range& range) const {
  Node properties = Node::map(), required = Node::sequence();
  for (const Field& field : info_.fields) {
    const bool number = info_.sourced && field.name == "value";
    Node property = field.type().schema(number ? range : field.range);
    property.set("description", Node::scalar(field.meaning, true));
    if (!absent_allowed(field)) {
      required.append(Node::scalar(field.name, true));
    } else if (const Node initial = info_.default_of(field.type, field); !initial.is_null()) {
      property.set("default", initial);
    }
    properties.set(field.name, std::move(property));
  }
  Node schema = Node::map();
  schema.set("type", Node::string("object"));
  schema.set("properties", std::move(properties));
  if (!required.items().empty()) schema.set("required", std::move(required));
  schema.set("additionalProperties", Node::scalar(info_.open ? "true" : "false"));
  return schema;
}

std::string SpecType::expected() const {
  if (info_.sourced) return "{value: ..., source: \"where from\"}, the value " + bare().expected();
  return (info_.fields.size() == 1 ? "a map with the key " : "a map with keys: ") + listed(parts());
}

const Field* SpecType::find(std::string_view name) const {
  const auto at =
      std::find_if(info_.fields.begin(), info_.fields.end(), [&](const Field& f) { return f.name == name; });
  return at == info_.fields.end() ? nullptr : &*at;
}

Step SpecType::step(std::string_view part) const {
  const Field* field = find(part);
  return field == nullptr ? Step{} : Step{&field->type(), field};
}

std::vector<std::string> SpecType::parts() const {
  std::vector<std::string> names;
  for (const Field& field : info_.fields) names.push_back(field.name);
  return names;
}

const Type& SpecType::bare() const { return info_.sourced ? find("value")->type().bare() : *this; }

std::optional<double> SpecType::number(const Node& node) const {
  if (!info_.sourced) return {};
  const Node* value = node.is_map() ? node.find("value") : &node;
  return value == nullptr ? std::nullopt : bare().number(*value);
}

Node SpecType::from_number(double v) const { return info_.sourced ? bare().from_number(v) : Node{}; }

}  // namespace rooftile::input
