// Every attention schedule that `rooftile tune` considers: the two kinds of kernels with their tiles, stages,
// warpgroups, turns and splits.
#include <algorithm>

#include "workloads/attention/operation.hpp"
#include "workloads/attention/program.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::attention {
namespace {

constexpr int kConsumerRegisters = 240, kOtherRegisters = 40;

// Scores and outputs of 64 rows stay in the registers of a warpgroup.
std::string impossible(const Shape& s, const WarpSpecialisedSchedule& w) {
  // Three consumers beside a producer get 160 registers each, two get 240 (setmaxnreg, 65,536 in all).
  const int most = w.warpgroups >= 3 ? 160 : kConsumerRegisters;
  const auto needed = static_cast<int>((w.tile_n + w.tile_n / 2 + s.v_head_dim) * 64 / 128) + kOtherRegisters;
  if (needed <= most) return "";
  return "registers: scores, probabilities and outputs take " + std::to_string(needed) + " of a thread, it has " + std::to_string(most);
}

Plan warp_specialised_plan(const Shape& s, const WarpSpecialisedSchedule& w, int sms) {
  Plan p;
  p.kernels.push_back({warp_specialised_program(s, w, sms), false});
  p.schedule = p.kernels.front().program.kernel;
  return p;
}

Plan flash2_variant(const Shape& s, const Flash2Schedule& f) {
  Plan p;
  p.kernels.push_back({flash2_program(s, f), false});
  p.schedule = p.kernels.front().program.kernel;
  if (f.splits > 1) {
    p.kernels.push_back({combine_program(s.batch * s.q_heads * s.q_len, s.v_head_dim, f.splits, 4, 128, false), false});
    p.schedule += "_split" + std::to_string(f.splits);
  }
  return p;
}

void add_warp_specialised(const Shape& s, const std::string& dtype, int sms, std::vector<Variant>& all) {
  WarpSpecialisedSchedule w;
  w.type = math_type(dtype);
  w.input_bytes = element_bytes(dtype);
  for (const int warpgroups : {2, 3})
    for (const int tile_n : {64, 80, 96, 112, 128, 160, 176, 192})
      for (const int stages : {1, 2, 3, 4})
        for (const bool ping_pong : {false, true}) {
          w.warpgroups = warpgroups;
          w.tile_n = tile_n;
          w.stages = stages;
          w.ping_pong = ping_pong;
          const std::string name = "attention_ws_" + std::to_string(64 * warpgroups) + "x" + std::to_string(tile_n) + "_s" +
                                   std::to_string(stages) + (ping_pong ? "_pingpong" : "");
          all.push_back({name, [s, w, sms] { return warp_specialised_plan(s, w, sms); }, impossible(s, w)});
        }
}

void add_flash2(const Shape& s, int sms, std::vector<Variant>& all) {
  for (const int tile_m : {16, 64, 128})
    for (const int tile_n : {32, 64, 128})
      for (const int splits : {1, 2, 4, 8, 16, 32}) {
        const std::int64_t tiles = s.batch * s.q_heads * ((s.q_len + tile_m - 1) / tile_m);
        if (tile_m > 2 * std::max<std::int64_t>(16, s.q_len)) continue;
        if (splits > 1 && (tiles * splits > 4 * sms || s.kv_len / tile_n < splits)) continue;
        Flash2Schedule f = flash2_schedule(s.head_dim, s.mask != Mask::none);
        f.tile_m = tile_m;
        f.tile_n = tile_n;
        f.splits = splits;
        const std::string name = "attention_mma_" + std::to_string(tile_m) + "x" + std::to_string(tile_n) + (splits > 1 ? "_split" + std::to_string(splits) : "");
        // A warp holds the scores and outputs of its rows; 16 rows a warp at least.
        const std::int64_t rows = std::max(16, tile_m / f.warps);
        const std::int64_t needed = rows * (tile_n + s.v_head_dim) / 32 + kOtherRegisters;
        std::string why = needed <= 255 ? "" : "registers: scores and outputs take " + std::to_string(needed) + " of a thread, it has 255";
        all.push_back({name, [s, f] { return flash2_variant(s, f); }, std::move(why)});
      }
}

}  // namespace

std::vector<Variant> Attention::variants(const hw::GpuSpec& gpu) const {
  const auto sms = static_cast<int>(gpu.sm.count.value);
  const Shape s = packed(shape);
  std::vector<Variant> all;
  if (shape.q_len > 1) add_warp_specialised(s, dtype, sms, all);
  if (dtype != "fp8_e4m3" && dtype != "fp8_e5m2") add_flash2(s, sms, all);
  return all;
}

}  // namespace rooftile::workloads::attention
