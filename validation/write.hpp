// Text, JSON and CSV of a validation.
#pragma once

#include <string>

#include "reports/run_report.hpp"
#include "validation/validate.hpp"

namespace rooftile::validation {

std::string write(const Validation& validation, reports::Format format, bool with_records);

}  // namespace rooftile::validation
