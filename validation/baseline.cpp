// The sceptic's baseline: time = max(FLOPs / (ec peak), bytes / (em bandwidth)) + c, the three constants fitted
// per family, implementation and type on one half of the records and judged on the other.
#include <algorithm>
#include <cmath>
#include <map>

#include "validation/validate.hpp"

namespace rooftile::validation {
namespace {

struct Fit {
  double flops_per_us = 1e9, bytes_per_us = 4e6, constant = 0;
  double operator()(const Row& r) const { return std::max(r.flops / flops_per_us, r.bytes / bytes_per_us) + constant; }
};

double error_of(const Fit& fit, const std::vector<Row*>& rows) {
  double sum = 0;
  for (const Row* r : rows) sum += std::abs(fit(*r) / r->measured_us - 1);
  return sum;
}

Fit best_fit(const std::vector<Row*>& rows) {
  Fit best;
  double least = 1e300;
  for (double tera = 50; tera < 2000; tera *= 1.06)
    for (double bandwidth = 0.8; bandwidth < 4.8; bandwidth *= 1.06)
      for (const double c : {0.0, 2.0, 4.0, 6.0, 9.0, 12.0, 18.0, 25.0}) {
        const Fit fit{tera * 1e6, bandwidth * 1e6, c};
        const double e = error_of(fit, rows);
        if (e < least) {
          least = e;
          best = fit;
        }
      }
  return best;
}

}  // namespace

void add_baseline(std::vector<Row>& rows) {
  std::map<std::string, std::vector<Row*>> groups;
  for (Row& r : rows)
    if (r.skipped.empty() && (r.flops > 0 || r.bytes > 0)) groups[r.device + "/" + r.family + "/" + r.impl].push_back(&r);
  for (auto& [key, members] : groups) {
    std::vector<Row*> half[2];
    for (std::size_t i = 0; i < members.size(); ++i) half[i % 2].push_back(members[i]);
    if (half[1].empty()) continue;
    for (int side = 0; side < 2; ++side) {
      const Fit fit = best_fit(half[side]);
      for (Row* r : half[1 - side]) r->baseline_us = fit(*r);
    }
  }
}

}  // namespace rooftile::validation
