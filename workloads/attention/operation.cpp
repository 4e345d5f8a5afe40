#include "workloads/attention/operation.hpp"

#include <stdexcept>

#include "workloads/attention/program.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::attention {
namespace {

const char* mask_name(Mask m) {
  switch (m) {
    case Mask::none: return "no mask";
    case Mask::causal: return "causal";
    default: return "causal, bottom right";
  }
}

// cuDNN's Hopper kernel: two consumer warpgroups, as many K and V stages as 227 KB hold.
WarpSpecialisedSchedule cudnn_schedule(const Shape& s, double bytes) {
  WarpSpecialisedSchedule w;
  w.tile_n = 128;
  w.input_bytes = bytes;
  w.longest_first = false;  // DRAM bytes and time of our counters: dynamic, in index order
  w.softmax.latency_cycles = 30;
  const auto q = static_cast<std::int64_t>(128 * s.head_dim * bytes);
  const auto stage = static_cast<std::int64_t>(w.tile_n * (s.head_dim + s.v_head_dim) * bytes);
  w.stages = s.head_dim <= 64 ? 3 : static_cast<int>((231000 - q) / stage);
  if (w.stages < 1) {
    w.tile_n = 64;
    w.stages = static_cast<int>((231000 - q) / (stage / 2));
  }
  return w;
}

// FlashAttention-3's tile table (bf16).
WarpSpecialisedSchedule flash3_schedule(const Shape& s, double bytes) {
  WarpSpecialisedSchedule w;
  w.input_bytes = bytes;
  w.overlap = true;
  w.ping_pong = s.head_dim <= 128;
  const bool causal = s.mask != Mask::none;
  if (s.head_dim <= 64) {
    w.warpgroups = 3;
    w.tile_n = causal ? 128 : 192;
  } else if (s.head_dim <= 128) {
    w.tile_n = causal ? 128 : 176;
  } else {
    w.tile_n = s.head_dim <= 192 ? 112 : 80;
  }
  return w;
}

}  // namespace

std::string Attention::describe() const {
  return "batch " + std::to_string(shape.batch) + ", heads " + std::to_string(shape.q_heads) + "/" +
         std::to_string(shape.kv_heads) + ", " + std::to_string(shape.q_len) + " queries, " + std::to_string(shape.kv_len) +
         " keys, dim " + std::to_string(shape.head_dim) + ", " + mask_name(shape.mask);
}

double Attention::compulsory_bytes() const {
  const double e = element_bytes(dtype);
  const Shape& s = shape;
  const auto q = static_cast<double>(s.batch * s.q_heads * s.q_len), kv = static_cast<double>(s.batch * s.kv_heads * s.kv_len);
  return q * static_cast<double>(s.head_dim) * e + q * static_cast<double>(s.v_head_dim) * 2 +
         kv * static_cast<double>(s.head_dim + s.v_head_dim) * e;
}

std::vector<Plan> Attention::plans(const hw::GpuSpec& gpu, const std::string& implementation) const {
  const auto sms = static_cast<int>(gpu.sm.count.value);
  Plan p;
  if (implementation == "flash2") {
    p.kernels.push_back({flash2_program(shape, flash2_schedule(shape.head_dim, shape.mask != Mask::none)), false});
  } else if (implementation == "cudnn" || implementation == "flash3") {
    const double bytes = element_bytes(dtype);
    WarpSpecialisedSchedule w = implementation == "cudnn" ? cudnn_schedule(shape, bytes) : flash3_schedule(shape, bytes);
    w.type = math_type(dtype);
    p.kernels.push_back({warp_specialised_program(shape, w, sms), implementation == "cudnn"});
  } else {
    throw std::invalid_argument("attention has no implementation " + implementation);
  }
  p.schedule = p.kernels.back().program.kernel;
  return {p};
}

}  // namespace rooftile::workloads::attention
