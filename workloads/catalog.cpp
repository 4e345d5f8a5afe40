#include "workloads/catalog.hpp"

#include <algorithm>

#include "sim/core/input/suggest.hpp"
#include "workloads/attention/keys.hpp"
#include "workloads/collective/keys.hpp"
#include "workloads/from_keys.hpp"
#include "workloads/gemm/keys.hpp"
#include "workloads/grouped_gemm/keys.hpp"
#include "workloads/moe_all_to_all/keys.hpp"
#include "workloads/overlap/keys.hpp"
#include "workloads/parallel/keys.hpp"
#include "workloads/pointwise/keys.hpp"
#include "workloads/routing/keys.hpp"
#include "workloads/step/keys.hpp"

namespace rooftile::workloads {
namespace {

using input::Diagnostics;
using input::Node;
using input::UnknownKeys;

// What other people's records call an implementation of ours.
std::string our_name(const std::string& implementation) {
  static const std::pair<const char*, const char*> names[] = {
      {"torch.nn.functional.linear", "cublas"}, {"vllm_flash_attn_fa3", "flash3"}, {"cudnn 91901", "cudnn"}, {"CutlassFP8ScaledMMLinearKernel", "cutlass_fp8"}};
  for (const auto& [theirs, ours] : names)
    if (implementation == theirs) return ours;
  return implementation;
}

template <class Keys>
NamedOperation read_as(const Node& node, Diagnostics& found, bool is_record) {
  Diagnostics own;
  Keys keys = input::read<Keys>(node, own, is_record ? UnknownKeys::kIgnore : UnknownKeys::kRefuse);
  NamedOperation out;
  if (own.empty()) {
    if (keys.impl) keys.impl = our_name(*keys.impl);
    out = from_keys(keys);
    const std::vector<std::string> known = out.operation->implementations();
    if (std::find(known.begin(), known.end(), out.implementation) == known.end()) {
      const Node* at = node.find("impl");
      own.add((at ? *at : node).place(), "unknown impl '" + out.implementation + "'" + input::did_you_mean(out.implementation, known),
              input::one_of(known));
      out.operation = nullptr;
    }
  }
  found.add(own);
  return out;
}

template <class Keys>
OperationPtr sample_of(const char* op) {
  Keys keys;
  keys.op = op;
  return keys.make();
}

template <class Keys>
Node schema_of(const char* op) {
  return input::schema<Keys>(op);
}

struct Row {
  const char* op;
  NamedOperation (*read)(const Node&, Diagnostics&, bool);
  Node (*schema)(const char* op);
  OperationPtr (*sample)(const char* op);
};

template <class Keys>
constexpr Row row(const char* op) {
  return {op, &read_as<Keys>, &schema_of<Keys>, &sample_of<Keys>};
}

// One line an operator; the pointwise ones are the lines of their own table.
const std::vector<Row>& all_rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows{
        row<gemm::Keys>("gemm"),
        row<attention::Keys>("attention"),
        row<grouped_gemm::Keys>("grouped_gemm"),
        row<routing::GatherKeys>("gather_rows"),
        row<routing::RouterKeys>("router_softmax_topk"),
        row<step::Keys>("model_step"),
        row<step::MixedKeys>("mixed_step"),
    };
    rows.push_back(row<overlap::Keys>("overlap"));
    rows.push_back(row<parallel::Keys>("parallel_step"));
    for (const char* op : moe_all_to_all::kOps) rows.push_back(row<moe_all_to_all::Keys>(op));
    for (const char* op : collective::kOps) rows.push_back(row<collective::Keys>(op));
    for (const pointwise::Row& r : pointwise::rows()) rows.push_back(row<pointwise::Keys>(r.op));
    return rows;
  }();
  return all;
}

}  // namespace

NamedOperation read_operation(const Node& node, Diagnostics& found, bool is_record) {
  if (!node.is_map()) {
    found.add(node.place(), "an operation is " + std::string(node.kind_name()), "a map with `op`");
    return {};
  }
  std::vector<std::string> names;
  for (const Row& r : all_rows()) names.emplace_back(r.op);
  const Node* op = node.find("op");
  if (!op || !op->is_scalar()) {
    found.add(node.place(), "no `op`", input::one_of(names));
    return {};
  }
  for (const Row& r : all_rows())
    if (op->text() == r.op) return r.read(node, found, is_record);
  found.add(op->place(), "unknown op '" + op->text() + "'" + input::did_you_mean(op->text(), names), input::one_of(names));
  return {};
}

const std::vector<CatalogRow>& catalog() {
  static const std::vector<CatalogRow> rows = [] {
    std::vector<CatalogRow> all;
    for (const Row& r : all_rows()) all.push_back({r.op, r.sample(r.op)->implementations(), r.schema});
    return all;
  }();
  return rows;
}

bool is_communication(const std::string& op) {
  for (const Row& r : all_rows())
    if (op == r.op) return r.sample(r.op)->is_communication();
  return false;
}

}  // namespace rooftile::workloads
