// The kernels that PyTorch runs for pointwise and row-wise operators: eager (ATen) and compiled (Triton).
#pragma once

#include <string>
#include <vector>

#include "workloads/operation.hpp"

namespace rooftile::workloads::pointwise {

struct Shape {
  std::int64_t rows = 1, cols = 1;
  double bytes = 2;  // an element
  std::int64_t sms = 1;
  std::int64_t elements() const { return rows * cols; }
};

// One line an operator: what it reads and writes, its FLOPs an element, and the kernels of each implementation.
struct Row {
  const char* op;
  int reads, writes;             // tensors of rows x cols
  double flops;                  // an element
  double written_bytes;          // an element of an output; 0: as the input
  std::vector<std::string> implementations;
  std::vector<hw::TileProgram> (*programs)(const Shape& shape, const std::string& implementation);
};
const std::vector<Row>& rows();
const Row& row(const std::string& op);

}  // namespace rooftile::workloads::pointwise
