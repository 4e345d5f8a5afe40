// The per-tensor fp8 GEMM of vLLM on Hopper (CUTLASS): ping-pong tiles chosen by the number of tokens alone.
#include "workloads/gemm/cublas.hpp"

namespace rooftile::workloads::gemm {

Schedule cutlass_fp8_schedule(std::int64_t tokens, double output_bytes) {
  Schedule s;
  s.type = hw::MathType::fp8;
  s.input_bytes = 1;
  s.output_bytes = output_bytes;
  s.tile_k = 128;
  s.consumers = Consumers::ping_pong;
  s.tile_m = tokens <= 128 ? 64 : 128;
  s.tile_n = tokens <= 64 ? 64 : 128;
  s.cluster_m = tokens <= 64 ? 1 : 2;
  s.cluster_n = tokens <= 16 ? 4 : tokens <= 64 ? 8 : 1;
  constexpr int kSharedLimit = 232448;
  s.stages = (kSharedLimit - s.epilogue_bytes - 208) / ((s.tile_m + s.tile_n) * s.tile_k + 16);
  return s;
}

}  // namespace rooftile::workloads::gemm
