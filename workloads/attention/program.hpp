// Tile programs of fused attention forward kernels.
//
// `flash2`: one CTA a query tile, every warp does everything in turn (mma.sync, cp.async), two CTAs an SM.
// `warp_specialised`: a TMA producer and consumer warpgroups of 64 rows, persistent (cuDNN sm90, FlashAttention-3).
// Softmax cost = operations per score on each pipe, as counted on real kernels (see `SoftmaxWork`).
#pragma once

#include "hw/tile_program.hpp"
#include "workloads/attention/shape.hpp"

namespace rooftile::workloads::attention {

// Operations per score element on each pipe of the real instruction stream; `*_rescale` per element of O.
// Source: pipe counters of the kernels on an H200, reference table of docs/model.md.
struct SoftmaxWork {
  double fma = 3.3, fma_rescale = 1.0;
  double alu = 2.2, alu_rescale = 0.0;
  double mufu = 1.03;
  double mask_alu = 2.0;
  double latency_cycles = 200;  // two quad reductions of max and sum, and the waits around them
};

struct Flash2Schedule {
  int tile_m = 128, tile_n = 64, warps = 4, registers = 255;
  int splits = 1;                // CTAs that share a query tile's keys; partial results go to memory in fp32
  const char* name = "flash2_fwd";
  double ldmatrix_latency = 50;  // cycles, as a shared-memory load
  SoftmaxWork softmax{5.4, 1.0, 3.0, 0.67, 1.06, 3.0, 400};
};
Flash2Schedule flash2_schedule(std::int64_t head_dim, bool causal);
hw::TileProgram flash2_program(const Shape& shape, const Flash2Schedule& schedule);
// Adds the partial results of `splits` CTAs: `rows_per_cta` output rows a CTA, one split after the other.
hw::TileProgram combine_program(std::int64_t rows, std::int64_t dim, int splits, int rows_per_cta, int threads, bool serial);

// Triton's FlexAttention: tiles of the compiled template; one CTA does everything in turn with wgmma.
struct FlexSchedule {
  int tile_m = 128, tile_n = 64, stages = 3, warps = 8, registers = 199;
  double latency_cycles = 400;  // as in FlashAttention-2: quad reductions of max and sum
};
FlexSchedule flex_schedule(std::int64_t head_dim);
hw::TileProgram flex_program(const Shape& shape, const FlexSchedule& schedule);

struct WarpSpecialisedSchedule {
  int warpgroups = 2;          // consumers of 64 query rows each
  int tile_n = 128, stages = 2;
  bool overlap = false;        // a warpgroup's next QK runs beside its softmax (FlashAttention-3)
  bool ping_pong = false;      // named barriers order the warpgroups' matrix phases
  bool longest_first = true;   // query tiles with the most keys first
  bool dynamic = true;         // causal: an atomic counter hands out tiles; otherwise CTA c takes c, c + grid, ...
  SoftmaxWork softmax;
  int splits = 1;              // CTAs that share a query tile's keys; partial results go to memory in fp32
  double input_bytes = 2;
  hw::MathType type = hw::MathType::bf16;
};
hw::TileProgram warp_specialised_program(const Shape& shape, const WarpSpecialisedSchedule& schedule, int sms);

}  // namespace rooftile::workloads::attention
