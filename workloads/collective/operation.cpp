#include "workloads/collective/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "workloads/collective/keys.hpp"

namespace rooftile::workloads::collective {
namespace {

const std::map<std::string, Op>& ops() {
  static const std::map<std::string, Op> all{{"all_reduce", Op::all_reduce}, {"all_gather", Op::all_gather}, {"reduce_scatter", Op::reduce_scatter},
                                             {"broadcast", Op::broadcast},   {"all_to_all", Op::all_to_all}, {"alltoall", Op::all_to_all},
                                             {"send_recv", Op::send_recv},   {"sendrecv", Op::neighbours}};
  return all;
}

std::optional<Protocol> protocol_of(const std::string& text) {
  for (std::size_t i = 0; i < kProtocolNames.size(); ++i)
    if (text == kProtocolNames[i]) return static_cast<Protocol>(i);
  return std::nullopt;
}

// As records spell them: "Ring", "NVLS", "Ring(NVLS off)", "default", "v1".
std::optional<Algorithm> algorithm_of(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text.starts_with("ring")) return Algorithm::ring;
  if (text.starts_with("tree")) return Algorithm::tree;
  if (text.starts_with("nvls")) return Algorithm::nvls;
  return std::nullopt;
}

}  // namespace

std::string library_of(const std::string& impl) {
  std::string text = impl;
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text.starts_with("nccl") || text.starts_with("torch")) return "nccl";
  if (text.starts_with("vllm")) return "vllm";
  if (text.starts_with("trtllm") || text.starts_with("tensorrt")) return "trtllm";
  return {};
}

std::string Collective::describe() const {
  const std::string where = nodes > 1 ? fmt::format(" on {} nodes", nodes) : "";
  return fmt::format("{:.0f} bytes, {} ranks{}", bytes, ranks, where);
}

double Collective::flops() const {
  const bool sums = name == "all_reduce" || name == "reduce_scatter";
  return sums ? bytes / 2 * static_cast<double>(ranks - 1) / static_cast<double>(ranks) : 0;
}

std::vector<std::string> Collective::implementations() const {
  std::vector<std::string> known{"nccl"};
  if (name == "all_reduce") known.insert(known.end(), {"vllm", "trtllm"});
  if (!library_of(impl).empty() && std::find(known.begin(), known.end(), impl) == known.end()) known.push_back(impl);
  return known;
}

std::vector<Plan> Collective::plans(const hw::GpuSpec&, const std::string&) const {
  throw std::invalid_argument(name + " is communication: it has no tile program");
}

Cost Collective::predict(const std::string& hardware) const {
  const hw::fabric::FabricSpec spec = fabric.empty() ? fabric_for(system, hardware, nodes) : load_fabric(fabric);
  Group g = make_group(spec, ranks, nodes);
  if (channels > 0) g.fabric.kernel.channels.value = channels;
  const Op kind = ops().at(name);
  if (!matrix.empty()) return pairwise(exchange_of(matrix, g), g);
  const auto fixed = kind == Op::all_reduce ? algorithm_of(algorithm) : std::nullopt;
  if (const auto wanted = protocol_of(protocol); wanted && g.ranks > 1) {
    Choice c = fixed ? Choice{*fixed} : choose(kind, bytes, g);
    c.protocol = *wanted;
    return cost(kind, bytes, g, c);
  }
  if (fixed && g.ranks > 1) return cost(kind, bytes, g, choose(kind, bytes, g, *fixed));
  return cost(kind, bytes, g, library_of(impl.empty() ? "nccl" : impl));
}

Communication communication_of(const Cost& c) {
  Communication out;
  out.schedule = fmt::format("{} {} {}", c.library, kAlgorithmNames[static_cast<std::size_t>(c.choice.algorithm)],
                             kProtocolNames[static_cast<std::size_t>(c.choice.protocol)]);
  out.time = {static_cast<std::int64_t>(c.seconds * 1e12 + 0.5)};
  out.bound = c.bound();
  out.sms = c.sms;
  out.sent_bytes = c.sent_bytes;
  out.memory_bytes = c.memory_bytes;
  for (const Part& p : c.parts) out.parts.emplace_back(p.what, p.seconds);
  return out;
}

std::optional<Communication> Collective::communication(const std::string& hardware, const std::string&) const {
  return communication_of(predict(hardware));
}

void Keys::check(const input::Node& at, input::Diagnostics& found) const {
  if (!bytes && matrix.empty()) found.add(at.place(), "no size", "bytes, or the matrix of an all_to_all");
  if (!matrix.empty() && op != "all_to_all" && op != "alltoall") found.add(at.place(), "`matrix` goes with all_to_all alone", "bytes");
  static const std::vector<std::string> as_chosen{"default", "tuned", "v1", "v2"};  // what records say
  if (algorithm && !algorithm_of(*algorithm) && std::find(as_chosen.begin(), as_chosen.end(), *algorithm) == as_chosen.end())
    found.add(at.find("algorithm")->place(), "unknown algorithm '" + *algorithm + "'", "ring, tree, nvls or default");
  if (protocol && !protocol_of(*protocol)) found.add(at.find("protocol")->place(), "unknown protocol '" + *protocol + "'", "LL, LL128 or Simple");
  if (nodes > 0 && ranks % nodes != 0)
    found.add(at.place(), fmt::format("{} ranks do not spread evenly over {} nodes", ranks, nodes), "a multiple");
  for (std::size_t i = 0; !matrix.empty() && i < matrix.size(); ++i)
    if (matrix.size() != static_cast<std::size_t>(ranks) || matrix[i].size() != matrix.size()) {
      found.add(at.place(), fmt::format("the matrix is not {} by {}", ranks, ranks), "a row and a column for every rank");
      break;
    }
}

OperationPtr Keys::make() const {
  auto o = std::make_unique<Collective>();
  o->name = op;
  o->impl = impl.value_or("");
  o->fabric = fabric.value_or("");
  o->system = system.value_or("");
  o->algorithm = algorithm.value_or("");
  o->protocol = protocol.value_or("");
  o->channels = channels.value_or(0);
  o->ranks = ranks;
  o->nodes = nodes;
  o->bytes = bytes.value_or(0);
  o->matrix = matrix;
  for (std::size_t i = 0; i < matrix.size() && !bytes; ++i)
    for (const double b : matrix[i]) o->bytes = std::max(o->bytes, b * static_cast<double>(ranks));
  return o;
}

}  // namespace rooftile::workloads::collective
