#include <fmt/format.h>

#include <stdexcept>

#include "workloads/collective/operation.hpp"
#include "workloads/moe_all_to_all/keys.hpp"

namespace rooftile::workloads::moe_all_to_all {

std::string MoeAllToAll::describe() const {
  return fmt::format("{} tokens a rank of {}, {} of {} experts, {} ranks", shape.tokens, shape.hidden, shape.top_k, shape.experts, ranks);
}

double MoeAllToAll::flops() const {
  const double copies = static_cast<double>(shape.tokens * shape.hidden) * static_cast<double>(shape.top_k);
  return name == "moe_combine" ? 2 * copies : 0;
}

double MoeAllToAll::compulsory_bytes() const {
  return static_cast<double>(shape.tokens * shape.hidden) * shape.element * (1 + expected_groups(static_cast<double>(ranks), shape));
}

std::vector<Plan> MoeAllToAll::plans(const hw::GpuSpec&, const std::string&) const {
  throw std::invalid_argument(name + " is communication: it has no tile program");
}

std::optional<Communication> MoeAllToAll::communication(const std::string& hardware, const std::string& implementation) const {
  const auto spec = fabric.empty() ? collective::fabric_for(system, hardware, nodes) : collective::load_fabric(fabric);
  const collective::Group g = collective::make_group(spec, ranks, nodes);
  const bool quick = implementation == "deepep_low_latency", there = name == "moe_dispatch";
  collective::Cost c = quick ? (there ? dispatch_low_latency(shape, g) : combine_low_latency(shape, g)) : (there ? dispatch(shape, g) : combine(shape, g));
  Communication out = collective::communication_of(c);
  out.schedule = implementation;
  return out;
}

void Keys::check(const input::Node& at, input::Diagnostics& found) const {
  if (top_k > experts) found.add(at.place(), fmt::format("top_k is {} of {} experts", top_k, experts), "at most the experts");
  if ((experts + redundant_experts) % ranks != 0)
    found.add(at.place(), fmt::format("{} experts and copies do not spread evenly over {} ranks", experts + redundant_experts, ranks), "a multiple of the ranks");
  if (nodes > 0 && ranks % nodes != 0) found.add(at.place(), fmt::format("{} ranks do not spread evenly over {} nodes", ranks, nodes), "a multiple");
  if (!expert_loads.empty() && expert_loads.size() != static_cast<std::size_t>(experts))
    found.add(at.place(), fmt::format("{} loads for {} experts", expert_loads.size(), experts), "one for every expert");
}

OperationPtr Keys::make() const {
  auto o = std::make_unique<MoeAllToAll>();
  o->name = op;
  o->fabric = fabric.value_or("");
  o->system = system.value_or("");
  o->ranks = ranks;
  o->nodes = nodes;
  o->shape = {.tokens = tokens_per_rank, .hidden = hidden_size, .top_k = top_k, .experts = experts, .sms = sms};
  if (!expert_loads.empty()) o->shape.imbalance = imbalance_of(expert_loads, redundant_experts, ranks);
  return o;
}

}  // namespace rooftile::workloads::moe_all_to_all
