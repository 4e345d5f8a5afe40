#include "hw/play/player.hpp"

#include <algorithm>

#include "sim/core/errors.hpp"

namespace rooftile::hw::player {

using core::Time;

Player::Player(const TileProgram& program, const Machine& machine, const PlayOptions& options, const Known& known)
    : program_(program), machine_(machine), options_(options), known_(known), code_(compile(program, machine)), memory_(machine, known.share) {
  barrier_latency_ = machine.clock.time(machine.barrier_cycles);
  tma_issue_ = machine.clock.time(machine.tma_issue_cycles);
  if (program.cluster() > 1) start_barrier_ = machine.cluster_sync;
  tma_latency_ = machine.clock.time(machine.tma_latency_cycles);
  core::ensure(program.rings.size() <= 4, "a tile program has at most four rings");
  memory_.add_boxes(code_.box_count);
  prepare_l2(memory_.l2(), program, machine, options);
  for (const CompiledRole& role : code_.roles) result_.roles.push_back({role.name, {}});
  if (!options_.observer) return;
  std::vector<std::string> roles;
  for (const CompiledRole& role : code_.roles) roles.push_back(role.name);
  options_.observer->begin(roles, machine_);
}

PlayResult Player::run() {
  place_gangs();
  sms_.resize(static_cast<std::size_t>(machine_.sms));
  const std::size_t ctas = gangs_.size() * static_cast<std::size_t>(program_.cluster());
  ctas_.resize(ctas);
  threads_.resize(ctas * code_.roles.size());
  stages_.resize(ctas * static_cast<std::size_t>(code_.stages));
  for (std::size_t g = 0; g < gangs_.size(); ++g) launch_gang(static_cast<int>(g));
  engine_.run();
  if (unfinished_ != 0) report_deadlock();
  return collect(end_);
}

PlayResult Player::collect(Time end) {
  result_.duration = end + machine_.kernel_drain;
  if (options_.profiled) result_.duration += machine_.profiled_start;
  result_.cycles = machine_.clock.cycles(result_.duration);
  result_.zero_flops = result_.tensor_flops * (1 - program_.data_share);
  result_.traffic = memory_.l2().traffic();
  result_.hbm_busy = memory_.hbm_busy();
  result_.l2_busy = memory_.l2_busy();
  result_.link_busy = memory_.link_busy();
  result_.read_delay = memory_.read_delay();
  result_.events = engine_.events_run();
  result_.active_sms = static_cast<int>(std::count_if(sms_.begin(), sms_.end(), [](const Sm& s) { return s.used; }));
  return std::move(result_);
}

void Player::report_deadlock() const {
  constexpr const char* what[] = {"nothing", "a unit", "a full stage", "an empty stage", "the tensor core",
                                  "loads", "stores", "its turn", "a barrier", "-"};
  std::string message = "kernel " + program_.kernel + " dried up with work unfinished:";
  int shown = 0;
  for (const Thread& t : threads_) {
    if (t.wait == Wait::done || shown++ >= 8) continue;
    message += " CTA " + std::to_string(t.cta) + " " + code_.roles[t.role].name + " waits for " +
               what[static_cast<int>(t.wait)];
    if (t.wait == Wait::full || t.wait == Wait::empty) message += " of ring " + program_.rings[code_.ops[t.op].a].name;
    message += ";";
  }
  throw core::InvariantError(message);
}

}  // namespace rooftile::hw::player
