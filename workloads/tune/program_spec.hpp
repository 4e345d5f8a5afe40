// A tile program as people write it (design.md section 2). One map for each part; `read_program` puts them together.
//
//   tile_program: gemm 128x128, four stages
//   threads: 384
//   registers: 168
//   shared_memory: 160 KiB
//   grid: {loops: [{name: m, size: 32}, {name: n, size: 32}], schedule: static_persistent, ctas: 132}
//   rings: {stages: {stages: 4, loads_per_fill: 2}}
//   tensors: {A: {rows: 4096, cols: 4096, box: [128, 64]}, B: {...}, D: {..., written: true}}
//   roles:
//     - name: producer
//       warps: 1
//       sections:
//         - {repeat: 64, ops: [{acquire: stages}, {tma_load: {ring: stages, tensor: A, row: m, col: step}}, ...]}
//
// Rows and columns of a box count boxes; they and `repeat` are sums such as `2*m + step + 1` of the loops' names,
// `step`, `rank_x` and `rank_y`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/tile_program.hpp"
#include "sim/core/input/fields.hpp"

namespace rooftile::hw {

constexpr auto enum_names(Schedule) {
  return std::array{std::pair{"one_item_a_cta", Schedule::one_item_a_cta}, std::pair{"static_persistent", Schedule::static_persistent},
                    std::pair{"dynamic_persistent", Schedule::dynamic_persistent}};
}
constexpr auto enum_names(MmaFamily) { return std::array{std::pair{"wgmma", MmaFamily::wgmma}, std::pair{"mma_sync", MmaFamily::mma_sync}}; }
constexpr auto enum_names(MathType) {
  return std::array{std::pair{"bf16", MathType::bf16}, std::pair{"fp16", MathType::fp16}, std::pair{"tf32", MathType::tf32},
                    std::pair{"fp8", MathType::fp8}, std::pair{"int8", MathType::int8}};
}
constexpr auto enum_names(Multicast) {
  return std::array{std::pair{"none", Multicast::none}, std::pair{"column", Multicast::column}, std::pair{"row", Multicast::row}};
}

}  // namespace rooftile::hw

namespace rooftile::workloads::tune {

using input::Range;

struct LoopSpec {
  std::string name;
  std::int32_t size = 1;
  template <class V>
  static void visit_fields(V& v) {
    v.field("name", &LoopSpec::name, "what expressions call the coordinate");
    v.field("size", &LoopSpec::size, "values 0 to size - 1", Range{1, 1e6});
  }
};

struct GridSpec {
  std::vector<LoopSpec> loops;
  hw::Schedule schedule = hw::Schedule::one_item_a_cta;
  std::int32_t ctas = 0, cluster_x = 1, cluster_y = 1;
  template <class V>
  static void visit_fields(V& v) {
    v.field("loops", &GridSpec::loops, "work items: nested loops, the first one slowest; at most four");
    v.field("schedule", &GridSpec::schedule, "how CTAs get work items").optional();
    v.field("ctas", &GridSpec::ctas, "CTAs launched by a persistent kernel; 0: one a work item", Range{0, 1e6}).optional();
    v.field("cluster_x", &GridSpec::cluster_x, "CTAs of a cluster along x", Range{1, 16}).optional();
    v.field("cluster_y", &GridSpec::cluster_y, "CTAs of a cluster along y", Range{1, 16}).optional();
  }
};

struct RingSpec {
  std::int32_t stages = 1, loads_per_fill = 1, releases_per_fill = 1;
  template <class V>
  static void visit_fields(V& v) {
    v.field("stages", &RingSpec::stages, "stages in shared memory", Range{1, 64});
    v.field("loads_per_fill", &RingSpec::loads_per_fill, "loads that complete a stage", Range{1, 64}).optional();
    v.field("releases_per_fill", &RingSpec::releases_per_fill, "roles that give a stage back", Range{1, 16}).optional();
  }
};

struct TensorSpec {
  std::int64_t groups = 1, rows = 1, cols = 1;
  std::vector<std::int64_t> box;
  double element_bytes = 2;
  bool warm = false, written = false;
  template <class V>
  static void visit_fields(V& v) {
    v.field("groups", &TensorSpec::groups, "independent matrices", Range{1, 1e7}).optional();
    v.field("rows", &TensorSpec::rows, "rows of each", Range{1, 1e8});
    v.field("cols", &TensorSpec::cols, "columns of each", Range{1, 1e8});
    v.field("box", &TensorSpec::box, "rows and columns that one load or store moves", Range{1, 1e6});
    v.field("element_bytes", &TensorSpec::element_bytes, "bytes of an element", Range{0.1, 16}).optional();
    v.field("warm", &TensorSpec::warm, "left in L2 by the kernel before").optional();
    v.field("written", &TensorSpec::written, "an output").optional();
  }
  void check(const input::Node& at, input::Diagnostics& found) const {
    if (box.size() != 2) found.add(at.place(), "a box of " + std::to_string(box.size()) + " sides", "[rows, columns]");
    else if (static_cast<double>(groups) * static_cast<double>(rows / box[0] + 1) * static_cast<double>(cols / box[1] + 1) > 5e7)
      found.add(at.place(), "a tensor of more than 50 million boxes", "larger boxes");
  }
};

struct SectionSpec {
  std::string repeat = "1";
  bool counts_steps = true, restarts_steps = false;
  std::vector<input::Node> ops;
  template <class V>
  static void visit_fields(V& v) {
    v.field("repeat", &SectionSpec::repeat, "iterations: a number, or a sum over the loops' names").optional();
    v.field("counts_steps", &SectionSpec::counts_steps, "iterations advance `step`").optional();
    v.field("restarts_steps", &SectionSpec::restarts_steps, "`step` starts again at 0").optional();
    v.field("ops", &SectionSpec::ops, "tile ops, one map with one key each");
  }
};

struct RoleSpec {
  std::string name;
  std::int32_t warps = 4, first_item = 0, item_stride = 1, turn = 0;
  std::vector<SectionSpec> sections;
  template <class V>
  static void visit_fields(V& v) {
    v.field("name", &RoleSpec::name, "what reports call it");
    v.field("warps", &RoleSpec::warps, "warps that share its work", Range{1, 64});
    v.field("first_item", &RoleSpec::first_item, "first work item of its CTA that it takes", Range{0, 16}).optional();
    v.field("item_stride", &RoleSpec::item_stride, "takes every so many", Range{1, 16}).optional();
    v.field("turn", &RoleSpec::turn, "its place among the roles that take turns", Range{0, 16}).optional();
    v.field("sections", &RoleSpec::sections, "what it does for one work item");
  }
};

struct ProgramSpec {
  std::string title;
  std::int32_t threads = 128, registers = 128, turn_roles = 2;
  core::Bytes shared_memory;
  hw::MmaFamily engine = hw::MmaFamily::wgmma;
  hw::MathType type = hw::MathType::bf16;
  GridSpec grid;
  std::vector<std::pair<std::string, RingSpec>> rings;
  std::vector<std::pair<std::string, TensorSpec>> tensors;
  std::vector<RoleSpec> roles;
  template <class V>
  static void visit_fields(V& v) {
    v.field("tile_program", &ProgramSpec::title, "a title");
    v.field("threads", &ProgramSpec::threads, "threads of a CTA", Range{32, 1024});
    v.field("registers", &ProgramSpec::registers, "registers of a thread, as launched", Range{16, 255});
    v.field("turn_roles", &ProgramSpec::turn_roles, "roles that take turns on a token", Range{1, 16}).optional();
    v.field("shared_memory", &ProgramSpec::shared_memory, "shared memory of a CTA", Range{0, 1 << 24});
    v.field("engine", &ProgramSpec::engine, "matrix instruction").optional();
    v.field("type", &ProgramSpec::type, "operand type of the matrix instruction").optional();
    v.field("grid", &ProgramSpec::grid, "work items and how CTAs get them");
    v.field("rings", &ProgramSpec::rings, "pipelines of stages").optional();
    v.field("tensors", &ProgramSpec::tensors, "matrices in memory, cut into boxes");
    v.field("roles", &ProgramSpec::roles, "what the warps of a CTA do");
  }
};

// InputError with every mistake.
hw::TileProgram read_program(const input::Node& document);
hw::TileProgram read_program_file(const std::string& path);

}  // namespace rooftile::workloads::tune
