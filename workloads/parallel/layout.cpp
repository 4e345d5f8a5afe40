#include "workloads/parallel/layout.hpp"

#include <algorithm>
#include <stdexcept>

namespace rooftile::workloads::parallel {

std::int64_t Layout::ways(Axis axis) const {
  switch (axis) {
    case Axis::tensor: return tensor;
    case Axis::context: return context;
    case Axis::data: return data;
    case Axis::pipeline: return pipeline;
    default: return expert;
  }
}

std::int64_t Layout::stride(Axis axis) const {
  switch (axis) {
    case Axis::tensor: return 1;
    case Axis::context:
    case Axis::expert: return tensor;
    case Axis::data: return tensor * context;
    default: return tensor * context * data;
  }
}

void Layout::check(const input::Node& at, input::Diagnostics& found) const {
  if ((context * data) % expert != 0)
    found.add(at.place(), "expert " + std::to_string(expert) + " does not divide context x data = " + std::to_string(context * data), "a divisor");
  if (static_cast<double>(pipeline) * static_cast<double>(virtual_stages) * static_cast<double>(microbatches) > 2e7)
    found.add(at.place(), "stages x microbatches above 20 million", "a smaller schedule");
  if (virtual_stages > 1 && pipeline == 1) found.add(at.place(), "virtual stages without a pipeline", "pipeline above 1");
  if (virtual_stages > 1 && microbatches % pipeline != 0)
    found.add(at.place(), "interleaving needs a multiple of " + std::to_string(pipeline) + " microbatches", "not " + std::to_string(microbatches));
  if (sequence && tensor == 1) found.add(at.place(), "`sequence` without tensor parallelism", "tensor above 1");
}

std::vector<std::string> broken_rules(const Layout& l, const Divisible& m, std::int64_t devices) {
  std::vector<std::string> out;
  const auto split = [&](std::int64_t what, const char* name, std::int64_t ways, const char* into) {
    if (what > 0 && what % ways != 0)
      out.push_back(std::to_string(what) + " " + name + " do not split into " + std::to_string(ways) + " " + into);
  };
  if (l.devices() != devices)
    out.push_back("tensor x context x data x pipeline = " + std::to_string(l.devices()) + ", but there are " + std::to_string(devices) + " devices");
  split(m.layers, "layers", l.pipeline * l.virtual_stages, "pipeline stages");
  split(m.q_heads, "query heads", l.tensor, "tensor ranks");
  if (m.kv_heads > 0 && m.kv_heads % l.tensor != 0 && l.tensor % m.kv_heads != 0)
    out.push_back(std::to_string(m.kv_heads) + " KV heads neither split into nor repeat over " + std::to_string(l.tensor) + " tensor ranks");
  split(m.ffn, "features of the MLP", l.tensor, "tensor ranks");
  split(m.experts, "experts", l.expert, "expert ranks");
  split(m.sequence, "tokens of a sequence", l.context, "context ranks");
  split(m.batch, "sequences", l.data * l.microbatches, "data ranks and microbatches");
  return out;
}

std::vector<std::int64_t> members(const Layout& l, Axis axis, std::int64_t rank) {
  const std::int64_t stride = l.stride(axis), ways = l.ways(axis);
  const std::int64_t first = rank - rank / stride % ways * stride;
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < ways; ++i) all.push_back(first + i * stride);
  return all;
}

collective::Group group(const Layout& l, Axis axis, const hw::fabric::FabricSpec& fabric) {
  const std::int64_t stride = l.stride(axis), ways = l.ways(axis), gpus = fabric.node.gpus;
  const std::int64_t in_node = std::clamp<std::int64_t>(gpus / stride, 1, ways);
  if (ways % in_node != 0)
    throw std::invalid_argument("groups of " + std::to_string(ways) + " ranks, " + std::to_string(stride) + " apart, do not spread evenly over nodes of " + std::to_string(gpus) + " GPUs");
  const std::int64_t nodes = ways / in_node;
  hw::fabric::FabricSpec joined = fabric;
  joined.network.nodes = std::max(joined.network.nodes, nodes);
  collective::Group g = collective::make_group(joined, ways, nodes);
  // Its neighbours on the node run the same collective over the same ports.
  if (nodes > 1) g.network = std::min(g.network, static_cast<double>(fabric.node.nics) * fabric.node.nic.bandwidth.value.value *
                                                     static_cast<double>(in_node) / static_cast<double>(gpus));
  return g;
}

}  // namespace rooftile::workloads::parallel
