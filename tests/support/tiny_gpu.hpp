// The tiny GPU as a machine, and helpers for hand-made tile programs.
#pragma once

#include <string>

#include "hw/play/play.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/data.hpp"

namespace rooftile::tests {

inline hw::GpuSpec tiny_gpu() { return workloads::load_gpu(std::string(ROOFTILE_SOURCE_DIR) + "/tests/support/tiny_gpu.yaml"); }
inline hw::Machine tiny_machine() { return hw::resolve(tiny_gpu(), core::megahertz(1000)); }

// A program of one role without tensors: `items` CTAs that run `ops` once.
inline hw::TileProgram one_role(std::vector<hw::TileOp> ops, int items = 1, int warps = 4) {
  hw::TileProgram p;
  p.kernel = "test";
  p.threads = warps * 32;
  p.registers = 32;
  p.items.resize(static_cast<std::size_t>(items));
  for (int i = 0; i < items; ++i) p.items[static_cast<std::size_t>(i)].coordinate[0] = i;
  p.roles = {{"threads", warps, {{hw::times(1), std::move(ops)}}}};
  return p;
}
inline hw::PlayResult play_cold(const hw::TileProgram& p, const hw::Machine& m) { return hw::play(p, m, {.cold_l2 = true}); }

}  // namespace rooftile::tests
