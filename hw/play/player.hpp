// The state of a kernel in flight and the rules that move it. One Player plays one kernel once.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "hw/memory.hpp"
#include "hw/play/compile.hpp"
#include "hw/play/play.hpp"
#include "hw/play/traffic_pass.hpp"
#include "sim/core/engine.hpp"

namespace rooftile::hw::player {

class Player final : core::EventHandler {
 public:
  // A part of a kernel on a part of the machine: what its accesses meet in L2 is known beforehand.
  struct Known {
    const Traffic* traffic = nullptr;
    double share = 1;  // of the machine's shared bandwidth
  };
  Player(const TileProgram& program, const Machine& machine, const PlayOptions& options, const Known& known);
  PlayResult run();

 private:
  static constexpr std::uint32_t kUnit = 0, kResume = 1, kLaunch = 2, kMemory = 3;  // event kinds (low two bits of code)
  static constexpr std::uint32_t kAsyncTag = 0x80000000U;
  static constexpr int kMmaQueue = 64, kLoadGroups = 8, kMaxTokens = 4;
  enum class Wait : std::uint8_t { none, unit, full, empty, mma, loads, stores, turn, sync, done };

  struct Stage {
    std::uint32_t arrived = 0, released = 0;
    core::Time ready{};
  };
  struct Sequence {  // one work item given to a gang
    std::uint32_t item;
    std::uint32_t ring_base;  // index into ring_bases_
  };
  struct Gang {  // the CTAs of one cluster; a single CTA without clusters
    std::vector<int> sms;
    std::vector<Sequence> sequence;
    std::int64_t next_item = -1;  // of a static schedule
    bool exhausted = false;
    int running_ctas = 0;
  };
  struct Cta {
    int sm = 0, gang = 0, rank = 0, x = 0, y = 0;
    int roles_left = 0;
    std::uint8_t turn[kMaxTokens] = {};
    std::uint8_t sync[kMaxTokens] = {};
    core::Time last_store{};
  };
  struct Thread {  // one role of one CTA
    std::uint32_t cta = 0;
    std::uint16_t role = 0;
    Wait wait = Wait::done;
    bool waking = false;
    std::uint32_t position = 0;  // in the gang's sequence
    std::uint32_t section = 0, op = 0;
    std::int32_t iterations_left = 0, step = 0;
    const WorkItem* item = nullptr;
    std::uint32_t acquired[4] = {}, waited[4] = {}, released[4] = {};
    std::uint32_t mma_pending = 0;
    core::Time mma_done{};
    core::Time group[kLoadGroups] = {};
    std::uint16_t group_pending[kLoadGroups] = {};  // loads of the group that HBM has not answered
    std::uint32_t loads_pending = 0, stores_pending = 0;
    bool finishing = false;
    std::uint32_t accesses = 0;  // of this item so far
    std::uint32_t groups_closed = 0;
    core::Time store_read{}, store_visible{};
    core::Time since{};
    double solo_ps = 0;
    const char* doing = "";
  };
  struct QueuedMma {
    std::uint32_t thread, op;
  };
  struct Sm {
    SmShare share;
    // Asynchronous matrix instructions: one warpgroup's at a time, in the order of issue.
    QueuedMma mma[kMmaQueue] = {};
    std::uint32_t mma_head = 0, mma_tail = 0;
    std::uint32_t generation = 0;
    core::Time mma_since{};  // start of the matrix operation at the head
    core::FifoServer tma, lsu;
    core::Time tensor_map_ready{};  // the descriptors are prefetched when the first CTA starts
    bool used = false;
  };

  // Who waits for a request to HBM: a ring's fill (of several CTAs for a multicast), a load group, or a store.
  struct Waiter {
    enum class Kind : std::uint8_t { fill, group, store } kind = Kind::fill;
    Multicast multicast = Multicast::none;
    std::uint8_t ring = 0, group = 0;
    std::uint32_t thread = 0, fill = 0, next = Memory::kNone;
    core::Time not_before{}, extra{};
  };

  void handle(core::Engine& engine, std::uint32_t code, std::uint32_t arg) override;

  // launch.cpp
  void place_gangs();
  void launch_gang(int gang);
  void start_gang(std::uint32_t gang);
  void set_up_cta(std::uint32_t cta, int gang);
  void finish_role(Thread& t);
  void gang_done(int gang);
  bool next_item(Thread& t);
  bool fetch(Gang& gang);
  void enter_item(Thread& t);
  bool enter_section(Thread& t);

  // memory_ops.cpp
  bool tma_load(Thread& t, const Op& op);
  void load(Thread& t, const Op& op);
  void store(Thread& t, const Op& op);
  bool wait_loads(Thread& t, const Op& op);
  bool groups_answered(const Thread& t, const Op& op, core::Time& ready) const;
  bool wait_stores(Thread& t, const Op& op);
  void await(const Memory::Answer& answer, const Waiter& waiter);
  void answered(const Waiter& waiter, core::Time ready);
  void fill_ring(const Waiter& waiter, core::Time ready);
  void memory_event();
  void schedule_memory();
  const Access* known_access(Thread& t) {
    if (!known_.traffic) return nullptr;
    const auto item = static_cast<std::size_t>(t.item - program_.items.data());
    const auto thread = t.role * static_cast<std::size_t>(program_.cluster()) + static_cast<std::size_t>(ctas_[t.cta].rank);
    return &known_.traffic->sampled[item][thread].at(t.accesses++);
  }
  double run_of(const Op& op) const { return code_.boxes[static_cast<std::size_t>(op.box)].run; }

  // ops.cpp
  void advance(std::uint32_t thread);
  bool step_op(std::uint32_t thread, const Op& op);
  bool acquire(Thread& t, const Op& op);
  bool wait_full(Thread& t, const Op& op);
  void release(Thread& t, const Op& op);
  void contribute(std::uint32_t cta, int ring, std::uint32_t fill, core::Time ready);
  void issue_mma(std::uint32_t thread, const Op& op);
  bool wait_mma(Thread& t, const Op& op);
  void run_on_units(std::uint32_t thread, const Op& op, std::uint32_t tag);
  bool wait_until(Thread& t, core::Time when, Wait why);
  bool turn_wait(Thread& t, const Op& op);
  void turn_pass(Thread& t, const Op& op);
  bool sync(Thread& t, const Op& op);
  void unit_finished(int sm);
  void mma_finished(std::uint32_t thread);
  void reschedule(int sm);

  void block(Thread& t, Wait why) {
    t.wait = why;
    t.since = engine_.now();
  }
  void wake(std::uint32_t thread, core::Time at);
  void observe(const Thread& t, bool working) const;
  bool observe_traffic() const {  // true: the role goes on
    if (options_.observer) options_.observer->traffic(engine_.now(), memory_.l2().traffic());
    return true;
  }
  void resumed(Thread& t);
  void account(const Thread& t, Stall why, double ps) {
    result_.roles[t.role].ps[static_cast<std::size_t>(why)] += ps;
  }
  std::uint32_t thread_id(const Thread& t) const { return static_cast<std::uint32_t>(&t - threads_.data()); }
  Stage& stage(std::uint32_t cta, int ring, std::uint32_t fill) {
    const int stages = program_.rings[static_cast<std::size_t>(ring)].stages;
    return stages_[static_cast<std::size_t>(cta) * static_cast<std::size_t>(code_.stages) +
                   static_cast<std::size_t>(code_.stage_offset[static_cast<std::size_t>(ring)]) +
                   fill % static_cast<std::uint32_t>(stages)];
  }
  std::int64_t resolve_box(const Thread& t, const Op& op, std::uint32_t& box) const;
  PlayResult collect(core::Time end);
  [[noreturn]] void report_deadlock() const;

  const TileProgram& program_;
  const Machine& machine_;
  PlayOptions options_;
  Known known_;
  Compiled code_;
  core::Engine engine_;
  Memory memory_;
  std::vector<Sm> sms_;
  std::vector<Gang> gangs_;
  std::vector<Cta> ctas_;
  std::vector<Thread> threads_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> ring_bases_;
  std::vector<Waiter> waiters_;
  std::vector<std::uint32_t> first_waiter_;  // by ticket
  std::uint32_t free_waiter_ = Memory::kNone;
  core::Time memory_event_at_ = core::Time::max();
  std::uint32_t next_dynamic_ = 0;   // item handed out next (dynamic schedule, one item a CTA)
  std::int64_t unfinished_ = 0;      // roles that were started and have not ended
  core::Time launch_free_{};
  core::Time end_{};
  core::Time barrier_latency_{}, tma_issue_{}, tma_latency_{}, start_barrier_{};
  int streams_ = 1;                  // gangs of a static persistent grid
  PlayResult result_;
};

}  // namespace rooftile::hw::player
