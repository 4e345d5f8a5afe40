#include "workloads/operation.hpp"

#include <stdexcept>

namespace rooftile::workloads {

std::vector<Variant> Operation::variants(const hw::GpuSpec& gpu) const {
  std::vector<Variant> all;
  for (const std::string& implementation : implementations()) try {
      for (Plan& plan : plans(gpu, implementation)) {
        const std::string name = implementation + " " + plan.schedule;
        all.push_back({name, [plan = std::move(plan)] { return plan; }, {}});
      }
    } catch (const std::invalid_argument& e) {
      all.push_back({implementation, {}, e.what()});
    }
  return all;
}

}  // namespace rooftile::workloads
