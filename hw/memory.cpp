#include "hw/memory.hpp"

namespace rooftile::hw {

using core::Bytes;
using core::later;
using core::Time;
using core::transfer_time;

Memory::Memory(const Machine& machine)
    : machine_(machine),
      l2_(machine.l2_partitions, machine.l2_partition_capacity),
      port_(static_cast<std::size_t>(machine.sms)),
      port_rate_{machine.sm_port_bytes_per_cycle * machine.clock.frequency().value} {}

Time Memory::read(Time now, int sm, std::uint32_t box, Bytes bytes) {
  const L2Cache::Outcome out = l2_.read(partition_of(sm), box, bytes);
  Time done = l2_read_.serve(now, transfer_time(bytes, machine_.l2_read));
  double* slowest = &delay_.l2;
  const auto stretch = [&](Time end, double& cause) {
    if (end > done) slowest = &cause;
    done = later(done, end);
  };
  Time latency = machine_.l2_latency;
  if (out.far.value > 0) {
    stretch(link_.serve(now, transfer_time(out.far, machine_.l2_link)), delay_.link);
    latency += machine_.l2_far_latency;
  }
  const Bytes to_hbm = out.dram_read;
  if (to_hbm.value + out.dram_written.value > 0) {
    const Time service =
        transfer_time(to_hbm, machine_.hbm_read) + transfer_time(out.dram_written, machine_.hbm_write);
    const Time hbm = hbm_.serve(now, service);
    if (to_hbm.value > 0) {
      stretch(hbm, delay_.hbm);
      latency += machine_.hbm_latency;
    }
  }
  stretch(port_[static_cast<std::size_t>(sm)].serve(now, transfer_time(bytes, port_rate_)), delay_.port);
  *slowest += static_cast<double>((done - now).ps);
  delay_.latency += static_cast<double>(latency.ps);
  done = done + latency;
  if (out.ready > done) delay_.hbm += static_cast<double>((out.ready - done).ps);  // the box is on its way from HBM
  done = later(done, out.ready);
  if (to_hbm.value > 0) l2_.set_arrival(box, done);
  return done;
}

void Memory::deliver(Time now, int sm, Bytes bytes) {
  port_[static_cast<std::size_t>(sm)].serve(now, transfer_time(bytes, port_rate_));
}

Time Memory::write(Time now, int sm, std::uint32_t box, Bytes bytes, bool reduce) {
  const L2Cache::Outcome out = l2_.write(partition_of(sm), box, bytes);
  // A reduction reads and writes the line in L2: twice the work of a store.
  Time done = l2_write_.serve(now, transfer_time({bytes.value * (reduce ? 2 : 1)}, machine_.l2_write));
  if (out.far.value > 0) done = later(done, link_.serve(now, transfer_time(out.far, machine_.l2_link)));
  if (out.dram_written.value > 0) hbm_.serve(now, transfer_time(out.dram_written, machine_.hbm_write));
  done = later(done, port_[static_cast<std::size_t>(sm)].serve(now, transfer_time(bytes, port_rate_)));
  return done + machine_.l2_latency;
}

}  // namespace rooftile::hw
