// NCCL's own rule by which it picks an algorithm and a protocol: the least of latency + bytes / bandwidth over its
// candidates, with the constants of its tuning table (nccl/src/graph/tuning.cc, 2026). The rule chooses only; what
// the choice costs is in cost.hpp.
#pragma once

#include <array>
#include <string>

#include "workloads/collective/group.hpp"

namespace rooftile::workloads::collective {

enum class Op { all_reduce, all_gather, reduce_scatter, broadcast, all_to_all, send_recv, neighbours };
enum class Algorithm { ring, tree, nvls, nvls_tree, one_shot, two_shot, pairwise };
enum class Protocol { ll, ll128, simple };

inline constexpr std::array<const char*, 7> kAlgorithmNames{"ring", "tree", "nvls", "nvls_tree", "one_shot", "two_shot", "pairwise"};
inline constexpr std::array<const char*, 3> kProtocolNames{"LL", "LL128", "Simple"};

struct Choice {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::ll;
};

// Of the link, what a tree reaches at this size (the table's last part).
double tree_share(Protocol protocol, double bytes);

// `bytes`: the whole buffer, as nccl-tests counts.
Choice choose(Op op, double bytes, const Group& group);
// The protocol that the rule takes when the algorithm is fixed.
Choice choose(Op op, double bytes, const Group& group, Algorithm fixed);

}  // namespace rooftile::workloads::collective
