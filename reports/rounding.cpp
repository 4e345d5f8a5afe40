#include "reports/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rooftile::reports {
std::vector<std::string> parts_of(const std::vector<double>& parts, double total, int digit) {
  const double unit = std::pow(10.0, digit);
  const auto wanted = static_cast<long long>(std::llround(total / unit));
  std::vector<long long> steps;
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const double p : parts) steps.push_back(static_cast<long long>(std::floor(p / unit)));
  const auto rest = [&](std::size_t i) { return parts[i] / unit - static_cast<double>(steps[i]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rest(a) > rest(b); });
  long long missing = wanted - std::accumulate(steps.begin(), steps.end(), 0LL);
  for (std::size_t i = 0; missing > 0 && !order.empty(); i = (i + 1) % order.size(), --missing) ++steps[order[i]];
  // The total was rounded down by more than the floors took: give back where the remainder is least.
  for (std::size_t i = order.size(); missing < 0 && i-- > 0; ++missing) --steps[order[i]];
  std::vector<std::string> out;
  for (const long long s : steps) out.push_back(fmt::format("{:.{}f}", static_cast<double>(s) * unit, std::max(0, -digit)));
  return out;
}

}  // namespace rooftile::reports
