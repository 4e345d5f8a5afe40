// The errors of every predicted record, for reports/bands to read: what `rooftile validate --bands FILE` writes.
#pragma once

#include <string>

#include "validation/validate.hpp"

namespace rooftile::validation {

std::string bands_json(const Validation& validation);

}  // namespace rooftile::validation
