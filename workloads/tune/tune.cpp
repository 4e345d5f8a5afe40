#include "workloads/tune/tune.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <set>

#include "sim/core/errors.hpp"

namespace rooftile::workloads::tune {
namespace {

using core::Time;

constexpr std::size_t kBatch = 16;  // played between two looks at the ranking, whatever the number of threads

struct Candidate {
  const Variant* variant;
  Bound bound;
  std::string refused;
  bool own = false, played = false;
  Time nominal{};
};

PredictOptions at_nominal(const hw::GpuSpec& gpu, PredictOptions options) {
  options.clock = {ClockMode::fixed, gpu.clock.nominal.value};
  options.observer = nullptr;
  return options;
}

void look(Candidate& c, const hw::GpuSpec& gpu) {
  c.refused = c.variant->impossible;
  if (!c.refused.empty()) return;
  const hw::Machine machine = hw::resolve(gpu, gpu.clock.nominal.value);
  const Plan plan = c.variant->plan();
  Time sum{};
  for (const Kernel& k : plan.kernels) {
    c.refused = cannot_launch(k.program, machine);
    if (!c.refused.empty()) return;
    const Bound b = lower_bound(k.program, machine);
    if (b.time > c.bound.time || c.bound.by.empty()) c.bound.by = b.by;
    sum += b.time + gpu.launch.graph_gap.value;
  }
  c.bound.time = sum;
}

std::vector<Candidate> candidates(const std::vector<Variant>& variants, const Options& options, const hw::GpuSpec& gpu) {
  std::vector<Candidate> all;
  for (const Variant& v : options.own) all.push_back({&v, {}, {}, true});
  std::set<std::string> names;
  for (const Variant& v : variants)
    if (names.insert(v.name).second) all.push_back({&v, {}, {}});
  tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) { look(all[i], gpu); });
  return all;
}

// A program that the user wrote may wait for itself: that is the user's mistake, not a broken invariant of ours.
void play_one(Candidate& c, const hw::GpuSpec& gpu, const PredictOptions& options) {
  try {
    c.nominal = predict(c.variant->plan(), gpu, options).time;
    c.played = true;
  } catch (const core::InvariantError& e) {
    if (!c.own) throw;
    c.refused = e.what();
  }
}

// Plays in the order of bounds until no bound can reach the ranking.
void play(std::vector<Candidate*>& order, const hw::GpuSpec& gpu, const Options& options) {
  const PredictOptions nominal = at_nominal(gpu, options.predict);
  std::vector<Time> times;
  for (std::size_t first = 0; first < order.size(); first += kBatch) {
    std::sort(times.begin(), times.end());
    const std::size_t end = std::min(order.size(), first + kBatch);
    std::vector<Candidate*> batch;
    for (std::size_t i = first; i < end; ++i)
      if (order[i]->own || times.size() < options.places || order[i]->bound.time < times[options.places - 1]) batch.push_back(order[i]);
    tbb::parallel_for(std::size_t{0}, batch.size(), [&](std::size_t i) {
      play_one(*batch[i], gpu, nominal);
    });
    for (const Candidate* c : batch)
      if (c->played) times.push_back(c->nominal);
    if (options.progress) options.progress(end, order.size());
  }
}

void settle(Ranking& ranking, const hw::GpuSpec& gpu, const Options& options) {
  tbb::parallel_for(std::size_t{0}, ranking.best.size(), [&](std::size_t i) {
    ranking.best[i].prediction = predict(ranking.best[i].plan, gpu, options.predict);
  });
  std::stable_sort(ranking.best.begin(), ranking.best.end(),
                   [](const Ranked& a, const Ranked& b) { return a.prediction.time < b.prediction.time; });
  for (std::size_t i = 0; i < std::min(options.places, ranking.best.size()); ++i) ranking.best[i].place = i + 1;
}

}  // namespace

Ranking rank(const Operation& operation, const hw::GpuSpec& gpu, const Options& wanted) {
  PlayCache plays;
  Options options = wanted;
  if (!options.predict.plays) options.predict.plays = &plays;
  const std::vector<Variant> variants = operation.variants(gpu);
  std::vector<Candidate> all = candidates(variants, options, gpu);
  Ranking ranking;
  ranking.considered = all.size();
  std::vector<Candidate*> order;
  for (Candidate& c : all)
    if (c.refused.empty()) order.push_back(&c);
  std::stable_sort(order.begin(), order.end(), [](const Candidate* a, const Candidate* b) {
    return a->own != b->own ? a->own : a->bound.time < b->bound.time;
  });
  play(order, gpu, options);
  std::vector<Candidate*> played;
  std::copy_if(order.begin(), order.end(), std::back_inserter(played), [](const Candidate* c) { return c->played; });
  ranking.played = played.size();
  for (const Candidate& c : all)
    if (!c.refused.empty()) ranking.refused.push_back({c.variant->name, c.refused, c.own});
  ranking.pruned = all.size() - ranking.refused.size() - played.size();
  std::stable_sort(played.begin(), played.end(), [](const Candidate* a, const Candidate* b) { return a->nominal < b->nominal; });
  for (std::size_t i = 0; i < played.size(); ++i)
    if (i < options.places || played[i]->own) {
      Ranked r{played[i]->variant->name, played[i]->bound, played[i]->nominal, {}, played[i]->variant->plan()};
      r.place = i + 1;
      r.own = played[i]->own;
      ranking.best.push_back(std::move(r));
    }
  settle(ranking, gpu, options);
  return ranking;
}

}  // namespace rooftile::workloads::tune
