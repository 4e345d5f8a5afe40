#include "workloads/tune/expression.hpp"

#include <algorithm>

#include "sim/core/input/quantity.hpp"
#include "sim/core/input/suggest.hpp"

namespace rooftile::workloads::tune {
namespace {

constexpr std::int64_t kLargest = 1'000'000'000;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// One product: its name (or none) and its factor.
void add_term(Sum& sum, const std::string& term, int sign, const std::vector<std::string>& names, const input::Place& at,
              input::Diagnostics& found) {
  std::int64_t factor = sign;
  std::string name;
  for (std::size_t start = 0; start <= term.size();) {
    const std::size_t star = std::min(term.find('*', start), term.size());
    const std::string part = trimmed(term.substr(start, star - start));
    input::Problem problem;
    if (const auto n = input::parse_integer(part, problem); n && std::abs(*n) <= kLargest && std::abs(factor) <= kLargest / std::max<std::int64_t>(1, std::abs(*n)))
      factor *= *n;
    else if (name.empty() && std::find(names.begin(), names.end(), part) != names.end())
      name = part;
    else
      return found.add(at, "'" + part + "' in the sum '" + term + "'" + input::did_you_mean(part, names), "a number, or " + input::one_of(names));
    start = star + 1;
  }
  (name.empty() ? sum.constant : sum.factor[name]) += factor;
}

}  // namespace

Sum read_sum(const std::string& text, const std::vector<std::string>& names, const input::Place& at, input::Diagnostics& found) {
  Sum sum;
  int sign = 1;
  std::string term;
  for (const char c : text + "+") {
    if (c != '+' && c != '-') {
      term += c;
      continue;
    }
    if (!trimmed(term).empty()) add_term(sum, trimmed(term), sign, names, at, found);
    term.clear();
    sign = c == '-' ? -1 : 1;
  }
  return sum;
}

}  // namespace rooftile::workloads::tune
