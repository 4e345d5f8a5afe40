// Tolerances by family, kept in validation/tolerances.yaml: what CI accepts.
#pragma once

#include <string>

#include "validation/validate.hpp"

namespace rooftile::validation {

// Lines for every family that is worse than the file allows, or that the file does not name; "" when all hold.
std::string broken_tolerances(const Validation& validation, const std::string& file);

}  // namespace rooftile::validation
