#include <algorithm>

#include "hw/play/traffic_pass.hpp"

namespace rooftile::hw::player {

Pace::Pace(const TileProgram& program, const Machine& machine, const Compiled& code, int ctas_per_sm) : program_(program), code_(code) {
  own_.resize(code.sections.size());
  for (std::size_t s = 0; s < own_.size(); ++s)
    for (std::uint32_t i = code.sections[s].first; i < code.sections[s].end; ++i) own_[s] += code.ops[i].solo_ps;
  for (std::size_t s = 0; s < own_.size(); ++s) iteration_.push_back(slowest(s));
  // Of all items together: cycles on each unit over the time that they take one after another.
  std::array<double, kSmResources> cycles{};
  double solo = 0;
  for (const WorkItem& w : program.items) {
    solo += item(w);
    for (const CompiledRole& role : code.roles)
      for (std::uint32_t s = role.first_section; s < role.end_section; ++s)
        for (std::uint32_t i = code.sections[s].first; i < code.sections[s].end; ++i)
          for (std::size_t u = 0; u < kSmResources; ++u)
            cycles[u] += count(code.sections[s].repeat, w) * static_cast<double>(code.ops[i].cycles[u]) / role.item_stride;
  }
  const double ps_per_cycle = 1e12 / machine.clock.frequency().value;
  for (const double c : cycles)
    if (solo > 0) stretch_ = std::max(stretch_, ctas_per_sm * c * ps_per_cycle / solo);
  for (double& t : iteration_) t *= stretch_;
}

// A producer's loop goes as slowly as that of the consumers that repeat as often.
double Pace::slowest(std::size_t section) const {
  double most = own_[section];
  const Repeat& r = code_.sections[section].repeat;
  if (r.item_count < 0) return most;
  for (std::size_t s = 0; s < own_.size(); ++s)
    if (code_.sections[s].repeat.item_count == r.item_count) most = std::max(most, own_[s]);
  return most;
}

double Pace::item(const WorkItem& item) const {
  double most = 0;
  for (const CompiledRole& role : code_.roles) {
    double sum = 0;
    for (std::uint32_t s = role.first_section; s < role.end_section; ++s) sum += count(code_.sections[s].repeat, item) * iteration_[s];
    most = std::max(most, sum / role.item_stride);
  }
  return most;
}

// From a consumer's release of a stage to its next wait for one, in the loop that does both.
double Pace::free_time(std::uint8_t ring) const {
  double least = 0;
  for (const CompiledSection& s : code_.sections) {
    const std::uint32_t length = s.end - s.first;
    for (std::uint32_t i = s.first; i < s.end; ++i) {
      if (code_.ops[i].kind != OpKind::release || code_.ops[i].a != ring) continue;
      double ahead = 0;
      for (std::uint32_t k = 1; k < length; ++k) {
        const Op& next = code_.ops[s.first + (i - s.first + k) % length];
        if (next.kind == OpKind::wait_full && next.a == ring) {
          if (least == 0 || ahead < least) least = ahead;
          break;
        }
        ahead += next.solo_ps;
      }
    }
  }
  return least;
}

double Pace::cover(std::size_t section, std::uint32_t op) const {
  const CompiledSection& s = code_.sections[section];
  if (code_.ops[op].kind == OpKind::tma_load)  // other stages are full, and the consumer does something else first
    return (program_.rings[code_.ops[op].a].stages - 1) * iteration_[section] + free_time(code_.ops[op].a) * stretch_;
  double ahead = 0;
  int younger = code_.ops[op].flag ? 0 : -1;  // groups closed after the load's own
  const std::uint32_t length = s.end - s.first;
  for (std::uint32_t k = 1; k <= 2 * length; ++k) {
    const Op& next = code_.ops[s.first + (op - s.first + k) % length];
    if (next.kind == OpKind::load && next.flag) ++younger;
    if (next.kind == OpKind::wait_loads && younger >= next.a) break;
    ahead += next.solo_ps;
  }
  return ahead * stretch_;
}

}  // namespace rooftile::hw::player
