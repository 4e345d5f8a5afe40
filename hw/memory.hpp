// The path from an SM to HBM: port of the SM, L2, link between its partitions, HBM. Each stretch is a
// first-come-first-served pipe with a rate; a request of one box cuts through them, so it is done when its
// last byte has left the slowest, one latency later.
//
// Modelled: rates, queueing, latency, the tail of a box that is the maximum over many sectors (inside the
// measured latency), read and write cost of HBM apart, requests that meet a box still on its way.
// Not modelled: channels and banks one by one, request order inside HBM.
#pragma once

#include <vector>

#include "hw/l2.hpp"
#include "hw/machine.hpp"
#include "sim/core/servers.hpp"

namespace rooftile::hw {

// What held reads back, summed over all of them: queueing and transfer at the stretch that ended last, and latency.
struct ReadDelay {
  double l2 = 0, link = 0, hbm = 0, port = 0, latency = 0;  // picoseconds
  double all() const { return l2 + link + hbm + port + latency; }
};

class Memory {
 public:
  explicit Memory(const Machine& machine);

  L2Cache& l2() { return l2_; }
  const L2Cache& l2() const { return l2_; }
  // Time at which `bytes` of a box are in the SM (or SMs, for a multicast: `ports` of them).
  core::Time read(core::Time now, int sm, std::uint32_t box, core::Bytes bytes);
  // Streaming data that nobody reads again: no residency is kept, all of it comes from HBM.
  core::Time write(core::Time now, int sm, std::uint32_t box, core::Bytes bytes, bool reduce = false);
  void deliver(core::Time now, int sm, core::Bytes bytes);
  // Neighbouring SMs (one TPC, one cluster) sit on the same side.
  int partition_of(int sm) const { return (sm / 2) % machine_.l2_partitions; }

  core::Time hbm_busy() const { return hbm_.busy(); }
  core::Time l2_busy() const { return l2_read_.busy() + l2_write_.busy(); }
  core::Time link_busy() const { return link_.busy(); }
  const ReadDelay& read_delay() const { return delay_; }

 private:
  Machine machine_;
  L2Cache l2_;
  core::FifoServer l2_read_, l2_write_, link_, hbm_;
  std::vector<core::FifoServer> port_;
  core::BytesPerSecond port_rate_;
  ReadDelay delay_;
};

}  // namespace rooftile::hw
