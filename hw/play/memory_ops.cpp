// Tile ops that move data, and what happens when HBM answers.
#include <algorithm>

#include "hw/play/player.hpp"

namespace rooftile::hw::player {

using core::Bytes;
using core::later;
using core::Time;

bool Player::tma_load(Thread& t, const Op& op) {
  Cta& cta = ctas_[t.cta];
  Sm& sm = sms_[static_cast<std::size_t>(cta.sm)];
  if (sm.tensor_map_ready > engine_.now()) return wait_until(t, sm.tensor_map_ready, Wait::loads);
  std::uint32_t box = 0;
  const Bytes bytes{resolve_box(t, op, box)};
  const std::int64_t outside = code_.boxes[static_cast<std::size_t>(op.box)].bytes[0][0] - bytes.value;
  const Time fill = machine_.clock.time(machine_.tma_fill_cycles * static_cast<double>(outside) / 128);
  const Time issued = sm.tma.serve(engine_.now(), tma_issue_ + fill);
  Waiter w{.multicast = static_cast<Multicast>(op.b), .ring = op.a, .thread = thread_id(t), .fill = t.acquired[op.a] - 1};
  if (bytes.value == 0) {
    fill_ring(w, issued);
    return true;
  }
  const Memory::Answer answer = memory_.read(engine_.now(), cta.sm, box, bytes, run_of(op), known_access(t));
  w.extra = tma_latency_;
  w.not_before = later(answer.ready, issued + machine_.l2_latency) + tma_latency_;
  if (w.multicast != Multicast::none) {
    const std::uint32_t first = t.cta - static_cast<std::uint32_t>(cta.rank);
    for (std::uint32_t c = first; c < first + static_cast<std::uint32_t>(program_.cluster()); ++c)
      if (c != t.cta && (w.multicast == Multicast::column ? ctas_[c].x == cta.x : ctas_[c].y == cta.y))
        memory_.deliver(engine_.now(), ctas_[c].sm, bytes);
  }
  await(answer, w);
  return true;
}

// The box is in shared memory of every CTA that it was meant for.
void Player::fill_ring(const Waiter& w, Time ready) {
  const std::uint32_t own = threads_[w.thread].cta;
  if (w.multicast == Multicast::none) return contribute(own, w.ring, w.fill, ready);
  const Cta& cta = ctas_[own];
  const std::uint32_t first = own - static_cast<std::uint32_t>(cta.rank);
  for (std::uint32_t c = first; c < first + static_cast<std::uint32_t>(program_.cluster()); ++c)
    if (w.multicast == Multicast::column ? ctas_[c].x == cta.x : ctas_[c].y == cta.y) contribute(c, w.ring, w.fill, ready);
}

void Player::load(Thread& t, const Op& op) {
  const int sm = ctas_[t.cta].sm;
  std::uint32_t box = 0;
  const Bytes bytes{resolve_box(t, op, box)};
  const std::uint32_t group = t.groups_closed % kLoadGroups;
  if (bytes.value > 0) {
    const double lsu_cycles = static_cast<double>(bytes.value) / machine_.lanes_per_cycle[kSharedPath];
    // A warp asks for 16 bytes a lane: that is the run that its request shows to HBM.
    constexpr double kWarpRequest = 512;
    const Time issued = sms_[static_cast<std::size_t>(sm)].lsu.serve(engine_.now(), machine_.clock.time(lsu_cycles));
    const Memory::Answer answer = memory_.read(engine_.now(), sm, box, bytes, std::min(kWarpRequest, run_of(op)), known_access(t));
    ++t.group_pending[group];
    ++t.loads_pending;
    await(answer, {.kind = Waiter::Kind::group, .group = static_cast<std::uint8_t>(group), .thread = thread_id(t),
                   .not_before = later(issued, answer.ready)});
  }
  if (!op.flag) return;
  ++t.groups_closed;
  t.group[t.groups_closed % kLoadGroups] = {};
}

void Player::store(Thread& t, const Op& op) {
  const int sm = ctas_[t.cta].sm;
  std::uint32_t box = 0;
  const Bytes bytes{resolve_box(t, op, box)};
  if (bytes.value == 0) return;
  const Memory::Answer answer = memory_.write(engine_.now(), sm, box, bytes, run_of(op), op.flag2, known_access(t));
  ++t.stores_pending;
  await(answer, {.kind = Waiter::Kind::store, .thread = thread_id(t), .not_before = answer.ready});
}

// Answers at once when the data does not come from HBM.
void Player::await(const Memory::Answer& answer, const Waiter& waiter) {
  schedule_memory();
  if (answer.ticket == Memory::kNone) return answered(waiter, waiter.not_before);
  if (answer.ticket >= first_waiter_.size()) first_waiter_.resize(answer.ticket + 1, Memory::kNone);
  std::uint32_t at = free_waiter_;
  if (at == Memory::kNone) {
    at = static_cast<std::uint32_t>(waiters_.size());
    waiters_.emplace_back();
  } else {
    free_waiter_ = waiters_[at].next;
  }
  waiters_[at] = waiter;
  waiters_[at].next = first_waiter_[answer.ticket];
  first_waiter_[answer.ticket] = at;
}

void Player::schedule_memory() {
  const Time next = later(memory_.next_finish(), engine_.now());  // rounding may name the picosecond before
  if (next >= memory_event_at_) return;
  memory_event_at_ = next;
  engine_.schedule(next, *this, kMemory, 0);
}

void Player::memory_event() {
  if (engine_.now() != memory_event_at_) return;  // overtaken by an earlier one
  memory_event_at_ = Time::max();
  std::uint32_t ticket = 0;
  Time ready;
  while (memory_.finish_one(engine_.now(), ticket, ready)) {
    std::uint32_t at = ticket < first_waiter_.size() ? first_waiter_[ticket] : Memory::kNone;
    if (at != Memory::kNone) first_waiter_[ticket] = Memory::kNone;
    while (at != Memory::kNone) {
      const Waiter w = waiters_[at];
      waiters_[at].next = free_waiter_;
      free_waiter_ = at;
      answered(w, later(ready + w.extra, w.not_before));
      at = w.next;
    }
  }
  schedule_memory();
}

void Player::answered(const Waiter& w, Time ready) {
  Thread& t = threads_[w.thread];
  switch (w.kind) {
    case Waiter::Kind::fill: return fill_ring(w, ready);
    case Waiter::Kind::group: {
      t.group[w.group] = later(t.group[w.group], ready);
      --t.group_pending[w.group];
      --t.loads_pending;
      if (t.finishing) return t.stores_pending + t.loads_pending == 0 ? finish_role(t) : void();
      Time when;
      const Op& op = code_.ops[t.op];
      if (t.wait == Wait::loads && !t.waking && op.kind == OpKind::wait_loads && groups_answered(t, op, when)) wake(w.thread, when);
      return;
    }
    case Waiter::Kind::store:
      t.store_visible = later(t.store_visible, ready);
      t.store_read = later(t.store_read, ready - machine_.l2_latency);
      --t.stores_pending;
      if (t.finishing) return t.stores_pending + t.loads_pending == 0 ? finish_role(t) : void();
      if (t.stores_pending == 0 && t.wait == Wait::stores && !t.waking)
        wake(w.thread, code_.ops[t.op].flag ? t.store_visible : t.store_read);
  }
}

// Load groups complete in order: all but the `pending` youngest must be answered; `ready` is when the last of them is.
bool Player::groups_answered(const Thread& t, const Op& op, Time& ready) const {
  const auto closed = std::min<std::uint32_t>(t.groups_closed, kLoadGroups - 1);
  for (std::uint32_t back = op.a + 1; back <= closed; ++back) {
    const std::uint32_t group = (t.groups_closed - back) % kLoadGroups;
    if (t.group_pending[group] > 0) return false;
    ready = later(ready, t.group[group]);
  }
  return true;
}

bool Player::wait_loads(Thread& t, const Op& op) {
  Time ready{};
  if (groups_answered(t, op, ready)) return wait_until(t, ready, Wait::loads);
  block(t, Wait::loads);
  return false;
}

bool Player::wait_stores(Thread& t, const Op& op) {
  if (t.stores_pending == 0) return wait_until(t, op.flag ? t.store_visible : t.store_read, Wait::stores);
  block(t, Wait::stores);
  return false;
}

}  // namespace rooftile::hw::player
