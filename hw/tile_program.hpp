// A tile program: roles of one CTA, the rings and tensors that they share, and the grid that launches them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/tile_op.hpp"
#include "sim/core/units.hpp"

namespace rooftile::hw {

// How often a section repeats: a constant, or a count of the work item.
struct Repeat {
  std::int32_t constant = 1;
  std::int8_t item_count = -1;  // index into WorkItem::count, or -1
};
constexpr Repeat times(int n) { return {n, -1}; }
constexpr Repeat item_count(int i) { return {0, static_cast<std::int8_t>(i)}; }

struct Section {
  Repeat repeat;
  std::vector<TileOp> ops;
  bool counts_steps = true;   // iterations advance the role's step index
  bool restarts_steps = false;  // the step index starts again at 0
};

struct Role {
  std::string name;
  int warps = 4;
  std::vector<Section> sections;  // per work item
  int first_item = 0;             // ping-pong consumers take every second item of their CTA
  int item_stride = 1;
  int turn = 0;                   // its place among the roles that take turns
};

struct Ring {
  std::string name;
  int stages = 1;
  int loads_per_fill = 1;         // TMA transactions that complete one fill (own and multicast)
  int releases_per_fill = 1;      // consumer roles that release it
};

// A tensor cut into boxes: `groups` independent matrices of rows x cols elements. Boxes at the edge are
// clipped, as TMA clips them.
struct Tensor {
  std::string name;
  std::int64_t groups = 1, rows = 0, cols = 0;
  std::int64_t box_rows = 1, box_cols = 1;
  double element_bytes = 2;
  bool warm = false;     // produced by the kernel before: in L2 at the start, as far as it fits
  bool written = false;  // an output
  std::int64_t row_boxes() const { return (rows + box_rows - 1) / box_rows; }
  std::int64_t col_boxes() const { return (cols + box_cols - 1) / box_cols; }
  std::int64_t boxes() const { return groups * row_boxes() * col_boxes(); }
  core::Bytes bytes() const { return {static_cast<std::int64_t>(static_cast<double>(groups * rows * cols) * element_bytes)}; }
};

struct WorkItem {
  std::int32_t coordinate[kItemCoordinates] = {};
  std::int32_t count[kItemCounts] = {};
};

enum class Schedule {
  one_item_a_cta,     // CTA i plays item i; the hardware refills SMs in index order
  static_persistent,  // CTA c plays items c, c + grid, ...
  dynamic_persistent, // an atomic counter hands out the next item
};

// Which matrix instruction runs: rates are hardware numbers of the GPU file.
enum class MmaFamily { wgmma, mma_sync };
enum class MathType { bf16, fp16, tf32, fp8, int8 };
struct TensorEngine {
  MmaFamily family = MmaFamily::wgmma;
  MathType type = MathType::bf16;
};

struct TileProgram {
  std::string kernel;              // the kernel's name, with its schedule
  std::vector<Role> roles;
  std::vector<Ring> rings;
  std::vector<Tensor> tensors;
  std::vector<TensorEngine> engines{TensorEngine{}};
  std::vector<WorkItem> items;     // in raster order, one a CTA (one a cluster when cluster > 1)
  Schedule schedule = Schedule::one_item_a_cta;
  int grid = 0;                    // CTAs launched; 0: one a work item
  int cluster_x = 1, cluster_y = 1;  // CTAs of a cluster; they share multicast loads
  int turn_roles = 2;              // roles that take turns on each token
  int threads = 128;               // a CTA
  int registers = 128;             // a thread, as launched
  core::Bytes shared_memory;       // a CTA
  double data_share = 1;           // of the matrix FLOPs; the rest multiplies zeros that pad tiles and costs less energy
  int cluster() const { return cluster_x * cluster_y; }
};

}  // namespace rooftile::hw
