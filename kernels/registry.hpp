// The only list of operators that have kernels: one line each.
#pragma once

#include <vector>

#include "harness/suite.hpp"

#define ROOFTILE_KERNEL(op)                                     \
  namespace rooftile::kernels::op {                             \
  void add_cases(std::vector<measure::Case>& cases);            \
  void add_checks(std::vector<measure::Check>& checks);         \
  }
#include "registry.inc"
#undef ROOFTILE_KERNEL
