#include "workloads/gemm/roles.hpp"

#include <algorithm>

namespace rooftile::workloads::gemm {

using namespace hw;

// Bytes that the tensor core reads from shared memory for one k-step: per m64nNk32B instruction 2 KB of A
// and 32 B for each of N rows of B.
double operand_bytes(const Schedule& s) {
  int rows = s.tile_m, cols = s.tile_n, halves = 1;
  if (s.instruction_m_along_n) std::swap(rows, cols);
  if (s.consumers == Consumers::split_n) {
    halves = 2;
    cols /= 2;
  }
  const double instructions = static_cast<double>((rows + 63) / 64) * halves * (s.tile_k * s.input_bytes / 32);
  return instructions * (2048 + cols * 32.0);
}

Role consumer(const Schedule& s, int index, int epilogue_pieces, double piece_elements, const Box& d) {
  const bool ping_pong = s.consumers == Consumers::ping_pong;
  const int warps = ping_pong ? 4 : 8;
  std::vector<Section> sections;
  if (ping_pong) sections.push_back({times(1), {TurnWait{0}}, false});
  const double flops = 2.0 * s.tile_m * s.tile_n * s.tile_k;
  sections.push_back({item_count(0),
                      {WaitFull{kStages}, Mma{.flops = flops, .operand_bytes = operand_bytes(s)}, MmaWait{1},
                       Release{kStages, 1}},
                      true});
  Section drain{times(1), {}, false};
  if (ping_pong) drain.ops.push_back(TurnPass{0});
  drain.ops.push_back(MmaWait{0});
  drain.ops.push_back(Release{kStages, 0});
  sections.push_back(drain);
  // Epilogue: convert a piece, stage it in shared memory, store it by TMA, reuse the buffer when it is read.
  const PipeWork convert{.convert = s.output_bytes < 4 ? piece_elements / 2 : 0.0,
                         .issue_only = piece_elements / 8,
                         .shared_bytes = piece_elements * s.output_bytes};
  sections.push_back({times(epilogue_pieces),
                      {WaitStores{}, Vector{{convert}, 60, "epilogue"}, Store{d, true}},
                      true, true});
  return {ping_pong ? (index == 0 ? "consumer 0" : "consumer 1") : "consumers", warps, sections, ping_pong ? index : 0,
          ping_pong ? 2 : 1, index};
}

}  // namespace rooftile::workloads::gemm
