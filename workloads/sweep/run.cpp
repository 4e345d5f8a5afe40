#include "workloads/sweep/run.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sim/core/input/diagnostics.hpp"
#include "workloads/sweep/hash.hpp"

namespace rooftile::workloads::sweep {
namespace {

// Walks the points of a shard, all over the space: neighbours often share kernels, and of threads that need the same
// one at the same time all but one would wait. A point's place among those that run decides its shard.
class Walk {
 public:
  Walk(const Sweep& sweep, const Shard& shard) : sweep_(sweep), shard_(shard) {
    const PointId size = sweep.space.size();
    stride_ = std::max<PointId>(1, static_cast<PointId>(0.6180339887 * static_cast<double>(size)));
    while (std::gcd(stride_, size) != 1) ++stride_;
  }
  std::optional<PointId> next() {
    while (at_ < sweep_.space.size()) {
      const PointId point = at_++ * stride_ % sweep_.space.size();
      if (sweep_.runs(point) && rank_++ % shard_.count == shard_.index - 1) return point;
    }
    return std::nullopt;
  }

 private:
  const Sweep& sweep_;
  Shard shard_;
  PointId at_ = 0, rank_ = 0, stride_ = 1;
};

using RowPointer = std::shared_ptr<Row>;

Row run_point(const Sweep& sweep, const Evaluate& evaluate, PointId point) {
  Row row;
  row.point = point;
  row.inputs = sweep.space.inputs(point);
  row.scenario_hash = hash_text(sweep.hash + row.inputs);
  try {
    const Scenario scenario = read_scenario(sweep.scenario, sweep.space.overrides(point));
    row.hardware_hash = hash_text(input::dump_json(input::write(scenario.gpu), -1));
    row.outcome = evaluate(scenario);
  } catch (const input::InputError& e) {
    row.outcome = {};
    row.outcome.error = e.what();
  } catch (const std::invalid_argument& e) {
    row.outcome = {};
    row.outcome.error = e.what();
  }
  return row;
}

class Best {
 public:
  explicit Best(const Sweep& sweep) : sweep_(sweep) {}
  void see(PointId point, const Outcome& outcome) {
    const Objective o = sweep_.objectives.front();
    const auto v = sweep_.counts(point, outcome) ? value(outcome, o, sweep_.price_per_hour) : std::nullopt;
    if (v && (!best || (more_is_better(o) ? *v > *best : *v < *best))) best = v;
  }
  std::optional<double> best;

 private:
  const Sweep& sweep_;
};

}  // namespace

void run(const Sweep& sweep, Store& store, const Evaluate& evaluate, const RunOptions& options) {
  const int jobs = options.jobs > 0 ? options.jobs : tbb::info::default_concurrency();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(jobs));
  Best best(sweep);
  std::vector<bool> done(static_cast<std::size_t>(sweep.space.size()));
  store.each([&](const Row& row) {
    if (row.point < 0 || row.point >= sweep.space.size()) throw input::InputError({}, "the store is damaged: it holds a point beyond the sweep");
    done[static_cast<std::size_t>(row.point)] = true;
    best.see(row.point, row.outcome);
  });
  RunProgress progress{0, 0, best.best};
  for (Walk walk(sweep, options.shard); const auto point = walk.next(); ++progress.all) progress.done += done[static_cast<std::size_t>(*point)];
  Walk walk(sweep, options.shard);
  const auto next = [&](tbb::flow_control& flow) -> PointId {
    while (const auto point = walk.next())
      if (!done[static_cast<std::size_t>(*point)]) return *point;
    flow.stop();
    return 0;
  };
  const auto keep = [&](const RowPointer& row) {
    store.add(*row);
    best.see(row->point, row->outcome);
    ++progress.done;
    progress.best = best.best;
    if (options.progress) options.progress(progress);
  };
  tbb::parallel_pipeline(
      static_cast<std::size_t>(jobs) * 4,
      tbb::make_filter<void, PointId>(tbb::filter_mode::serial_in_order, next) &
          tbb::make_filter<PointId, RowPointer>(tbb::filter_mode::parallel, [&](PointId p) { return std::make_shared<Row>(run_point(sweep, evaluate, p)); }) &
          tbb::make_filter<RowPointer, void>(tbb::filter_mode::serial_in_order, keep));
  store.finish();
}

}  // namespace rooftile::workloads::sweep
