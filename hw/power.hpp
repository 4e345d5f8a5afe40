// From what a kernel did to power, and from power to the SM clock.
//
// Two mechanisms, both seen in our records: (1) at once, the clock falls with tensor activity (supply droop);
// (2) within 0.1 s a controller lowers clock and voltage until the board stays under its cap.
// Modelled: energy per operation and byte, dynamic energy with voltage squared, voltage linear in frequency,
// half of the idle power as leakage. Not modelled: temperature, differences between chips, data values.
#pragma once

#include <vector>

#include "hw/gpu_spec.hpp"
#include "hw/play/result.hpp"

namespace rooftile::hw {

struct Energy {           // joules of one kernel at the highest voltage
  double core = 0;        // scales with voltage squared: tensor, vector pipes, shared memory, L2
  double memory = 0;      // HBM: its own supply
};
Energy energy_of(const PlayResult& result, const GpuSpec& gpu, const TensorEngine& engine);

// Tensor FLOP rate over the native peak, 0..1, while the kernel runs.
double tensor_share(const PlayResult& result, const GpuSpec& gpu, const TensorEngine& engine);

core::Hertz burst_clock(const GpuSpec& gpu, double tensor_share);
double voltage_share(const GpuSpec& gpu, core::Hertz clock);
core::Watts power_at(const GpuSpec& gpu, const Energy& energy, double seconds, core::Hertz clock);

}  // namespace rooftile::hw
