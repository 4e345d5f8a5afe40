// Messages beyond a layer's collectives: a step of ring attention, keys and values gathered at once, and the keys and
// values that a prefill instance hands to a decode instance.
#pragma once

#include "workloads/collective/cost.hpp"

namespace rooftile::workloads::parallel {

// Every rank passes its keys and values to the next one.
collective::Cost ring_step(double kv_bytes, const collective::Group& context);
// Seconds of attention over `ways` context ranks: messages hide behind compute, or come first.
double ring_attention(double attention_seconds, double kv_bytes, const collective::Group& context);
double all_gather_attention(double attention_seconds, double kv_bytes, const collective::Group& context);

// Prefill on one instance, decode on another (disaggregated serving). Each of `ranks` prefill GPUs sends its share of a
// layer as soon as that layer is done; `bytes` is the whole cache of the request.
struct KvTransfer {
  double seconds = 0;  // all layers, on the wire
  double exposed = 0;  // after the prefill's end
  double first_token = 0;  // prefill and what is exposed
};
KvTransfer kv_transfer(double bytes, std::int64_t layers, double prefill_seconds, std::int64_t ranks, const hw::fabric::FabricSpec& fabric,
                       bool by_layer = true);

}  // namespace rooftile::workloads::parallel
