#include "hw/power.hpp"

namespace rooftile::hw {
namespace {

// Energy per FLOP by type, relative to bf16: halving the width halves the switched multiplier array per FLOP.
double type_energy(MathType type) {
  switch (type) {
    case MathType::tf32: return 2;
    case MathType::fp8:
    case MathType::int8: return 0.5;
    default: return 1;
  }
}

}  // namespace

Energy energy_of(const PlayResult& r, const GpuSpec& gpu, const TensorEngine& engine) {
  constexpr double pico = 1e-12;
  const PowerSpec& p = gpu.power;
  const double family = engine.family == MmaFamily::mma_sync ? p.mma_sync_factor.value : 1.0;
  const SmSpec& sm = gpu.sm;
  const double lanes = r.unit_cycles[kFma] * sm.fma.value + r.unit_cycles[kAlu] * sm.alu.value +
                       r.unit_cycles[kMufu] * sm.mufu.value + r.unit_cycles[kConvert] * sm.convert.value;
  Energy e;
  const double toggling = r.tensor_flops - r.zero_flops * (1 - p.zero_factor.value);
  e.core = pico * (toggling * p.tensor_pj.value * type_energy(engine.type) * family + lanes * p.lane_pj.value +
                   r.shared_bytes * p.shared_pj.value +
                   static_cast<double>((r.traffic.read + r.traffic.written).value) * p.l2_pj.value);
  e.memory = pico * static_cast<double>((r.traffic.dram_read + r.traffic.dram_written).value) * p.hbm_pj.value;
  return e;
}

double tensor_share(const PlayResult& r, const GpuSpec& gpu, const TensorEngine& engine) {
  const Machine m = resolve(gpu, gpu.clock.max.value);
  const double peak = m.tensor_flops[0][static_cast<std::size_t>(engine.type)] * r.cycles * m.sms;
  return peak > 0 ? r.tensor_flops / peak : 0;
}

core::Hertz burst_clock(const GpuSpec& gpu, double share) {
  const ClockSpec& c = gpu.clock;
  const double lost = share > 0.001 ? c.tensor_guard.value + c.tensor_droop.value * share : 0;
  return {c.max.value.value * (1 - lost)};
}

double voltage_share(const GpuSpec& gpu, core::Hertz clock) {
  const double floor = gpu.power.voltage_floor.value;
  return floor + (1 - floor) * clock.value / gpu.clock.max.value.value;
}

core::Watts power_at(const GpuSpec& gpu, const Energy& e, double seconds, core::Hertz clock) {
  const double v = voltage_share(gpu, clock), v2 = v * v;
  return {gpu.power.idle.value.value * (0.5 + 0.5 * v2) + (e.core * v2 + e.memory) / seconds};
}

}  // namespace rooftile::hw
