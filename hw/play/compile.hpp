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

// The box that an op touches and its bytes; 0 bytes beyond the tensor.
inline std::int64_t resolve(const BoxTable& b, const WorkItem& item, std::int32_t step, int x, int y, std::uint32_t& box) {
  const auto value = [&](const Affine& a) {
    std::int32_t v = a.constant + a.step * step + a.rank_x * x + a.rank_y * y;
    for (int i = 0; i < kItemCoordinates; ++i) v += a.item[static_cast<std::size_t>(i)] * item.coordinate[i];
    return v;
  };
  const std::int32_t g = value(b.group), r = value(b.row), c = value(b.col);
  if (g < 0 || g >= b.groups || r < 0 || r >= b.rows || c < 0 || c >= b.cols) return 0;
  box = b.base + (static_cast<std::uint32_t>(g) * static_cast<std::uint32_t>(b.rows) + static_cast<std::uint32_t>(r)) *
                     static_cast<std::uint32_t>(b.cols) +
        static_cast<std::uint32_t>(c);
  const std::int64_t bytes = b.bytes[r == b.rows - 1][c == b.cols - 1];
  return b.rows_count < 0 ? bytes : std::min(bytes, item.count[b.rows_count + x] * b.row_bytes);
}

inline int count(const Repeat& r, const WorkItem& item) { return r.item_count >= 0 ? item.count[r.item_count] : r.constant; }

// CTAs that fit one SM and the reason for the limit; 0 with a reason when the program cannot launch.
struct Occupancy {
  int ctas = 0;
  std::string limit;
};
Occupancy occupancy(const TileProgram& program, const Machine& machine);

// The SMs of each place for a cluster (for a CTA without clusters), in the order of filling.
std::vector<std::vector<int>> places_of(const TileProgram& program, const Machine& machine);
// Clusters that are resident at once.
std::int64_t resident_gangs(const TileProgram& program, std::size_t places, int ctas_per_sm);

}  // namespace rooftile::hw::player
