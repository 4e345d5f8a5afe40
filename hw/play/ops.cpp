// What each tile op does when a role reaches it.
#include <algorithm>

#include "hw/play/player.hpp"
#include "sim/core/errors.hpp"

namespace rooftile::hw::player {

using core::Bytes;
using core::later;
using core::Time;

namespace {

Stall stall_of(int wait_index) {
  constexpr Stall table[] = {Stall::none, Stall::none, Stall::data, Stall::no_slot, Stall::matrix_unit,
                             Stall::data, Stall::store, Stall::turn, Stall::turn, Stall::none};
  return table[wait_index];
}

}  // namespace

void Player::wake(std::uint32_t thread, Time at) {
  Thread& t = threads_[thread];
  if (t.waking) return;
  t.waking = true;
  engine_.schedule(later(at, engine_.now()), *this, kResume, thread);
}

void Player::observe(const Thread& t, bool working) const {
  const int sm = ctas_[t.cta].sm;
  if (!options_.observer->wants(sm)) return;
  const char* what = working ? t.doing : t.wait == Wait::sync ? "waiting at a barrier" : kStallNames[static_cast<std::size_t>(stall_of(static_cast<int>(t.wait)))];
  options_.observer->span({sm, static_cast<int>(t.cta), t.role, what, working, t.since, engine_.now(), working ? &code_.ops[t.op].cycles : nullptr});
}

void Player::resumed(Thread& t) {
  const auto waited = static_cast<double>((engine_.now() - t.since).ps);
  if (t.wait == Wait::unit) {
    account(t, Stall::none, std::min(waited, t.solo_ps));
    account(t, Stall::unit_shared, std::max(0.0, waited - t.solo_ps));
  } else {
    account(t, stall_of(static_cast<int>(t.wait)), waited);
  }
  if (options_.observer && waited > 0) observe(t, t.wait == Wait::unit);
  t.wait = Wait::none;
}

void Player::handle(core::Engine&, std::uint32_t code, std::uint32_t arg) {
  switch (code & 3U) {
    case kUnit:
      if (sms_[arg].generation == code >> 2) unit_finished(static_cast<int>(arg));
      return;
    case kResume: {
      Thread& t = threads_[arg];
      t.waking = false;
      if (t.wait == Wait::done) return;
      resumed(t);
      advance(arg);
      return;
    }
    case kMemory: return memory_event();
    default: start_gang(arg);
  }
}

void Player::advance(std::uint32_t id) {
  Thread& t = threads_[id];
  for (;;) {
    if (t.section == code_.roles[t.role].end_section) {
      t.position += static_cast<std::uint32_t>(code_.roles[t.role].item_stride);
      if (!next_item(t)) return;
      continue;
    }
    if (!step_op(id, code_.ops[t.op])) return;
    const CompiledSection& s = code_.sections[t.section];
    if (++t.op < s.end) continue;
    t.op = s.first;
    t.step += s.counts_steps ? 1 : 0;
    result_.tile_steps += s.counts_steps ? 1 : 0;
    if (--t.iterations_left > 0) continue;
    do ++t.section;
    while (!enter_section(t));
  }
}

// True when the role goes on to the next op at once.
bool Player::step_op(std::uint32_t id, const Op& op) {
  Thread& t = threads_[id];
  switch (op.kind) {
    case OpKind::acquire: return acquire(t, op);
    case OpKind::tma_load: return tma_load(t, op) && observe_traffic();
    case OpKind::wait_full: return wait_full(t, op);
    case OpKind::release: release(t, op); return true;
    case OpKind::mma: issue_mma(id, op); return op.flag;
    case OpKind::mma_wait: return wait_mma(t, op);
    case OpKind::vector:
      if (op.solo_ps <= 0) return true;
      block(t, Wait::unit);
      t.solo_ps = op.solo_ps;
      t.doing = op.name;
      run_on_units(id, op, id);
      return false;
    case OpKind::load: load(t, op); return observe_traffic();
    case OpKind::wait_loads: return wait_loads(t, op);
    case OpKind::store: store(t, op); return observe_traffic();
    case OpKind::wait_stores: return wait_stores(t, op);
    case OpKind::turn_wait: return turn_wait(t, op);
    case OpKind::turn_pass: turn_pass(t, op); return true;
    case OpKind::sync: return sync(t, op);
  }
  return true;
}

bool Player::wait_until(Thread& t, Time when, Wait why) {
  if (when <= engine_.now()) return true;
  block(t, why);
  wake(thread_id(t), when);
  return false;
}

bool Player::acquire(Thread& t, const Op& op) {
  const Ring& ring = program_.rings[op.a];
  const std::uint32_t fill = t.acquired[op.a];
  const std::uint32_t needed =
      fill / static_cast<std::uint32_t>(ring.stages) * static_cast<std::uint32_t>(ring.releases_per_fill);
  const std::uint32_t first = t.cta - static_cast<std::uint32_t>(ctas_[t.cta].rank);
  for (std::uint32_t c = first; c < first + static_cast<std::uint32_t>(program_.cluster()); ++c)
    if (stage(c, op.a, fill).released < needed) {
      block(t, Wait::empty);
      return false;
    }
  ++t.acquired[op.a];
  return true;
}

std::int64_t Player::resolve_box(const Thread& t, const Op& op, std::uint32_t& box) const {
  const Cta& cta = ctas_[t.cta];
  return resolve(code_.boxes[static_cast<std::size_t>(op.box)], *t.item, t.step, cta.x, cta.y, box);
}

void Player::contribute(std::uint32_t cta, int ring, std::uint32_t fill, Time ready) {
  Stage& s = stage(cta, ring, fill);
  ++s.arrived;
  s.ready = later(s.ready, ready);
  const Ring& r = program_.rings[static_cast<std::size_t>(ring)];
  if (s.arrived % static_cast<std::uint32_t>(r.loads_per_fill) != 0) return;
  const auto roles = static_cast<std::uint32_t>(code_.roles.size());
  for (std::uint32_t id = cta * roles; id < (cta + 1) * roles; ++id) {
    Thread& t = threads_[id];
    if (t.wait == Wait::full && code_.ops[t.op].a == ring && t.waited[ring] == fill)
      wake(id, s.ready + barrier_latency_);
  }
}

bool Player::wait_full(Thread& t, const Op& op) {
  const Ring& ring = program_.rings[op.a];
  const std::uint32_t fill = t.waited[op.a];
  const Stage& s = stage(t.cta, op.a, fill);
  const std::uint32_t needed =
      (fill / static_cast<std::uint32_t>(ring.stages) + 1) * static_cast<std::uint32_t>(ring.loads_per_fill);
  if (s.arrived < needed) {
    block(t, Wait::full);
    return false;
  }
  if (s.ready > engine_.now()) {
    block(t, Wait::full);
    wake(thread_id(t), s.ready + barrier_latency_);
    return false;
  }
  ++t.waited[op.a];
  return true;
}

void Player::release(Thread& t, const Op& op) {
  const auto roles = static_cast<std::uint32_t>(code_.roles.size());
  const std::uint32_t first = t.cta - static_cast<std::uint32_t>(ctas_[t.cta].rank);
  while (t.waited[op.a] - t.released[op.a] > op.b) {
    ++stage(t.cta, op.a, t.released[op.a]).released;
    ++t.released[op.a];
  }
  for (std::uint32_t id = first * roles; id < (first + static_cast<std::uint32_t>(program_.cluster())) * roles; ++id)
    if (threads_[id].wait == Wait::empty && code_.ops[threads_[id].op].a == op.a)
      wake(id, engine_.now() + barrier_latency_);
}

bool Player::turn_wait(Thread& t, const Op& op) {
  const Cta& cta = ctas_[t.cta];
  const auto turn = static_cast<int>(cta.turn[op.a]);
  if (turn == code_.roles[t.role].turn) return true;
  block(t, Wait::turn);
  return false;
}

void Player::turn_pass(Thread& t, const Op& op) {
  Cta& cta = ctas_[t.cta];
  const auto roles = static_cast<std::uint32_t>(code_.roles.size());
  cta.turn[op.a] = static_cast<std::uint8_t>((cta.turn[op.a] + 1) % program_.turn_roles);
  for (std::uint32_t id = t.cta * roles; id < (t.cta + 1) * roles; ++id)
    if (threads_[id].wait == Wait::turn && code_.ops[threads_[id].op].kind == OpKind::turn_wait)
      wake(id, engine_.now() + barrier_latency_);
}

bool Player::sync(Thread& t, const Op& op) {
  Cta& cta = ctas_[t.cta];
  if (t.wait == Wait::none && t.solo_ps < 0) {  // woken: the barrier opened
    t.solo_ps = 0;
    return true;
  }
  if (++cta.sync[op.a] < op.b) {
    block(t, Wait::sync);
    t.solo_ps = -1;
    return false;
  }
  cta.sync[op.a] = 0;
  const auto roles = static_cast<std::uint32_t>(code_.roles.size());
  for (std::uint32_t id = t.cta * roles; id < (t.cta + 1) * roles; ++id)
    if (threads_[id].wait == Wait::sync && code_.ops[threads_[id].op].a == op.a) wake(id, engine_.now() + barrier_latency_);
  return true;
}

}  // namespace rooftile::hw::player
