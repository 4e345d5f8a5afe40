// The bytes that decide what playing a kernel gives. Structured bindings list every field, so a struct that
// gains one does not compile until it is added here.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "workloads/play_cache.hpp"

namespace rooftile::workloads {
namespace {

using namespace hw;

class Content {
 public:
  template <class... T>
  void fields(const T&... value) {
    (add(value), ...);
  }
  ContentKey key() const {
    const XXH128_hash_t h = XXH3_128bits(bytes_.data(), bytes_.size());
    return {h.high64, h.low64};
  }

 private:
  template <class T>
    requires std::has_unique_object_representations_v<T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add(const std::string& text) {
    add(text.size());
    bytes_ += text;
  }
  void add(double value) { add(value == 0 ? std::uint64_t{0} : std::bit_cast<std::uint64_t>(value)); }  // -0 is 0
  void add(core::BytesPerSecond rate) { add(rate.value); }
  void add(const core::Clock& clock) { add(clock.frequency().value); }
  template <class T, std::size_t N>
    requires(!std::has_unique_object_representations_v<T>)
  void add(const std::array<T, N>& values) {
    for (const T& v : values) add(v);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    if constexpr (std::has_unique_object_representations_v<T>)
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    else
      for (const T& v : values) add(v);
  }

  void add(const Repeat& r) {
    const auto& [constant, count] = r;
    fields(constant, count);
  }
  void add(const Box& b) {
    const auto& [tensor, group, row, col, rows_count] = b;
    fields(tensor, group, row, col, rows_count);
  }
  void add(const PipeWork& w) {
    const auto& [fma, alu, mufu, convert, issue, shared] = w;
    fields(fma, alu, mufu, convert, issue, shared);
  }
  void add(const TmaLoad& o) {
    const auto& [ring, box, multicast] = o;
    fields(ring, box, multicast);
  }
  void add(const Mma& o) {
    const auto& [flops, operand, engine, async, beside, exposed] = o;
    fields(flops, operand, engine, async, beside, exposed);
  }
  void add(const Vector& o) {
    const auto& [phases, latency, name] = o;
    fields(phases, latency);
  }
  void add(const Load& o) {
    const auto& [box, commit] = o;
    fields(box, commit);
  }
  void add(const Store& o) {
    const auto& [box, bulk, reduce] = o;
    fields(box, bulk, reduce);
  }
  void add(const TileOp& op) {
    add(op.index());
    std::visit([this](const auto& o) { add(o); }, op);
  }
  void add(const Section& s) {
    const auto& [repeat, ops, counts, restarts] = s;
    fields(repeat, ops, counts, restarts);
  }
  void add(const Role& r) {
    const auto& [name, warps, sections, first, stride, turn] = r;
    fields(name, warps, sections, first, stride, turn);
  }
  void add(const Ring& r) {
    [[maybe_unused]] const auto& [name, stages, loads, releases] = r;
    fields(stages, loads, releases);
  }
  void add(const Tensor& t) {
    const auto& [name, groups, rows, cols, box_rows, box_cols, element, warm, written] = t;
    fields(groups, rows, cols, box_rows, box_cols, element, warm, written);
  }

 public:
  void program(const TileProgram& p) {
    const auto& [kernel, roles, rings, tensors, engines, items, schedule, grid, cx, cy, turns, threads, registers, shared, data_share] = p;
    fields(roles, rings, tensors, engines, items, schedule, grid, cx, cy, turns, threads, registers, shared, data_share);
  }
  void machine(const Machine& m);

 private:
  std::string bytes_;
};

void Content::machine(const Machine& m) {
  const auto& [clock, sms, gpc_sms, schedulers, lanes_per_cycle, tensor_flops, mma_latency_cycles, barrier_cycles,
               tma_issue_cycles, tma_fill_cycles, tma_latency_cycles, tma_descriptor, cluster_sync, max_warps, max_ctas, registers,
               shared_memory, shared_reserved, l2_partitions, l2_partition_capacity, l2_latency, l2_far_latency, hbm_latency,
               hbm_latency_tail, sm_bytes_in_service, sm_port_bytes_per_cycle, l2_read, l2_write, l2_link, hbm_read,
               hbm_write, hbm_half_load, hbm_turnaround, hbm_run_bytes, kernel_gap, cta_interval, cta_start, first_fetch, profiled_start, cta_refill,
               kernel_drain] = m;
  fields(clock, sms, gpc_sms, schedulers, lanes_per_cycle, tensor_flops, mma_latency_cycles, barrier_cycles,
         tma_issue_cycles, tma_fill_cycles, tma_latency_cycles, tma_descriptor, cluster_sync, max_warps, max_ctas, registers, shared_memory,
         shared_reserved, l2_partitions, l2_partition_capacity, l2_latency, l2_far_latency, hbm_latency, hbm_latency_tail,
         sm_bytes_in_service, sm_port_bytes_per_cycle, l2_read, l2_write, l2_link, hbm_read, hbm_write, hbm_half_load, hbm_turnaround,
         hbm_run_bytes, kernel_gap, cta_interval, cta_start, first_fetch, profiled_start, cta_refill, kernel_drain);
}

}  // namespace

ContentKey content_key(const TileProgram& program, const Machine& machine, const PlayOptions& options) {
  Content c;
  c.program(program);
  c.machine(machine);
  const auto& [stale, cold, warm, profiled, exact, observer] = options;
  c.fields(stale, cold, warm, profiled, exact);
  return c.key();
}

}  // namespace rooftile::workloads
