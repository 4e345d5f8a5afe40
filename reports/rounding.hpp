// Parts that add up after rounding.
#pragma once

#include <string>
#include <vector>

namespace rooftile::reports {

// `parts`, which add up to `total`, each rounded to a multiple of 10^digit so that the printed parts add up exactly to the
// printed total (the largest remainders are rounded up first).
std::vector<std::string> parts_of(const std::vector<double>& parts, double total, int digit);

}  // namespace rooftile::reports
