#include "hw/fabric/topology.hpp"

#include <boost/graph/adjacency_list.hpp>

#include "hw/fabric/wiring.hpp"

namespace rooftile::hw::fabric {
namespace {

constexpr const char* kKindNames[] = {"GPU", "NVSwitch", "PCIe switch", "NIC", "leaf switch", "spine switch"};

// splitmix64: neighbouring flows take unrelated paths.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

struct Topology::Graph {
  struct Link {
    std::uint32_t number;
  };
  using List = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Link>;
  List list;
};

Topology::Topology() : graph_(std::make_unique<Graph>()) {}
Topology::Topology(const FabricSpec& spec) : Topology() { wire(*this, spec); }
Topology::~Topology() = default;
Topology::Topology(Topology&&) noexcept = default;

std::size_t Topology::vertices() const { return kinds_.size(); }

std::uint32_t Topology::add(NodeKind kind) {
  const auto vertex = static_cast<std::uint32_t>(boost::add_vertex(graph_->list));
  kinds_.push_back(kind);
  ordinal_.push_back(count_of_kind_[static_cast<std::size_t>(kind)]++);
  distance_.push_back(0);
  seen_.push_back(0);
  if (kind == NodeKind::gpu) gpu_vertices_.push_back(vertex);
  return vertex;
}

void Topology::link(std::uint32_t a, std::uint32_t b, const LinkSpec& spec, double share) {
  const double rate = spec.bandwidth.value.value * share;
  const auto packet = static_cast<std::int32_t>(spec.packet.value.value);
  link_one_way(a, b, rate, spec.latency.value, spec.message.value, packet);
  link_one_way(b, a, rate, spec.latency.value, spec.message.value, packet);
}

void Topology::link_one_way(std::uint32_t a, std::uint32_t b, double bytes_per_second, core::Time latency,
                            core::Time message, std::int32_t packet) {
  if (!(bytes_per_second > 0)) {
    throw std::invalid_argument("the link from " + describe(a) + " to " + describe(b) + " has no bandwidth");
  }
  const auto number = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back({a, b, bytes_per_second, latency, message, packet});
  boost::add_edge(a, b, Graph::Link{number}, graph_->list);
}

std::string Topology::describe(std::uint32_t v) const {
  return std::string(kKindNames[static_cast<std::size_t>(kinds_[v])]) + " " + std::to_string(ordinal_[v]);
}

std::string Topology::describe_edge(std::uint32_t number) const {
  return describe(edges_[number].from) + " to " + describe(edges_[number].to);
}

bool Topology::forwards(std::uint32_t v) const { return kinds_[v] != NodeKind::gpu || gpus_forward_; }

// Breadth first from the source until the destination is met, then back along decreasing distance. All links have a
// partner in the other direction or the walk back would miss them, so it follows edges recorded on the way out.
Route Topology::route(std::size_t from_gpu, std::size_t to_gpu, std::uint64_t flow) const {
  if (from_gpu >= gpus() || to_gpu >= gpus()) {
    throw Unreachable("rank on GPU " + std::to_string(std::max(from_gpu, to_gpu)) + ", but the fabric has " +
                      std::to_string(gpus()) + " GPUs");
  }
  const std::uint32_t source = gpu_vertices_[from_gpu], target = gpu_vertices_[to_gpu];
  if (source == target) return {};
  ++search_;
  // Outward from the target over reversed links: `distance_` is then the way left to go.
  std::vector<std::uint32_t> wave{target}, next;
  seen_[target] = search_;
  distance_[target] = 0;
  for (std::uint32_t depth = 1; seen_[source] != search_ && !wave.empty(); ++depth) {
    next.clear();
    for (const std::uint32_t v : wave) {
      if (v != target && !forwards(v)) continue;
      for (auto [e, end] = boost::out_edges(v, graph_->list); e != end; ++e) {
        const auto w = static_cast<std::uint32_t>(boost::target(*e, graph_->list));
        if (seen_[w] == search_) continue;
        seen_[w] = search_;
        distance_[w] = depth;
        next.push_back(w);
      }
    }
    std::swap(wave, next);
  }
  if (seen_[source] != search_) {
    throw Unreachable("no path from " + describe(source) + " to " + describe(target));
  }
  Route path;
  std::vector<std::uint32_t> choices;
  for (std::uint32_t v = source; v != target;) {
    choices.clear();
    for (auto [e, end] = boost::out_edges(v, graph_->list); e != end; ++e) {
      const auto w = static_cast<std::uint32_t>(boost::target(*e, graph_->list));
      if (seen_[w] != search_ || distance_[w] + 1 != distance_[v]) continue;
      if (w != target && !forwards(w)) continue;
      // As many hops, but wider: NVLink before PCIe.
      const std::uint32_t edge = graph_->list[*e].number;
      const double best = choices.empty() ? 0 : edges_[choices.front()].bytes_per_second;
      if (edges_[edge].bytes_per_second > best) choices.clear();
      if (edges_[edge].bytes_per_second >= best) choices.push_back(edge);
    }
    if (choices.empty()) throw Unreachable("no path from " + describe(source) + " to " + describe(target));
    const std::uint32_t edge = choices[mix(flow ^ mix(v)) % choices.size()];
    path.push_back(edge);
    v = edges_[edge].to;
  }
  return path;
}

}  // namespace rooftile::hw::fabric
