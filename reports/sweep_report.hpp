// The answers of a sweep as text, JSON, CSV (one line a point) or Markdown.
#pragma once

#include <string>

#include "reports/run_report.hpp"
#include "workloads/sweep/answers.hpp"

namespace rooftile::reports {

std::string write(const workloads::sweep::Answers& answers, Format format);
// Every point of the store.
std::string write_points(const workloads::sweep::Sweep& sweep, const workloads::sweep::Store& store);

}  // namespace rooftile::reports
