// How a model step is spread over GPUs: products of tensor, context, expert, data and pipeline parallelism, which ranks
// form which group, and what must divide what. Ranks are numbered with tensor fastest, then context, data, pipeline;
// expert groups are taken from the ranks of context and data together, as training frameworks do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/collective/group.hpp"

namespace rooftile::workloads::parallel {

enum class Axis { tensor, context, data, pipeline, expert };

struct Layout {
  std::int64_t tensor = 1, context = 1, data = 1, pipeline = 1, expert = 1;
  std::int64_t virtual_stages = 1;  // interleaved pipeline: chunks of layers a stage
  std::int64_t microbatches = 1;
  bool sequence = false;            // norms and residuals split over the tensor group: gather and scatter, not reduce
  std::optional<std::string> fabric;

  template <class V>
  static void visit_fields(V& v) {
    const input::Range ways{1, 1 << 20};
    v.field("tensor", &Layout::tensor, "ways that each matrix is split", ways).optional();
    v.field("sequence", &Layout::sequence, "norms and residuals are split over the tensor group too").optional();
    v.field("context", &Layout::context, "ways that each sequence is split", ways).optional();
    v.field("data", &Layout::data, "copies of the model, each with its own sequences", ways).optional();
    v.field("pipeline", &Layout::pipeline, "stages that the layers are split into", ways).optional();
    v.field("virtual_stages", &Layout::virtual_stages, "chunks of layers on each stage, interleaved", input::Range{1, 1024}).optional();
    v.field("microbatches", &Layout::microbatches, "parts of the batch that follow each other through the stages", ways).optional();
    v.field("expert", &Layout::expert, "ways that experts are dealt out, within context x data", ways).optional();
    v.field("fabric", &Layout::fabric, "a name in hw/fabrics, or a path");
  }
  void check(const input::Node& at, input::Diagnostics& found) const;

  std::int64_t devices() const { return tensor * context * data * pipeline; }
  std::int64_t ways(Axis axis) const;
  std::int64_t stride(Axis axis) const;  // between neighbours of a group
};

// What of a model must be divisible; 0: has none.
struct Divisible {
  std::int64_t layers = 0, q_heads = 0, kv_heads = 0, ffn = 0, experts = 0, sequence = 0, batch = 0;
};
// Every rule that the layout breaks, in words: "5 layers do not split into 2 pipeline stages".
std::vector<std::string> broken_rules(const Layout& layout, const Divisible& model, std::int64_t devices);

// The ranks that form the group of `rank` along an axis, in order.
std::vector<std::int64_t> members(const Layout& layout, Axis axis, std::int64_t rank);
// The same as a group on a fabric: all groups along an axis look alike, so one stands for all. Neighbours within a node
// share its ports with the other groups that cross it.
collective::Group group(const Layout& layout, Axis axis, const hw::fabric::FabricSpec& fabric);

}  // namespace rooftile::workloads::parallel
