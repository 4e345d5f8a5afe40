// Tile ops: what one warp role does to one tile. Pure data: a tile program is made of these, `explain`
// prints them, and the player (hw/play) turns them into time on a machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/core/units.hpp"

namespace rooftile::hw {

inline constexpr int kItemCoordinates = 4;
inline constexpr int kItemCounts = 4;

// A tile index that depends on the work item, the loop step and the CTA's place (x, y) in its cluster.
struct Affine {
  std::int32_t constant = 0;
  std::array<std::int32_t, kItemCoordinates> item{};
  std::int32_t step = 0;
  std::int32_t rank_x = 0, rank_y = 0;
};
constexpr Affine at_item(int coordinate, int scale = 1) {
  Affine a;
  a.item[static_cast<std::size_t>(coordinate)] = scale;
  return a;
}
constexpr Affine at_step(int scale = 1) { return {.step = scale}; }
constexpr Affine at_rank(int x, int y) { return {.rank_x = x, .rank_y = y}; }
constexpr Affine operator+(Affine a, const Affine& b) {
  a.constant += b.constant;
  a.step += b.step;
  a.rank_x += b.rank_x;
  a.rank_y += b.rank_y;
  for (std::size_t i = 0; i < a.item.size(); ++i) a.item[i] += b.item[i];
  return a;
}

// One box of a tensor of the program.
struct Box {
  std::uint8_t tensor = 0;
  Affine group, row, col;
  std::int8_t rows_count = -1;  // rows that exist: this count of the work item (plus the rank along x); -1: all
};

// Work of a role on the vector pipes, counted over all its threads. One entry a lane operation.
struct PipeWork {
  double fma = 0;          // FP32 FMA/ADD/MUL, also IMAD and packed half
  double alu = 0;          // integer, logic, compare, select, FP max
  double mufu = 0;         // ex2, rcp, rsqrt, lg2, tanh
  double convert = 0;      // packed down-conversions (two results each)
  double issue_only = 0;   // lane operations of any other kind that take an issue slot
  double shared_bytes = 0; // bytes through the 128 B/clk shared-memory path (LDS, STS, ldmatrix, stmatrix)
  PipeWork& operator+=(const PipeWork& o) {
    fma += o.fma, alu += o.alu, mufu += o.mufu, convert += o.convert;
    issue_only += o.issue_only, shared_bytes += o.shared_bytes;
    return *this;
  }
};

// Ring = a shared-memory pipeline of stages guarded by full/empty mbarriers.
struct Acquire { std::uint8_t ring; };                      // producer: wait until the next stage is empty
enum class Multicast : std::uint8_t { none, column, row };    // to the CTAs with the same x, or the same y
struct TmaLoad { std::uint8_t ring; Box box; Multicast multicast = Multicast::none; };  // asynchronous, fills the acquired stage
struct WaitFull { std::uint8_t ring; };                     // consumer: wait for the next full stage
struct Release { std::uint8_t ring; std::uint8_t lag = 0; }; // give back the oldest stage, keeping `lag` waited ones

// Matrix instructions of one role, asynchronous (wgmma) or not (mma.sync).
struct Mma {
  double flops = 0;
  double operand_bytes = 0;   // read from shared memory by the tensor core itself (wgmma)
  std::uint8_t engine = 0;    // index into the program's tensor engines (dtype and instruction family)
  bool async = true;
  PipeWork beside;            // ldmatrix, address arithmetic: overlapped with the instruction stream
  double exposed_cycles = 0;  // latency that in-order issue cannot hide (ldmatrix before each k-slice)
};
struct MmaWait { std::uint8_t pending = 0; };               // until at most `pending` Mma ops are unfinished

// Dependent phases on the vector pipes: phases follow each other, pipes within a phase overlap.
struct Vector {
  std::vector<PipeWork> phases;
  double latency_cycles = 0;  // dependency chains that no pipe explains (shuffles, barriers inside)
  const char* name = "";
};

// Loads by the role's own threads (ld.global, cp.async): asynchronous until waited for.
struct Load { Box box; bool commit = true; };               // `commit` closes a group
struct WaitLoads { std::uint8_t pending = 0; };             // until at most `pending` groups are in flight
struct Store { Box box; bool bulk = false; bool reduce = false; };  // st.global or TMA store / reduce-add
struct WaitStores { bool global = false; };                 // until smem is read (or the writes are visible)

struct TurnWait { std::uint8_t token; };                    // ordered named barrier: my turn
struct TurnPass { std::uint8_t token; };
struct Sync { std::uint8_t barrier; std::uint8_t roles; };  // named barrier among `roles` roles

using TileOp = std::variant<Acquire, TmaLoad, WaitFull, Release, Mma, MmaWait, Vector, Load, WaitLoads, Store,
                            WaitStores, TurnWait, TurnPass, Sync>;

}  // namespace rooftile::hw
