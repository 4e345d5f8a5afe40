#include "hw/play/fold.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

#include "hw/play/player.hpp"

namespace rooftile::hw::player {
namespace {

// Below this a full play takes milliseconds.
constexpr std::int64_t kLeastSteps = 20'000;
constexpr std::size_t kFewestPlaces = 4;
// Fewer items for each to take: who gets the last ones matters too much.
constexpr std::size_t kFewestRounds = 12;
constexpr double kFold = 12.5;  // SMs of the machine over SMs that are played
// Where the part was seen to stay within 0.5 % of the whole: long against launch and the first loads, little waiting
// that prefetch does not cover, and where loads are not prefetched, HBM alone decides.
constexpr double kShortest = 130e6;  // picoseconds
constexpr double kMostLate = 0.03, kHbmDecides = 1.2;
// Near saturation the queue in front of L2 depends on how finely its customers come.
constexpr double kBusyL2 = 0.85, kBusySms = 0.93;

struct Sample {
  std::size_t places = 0;             // that are played
  std::vector<std::uint32_t> items;   // in the order in which the part plays them
  double longer = 1;                  // the whole kernel over the part, on paper: what is left of the sampling
};

class Folder {
 public:
  Folder(const TileProgram& program, const Machine& machine, const PlayOptions& options)
      : program_(program), machine_(machine), options_(options), code_(compile(program, machine)) {
    places_ = places_of(program, machine).size();
    fit_ = occupancy(program, machine).ctas;
    if (places_ == 0 || fit_ == 0) return;
    gangs_ = static_cast<std::size_t>(resident_gangs(program, places_, fit_));
    used_ = std::min(places_, gangs_);
    const Pace pace(program, machine, code_, static_cast<int>(layers()));
    for (const WorkItem& item : program.items) work_.push_back(pace.item(item));
  }

  std::optional<PlayResult> run() {
    if (places_ == 0 || fit_ == 0 || (!fixed() && program_.items.size() < kFewestRounds * gangs_) || steps() < kLeastSteps || static_cast<double>(used_) < kFewestPlaces * kFold / 2) return std::nullopt;
    const Sample sample = choose();
    TileProgram part = program_;
    part.items.clear();
    std::vector<std::int32_t> slot(program_.items.size(), -1);
    for (const std::uint32_t item : sample.items) {
      slot[item] = static_cast<std::int32_t>(part.items.size());
      part.items.push_back(program_.items[item]);
    }
    const auto cluster = static_cast<std::size_t>(program_.cluster());
    if (program_.schedule != Schedule::one_item_a_cta) part.grid = static_cast<int>(sample.places * static_cast<std::size_t>(layers()) * cluster);
    else part.grid = 0;
    const Traffic traffic = traffic_pass(program_, machine_, options_, code_, slot, part.items.size());
    if (!trusted(traffic)) return std::nullopt;
    const double share = static_cast<double>(sample.places) / static_cast<double>(used_);
    const Machine small = part_of_machine(sample.places, share, traffic);
    PlayResult r = Player(part, small, options_, {&traffic, share}).run();
    scale(r, traffic, sample, share);
    if (waits_for_l2(r, traffic)) return std::nullopt;
    return r;
  }

 private:
  std::size_t layers() const { return (gangs_ + places_ - 1) / places_; }

  std::int64_t steps() const {
    double sum = 0;
    for (const CompiledRole& role : code_.roles)
      for (std::uint32_t s = role.first_section; s < role.end_section; ++s)
        if (code_.sections[s].counts_steps) sum += iterations(s) / role.item_stride;
    return static_cast<std::int64_t>(sum * program_.cluster());
  }

  double iterations(std::size_t section) const {
    double sum = 0;
    for (const WorkItem& item : program_.items) sum += count(code_.sections[section].repeat, item);
    return sum;
  }

  bool trusted(const Traffic& t) const {
    if (std::max(1.0, t.memory) * t.work < kShortest || t.late > kMostLate) return false;
    return prefetches() || t.memory > kHbmDecides;
  }

  // L2 is as good as full, and the SMs are not.
  bool waits_for_l2(const PlayResult& r, const Traffic& t) const {
    const core::Time l2 = core::transfer_time(t.all.read, machine_.l2_read) + core::transfer_time(t.all.written, machine_.l2_write);
    const auto time = static_cast<double>(r.duration.ps);
    return static_cast<double>(l2.ps) > kBusyL2 * time && t.work < kBusySms * time;
  }

  // Loops load by TMA, at least a stage ahead.
  bool prefetches() const {
    for (const CompiledSection& s : code_.sections)
      for (std::uint32_t i = s.first; i < s.end; ++i) {
        const Op& op = code_.ops[i];
        const bool loops = s.repeat.item_count >= 0 || s.repeat.constant > 1;
        if (loops && (op.kind == OpKind::load || (op.kind == OpKind::tma_load && program_.rings[op.a].stages < 2))) return false;
      }
    return true;
  }

  // Each shared pipe is as fast as the part's bytes are of all bytes that pass it.
  Machine part_of_machine(std::size_t places, double share, const Traffic& t) const {
    Machine m = machine_;
    m.sms = static_cast<int>(places) * program_.cluster();
    m.gpc_sms = {m.sms};
    const auto part = [share](core::Bytes of_part, core::Bytes of_all) {
      return of_part.value > 0 ? static_cast<double>(of_part.value) / static_cast<double>(of_all.value) : share;
    };
    m.l2_read.value *= part(t.part.read, t.all.read);
    m.l2_write.value *= part(t.part.written, t.all.written);
    m.l2_link.value *= part(t.part.far, t.all.far);
    const double hbm = part(t.part.dram_read + t.part.dram_written, t.all.dram_read + t.all.dram_written);
    m.hbm_read.value *= hbm;
    m.hbm_write.value *= hbm;
    m.hbm_half_load.value = std::llround(static_cast<double>(m.hbm_half_load.value) * hbm);
    m.cta_interval.ps = std::llround(static_cast<double>(m.cta_interval.ps) / share);
    return m;
  }

  Sample choose() const {
    return fixed() ? choose_places() : choose_items();
  }
  // It is settled beforehand who gets which item.
  bool fixed() const { return program_.schedule == Schedule::static_persistent || program_.items.size() <= gangs_; }

  // Each place has its own items: places from all of the range of work, the one with the most among them.
  Sample choose_places() const {
    std::vector<double> work(used_);
    for (std::size_t i = 0; i < program_.items.size(); ++i) work[i % gangs_ % places_] += work_[i];
    std::vector<std::size_t> order(used_);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return work[a] > work[b]; });
    Sample s;
    s.places = std::max(kFewestPlaces, static_cast<std::size_t>(std::lround(static_cast<double>(used_) / kFold)));
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < s.places; ++k) chosen.push_back(order[k * used_ / s.places]);
    std::sort(chosen.begin(), chosen.end());
    // Round by round, layer by layer: the order in which the part's gangs take them.
    for (std::size_t round = 0; round * gangs_ < program_.items.size(); ++round)
      for (std::size_t layer = 0; layer < layers(); ++layer)
        for (const std::size_t place : chosen) {
          const std::size_t gang = layer * places_ + place, item = round * gangs_ + gang;
          if (gang < gangs_ && item < program_.items.size()) s.items.push_back(static_cast<std::uint32_t>(item));
        }
    return s;
  }

  // Whoever is free takes the next item: items from all of the queue, the last among them. How many places and items
  // fits best is seen on paper, by handing the items out by their pace.
  Sample choose_items() const {
    std::vector<std::uint32_t> all(program_.items.size());
    std::iota(all.begin(), all.end(), 0);
    const double whole = makespan(all, gangs_);
    Sample best;
    const auto middle = static_cast<std::size_t>(std::lround(static_cast<double>(used_) / kFold));
    for (std::size_t places = std::max(kFewestPlaces, middle - middle / 6); places <= middle + middle / 6; ++places) {
      Sample s;
      s.places = places;
      const double stride = static_cast<double>(used_) / static_cast<double>(places);
      const auto n = static_cast<std::size_t>(std::ceil(static_cast<double>(work_.size()) / stride - 1e-9));
      for (std::size_t j = 0; j < n; ++j) {
        const double back = std::floor(static_cast<double>(n - 1 - j) * stride);
        if (back < static_cast<double>(work_.size())) s.items.push_back(static_cast<std::uint32_t>(work_.size() - 1 - static_cast<std::size_t>(back)));
      }
      s.longer = whole / makespan(s.items, places * layers());
      if (best.items.empty() || std::abs(s.longer - 1) < std::abs(best.longer - 1)) best = std::move(s);
    }
    return best;
  }

  // The end of the last item when they are handed out in order to whoever is free.
  double makespan(const std::vector<std::uint32_t>& items, std::size_t slots) const {
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
    for (std::size_t s = 0; s < slots; ++s) free_at.push(0);
    double end = 0;
    const double between = program_.schedule == Schedule::one_item_a_cta ? static_cast<double>((machine_.cta_refill + machine_.cta_start).ps) : 0;
    for (const std::uint32_t item : items) {
      const double done = free_at.top() + work_[item];
      free_at.pop();
      free_at.push(done + between);
      end = std::max(end, done);
    }
    return end;
  }

  // From the part to the whole kernel.
  void scale(PlayResult& r, const Traffic& traffic, const Sample& sample, double share) const {
    r.traffic = traffic.all;
    r.duration = core::Time{std::llround(static_cast<double>(r.duration.ps) * sample.longer)};
    r.cycles = machine_.clock.cycles(r.duration);
    r.unit_cycles = {};
    r.tensor_flops = r.shared_bytes = 0;
    r.tile_steps = 0;
    for (const CompiledRole& role : code_.roles)
      for (std::uint32_t s = role.first_section; s < role.end_section; ++s) {
        const double n = iterations(s) / role.item_stride * program_.cluster();
        for (std::uint32_t i = code_.sections[s].first; i < code_.sections[s].end; ++i) {
          const Op& op = code_.ops[i];
          for (int u = 0; u < kSmResources; ++u) r.unit_cycles[static_cast<std::size_t>(u)] += n * op.cycles[static_cast<std::size_t>(u)];
          r.tensor_flops += n * op.flops;
          r.shared_bytes += n * op.shared_bytes;
        }
        if (code_.sections[s].counts_steps) r.tile_steps += static_cast<std::uint64_t>(std::llround(n));
      }
    r.zero_flops = r.tensor_flops * (1 - program_.data_share);
    const double all = 1 / share;
    for (RoleTime& role : r.roles)
      for (double& ps : role.ps) ps *= all;
    for (double* d : {&r.read_delay.l2, &r.read_delay.link, &r.read_delay.hbm, &r.read_delay.port, &r.read_delay.latency}) *d *= all;
    const std::size_t launched = program_.schedule == Schedule::one_item_a_cta ? program_.items.size() : gangs_;
    r.ctas = static_cast<int>(launched) * program_.cluster();
    r.slots = static_cast<int>(gangs_) * program_.cluster();
    r.active_sms = static_cast<int>(used_) * program_.cluster();
  }

  const TileProgram& program_;
  const Machine& machine_;
  const PlayOptions& options_;
  Compiled code_;
  std::vector<double> work_;  // of each item
  std::size_t places_ = 0, gangs_ = 0, used_ = 0;
  int fit_ = 0;
};

}  // namespace

namespace {

// Boxes that stick out of their tensor, or hold as many rows as the item says: TMA fills what is missing with zeros, so
// tiles at an edge take longer than others and no part stands for all.
bool fills_edges(const TileProgram& program, const Machine& machine) {
  if (machine.tma_fill_cycles <= 0) return false;
  for (const Role& role : program.roles)
    for (const Section& section : role.sections)
      for (const TileOp& op : section.ops)
        if (const auto* load = std::get_if<TmaLoad>(&op)) {
          const Tensor& t = program.tensors[load->box.tensor];
          if (load->box.rows_count >= 0 || t.rows % t.box_rows != 0) return true;
        }
  return false;
}

}  // namespace

std::optional<PlayResult> play_folded(const TileProgram& program, const Machine& machine, const PlayOptions& options) {
  if (program.items.empty() || fills_edges(program, machine)) return std::nullopt;
  return Folder(program, machine, options).run();
}

}  // namespace rooftile::hw::player

namespace rooftile::hw {

PlayResult play(const TileProgram& program, const Machine& machine, const PlayOptions& options) {
  if (!options.exact && !options.observer)
    if (auto folded = player::play_folded(program, machine, options)) return *std::move(folded);
  return player::Player(program, machine, options, {}).run();
}

}  // namespace rooftile::hw
