// The `model_step` and `mixed_step` operators: a whole step of a decoder as one plan of many kernels, so that one clock
// and one power budget hold for all of them.
#pragma once

#include "workloads/step/decoder.hpp"

namespace rooftile::workloads::step {

class ModelStep final : public Operation {
 public:
  std::string name = "model_step";
  Decoder model;
  std::vector<Sequences> batch;

  std::string op() const override { return name; }
  std::string describe() const override;
  double flops() const override;
  double compulsory_bytes() const override;  // weights once, new and old keys and values
  std::vector<std::string> implementations() const override { return {"torch_compiled_cuda_graph"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
};

}  // namespace rooftile::workloads::step
