// What a measured kernel and a checked kernel are, for everything under kernels/.
//
// A folder kernels/<op>/ adds its measurements with `add_cases` and its numeric checks with `add_checks`
// (declared in kernels/registry.hpp, one line per operator). The harness owns timing, clocks, rotation of
// inputs and the record format; an operator owns shapes, launches and references.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rooftile::measure {

// One set of device buffers per rotation slot, ready to launch. Destroying it frees them.
class Instance {
 public:
  virtual ~Instance() = default;
  virtual void launch(int set, cudaStream_t stream) = 0;  // asynchronous, graph-capturable, no allocation
};

// One line of a record file before it is measured.
struct Case {
  std::string op;                   // record key `op`, e.g. "gemm"
  std::string keys;                 // JSON members of the shape and types, e.g. "\"m\": 4096, \"dtype\": \"bf16\""
  std::string impl = "rooftile";    // record key `impl`
  std::string schedule;             // JSON object of tile parameters, "" when the kernel has none
  std::string group;                // "kernels" (one pick per shape) or "ablation" (a grid of schedules)
  std::size_t bytes_per_set = 0;    // distinct bytes touched by one launch: decides how many sets rotate
  std::function<std::unique_ptr<Instance>(int sets, std::uint64_t seed)> make;
};

// A numeric or metamorphic check. `run` returns the worst relative error, NaN for "output not written".
struct Check {
  std::string name;                 // a sentence about behaviour
  double tolerance = 0;
  std::function<double(std::uint64_t seed)> run;
};

}  // namespace rooftile::measure
