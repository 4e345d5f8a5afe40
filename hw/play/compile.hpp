// A tile program resolved for one machine: ops become flat records with solo times, demands and box tables.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/machine.hpp"
#include "hw/play/result.hpp"
#include "hw/tile_program.hpp"
#include "sim/core/proportional_share.hpp"

namespace rooftile::hw::player {

using SmShare = core::ProportionalShare<kSmResources>;

enum class OpKind : std::uint8_t {
  acquire, tma_load, wait_full, release, mma, mma_wait, vector, load, wait_loads, store, wait_stores,
  turn_wait, turn_pass, sync
};

struct BoxTable {
  Affine group, row, col;
  std::uint32_t base = 0;
  std::int32_t groups = 1, rows = 1, cols = 1;      // in boxes
  std::int64_t bytes[2][2] = {};                    // [last row][last column]
  std::int8_t rows_count = -1;
  std::int64_t row_bytes = 0;
  double run = 0;                                   // contiguous bytes in memory
};

struct Op {
  OpKind kind;
  std::uint8_t a = 0, b = 0;
  bool flag = false, flag2 = false;
  std::int32_t box = -1;
  double solo_ps = 0;
  double latency_ps = 0;
  double flops = 0;
  SmShare::Demand demand{};
  std::array<float, kSmResources> cycles{};  // busy cycles on each unit
  // Cycles that the op takes alone, by the unit that paces each of its phases; the last: latency.
  std::array<float, kSmResources + 1> paced{};
  double shared_bytes = 0;
  const char* name = "";
};

struct CompiledSection {
  Repeat repeat;
  bool counts_steps, restarts_steps;
  std::uint32_t first, end;  // range of ops
};

struct CompiledRole {
  std::string name;
  int first_item, item_stride, turn;
  std::uint32_t first_section, end_section;
};

struct FillRule {  // fills of a ring per item
  int ring;
  Repeat repeat;
  int acquires;
};

struct Compiled {
  std::vector<CompiledRole> roles;
  std::vector<CompiledSection> sections;
  std::vector<Op> ops;
  std::vector<BoxTable> boxes;
  std::vector<FillRule> fills;
  std::vector<int> stage_offset;  // of each ring within a CTA
  int stages = 0;
  std::uint32_t box_count = 0;
};

Compiled compile(const TileProgram& program, const Machine& machine);

// CTAs that fit one SM and the reason for the limit; 0 with a reason when the program cannot launch.
struct Occupancy {
  int ctas = 0;
  std::string limit;
};
Occupancy occupancy(const TileProgram& program, const Machine& machine);

}  // namespace rooftile::hw::player
