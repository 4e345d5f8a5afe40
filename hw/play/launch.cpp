// Where CTAs go, which work items they get, and how a kernel starts and ends.
#include <algorithm>

#include "hw/play/player.hpp"
#include "sim/core/errors.hpp"

namespace rooftile::hw::player {

using core::later;
using core::Time;

// Clusters stay inside a GPC, and consecutive ones go to different GPCs.
std::vector<std::vector<int>> places_of(const TileProgram& program, const Machine& machine) {
  std::vector<std::vector<int>> places;
  int first = 0;
  for (const int size : machine.gpc_sms) {
    for (int at = 0; at + program.cluster() <= size; at += program.cluster()) {
      std::vector<int> sms;
      for (int r = 0; r < program.cluster(); ++r) sms.push_back(first + at + r);
      places.push_back(std::move(sms));
    }
    first += size;
  }
  std::stable_sort(places.begin(), places.end(), [&machine](const auto& a, const auto& b) {
    const auto order = [&machine](int sm) {
      int first_sm = 0;
      for (const int size : machine.gpc_sms) {
        if (sm < first_sm + size) return sm - first_sm;
        first_sm += size;
      }
      return sm;
    };
    return order(a[0]) < order(b[0]);
  });
  return places;
}

std::int64_t resident_gangs(const TileProgram& program, std::size_t places, int ctas_per_sm) {
  const auto items = static_cast<std::int64_t>(program.items.size());
  std::int64_t wanted = program.grid > 0 ? program.grid / program.cluster() : items;
  if (program.schedule != Schedule::one_item_a_cta) wanted = std::min(wanted, items);
  return std::min(wanted, static_cast<std::int64_t>(places) * ctas_per_sm);
}

// Free SMs are filled one CTA each before any gets its second.
void Player::place_gangs() {
  const Occupancy fit = occupancy(program_, machine_);
  core::ensure(fit.ctas > 0, "a tile program that does not fit an SM reached the player");
  result_.ctas_per_sm = fit.ctas;
  const std::vector<std::vector<int>> places = places_of(program_, machine_);
  core::ensure(!places.empty(), "a cluster is larger than every GPC");
  const std::int64_t resident = resident_gangs(program_, places.size(), fit.ctas);
  for (std::int64_t g = 0; g < resident; ++g)
    gangs_.push_back(Gang{.sms = places[static_cast<std::size_t>(g % static_cast<std::int64_t>(places.size()))]});
  streams_ = static_cast<int>(resident);
  result_.slots = streams_ * program_.cluster();
}

void Player::launch_gang(int g) {
  Gang& gang = gangs_[static_cast<std::size_t>(g)];
  gang.sequence.clear();
  gang.exhausted = false;
  gang.running_ctas = program_.cluster();
  gang.next_item = g;
  launch_free_ = later(engine_.now(), launch_free_) + Time{machine_.cta_interval.ps * program_.cluster()};
  engine_.schedule(launch_free_ + machine_.cta_start, *this, kLaunch, static_cast<std::uint32_t>(g));
}

// All CTAs of a cluster start together: a multicast must find the others' barriers set up.
void Player::start_gang(std::uint32_t g) {
  const auto cluster = static_cast<std::uint32_t>(program_.cluster());
  bool cold = false;
  for (const int sm : gangs_[g].sms) {
    cold |= !sms_[static_cast<std::size_t>(sm)].used;
    sms_[static_cast<std::size_t>(sm)].used = true;
  }
  if (cold) {
    for (const int sm : gangs_[g].sms)
      sms_[static_cast<std::size_t>(sm)].tensor_map_ready = engine_.now() + machine_.first_fetch + machine_.tma_descriptor;
    return engine_.schedule(engine_.now() + machine_.first_fetch + start_barrier_, *this, kLaunch, g);
  }
  for (std::uint32_t id = g * cluster; id < (g + 1) * cluster; ++id) set_up_cta(id, static_cast<int>(g));
  const auto roles = static_cast<std::uint32_t>(code_.roles.size());
  for (std::uint32_t t = g * cluster * roles; t < (g + 1) * cluster * roles; ++t)
    if (next_item(threads_[t])) advance(t);
}

void Player::set_up_cta(std::uint32_t id, int gang) {
  Cta& cta = ctas_[id];
  const int rank = static_cast<int>(id) % program_.cluster();
  cta = Cta{.sm = gangs_[static_cast<std::size_t>(gang)].sms[static_cast<std::size_t>(rank)], .gang = gang, .rank = rank,
            .x = rank % program_.cluster_x, .y = rank / program_.cluster_x};
  ++result_.ctas;
  std::fill_n(stages_.begin() + static_cast<std::ptrdiff_t>(id) * code_.stages, code_.stages, Stage{});
  const auto roles = static_cast<std::uint32_t>(code_.roles.size());
  cta.roles_left = static_cast<int>(roles);
  unfinished_ += roles;
  for (std::uint32_t r = 0; r < roles; ++r) {
    Thread& t = threads_[id * roles + r];
    t = Thread{};
    t.cta = id;
    t.role = static_cast<std::uint16_t>(r);
    t.wait = Wait::none;
    t.since = engine_.now();
    t.position = static_cast<std::uint32_t>(code_.roles[r].first_item);
  }
}

// Gives the gang one more work item; false when there is none left.
bool Player::fetch(Gang& gang) {
  if (gang.exhausted) return false;
  const auto items = static_cast<std::int64_t>(program_.items.size());
  std::int64_t item = -1;
  if (program_.schedule == Schedule::static_persistent) {
    item = gang.next_item;
    gang.next_item += streams_;
  } else {
    item = next_dynamic_++;
    gang.exhausted = program_.schedule == Schedule::one_item_a_cta;
  }
  if (item >= items) {
    gang.exhausted = true;
    return false;
  }
  const auto base = static_cast<std::uint32_t>(ring_bases_.size());
  const std::size_t rings = program_.rings.size();
  ring_bases_.resize(ring_bases_.size() + rings);
  if (!gang.sequence.empty()) {
    const Sequence& last = gang.sequence.back();
    for (std::size_t r = 0; r < rings; ++r) ring_bases_[base + r] = ring_bases_[last.ring_base + r];
    const WorkItem& before = program_.items[last.item];
    for (const FillRule& f : code_.fills)
      ring_bases_[base + static_cast<std::uint32_t>(f.ring)] +=
          static_cast<std::uint32_t>(count(f.repeat, before) * f.acquires);
  }
  gang.sequence.push_back({static_cast<std::uint32_t>(item), base});
  return true;
}

bool Player::next_item(Thread& t) {
  Gang& gang = gangs_[static_cast<std::size_t>(ctas_[t.cta].gang)];
  const bool asks = gang.sequence.size() <= t.position;
  while (gang.sequence.size() <= t.position)
    if (!fetch(gang)) {
      finish_role(t);
      return false;
    }
  enter_item(t);
  // A dynamic scheduler answers after a round trip to the counter in L2; the first item is the CTA's index.
  if (!asks || t.position == 0 || program_.schedule != Schedule::dynamic_persistent) return true;
  return wait_until(t, engine_.now() + machine_.l2_latency + machine_.l2_far_latency, Wait::loads);
}

void Player::enter_item(Thread& t) {
  const Gang& gang = gangs_[static_cast<std::size_t>(ctas_[t.cta].gang)];
  const Sequence& s = gang.sequence[t.position];
  t.item = &program_.items[s.item];
  t.step = 0;
  t.accesses = 0;
  for (std::size_t r = 0; r < program_.rings.size(); ++r)
    t.acquired[r] = t.waited[r] = t.released[r] = ring_bases_[s.ring_base + r];
  t.section = code_.roles[t.role].first_section;
  t.iterations_left = 0;
  while (!enter_section(t)) ++t.section;
}

// True when the section has work, or when the item is over (section == end).
bool Player::enter_section(Thread& t) {
  if (t.section == code_.roles[t.role].end_section) return true;
  const CompiledSection& s = code_.sections[t.section];
  t.iterations_left = count(s.repeat, *t.item);
  t.op = s.first;
  if (s.restarts_steps) t.step = 0;
  return t.iterations_left > 0 && s.first < s.end;
}

void Player::finish_role(Thread& t) {
  if (t.stores_pending + t.loads_pending > 0) {  // the SM keeps a CTA until its loads and stores are answered
    t.finishing = true;
    return block(t, Wait::stores);
  }
  t.wait = Wait::done;
  --unfinished_;
  Cta& cta = ctas_[t.cta];
  cta.last_store = later(cta.last_store, t.store_visible);
  end_ = later(end_, later(engine_.now(), cta.last_store));
  if (--cta.roles_left == 0) gang_done(cta.gang);
}

void Player::gang_done(int g) {
  Gang& gang = gangs_[static_cast<std::size_t>(g)];
  if (--gang.running_ctas > 0 || program_.schedule != Schedule::one_item_a_cta) return;
  if (next_dynamic_ >= program_.items.size()) return;
  // The successor is launched when the CTA's resources are free.
  launch_free_ = later(launch_free_, engine_.now());
  const Time at = engine_.now() + machine_.cta_refill;
  gang.sequence.clear();
  gang.exhausted = false;
  gang.running_ctas = program_.cluster();
  engine_.schedule(at + machine_.cta_start, *this, kLaunch, static_cast<std::uint32_t>(g));
}

}  // namespace rooftile::hw::player
