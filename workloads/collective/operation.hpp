// A collective as an operator of a scenario.
#pragma once

#include "workloads/collective/cost.hpp"
#include "workloads/operation.hpp"

namespace rooftile::workloads::collective {

struct Collective : Operation {
  std::string name;          // all_reduce, ...
  std::string impl;          // as written: "nccl 2.29.2"
  std::string fabric, system, algorithm, protocol;
  std::int64_t channels = 0;  // 0: the fabric's
  std::int64_t ranks = 1, nodes = 0;
  double bytes = 0;
  std::vector<std::vector<double>> matrix;

  std::string op() const override { return name; }
  std::string describe() const override;
  double flops() const override;
  double compulsory_bytes() const override { return bytes; }
  std::vector<std::string> implementations() const override;
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
  bool is_communication() const override { return true; }
  std::optional<Communication> communication(const std::string& hardware, const std::string& implementation) const override;

  Cost predict(const std::string& hardware) const;
};

// nccl, vllm or trtllm, from how a record spells it; empty when it is none of them.
std::string library_of(const std::string& impl);
Communication communication_of(const Cost& cost);

}  // namespace rooftile::workloads::collective
