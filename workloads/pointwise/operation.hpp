// A pointwise or row-wise operator: one line of the table in kernels.cpp with a shape.
#pragma once

#include <string>
#include <vector>

#include "workloads/operation.hpp"
#include "workloads/pointwise/kernels.hpp"

namespace rooftile::workloads::pointwise {

class Pointwise final : public Operation {
 public:
  std::string name;
  Shape shape;
  bool hot = false;  // the same data again and again: what fits stays in L2

  std::string op() const override { return name; }
  std::string describe() const override;
  double flops() const override;
  double compulsory_bytes() const override;
  std::vector<std::string> implementations() const override { return row(name).implementations; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
};

}  // namespace rooftile::workloads::pointwise
