// Finds a repeated key while a map grows: linear while it is small, hashed beyond that.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "sim/core/input/node.hpp"

namespace rooftile::input {

class NewKeys {
 public:
  // False if `map` has the key. To be called once for each key, in order.
  bool add(const Node& map, const std::string& key) {
    if (map.members().size() < kSmall) return map.find(key) == nullptr;
    if (seen_.empty()) {
      for (const auto& m : map.members()) seen_.insert(m.key);
    }
    return seen_.insert(key).second;
  }

 private:
  static constexpr std::size_t kSmall = 24;
  std::unordered_set<std::string> seen_;
};

}  // namespace rooftile::input
