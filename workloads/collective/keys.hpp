// Collectives as scenarios and records write them: `bytes` as nccl-tests counts (all_reduce and broadcast the buffer of
// one rank, all_gather the gathered output, reduce_scatter and all_to_all the whole buffer of one rank).
#pragma once

#include <array>
#include <vector>

#include "workloads/collective/operation.hpp"
#include "workloads/common_keys.hpp"

namespace rooftile::workloads::collective {

inline constexpr std::array<const char*, 8> kOps{"all_reduce", "all_gather", "reduce_scatter", "broadcast",
                                                 "all_to_all", "alltoall", "send_recv", "sendrecv"};

struct Keys : CommonKeys {
  std::int64_t ranks = 2, nodes = 0;
  std::optional<double> bytes;
  std::vector<std::vector<double>> matrix;
  std::optional<std::string> fabric, system, algorithm, protocol, dtype;
  std::optional<std::int64_t> channels;

  template <class V>
  static void visit_fields(V& v) {
    common_fields(v);
    v.field("ranks", &Keys::ranks, "GPUs that take part", input::Range{1, 1 << 24});
    v.field("nodes", &Keys::nodes, "nodes that they are on; 0: as few as hold them", input::Range{0, 1 << 20}).optional();
    v.field("bytes", &Keys::bytes, "size, as nccl-tests counts it", input::Range{1, 1e13});
    v.field("matrix", &Keys::matrix, "all_to_all: bytes from each rank (row) to each rank (column)", input::Range{0, 1e13}).optional();
    v.field("fabric", &Keys::fabric, "a name in hw/fabrics, or a path; default: the usual one of the hardware");
    v.field("system", &Keys::system, "a published machine's name; its fabric lists it");
    v.field("algorithm", &Keys::algorithm, "ring, tree, NVLS; default: as the library chooses");
    v.field("protocol", &Keys::protocol, "LL, LL128 or Simple, with a ring or tree; default: as the library chooses");
    v.field("channels", &Keys::channels, "channels of a ring or tree, each one CTA; default: the fabric's", input::Range{1, 256});
    v.field("dtype", &Keys::dtype, "storage type; the cost does not depend on it");
  }
  void check(const input::Node& at, input::Diagnostics& found) const;
  OperationPtr make() const;
};

}  // namespace rooftile::workloads::collective
