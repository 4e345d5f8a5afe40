// A bounded JSON reader for config.json: size, depth and number of values are limited, every value knows its
// line and column, and the bare `Infinity` that real files hold (Nemotron-H) is accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rooftile::models {

struct Place {
  std::size_t line = 0;  // from 1; 0: unknown
  std::size_t column = 0;
};

struct Json {
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> value = nullptr;
  Place place;

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value); }
  const Object* object() const { return std::get_if<Object>(&value); }
  const Array* array() const { return std::get_if<Array>(&value); }
  const Json* find(std::string_view key) const;
};

const char* type_name(const Json& json);

struct JsonLimits {
  std::size_t bytes = std::size_t{4} << 20;
  std::size_t depth = 16;
  std::size_t values = 200'000;
};

struct JsonProblem {
  Place place;
  std::string what;
};

// Either the document or the first problem that makes it unreadable.
using JsonResult = std::variant<Json, JsonProblem>;
JsonResult parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace rooftile::models
