#include "hw/memory.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::hw {

using core::Bytes;
using core::later;
using core::Time;
using core::transfer_time;

Memory::Memory(const Machine& machine, double share)
    : machine_(machine),
      share_(share),
      l2_(machine.l2_partitions, machine.l2_partition_capacity),
      hbm_(transfer_time(machine.hbm_half_load, machine.hbm_read)),
      port_(static_cast<std::size_t>(machine.sms)),
      port_rate_{machine.sm_port_bytes_per_cycle * machine.clock.frequency().value},
      queues_(static_cast<std::size_t>(machine.sms)) {}

void Memory::add_boxes(std::size_t count) {
  l2_.add_boxes(count);
  on_its_way_.resize(l2_.boxes(), kNone);
}

Memory::Answer Memory::read(Time now, int sm, std::uint32_t box, Bytes bytes, double run, const L2Cache::Outcome* foreseen) {
  const L2Cache::Outcome out = foreseen ? *foreseen : l2_.read(partition_of(sm), box, bytes);
  Time done = through(l2_read_, now, bytes, machine_.l2_read);
  double* slowest = &delay_.l2;
  const auto stretch = [&](Time end, double& cause) {
    if (end > done) slowest = &cause;
    done = later(done, end);
  };
  Time latency = machine_.l2_latency;
  if (out.far.value > 0) {
    stretch(through(link_, now, out.far, machine_.l2_link), delay_.link);
    latency += machine_.l2_far_latency;
  }
  stretch(port_[static_cast<std::size_t>(sm)].serve(now, transfer_time(bytes, port_rate_)), delay_.port);
  *slowest += static_cast<double>((done - now).ps);
  // Lines that are pushed out are written back beside the read.
  if (out.dram_written.value > 0) hbm_.start(now, write_back_time(out.dram_written, run), kNone);
  if (out.dram_read.value == 0) {
    delay_.latency += static_cast<double>(latency.ps);
    return {done + latency, on_its_way_[box]};
  }
  latency += hbm_latency(box, out.dram_read);
  unpaired_reads_ += static_cast<double>(out.dram_read.value);
  const Time service = hbm_time(out.dram_read, run, machine_.hbm_read);
  return {done + latency, on_its_way_[box] = submit(now, {now, service, done, latency, out.dram_read.value, box, kNone, sm, true})};
}

// The bus turns round between reads and writes: a written byte pays for it when there is a read one to go with it.
Time Memory::write_back_time(Bytes bytes, double run) {
  const double paired = std::min(static_cast<double>(bytes.value), unpaired_reads_);
  unpaired_reads_ -= paired;
  const Bytes with_turns{bytes.value + std::llround(machine_.hbm_turnaround * paired)};
  return hbm_time(with_turns, run, machine_.hbm_write);
}

// The wait of a line has an exponential tail, so a box of n lines, complete when its slowest line is, draws from the
// distribution of the maximum (Gumbel): its mean grows with log n. The draw is a hash of the box: runs repeat exactly.
Time Memory::hbm_latency(std::uint32_t box, Bytes bytes) const {
  constexpr double kLine = 128, kSaturation = 128, kEuler = 0.5772156649;  // no growth was seen beyond 128 lines
  const double lines = std::clamp(static_cast<double>(bytes.value) / kLine, 1.0, kSaturation);
  const double scale = static_cast<double>(machine_.hbm_latency_tail.ps) / std::log(kSaturation);
  const double uniform = (static_cast<double>(core::mix(box)) + 0.5) / 4294967296.0;
  const double draw = std::max(0.0, std::log(lines) - std::log(-std::log(uniform)) - kEuler);
  return machine_.hbm_latency + Time{std::llround(scale * draw)};
}

// Every contiguous run opens a row: short runs waste a part of the bandwidth.
Time Memory::hbm_time(Bytes bytes, double run, core::BytesPerSecond rate) const {
  const double extra = machine_.hbm_run_bytes * static_cast<double>(bytes.value) / std::max(run, 32.0);
  return transfer_time({bytes.value + std::llround(extra)}, rate);
}

void Memory::deliver(Time now, int sm, Bytes bytes) {
  port_[static_cast<std::size_t>(sm)].serve(now, transfer_time(bytes, port_rate_));
}

Memory::Answer Memory::write(Time now, int sm, std::uint32_t box, Bytes bytes, double run, bool reduce, const L2Cache::Outcome* foreseen) {
  const L2Cache::Outcome out = foreseen ? *foreseen : l2_.write(partition_of(sm), box, bytes);
  // A reduction reads and writes the line in L2: twice the work of a store.
  Time done = through(l2_write_, now, {bytes.value * (reduce ? 2 : 1)}, machine_.l2_write);
  if (out.far.value > 0) done = later(done, through(link_, now, out.far, machine_.l2_link));
  done = later(done, port_[static_cast<std::size_t>(sm)].serve(now, transfer_time(bytes, port_rate_)));
  const Time latency = machine_.l2_latency + (out.far.value > 0 ? machine_.l2_far_latency : Time{});
  const Time ready = done + latency;
  if (out.dram_written.value == 0) return {ready, kNone};
  const Time service = write_back_time(out.dram_written, run);
  return {ready, submit(now, {now, service, done, latency, out.dram_written.value, kNone, kNone, sm, false})};
}

std::uint32_t Memory::submit(Time now, const Request& request) {
  std::uint32_t ticket = free_request_;
  if (ticket == kNone) {
    ticket = static_cast<std::uint32_t>(requests_.size());
    requests_.push_back(request);
  } else {
    free_request_ = requests_[ticket].next;
    requests_[ticket] = request;
  }
  Queue& queue = queues_[static_cast<std::size_t>(request.sm)];
  (queue.first == kNone ? queue.first : requests_[queue.last].next) = ticket;
  queue.last = ticket;
  start_waiting(now, queue);
  return ticket;
}

void Memory::start_waiting(Time now, Queue& queue) {
  while (queue.first != kNone && (queue.in_service == 0 || queue.in_service < machine_.sm_bytes_in_service.value)) {
    Request& r = requests_[queue.first];
    hbm_.start(now, r.service, queue.first);
    queue.in_service += r.bytes;
    queue.first = r.next;
    r.next = kNone;
  }
}

bool Memory::finish_one(Time now, std::uint32_t& ticket, Time& ready) {
  do
    if (!hbm_.finish_one(now, ticket)) return false;
  while (ticket == kNone);
  Request& r = requests_[ticket];
  ready = later(now, r.floor) + r.latency;
  // Beyond what the other pipes explain.
  if (r.is_read && now > r.floor) delay_.hbm += static_cast<double>((now - r.floor).ps);
  if (r.is_read) delay_.latency += static_cast<double>(r.latency.ps);
  if (r.box != kNone && on_its_way_[r.box] == ticket) on_its_way_[r.box] = kNone;
  Queue& queue = queues_[static_cast<std::size_t>(r.sm)];
  queue.in_service -= r.bytes;
  r.next = free_request_;
  free_request_ = ticket;
  start_waiting(now, queue);
  return true;
}

}  // namespace rooftile::hw
