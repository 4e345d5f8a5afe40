// Tile programs of kernels that go over a tensor once, element by element, and of kernels that take a row a CTA.
//
// Modelled: vector loads in flight of each CTA, the passes over a row with the dependent chain of each step, the block
// reductions between them, what each element costs on the pipes, hardware refill of CTAs. A row that is read a second
// time by its own CTA comes from L1: it costs latency, no L2 traffic. Not modelled: L1 capacity, bank conflicts.
#pragma once

#include <string>
#include <vector>

#include "hw/tile_program.hpp"

namespace rooftile::workloads::pointwise {

struct Elementwise {
  std::string name;
  int inputs = 1;                 // tensors of the same size that are read
  double input_bytes = 2, output_bytes = 2;  // an element
  int elements_per_cta = 1024, threads = 128, registers = 32;
  hw::PipeWork per_element;       // on the pipes
};
hw::TileProgram elementwise(const Elementwise& kernel, std::int64_t elements);

// One pass over a row by one CTA.
struct Pass {
  bool from_memory = true;        // else the CTA's own L1 or registers have it
  int inputs = 1;                 // tensors read from memory in this pass
  int loads_in_flight = 1;        // steps whose loads are issued before the first is waited for
  bool warps_drift = false;       // many warps at different steps: loads of the next step run beside this one's work
  hw::PipeWork per_element;
  double step_latency = 0;        // cycles of dependent instructions a step, beyond the load
  double reduction_latency = 0;   // cycles of the block reduction after the pass
  int outputs = 0;                // tensors written in this pass
};
struct RowKernel {
  std::string name;
  int threads = 128, registers = 32;
  int elements_per_step = 512;    // by all threads together
  double input_bytes = 2, output_bytes = 2;
  std::vector<Pass> passes;
};
hw::TileProgram row_kernel(const RowKernel& kernel, std::int64_t rows, std::int64_t cols);

}  // namespace rooftile::workloads::pointwise
