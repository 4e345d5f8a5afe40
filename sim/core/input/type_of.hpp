// From a C++ type to its description. The templates hold casts only.
#pragma once

#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/core/input/type.hpp"

namespace rooftile::input {

template <class T>
const Type& type_of();

// The `v` of visit_fields(v).
template <class Spec>
class FieldList {
 public:
  // `member` may belong to a base of Spec. The range also reaches through Sourced, optional and lists.
  template <class Owner, class T>
  Field& field(std::string name, T Owner::*member, std::string meaning, Range range = {}) {
    Field f;
    f.name = std::move(name);
    f.meaning = std::move(meaning);
    f.range = range;
    f.member = [member](void* spec) -> void* { return &(static_cast<Spec*>(spec)->*member); };
    f.type = &type_of<T>;
    info_.fields.push_back(std::move(f));
    return info_.fields.back();
  }
  void allow_other_keys() { info_.open = true; }
  SpecInfo take() { return std::move(info_); }

 private:
  SpecInfo info_;
};

template <class T>
concept Spec = requires(FieldList<T>& v) {
  T::visit_fields(v);
};
// `void check(const Node& at, Diagnostics& found) const`: what no single field can tell. Runs on readable specs.
template <class T>
concept Checked = requires(const T& spec, const Node& at, Diagnostics& found) {
  spec.check(at, found);
};
// `constexpr auto enum_names(E)` beside the enum: an array of pair<const char* or string_view, E>.
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T e) {
  enum_names(e);
};
template <class T>
concept Quantity = requires {
  QuantityTraits<T>::kDimension;
};
template <class T>
concept SourcedSpec = Spec<T> && requires {
  T::kIsSourced;
};

namespace detail {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsPairs : std::false_type {};
template <class T>
struct IsPairs<std::vector<std::pair<std::string, T>>> : std::true_type {
  using Element = T;
};
template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T, class V>
auto setter() {
  return [](void* to, V v) { *static_cast<T*>(to) = static_cast<T>(v); };
}
template <class T, class V>
auto getter() {
  return [](const void* from) { return static_cast<V>(*static_cast<const T*>(from)); };
}

template <class T>
SpecType spec_type() {
  FieldList<T> list;
  T::visit_fields(list);
  SpecInfo info = list.take();
  info.sourced = SourcedSpec<T>;
  if constexpr (Checked<T>) {
    info.check = [](const void* s, const Node& at, Diagnostics& found) { static_cast<const T*>(s)->check(at, found); };
  }
  info.default_of = [](TypeGetter type, const Field& field) {
    T initial{};
    const void* member = field.member(&initial);
    return type().present(member) ? type().write(member) : Node{};
  };
  return SpecType(std::move(info));
}

template <class T>
ScalarType enum_type() {
  std::vector<std::pair<std::string, std::int64_t>> names;
  for (const auto& [name, value] : enum_names(T{})) names.emplace_back(name, static_cast<std::int64_t>(value));
  return ScalarType(enum_info(std::move(names), setter<T, std::int64_t>(), getter<T, std::int64_t>()));
}

template <class T>
ScalarType integer_type() {
  using Limits = std::numeric_limits<T>;
  constexpr auto kHighest = std::in_range<std::int64_t>(Limits::max()) ? static_cast<std::int64_t>(Limits::max())
                                                                       : std::numeric_limits<std::int64_t>::max();
  return ScalarType(integer_info(static_cast<std::int64_t>(Limits::min()), kHighest, setter<T, std::int64_t>(),
                                 getter<T, std::int64_t>()));
}

template <class T>
ScalarType quantity_type() {
  using Traits = QuantityTraits<T>;
  return ScalarType(quantity_info(
      Traits::kDimension, Traits::kWhole, [](void* to, double v) { *static_cast<T*>(to) = Traits::from(v); },
      [](const void* from) { return Traits::to(*static_cast<const T*>(from)); }));
}

using Fill = std::function<void(void*)>;
using Visit = std::function<void(const std::string&, const void*)>;

template <class Vector>
CollectionType vector_type() {
  using T = typename Vector::value_type;
  CollectionInfo info;
  info.element = &type_of<T>;
  info.clear = [](void* v) { static_cast<Vector*>(v)->clear(); };
  info.add = [](void* v, const std::string&, const Fill& fill) {
    T element{};
    fill(&element);
    static_cast<Vector*>(v)->push_back(std::move(element));
  };
  info.each = [](const void* v, const Visit& visit) {
    for (const T& element : *static_cast<const Vector*>(v)) visit({}, &element);
  };
  return CollectionType(std::move(info));
}

template <class Container, class T>
CollectionType keyed_type() {
  CollectionInfo info;
  info.keyed = true;
  info.element = &type_of<T>;
  info.clear = [](void* v) { static_cast<Container*>(v)->clear(); };
  info.add = [](void* v, const std::string& key, const Fill& fill) {
    T element{};
    fill(&element);
    auto& container = *static_cast<Container*>(v);
    container.insert(container.end(), {key, std::move(element)});
  };
  info.each = [](const void* v, const Visit& visit) {
    for (const auto& [key, element] : *static_cast<const Container*>(v)) visit(key, &element);
  };
  return CollectionType(std::move(info));
}

template <class Optional>
OptionalType optional_type() {
  OptionalInfo info;
  info.inner = &type_of<typename Optional::value_type>;
  info.emplace = [](void* v) -> void* { return &static_cast<Optional*>(v)->emplace(); };
  info.get = [](const void* v) -> const void* {
    const auto& o = *static_cast<const Optional*>(v);
    return o ? &*o : nullptr;
  };
  return OptionalType(std::move(info));
}

template <class T>
auto make_type() {
  if constexpr (std::same_as<T, bool>) {
    return ScalarType(bool_info());
  } else if constexpr (std::integral<T>) {
    return integer_type<T>();
  } else if constexpr (std::floating_point<T>) {
    return ScalarType(real_info(setter<T, double>(), getter<T, double>()));
  } else if constexpr (std::same_as<T, std::string>) {
    return ScalarType(string_info());
  } else if constexpr (NamedEnum<T>) {
    return enum_type<T>();
  } else if constexpr (Quantity<T>) {
    return quantity_type<T>();
  } else if constexpr (IsPairs<T>::value) {
    return keyed_type<T, typename IsPairs<T>::Element>();
  } else if constexpr (IsVector<T>::value) {
    return vector_type<T>();
  } else if constexpr (IsMap<T>::value) {
    return keyed_type<T, typename T::mapped_type>();
  } else if constexpr (IsOptional<T>::value) {
    return optional_type<T>();
  } else {
    static_assert(Spec<T>, "a field's type needs visit_fields, enum_names or QuantityTraits");
    return spec_type<T>();
  }
}

}  // namespace detail

template <class T>
const Type& type_of() {
  if constexpr (std::same_as<T, Node>) {
    return node_type();
  } else {
    static const auto kType = detail::make_type<T>();
    return kType;
  }
}

}  // namespace rooftile::input
