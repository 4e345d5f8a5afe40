// What a played kernel tells: time, traffic, work per unit, and where each role's time went.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/l2.hpp"
#include "hw/machine.hpp"
#include "hw/memory.hpp"

namespace rooftile::hw {

enum class Stall : std::uint8_t { data, no_slot, matrix_unit, turn, unit_shared, store, none };
inline constexpr int kStalls = 7;
inline constexpr std::array<const char*, kStalls> kStallNames{
    "waiting for data", "waiting for a free stage", "waiting for the tensor core", "waiting for its turn",
    "unit shared with others", "waiting for stores", "working"};

struct RoleTime {
  std::string role;
  std::array<double, kStalls> ps{};  // summed over all CTAs
};

struct PlayResult {
  core::Time duration;              // first CTA launch to kernel completion
  double cycles = 0;                // duration in SM cycles
  std::array<double, kSmResources> unit_cycles{};  // busy cycles summed over SMs
  double tensor_flops = 0;          // issued, padding included
  double zero_flops = 0;            // of them, on zeros that pad tiles
  double shared_bytes = 0;          // through the 128 B/clk path
  L2Traffic traffic;
  core::Time hbm_busy, l2_busy, link_busy;
  std::vector<RoleTime> roles;
  std::uint64_t events = 0;
  std::uint64_t tile_steps = 0;
  int ctas = 0, ctas_per_sm = 0, active_sms = 0;
  int slots = 0;                    // places for a CTA that were used; more CTAs take them in turn
  ReadDelay read_delay;
  double unit_share(int r, const Machine& m) const { return cycles > 0 ? unit_cycles[static_cast<std::size_t>(r)] / (cycles * m.sms) : 0; }
};

// The same kernel played again and again: times and counts add up, shares and occupancy stay.
PlayResult many_times(PlayResult result, std::int64_t n);

// Told about spans of work and waiting while a kernel plays (timelines). Times are relative to the kernel's start. `what`
// is a literal: it outlives the play.
struct PlaySpan {
  int sm, cta;          // cta: the slot, which CTAs take in turn
  int role;             // index into the names given to `begin`
  const char* what;
  bool working;         // else waiting
  core::Time begin, end;
  const std::array<float, kSmResources>* cycles;  // on each unit, of work; nullptr when waiting
};
class PlayObserver {
 public:
  virtual ~PlayObserver() = default;
  virtual void begin(const std::vector<std::string>& roles, const Machine& machine) = 0;
  virtual bool wants(int sm) const = 0;             // spans of other SMs are not told
  virtual void span(const PlaySpan& span) = 0;
  virtual void matrix(const PlaySpan& span) = 0;    // asynchronous matrix work on the tensor cores
  virtual void traffic(core::Time now, const L2Traffic& so_far) = 0;  // after each access by any SM
};

}  // namespace rooftile::hw
