#include "sim/core/input/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace rooftile::input {
namespace {

constexpr std::size_t kLongestName = 64;  // nobody mistypes something longer by a letter or two

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// `batch` for `batch_size`, `heads` for `q_heads`: a whole part of the name.
bool shares_a_part(std::string_view a, std::string_view b) {
  if (a.size() < 3 || b.size() < 3) return false;
  const auto within = [](std::string_view part, std::string_view whole) {
    return whole.starts_with(std::string(part) + '_') || whole.ends_with('_' + std::string(part));
  };
  return within(a, b) || within(b, a);
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::string nearest(std::string_view wrong, std::span<const std::string> names) {
  if (wrong.empty() || wrong.size() > kLongestName) return {};
  const std::string* best = nullptr;
  int distance = static_cast<int>(wrong.size() + 2) / 3 + 1;  // about one slip in three letters
  for (const std::string& name : names) {
    if (name.size() > kLongestName) continue;
    const int d = edit_distance(wrong, name);
    if (d < distance && d < static_cast<int>(name.size())) {
      distance = d;
      best = &name;
    }
  }
  if (best != nullptr) return *best;
  for (const std::string& name : names) {
    if (shares_a_part(wrong, name)) return name;
  }
  return {};
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string> names) {
  const std::string name = nearest(wrong, names);
  return name.empty() ? std::string{} : " (did you mean `" + name + "`?)";
}

std::string listed(std::span<const std::string> names, std::size_t limit) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < limit; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > limit ? text + ", ..." : text;
}

std::string one_of(std::span<const std::string> names, std::size_t limit) {
  return (names.size() == 1 ? "" : "one of ") + listed(names, limit);
}

}  // namespace rooftile::input
