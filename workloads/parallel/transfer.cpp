#include "workloads/parallel/transfer.hpp"

#include <algorithm>

namespace rooftile::workloads::parallel {

using collective::Cost;
using collective::Group;
using collective::Op;

Cost ring_step(double kv_bytes, const Group& g) { return collective::cost(Op::neighbours, kv_bytes, g); }

double ring_attention(double attention_seconds, double kv_bytes, const Group& g) {
  const auto n = static_cast<double>(g.ranks);
  const double step = attention_seconds / n;
  if (g.ranks == 1) return attention_seconds;
  return step + (n - 1) * std::max(step, ring_step(kv_bytes, g).seconds);
}

double all_gather_attention(double attention_seconds, double kv_bytes, const Group& g) {
  if (g.ranks == 1) return attention_seconds;
  return attention_seconds + collective::cost(Op::all_gather, kv_bytes * static_cast<double>(g.ranks), g).seconds;
}

KvTransfer kv_transfer(double bytes, std::int64_t layers, double prefill_seconds, std::int64_t ranks, const hw::fabric::FabricSpec& fabric, bool by_layer) {
  hw::fabric::FabricSpec joined = fabric;
  joined.network.nodes = std::max<std::int64_t>(2, joined.network.nodes);
  const Group pair = collective::make_group(joined, 2, 2);
  const double share = bytes / static_cast<double>(ranks), n = static_cast<double>(layers);
  KvTransfer t;
  if (!by_layer) {
    t.seconds = t.exposed = collective::send_recv(share, pair, false).seconds;
    t.first_token = prefill_seconds + t.exposed;
    return t;
  }
  const double one = collective::send_recv(share / n, pair, false).seconds, computed = prefill_seconds / n;
  t.seconds = n * one;
  // Layer i leaves when it is computed and the wire is free.
  t.exposed = std::max(one, computed + n * one - prefill_seconds);
  t.first_token = prefill_seconds + t.exposed;
  return t;
}

}  // namespace rooftile::workloads::parallel
