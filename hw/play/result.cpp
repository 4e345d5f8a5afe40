#include "hw/play/result.hpp"

namespace rooftile::hw {

PlayResult many_times(PlayResult r, std::int64_t n) {
  const auto f = static_cast<double>(n);
  for (core::Time* t : {&r.duration, &r.hbm_busy, &r.l2_busy, &r.link_busy}) t->ps *= n;
  for (core::Bytes* b : {&r.traffic.lookups, &r.traffic.hits, &r.traffic.read, &r.traffic.written, &r.traffic.far, &r.traffic.dram_read, &r.traffic.dram_written})
    b->value *= n;
  for (double* d : {&r.cycles, &r.tensor_flops, &r.zero_flops, &r.shared_bytes, &r.read_delay.l2, &r.read_delay.link, &r.read_delay.hbm, &r.read_delay.port, &r.read_delay.latency})
    *d *= f;
  for (double& c : r.unit_cycles) c *= f;
  for (RoleTime& role : r.roles)
    for (double& ps : role.ps) ps *= f;
  return r;
}

}  // namespace rooftile::hw
