// Where the hardware numbers of a prediction come from: every number of the GPU file with its source.
#pragma once

#include <string>
#include <vector>

#include "hw/gpu_spec.hpp"
#include "reports/program_view.hpp"

namespace rooftile::reports {

struct Provenance {
  std::string key, value, source;
  bool weak = false;  // the source itself says that it is assumed, fitted or read off other devices
};

std::vector<Provenance> provenance(const hw::GpuSpec& gpu);
// Those that the programs at hand can have used: pipes without work and matrix types that do not occur are left out.
std::vector<Provenance> provenance_of(const hw::GpuSpec& gpu, const std::vector<ProgramView>& programs);

}  // namespace rooftile::reports
