// An operator: maths with a shape. It knows its FLOPs and the bytes that no kernel can avoid, and offers the
// plans (kernels with a schedule) by which a library would run it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/gpu_spec.hpp"
#include "hw/tile_program.hpp"
#include "workloads/terms.hpp"

namespace rooftile::workloads {

struct Kernel {
  hw::TileProgram program;
  bool memset_node = false;  // a memset before the kernel: a launch and next to no work
  core::Bytes copy_engine;   // not a kernel at all: bytes that the copy engine moves
  std::int64_t repeat = 1;   // launches of this kernel in the plan
  bool code_is_cold = false; // other kernels run between two launches: its instructions are fetched anew
  std::string kind;          // class of kernel in a whole step
};

struct Plan {
  std::string schedule;      // what to call it in a report
  std::vector<Kernel> kernels;
  bool hot = false;          // the same data again and again: what fits stays in L2
};

// A schedule to try, beyond those that a library would pick.
struct Variant {
  std::string name;
  std::function<Plan()> plan;  // built when it is needed
  std::string impossible;      // why no such kernel can be compiled, or empty
};

// What an operator costs that moves data between GPUs: no tile program, but SMs that it holds meanwhile.
struct Communication {
  std::string schedule;  // library, algorithm, protocol
  core::Time time;
  std::string bound;     // the largest of `parts`
  int sms = 0;
  double sent_bytes = 0, memory_bytes = 0;  // of one GPU
  std::vector<std::pair<std::string, double>> parts;  // seconds; they add up
};

namespace overlap {
struct Overlap;
}

class Operation {
 public:
  virtual ~Operation() = default;
  virtual std::string op() const = 0;
  virtual std::string describe() const = 0;                 // the shape on one line
  virtual double flops() const = 0;
  virtual double compulsory_bytes() const = 0;              // inputs read once, outputs written once
  // Both as formulas. An operator that does not say gets one factor without a name.
  virtual Derivation derivation() const {
    return {{{"all", {{"", flops()}}}}, {{"inputs once, outputs once", {{"", compulsory_bytes()}}}}, {}};
  }
  // Names of implementations that `plans` knows; the first is the default.
  virtual std::vector<std::string> implementations() const = 0;
  // Candidates that the library would choose from; the fastest simulated one is taken. Throws
  // std::invalid_argument when the implementation cannot run this shape.
  virtual std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const = 0;
  virtual bool is_communication() const { return false; }
  virtual const overlap::Overlap* as_overlap() const { return nullptr; }  // two operations at once
  // For operators of the fabric, which have no plans: the whole prediction. `hardware` is the GPU's name.
  virtual std::optional<Communication> communication(const std::string& /*hardware*/, const std::string& /*implementation*/) const {
    return std::nullopt;
  }
  // The space of schedules that `rooftile tune` searches; by default what the implementations pick.
  virtual std::vector<Variant> variants(const hw::GpuSpec& gpu) const;
};

using OperationPtr = std::unique_ptr<Operation>;

}  // namespace rooftile::workloads
