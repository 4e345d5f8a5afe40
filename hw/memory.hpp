// The path from an SM to HBM: port of the SM, L2, link between its partitions, HBM.
//
// Port, L2 and link are first-come-first-served pipes: a request of one box cuts through them and is done when its
// last byte has left the slowest, one latency later. HBM is shared equally by the boxes in service, because the lines
// of many boxes interleave in its channels; an SM has a bounded number of bytes in service, the rest waits its turn.
// Such a request answers with a ticket, and `finish_one` says when it is done.
//
// Modelled: rates, queueing, latency with the tail of a box that is the maximum over many lines, read and write cost
// of HBM apart, the cost of short contiguous runs, requests that meet a box still on its way, stores that wait until
// what they push out of L2 is written back. Not modelled: channels and banks one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/l2.hpp"
#include "hw/machine.hpp"
#include "sim/core/equal_share.hpp"
#include "sim/core/servers.hpp"

namespace rooftile::hw {

// What held reads back, summed over all of them: queueing and transfer at the stretch that ended last, and latency.
struct ReadDelay {
  double l2 = 0, link = 0, hbm = 0, port = 0, latency = 0;  // picoseconds
  double all() const { return l2 + link + hbm + port + latency; }
};

class Memory {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Answer {
    core::Time ready;              // not before this
    std::uint32_t ticket = kNone;  // and not before this request to HBM is finished
  };
  // `share` of the machine's bandwidth is in the rates of `machine` already; a transfer still takes what it takes on
  // the whole machine, and only what queues behind it waits longer.
  explicit Memory(const Machine& machine, double share = 1);

  L2Cache& l2() { return l2_; }
  const L2Cache& l2() const { return l2_; }
  void add_boxes(std::size_t count);
  // A box into an SM (or SMs, for a multicast). `run`: bytes that lie next to each other in memory. `foreseen`: what the
  // access meets in L2 when that is known beforehand.
  Answer read(core::Time now, int sm, std::uint32_t box, core::Bytes bytes, double run, const L2Cache::Outcome* foreseen = nullptr);
  Answer write(core::Time now, int sm, std::uint32_t box, core::Bytes bytes, double run, bool reduce = false, const L2Cache::Outcome* foreseen = nullptr);
  void deliver(core::Time now, int sm, core::Bytes bytes);

  core::Time next_finish() const { return hbm_.next_finish(); }
  // One request that HBM has finished by `now`, and when its data is where it should be.
  bool finish_one(core::Time now, std::uint32_t& ticket, core::Time& ready);

  // Neighbouring SMs (one TPC, one cluster) sit on the same side.
  int partition_of(int sm) const { return (sm / 2) % machine_.l2_partitions; }
  core::Time hbm_busy() const { return hbm_.busy(); }
  core::Time l2_busy() const { return l2_read_.busy() + l2_write_.busy(); }
  core::Time link_busy() const { return link_.busy(); }
  const ReadDelay& read_delay() const { return delay_; }

 private:
  struct Request {
    core::Time asked, service, floor, latency;  // service by HBM alone; other pipes are done at `floor`
    std::int64_t bytes = 0;
    std::uint32_t box = kNone, next = kNone;
    int sm = 0;
    bool is_read = false;
  };
  struct Queue {  // of one SM
    std::int64_t in_service = 0;
    std::uint32_t first = kNone, last = kNone;
  };
  core::Time hbm_latency(std::uint32_t box, core::Bytes bytes) const;
  core::Time hbm_time(core::Bytes bytes, double run, core::BytesPerSecond rate) const;
  core::Time write_back_time(core::Bytes bytes, double run);
  std::uint32_t submit(core::Time now, const Request& request);
  void start_waiting(core::Time now, Queue& queue);

  // When a transfer that queues for a shared pipe is through.
  core::Time through(core::FifoServer& pipe, core::Time now, core::Bytes bytes, core::BytesPerSecond rate) const {
    const core::Time service = core::transfer_time(bytes, rate);
    return pipe.serve(now, service) - core::Time{static_cast<std::int64_t>(static_cast<double>(service.ps) * (1 - share_))};
  }

  Machine machine_;
  double share_;
  L2Cache l2_;
  core::FifoServer l2_read_, l2_write_, link_;
  core::EqualShare hbm_;
  std::vector<core::FifoServer> port_;
  core::BytesPerSecond port_rate_;
  std::vector<Request> requests_;
  std::uint32_t free_request_ = kNone;
  std::vector<Queue> queues_;
  double unpaired_reads_ = 0;  // bytes read that no write has been paired with
  ReadDelay delay_;
  std::vector<std::uint32_t> on_its_way_;  // ticket that brings a box, by box
};

}  // namespace rooftile::hw
