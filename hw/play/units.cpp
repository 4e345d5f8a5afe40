// Work on the units of an SM: shared fairly, matrix operations one after another.
#include "hw/play/player.hpp"
#include "sim/core/errors.hpp"

namespace rooftile::hw::player {

using core::Time;

void Player::run_on_units(std::uint32_t id, const Op& op, std::uint32_t tag) {
  const int sm_index = ctas_[threads_[id].cta].sm;
  Sm& sm = sms_[static_cast<std::size_t>(sm_index)];
  for (int r = 0; r < kSmResources; ++r) result_.unit_cycles[static_cast<std::size_t>(r)] += op.cycles[static_cast<std::size_t>(r)];
  result_.tensor_flops += op.flops;
  result_.shared_bytes += op.shared_bytes;
  sm.share.start(engine_.now(), op.demand, op.solo_ps, tag);
  reschedule(sm_index);
}

void Player::reschedule(int sm_index) {
  Sm& sm = sms_[static_cast<std::size_t>(sm_index)];
  ++sm.generation;
  sm.generation &= 0x3fffffffU;
  if (!sm.share.idle())
    engine_.schedule(sm.share.next_finish(), *this, kUnit | sm.generation << 2, static_cast<std::uint32_t>(sm_index));
}

void Player::unit_finished(int sm_index) {
  Sm& sm = sms_[static_cast<std::size_t>(sm_index)];
  std::uint32_t tags[64];
  int finished = 0;
  while (finished < 64 && sm.share.finish_one(engine_.now(), tags[finished])) ++finished;
  reschedule(sm_index);
  for (int i = 0; i < finished; ++i) {
    if (tags[i] & kAsyncTag) {
      mma_finished(tags[i] & ~kAsyncTag);
      continue;
    }
    Thread& t = threads_[tags[i]];
    resumed(t);
    const CompiledSection& s = code_.sections[t.section];
    // The op is over: step past it as `advance` would.
    if (++t.op == s.end) {
      t.op = s.first;
      t.step += s.counts_steps ? 1 : 0;
      result_.tile_steps += s.counts_steps ? 1 : 0;
      if (--t.iterations_left == 0) {
        do ++t.section;
        while (!enter_section(t));
      }
    }
    advance(tags[i]);
  }
}

void Player::issue_mma(std::uint32_t id, const Op& op) {
  Thread& t = threads_[id];
  if (!op.flag) {  // mma.sync: the warps' instructions interleave, so the pipe is shared
    block(t, Wait::unit);
    t.solo_ps = op.solo_ps;
    t.doing = op.name;
    return run_on_units(id, op, id);
  }
  Sm& sm = sms_[static_cast<std::size_t>(ctas_[t.cta].sm)];
  core::ensure(sm.mma_tail - sm.mma_head < kMmaQueue, "an SM has too many unfinished matrix operations");
  sm.mma[sm.mma_tail++ % kMmaQueue] = {id, t.op};
  ++t.mma_pending;
  if (sm.mma_tail - sm.mma_head != 1) return;
  sm.mma_since = engine_.now();
  run_on_units(id, op, id | kAsyncTag);
}

void Player::mma_finished(std::uint32_t id) {
  Thread& t = threads_[id];
  Sm& sm = sms_[static_cast<std::size_t>(ctas_[t.cta].sm)];
  const Op& done = code_.ops[sm.mma[sm.mma_head++ % kMmaQueue].op];
  if (options_.observer && options_.observer->wants(ctas_[t.cta].sm))
    options_.observer->matrix({ctas_[t.cta].sm, static_cast<int>(t.cta), t.role, done.name, true, sm.mma_since, engine_.now(), &done.cycles});
  sm.mma_since = engine_.now();
  t.mma_done = engine_.now() + Time{static_cast<std::int64_t>(done.latency_ps)};
  --t.mma_pending;
  if (sm.mma_tail != sm.mma_head) {
    const QueuedMma& next = sm.mma[sm.mma_head % kMmaQueue];
    run_on_units(next.thread, code_.ops[next.op], next.thread | kAsyncTag);
  }
  if (t.wait == Wait::mma && t.mma_pending <= code_.ops[t.op].a) wake(id, t.mma_done);
}

bool Player::wait_mma(Thread& t, const Op& op) {
  if (t.mma_pending > op.a) {
    block(t, Wait::mma);
    return false;
  }
  // The results of the last finished instruction take the pipe's latency to appear.
  if (op.a == 0) return wait_until(t, t.mma_done, Wait::mma);
  return true;
}

}  // namespace rooftile::hw::player
