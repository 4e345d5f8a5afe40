// The progress of a sweep: a bar on a terminal, a plain line every few seconds elsewhere. Goes to stderr.
#pragma once

#include <string>

#include "workloads/sweep/run.hpp"

namespace rooftile::cli {

class SweepProgress {
 public:
  SweepProgress(std::string objective, std::string label);
  ~SweepProgress();
  void operator()(const workloads::sweep::RunProgress& p);

 private:
  std::string objective_, label_;
  bool terminal_, drawn_ = false;
  double started_, last_;
  workloads::sweep::PointId first_ = -1;
};

}  // namespace rooftile::cli
