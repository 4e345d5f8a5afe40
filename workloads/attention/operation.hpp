// The `attention` operator, forward: softmax(Q K^T) V per head, with grouped KV heads and masks.
#pragma once

#include <string>
#include <vector>

#include "workloads/attention/shape.hpp"
#include "workloads/operation.hpp"

namespace rooftile::workloads::attention {

class Attention final : public Operation {
 public:
  Shape shape;
  std::string dtype = "bf16", kv_dtype = "bf16";
  bool backward = false;

  std::string op() const override { return "attention"; }
  std::string describe() const override;
  double flops() const override { return backward ? sum(derivation().flops) : shape.flops(); }
  double compulsory_bytes() const override;
  Derivation derivation() const override;
  std::vector<std::string> implementations() const override { return {"flash3", "cudnn", "flash2", "torch_flex"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
  std::vector<Variant> variants(const hw::GpuSpec& gpu) const override;
};

// One query a sequence: the query heads of a KV head become the rows of one tile.
Shape packed(const Shape& shape);

}  // namespace rooftile::workloads::attention
