// The fabric as a graph. GPUs, NVSwitches, PCIe switches, NICs, leaf and spine switches are vertices; every direction
// of a link is an edge. Routes are shortest paths; where several are equally short, a hash of the flow picks one
// (ECMP), so that a run is a pure function of its input. GPUs and NICs do not forward, except GPUs of a torus or mesh.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/fabric/spec.hpp"

namespace rooftile::hw::fabric {

enum class NodeKind : std::uint8_t { gpu, nvswitch, pcie, nic, leaf, spine };

// `bytes_per_second` is what transfers reach on the edge, shares of parallel links already added up.
struct Edge {
  std::uint32_t from = 0, to = 0;
  double bytes_per_second = 0;
  core::Time latency, message;
  std::int32_t packet = 0;
};

using Route = std::vector<std::uint32_t>;  // edge numbers, in order

struct Unreachable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Topology {
 public:
  explicit Topology(const FabricSpec& spec);
  // A graph of one's own: tests, odd machines. Vertices are added first.
  Topology();
  ~Topology();
  Topology(Topology&&) noexcept;

  std::uint32_t add(NodeKind kind);
  void link(std::uint32_t a, std::uint32_t b, const LinkSpec& spec, double share = 1);  // both directions
  void link_one_way(std::uint32_t a, std::uint32_t b, double bytes_per_second, core::Time latency,
                    core::Time message = {}, std::int32_t packet = 1);
  void let_gpus_forward() { gpus_forward_ = true; }

  std::size_t gpus() const { return gpu_vertices_.size(); }
  std::size_t vertices() const;
  std::size_t edges() const { return edges_.size(); }
  const Edge& edge(std::uint32_t number) const { return edges_[number]; }
  std::string describe(std::uint32_t vertex) const;   // "GPU 12", "leaf switch 3"
  std::string describe_edge(std::uint32_t number) const;

  // From GPU to GPU; `flow` seeds ECMP. Throws Unreachable.
  Route route(std::size_t from_gpu, std::size_t to_gpu, std::uint64_t flow = 0) const;

 private:
  struct Graph;
  bool forwards(std::uint32_t vertex) const;

  std::unique_ptr<Graph> graph_;
  std::vector<Edge> edges_;
  std::vector<NodeKind> kinds_;
  std::vector<std::uint32_t> ordinal_;  // within the kind
  std::vector<std::uint32_t> gpu_vertices_;
  std::vector<std::uint32_t> count_of_kind_ = std::vector<std::uint32_t>(6);
  mutable std::vector<std::uint32_t> distance_, seen_;  // scratch of route(); `seen_` holds the search's number
  mutable std::uint32_t search_ = 0;
  bool gpus_forward_ = false;
};

}  // namespace rooftile::hw::fabric
