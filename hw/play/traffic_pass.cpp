#include "hw/play/traffic_pass.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

namespace rooftile::hw::player {
namespace {

// HBM time over the time of matrix and vector work.
constexpr double kMemoryBound = 0.8;

bool touches_memory(const Op& op) { return op.kind == OpKind::tma_load || op.kind == OpKind::load || op.kind == OpKind::store; }

class Pass {
 public:
  Pass(const TileProgram& program, const Machine& machine, const PlayOptions& options, const Compiled& code,
       const std::vector<std::int32_t>& slot, std::size_t sampled)
      : program_(program), machine_(machine), code_(code), slot_(slot), pace_(program, machine, code, layers(program, machine)), l2_(machine.l2_partitions, machine.l2_partition_capacity) {
    l2_.add_boxes(code.box_count);
    prepare_l2(l2_, program, machine, options);
    brought_.resize(code.box_count);
    cover_.resize(code.ops.size());
    latency_ = static_cast<double>((machine.l2_latency + machine.hbm_latency + machine.hbm_latency_tail).ps);
    for (std::size_t s = 0; s < code.sections.size(); ++s) {
      for (std::uint32_t i = code.sections[s].first; i < code.sections[s].end; ++i)
        if (touches_memory(code.ops[i])) cover_[i] = pace_.cover(s, i);
      memory_.push_back(std::any_of(code.ops.begin() + code.sections[s].first, code.ops.begin() + code.sections[s].end, touches_memory));
    }
    for (const CompiledRole& role : code.roles)
      role_touches_.push_back(std::any_of(memory_.begin() + role.first_section, memory_.begin() + role.end_section, [](bool m) { return m; }));
    out_.sampled.resize(sampled);
    for (auto& by_thread : out_.sampled) by_thread.resize(code.roles.size() * static_cast<std::size_t>(program.cluster()));
  }

  Traffic run() {
    place();
    while (!queue_.empty()) {
      const Next next = queue_.top();
      queue_.pop();
      Cursor& c = cursors_[next.cursor];
      iterate(c);
      if (settle(c)) queue_.push({c.time, next.cursor});
    }
    out_.all = l2_.traffic();
    for (const WorkItem& item : program_.items) busiest_ += pace_.item(item) / static_cast<double>(streams_);
    share_fetches();
    out_.late /= busiest_ * static_cast<double>(streams_);
    return std::move(out_);
  }

 private:
  struct Brought {  // a box from HBM
    double at = -1e300;
    std::uint32_t bytes = 0;
  };
  struct Fetched {  // of one tensor: bytes read from HBM, and those that CTAs waited for
    double read = 0, wanted = 0;
  };
  struct Gang {
    std::vector<int> sms;
    std::vector<std::pair<std::uint32_t, double>> sequence;  // items and when they start
    std::int64_t next = 0;
    double end = 0;
    bool exhausted = false;
  };
  struct Cursor {  // one role of one gang
    std::uint32_t gang = 0, role = 0, position = 0, section = 0;
    std::int32_t left = 0, step = 0;
    double time = 0;
    const WorkItem* item = nullptr;
  };
  struct Next {
    double time;
    std::uint32_t cursor;
    bool operator<(const Next& o) const { return time != o.time ? time > o.time : cursor > o.cursor; }
  };

  void place() {
    const auto places = places_of(program_, machine_);
    const std::int64_t resident = resident_gangs(program_, places.size(), occupancy(program_, machine_).ctas);
    streams_ = resident;
    for (std::int64_t g = 0; g < resident; ++g) {
      const double start = static_cast<double>((g + 1) * program_.cluster() * machine_.cta_interval.ps);
      gangs_.push_back({places[static_cast<std::size_t>(g) % places.size()], {}, g, start});
    }
    for (std::uint32_t g = 0; g < gangs_.size(); ++g)
      for (std::uint32_t r = 0; r < code_.roles.size(); ++r)
        if (role_touches_[r]) cursors_.push_back({g, r, static_cast<std::uint32_t>(code_.roles[r].first_item)});
    for (std::uint32_t c = 0; c < cursors_.size(); ++c)
      if (enter_item(cursors_[c]) && settle(cursors_[c])) queue_.push({cursors_[c].time, c});
  }

  bool fetch(Gang& gang) {
    if (gang.exhausted) return false;
    std::int64_t item = next_;
    if (program_.schedule == Schedule::static_persistent) {
      item = gang.next;
      gang.next += streams_;
    } else {
      ++next_;
    }
    gang.exhausted = item >= static_cast<std::int64_t>(program_.items.size());
    if (gang.exhausted) return false;
    gang.sequence.emplace_back(static_cast<std::uint32_t>(item), gang.end);
    gang.end += pace_.item(program_.items[static_cast<std::size_t>(item)]);
    if (program_.schedule == Schedule::one_item_a_cta) gang.end += static_cast<double>((machine_.cta_refill + machine_.cta_start).ps);
    return true;
  }

  bool enter_item(Cursor& c) {
    Gang& gang = gangs_[c.gang];
    while (gang.sequence.size() <= c.position) {
      gang.end = std::max(gang.end, c.time);
      if (!fetch(gang)) return false;
    }
    const auto& [item, start] = gang.sequence[c.position];
    c.item = &program_.items[item];
    c.time = std::max(c.time, start);
    c.step = 0;
    c.section = code_.roles[c.role].first_section;
    enter_section(c);
    return true;
  }

  void enter_section(Cursor& c) {
    if (c.section == code_.roles[c.role].end_section) return;
    const CompiledSection& s = code_.sections[c.section];
    c.left = count(s.repeat, *c.item);
    if (s.restarts_steps) c.step = 0;
  }

  // Moves on to the next iteration that touches memory; false when the role is done.
  bool settle(Cursor& c) {
    for (;;) {
      if (c.section == code_.roles[c.role].end_section) {
        c.position += static_cast<std::uint32_t>(code_.roles[c.role].item_stride);
        if (!enter_item(c)) return false;
        continue;
      }
      if (c.left > 0 && memory_[c.section]) return true;
      c.time += c.left * pace_.iteration(c.section);
      c.step += code_.sections[c.section].counts_steps ? c.left : 0;
      ++c.section;
      enter_section(c);
    }
  }

  void iterate(Cursor& c) {
    const CompiledSection& s = code_.sections[c.section];
    const std::vector<int>& sms = gangs_[c.gang].sms;
    const std::int32_t slot = slot_[static_cast<std::size_t>(c.item - program_.items.data())];
    for (int rank = 0; rank < program_.cluster(); ++rank)
      for (std::uint32_t i = s.first; i < s.end; ++i)
        if (touches_memory(code_.ops[i])) access(c, i, rank, sms[static_cast<std::size_t>(rank)], slot);
    c.time += pace_.iteration(c.section) + std::max(0.0, late_);
    out_.late += std::max(0.0, late_);
    late_ = 0;
    c.step += s.counts_steps ? 1 : 0;
    --c.left;
  }

  void access(Cursor& c, std::uint32_t i, int rank, int sm, std::int32_t slot) {
    const Op& op = code_.ops[i];
    const BoxTable& table = code_.boxes[static_cast<std::size_t>(op.box)];
    std::uint32_t box = 0;
    const std::int64_t bytes = resolve(table, *c.item, c.step, rank % program_.cluster_x, rank / program_.cluster_x, box);
    if (bytes == 0) return;
    const int partition = (sm / 2) % machine_.l2_partitions;
    const bool store = op.kind == OpKind::store;
    const L2Cache::Outcome out = store ? l2_.write(partition, box, {bytes}) : l2_.read(partition, box, {bytes});
    int waits = 0;
    if (!store) waits = fetch_box(c, cover_[i], table.base, box, out);
    if (slot < 0) return;
    (store ? out_.part.written : out_.part.read).value += bytes;
    out_.part.far += out.far;
    out_.part.dram_written += out.dram_written;
    if (waits == 0) out_.part.dram_read += out.dram_read;
    auto& list = out_.sampled[static_cast<std::size_t>(slot)][c.role * static_cast<std::size_t>(program_.cluster()) + static_cast<std::size_t>(rank)];
    if (waits > 0) shared_.push_back({static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(&list - out_.sampled[static_cast<std::size_t>(slot)].data()),
                                  static_cast<std::uint32_t>(list.size()), table.base, brought_[box].bytes, waits});
    list.push_back(out);
  }

  // Who reads a box from HBM waits for it, and so does who asks while it is on its way: both are late by what their
  // own prefetch does not cover. Zero: nobody waits; else 1, or 2 when prefetch covers the wait.
  int fetch_box(Cursor& c, double cover, std::uint32_t tensor, std::uint32_t box, const L2Cache::Outcome& out) {
    Brought& b = brought_[box];
    if (out.dram_read.value > 0) b = {c.time, static_cast<std::uint32_t>(out.dram_read.value)};
    const double left = b.at + latency_ - c.time;
    if (left <= 0) return 0;
    Fetched& f = fetched_[tensor];
    f.read += static_cast<double>(out.dram_read.value);
    f.wanted += b.bytes;
    late_ = std::max(late_, left - cover);
    return left > cover ? 1 : 2;
  }

  // Who comes first among those that come together is chance: the bytes are spread over all of them, where waiting
  // for them makes a difference.
  void share_fetches() {
    const core::Time hbm = core::transfer_time(out_.all.dram_read + out_.all.dram_written, machine_.hbm_read);
    out_.work = busiest_;
    out_.memory = static_cast<double>(hbm.ps) / busiest_;
    const bool memory_bound = out_.memory > kMemoryBound;
    for (const Shared& s : shared_) {
      const Fetched& f = fetched_[s.tensor];
      core::Bytes& read = out_.sampled[s.slot][s.thread][s.at].dram_read;
      if (s.waits == 1 || memory_bound)
        read.value = std::max<std::int64_t>(1, std::llround(static_cast<double>(s.bytes) * f.read / f.wanted));
      out_.part.dram_read += read;
    }
  }

  static int layers(const TileProgram& program, const Machine& machine) {
    const auto places = places_of(program, machine).size();
    const auto gangs = static_cast<std::size_t>(resident_gangs(program, places, occupancy(program, machine).ctas));
    return static_cast<int>((gangs + places - 1) / places);
  }

  struct Shared {  // a sampled access whose bytes are shared
    std::uint32_t slot, thread, at, tensor, bytes;
    int waits;
  };
  const TileProgram& program_;
  const Machine& machine_;
  const Compiled& code_;
  const std::vector<std::int32_t>& slot_;
  Pace pace_;
  L2Cache l2_;
  std::vector<Brought> brought_;
  std::unordered_map<std::uint32_t, Fetched> fetched_;  // by tensor
  std::vector<Shared> shared_;
  std::vector<double> cover_;  // by op
  double latency_ = 0, late_ = 0, busiest_ = 0;
  std::vector<bool> memory_, role_touches_;
  std::vector<Gang> gangs_;
  std::vector<Cursor> cursors_;
  std::priority_queue<Next> queue_;
  std::int64_t next_ = 0, streams_ = 1;
  Traffic out_;
};

}  // namespace

// Inputs that stay from call to call were read before too: both partitions have copies if there is room for them.
void prepare_l2(L2Cache& l2, const TileProgram& program, const Machine& machine, const PlayOptions& options) {
  if (!options.cold_l2) l2.fill_with_stale(options.stale_dirty);
  double all = 0;
  for (const Tensor& t : program.tensors) all += static_cast<double>(t.bytes().value);
  const bool copies = options.warm_inputs && all <= static_cast<double>(machine.l2_partition_capacity.value);
  std::uint32_t base = 0;
  for (const Tensor& t : program.tensors) {
    const auto boxes = static_cast<std::uint32_t>(t.boxes());
    if (t.warm || options.warm_inputs) {
      const core::Bytes bytes{static_cast<std::int64_t>(static_cast<double>(t.box_rows * t.box_cols) * t.element_bytes)};
      for (std::uint32_t b = 0; b < boxes; ++b) {
        l2.write(static_cast<int>(b) % machine.l2_partitions, base + b, bytes);
        for (int side = 0; copies && side < machine.l2_partitions; ++side) l2.read(side, base + b, bytes);
      }
    }
    base += boxes;
  }
  l2.traffic() = {};
}

Traffic traffic_pass(const TileProgram& program, const Machine& machine, const PlayOptions& options, const Compiled& code,
                     const std::vector<std::int32_t>& slot, std::size_t sampled) {
  return Pass(program, machine, options, code, slot, sampled).run();
}

}  // namespace rooftile::hw::player
