#include <catch2/catch.hpp>

#include "workloads/parallel/pipeline.hpp"

using namespace rooftile::workloads::parallel;

TEST_CASE("1F1B takes (m + p - 1) (f + b) and its bubble is (p - 1) / (m + p - 1)") {
  for (const std::size_t p : {1, 2, 4, 8})
    for (const std::int64_t m : {1, 3, 8, 32}) {
      const auto r = run_pipeline(std::vector<StageTimes>(p, {1, 2, 0}), m, PipelineSchedule::one_f_one_b);
      const double all = static_cast<double>(m) + static_cast<double>(p) - 1;
      CHECK(r.seconds == Approx(3 * all));
      CHECK(r.bubble == Approx((static_cast<double>(p) - 1) / all));
      CHECK(r.in_flight == std::min<std::int64_t>(m, static_cast<std::int64_t>(p)));  // not m, as all forwards first would
    }
}

TEST_CASE("interleaving v chunks divides the bubble by v") {
  for (const std::int64_t v : {2, 4}) {
    const std::int64_t p = 4, m = 8;
    const auto r = run_pipeline(std::vector<StageTimes>(static_cast<std::size_t>(p * v), {1.0 / static_cast<double>(v), 2.0 / static_cast<double>(v), 0}), m,
                                PipelineSchedule::interleaved, v);
    CHECK(r.seconds == Approx(3 * (static_cast<double>(m) + static_cast<double>(p - 1) / static_cast<double>(v))));
  }
}

TEST_CASE("forward only: the first token leaves after all stages, the others follow the slowest") {
  const auto r = run_pipeline({{1, 0, 0.5}, {3, 0, 0.5}, {1, 0, 0}}, 4, PipelineSchedule::forward_only);
  CHECK(r.seconds == Approx(1 + 0.5 + 4 * 3 + 0.5 + 1));
}

TEST_CASE("a slow stage makes the others wait") {
  const auto even = run_pipeline(std::vector<StageTimes>(4, {1, 2, 0}), 16, PipelineSchedule::one_f_one_b);
  auto stages = std::vector<StageTimes>(4, {1, 2, 0});
  stages[2] = {1.5, 3, 0};
  const auto slow = run_pipeline(stages, 16, PipelineSchedule::one_f_one_b);
  CHECK(slow.seconds > even.seconds * 1.3);
  CHECK(slow.waited[2] < slow.waited[0]);
}

TEST_CASE("a message between stages delays the receiver alone") {
  const auto r = run_pipeline({{1, 2, 0.1}, {1, 2, 0.1}}, 1, PipelineSchedule::one_f_one_b);
  CHECK(r.seconds == Approx(6.2));
}

TEST_CASE("layouts that no schedule fits are refused") {
  CHECK_THROWS_AS(run_pipeline(std::vector<StageTimes>(8), 6, PipelineSchedule::interleaved, 2), std::invalid_argument);
  CHECK_THROWS_AS(run_pipeline({}, 1, PipelineSchedule::forward_only), std::invalid_argument);
}
