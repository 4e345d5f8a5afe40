// overlap: an operation of the GPU and a collective on two streams, started together. They contend for SMs and HBM
// (parallel/streams.hpp says what is modelled). The prediction is the time until both are done; its parts say how
// much of it each ran alone and together.
#pragma once

#include <array>

#include "workloads/catalog.hpp"
#include "workloads/common_keys.hpp"

namespace rooftile::workloads::overlap {

enum class First { compute, communication };
constexpr auto enum_names(First) {
  return std::array<std::pair<const char*, First>, 2>{{{"compute", First::compute}, {"communication", First::communication}}};
}

struct Overlap : Operation {
  NamedOperation compute, message;
  First first = First::compute;

  std::string op() const override { return "overlap"; }
  std::string describe() const override;
  double flops() const override { return compute.operation ? compute.operation->flops() : 0; }
  double compulsory_bytes() const override { return compute.operation ? compute.operation->compulsory_bytes() : 0; }
  std::vector<std::string> implementations() const override { return {"streams"}; }
  std::vector<Plan> plans(const hw::GpuSpec& gpu, const std::string& implementation) const override;
  const Overlap* as_overlap() const override { return this; }
};

struct Keys : CommonKeys {
  input::Node compute, communication;
  First first = First::compute;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    v.field("compute", &Keys::compute, "an operation with kernels, as a scenario writes it");
    v.field("communication", &Keys::communication, "a collective, dispatch or combine, as a scenario writes it");
    v.field("first", &Keys::first, "which is launched first: the other waits for SMs").optional();
  }
  void check(const input::Node& at, input::Diagnostics& found) const;
  OperationPtr make() const;
};

}  // namespace rooftile::workloads::overlap
