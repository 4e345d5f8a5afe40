#include <algorithm>
#include <stdexcept>

#include "workloads/overlap/keys.hpp"
#include "workloads/parallel/streams.hpp"
#include "workloads/predict.hpp"

namespace rooftile::workloads::overlap {

std::string Overlap::describe() const {
  if (!compute.operation || !message.operation) return "nothing";
  return compute.operation->op() + " " + compute.operation->describe() + " beside " + message.operation->op() + " " + message.operation->describe();
}

std::vector<Plan> Overlap::plans(const hw::GpuSpec&, const std::string&) const {
  throw std::invalid_argument("an overlap has no tile program of its own");
}

void Keys::check(const input::Node&, input::Diagnostics& found) const {
  const auto read = [&](const input::Node& node, bool moves, const char* expected) {
    input::Diagnostics own;
    const NamedOperation op = read_operation(node, own);
    if (op.operation && (op.operation->is_communication() != moves || op.operation->as_overlap()))
      own.add(node.place(), op.operation->op() + " does not go there", expected);
    found.add(own);
  };
  read(compute, false, "an operation with kernels, such as gemm");
  read(communication, true, "a collective, such as all_reduce");
}

OperationPtr Keys::make() const {
  auto o = std::make_unique<Overlap>();
  o->first = first;
  input::Diagnostics ignored;  // check() reported them
  if (compute.is_map()) o->compute = read_operation(compute, ignored);
  if (communication.is_map()) o->message = read_operation(communication, ignored);
  return o;
}

}  // namespace rooftile::workloads::overlap
