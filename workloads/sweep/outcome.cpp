#include "workloads/sweep/outcome.hpp"

namespace rooftile::workloads::sweep {

const char* objective_name(Objective objective) { return kObjectives[static_cast<std::size_t>(objective)].first; }

const char* objective_unit(Objective objective, const Outcome& sample) {
  switch (objective) {
    case Objective::time: return "us";
    case Objective::tokens_per_second: return "1/s";
    case Objective::energy: return "mJ";
    case Objective::memory: return "bytes";
    default: return sample.tokens_per_second ? "a million tokens" : "a million runs";
  }
}

std::optional<double> value(const Outcome& o, Objective objective, double price_per_hour) {
  switch (objective) {
    case Objective::time: return o.time_us;
    case Objective::tokens_per_second: return o.tokens_per_second;
    case Objective::energy: return o.energy_mj;
    case Objective::memory: return o.memory_bytes;
    case Objective::cost: {
      const double per_second = o.tokens_per_second.value_or(o.time_us > 0 ? 1e6 / o.time_us : 0);
      if (!(per_second > 0)) return std::nullopt;
      return price_per_hour / 3600 / per_second * 1e6;
    }
  }
  return std::nullopt;
}

}  // namespace rooftile::workloads::sweep
