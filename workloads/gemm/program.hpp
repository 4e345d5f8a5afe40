// Tile programs of a warp-specialised Hopper GEMM: D[m, n] = A[m, k] * B[n, k]^T per batch.
//
// Modelled: producer with TMA stages and multicast, cooperative or ping-pong consumers, raster in bands,
// split-K with fp32 partials, an epilogue in shared-memory pieces. Not modelled: beta and bias reads.
#pragma once

#include <cstdint>
#include <string>

#include "hw/tile_program.hpp"

namespace rooftile::workloads::gemm {

struct Shape {
  std::int64_t batch = 1, m = 1, n = 1, k = 1;  // `m` rows of A, `n` rows of B
  double flops() const { return 2.0 * static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

enum class Consumers { ping_pong, split_m, split_n };  // each a tile; or halves of one along m or n
enum class Raster { along_m, along_n };                // the direction that runs inside a band

struct Schedule {
  int tile_m = 128, tile_n = 128, tile_k = 64;
  int stages = 4;
  int cluster_m = 1, cluster_n = 1;
  Consumers consumers = Consumers::split_m;
  bool instruction_m_along_n = false;  // the 64-row side of wgmma lies along n (needed when m is not 64 x)
  Raster raster = Raster::along_m;
  int band = 4;                        // clusters across a band
  int split_k = 1;
  int epilogue_bytes = 16384;          // shared memory that stages the output
  int registers = 168;
  hw::MathType type = hw::MathType::bf16;
  double input_bytes = 2, output_bytes = 2;
};

std::string name(const Schedule& schedule);
core::Bytes shared_memory(const Schedule& schedule);
hw::TileProgram program(const Shape& shape, const Schedule& schedule, int sms);

}  // namespace rooftile::workloads::gemm
