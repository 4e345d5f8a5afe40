#include "workloads/collective/cost.hpp"

#include <algorithm>
#include <stdexcept>

namespace rooftile::workloads::collective {
namespace {

constexpr double kMiB = 1 << 20;
constexpr double kCustomLimit = 8 * kMiB;  // the workspace of both frameworks; larger calls go to NCCL

// vLLM's custom_all_reduce: one shot for two ranks, for four below 512 KiB, for eight below 256 KiB.
Cost vllm(double bytes, const Group& g) {
  const double limit = g.ranks == 2 ? kCustomLimit : g.ranks <= 4 ? kMiB / 2 : kMiB / 4;
  return bytes < limit ? one_shot(bytes, g, true) : two_shot(bytes, g);
}

bool custom_kernel(Op op, double bytes, const Group& g, const std::string& library) {
  const bool joined = g.fabric.node.wiring == hw::fabric::GpuWiring::nvswitch;
  return op == Op::all_reduce && library != "nccl" && !g.across() && joined && bytes < kCustomLimit && g.ranks > 1;
}

}  // namespace

void Cost::add(const char* what, double s) {
  parts.push_back({what, s});
  seconds += s;
}

const char* Cost::bound() const {
  const auto most = std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.seconds < b.seconds; });
  return most == parts.end() ? "nothing" : most->what;
}

Cost cost(Op op, double bytes, const Group& g, const Choice& choice) {
  switch (choice.algorithm) {
    case Algorithm::ring: return op == Op::broadcast ? broadcast(bytes, g, choice.protocol) : ring(op, bytes, g, choice.protocol);
    case Algorithm::tree: return g.across() ? tree(bytes, g, choice.protocol) : ring(op, bytes, g, choice.protocol);
    case Algorithm::nvls:
    case Algorithm::nvls_tree: return nvls(bytes, g);
    case Algorithm::one_shot: return one_shot(bytes, g, true);
    case Algorithm::two_shot: return two_shot(bytes, g);
    case Algorithm::pairwise: break;
  }
  if (op == Op::all_to_all) return pairwise(equal_exchange(bytes, g), g);
  return send_recv(bytes, g, op == Op::neighbours);
}

Cost cost(Op op, double bytes, const Group& g, const std::string& library) {
  if (g.ranks == 1) return {.library = library};
  Cost c;
  if (custom_kernel(op, bytes, g, library)) c = library == "vllm" ? vllm(bytes, g) : one_shot(bytes, g, false);
  else c = cost(op, bytes, g, choose(op, bytes, g));
  c.library = library;
  return c;
}

}  // namespace rooftile::workloads::collective
