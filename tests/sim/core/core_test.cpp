// Closed forms of the event core, to the picosecond.
#include <catch2/catch.hpp>

#include <vector>

#include "sim/core/engine.hpp"
#include "sim/core/equal_share.hpp"
#include "sim/core/errors.hpp"
#include "sim/core/proportional_share.hpp"
#include "sim/core/servers.hpp"

using namespace rooftile::core;

namespace {

struct Recorder final : EventHandler {
  std::vector<std::uint32_t> codes;
  Engine* engine = nullptr;
  void handle(Engine& e, std::uint32_t code, std::uint32_t arg) override {
    codes.push_back(code);
    if (arg > 0) e.schedule(e.now(), *this, code + 100, arg - 1);
  }
};

}  // namespace

TEST_CASE("events run in time order and, at one picosecond, in the order in which they were scheduled") {
  Engine engine;
  Recorder r;
  engine.schedule({20}, r, 3);
  engine.schedule({10}, r, 1, 1);  // schedules 101 at the same time
  engine.schedule({10}, r, 2);
  CHECK(engine.run() == Time{20});
  CHECK(r.codes == std::vector<std::uint32_t>{1, 2, 101, 3});
  CHECK(engine.events_run() == 4);
  CHECK(engine.empty());
}

TEST_CASE("an event in the past is an invariant error, and run_until stops after its limit") {
  Engine engine;
  Recorder r;
  for (int t = 1; t <= 5; ++t) engine.schedule({t}, r, static_cast<std::uint32_t>(t));
  engine.run_until({3});
  CHECK(r.codes.size() == 3);
  CHECK_THROWS_AS(engine.schedule({2}, r, 9), InvariantError);
  engine.run();
  CHECK(r.codes.size() == 5);
}

TEST_CASE("ten thousand events in a scrambled order come out sorted") {
  Engine engine;
  struct Check final : EventHandler {
    Time last{};
    bool sorted = true;
    void handle(Engine& e, std::uint32_t, std::uint32_t) override {
      sorted = sorted && last <= e.now();
      last = e.now();
    }
  } check;
  for (std::uint64_t i = 0; i < 10'000; ++i) engine.schedule({mix(i) % 5000}, check, 0);
  engine.run();
  CHECK(check.sorted);
}

TEST_CASE("a first-come-first-served unit finishes a job when those before it and the job itself are done") {
  FifoServer s;
  CHECK(s.serve({100}, {50}) == Time{150});
  CHECK(s.serve({120}, {50}) == Time{200});   // waits until 150
  CHECK(s.serve({199}, {1}) == Time{201});    // one picosecond before it is free
  CHECK(s.serve({201}, {1}) == Time{202});    // exactly when it is free
  CHECK(s.serve({203}, {1}) == Time{204});    // one picosecond after
  CHECK(s.busy() == Time{103});
}

TEST_CASE("a pipelined unit accepts a job each interval and answers a latency later") {
  PipelinedServer p({10}, {100});
  CHECK(p.serve({0}) == Time{100});
  CHECK(p.serve({0}) == Time{110});
  CHECK(p.serve({500}) == Time{600});
}

TEST_CASE("jobs that share a unit equally finish when a processor-sharing queue says, to the picosecond") {
  EqualShare s;
  s.start({0}, {100}, 1);
  s.start({50}, {100}, 2);  // job 1 has 50 left: both at half speed, it ends at 150; job 2 then has 50 left
  std::uint32_t tag = 0;
  CHECK(s.next_finish() == Time{150});
  CHECK_FALSE(s.finish_one({149}, tag));
  REQUIRE(s.finish_one({150}, tag));
  CHECK(tag == 1);
  CHECK(s.next_finish() == Time{200});
  REQUIRE(s.finish_one({200}, tag));
  CHECK(tag == 2);
  CHECK(s.idle());
  CHECK(s.next_finish() == Time::max());
  CHECK(s.busy() == Time{200});
}

TEST_CASE("a shared unit with idle servers runs at load over load plus half") {
  EqualShare s({300});
  s.start({0}, {100}, 1);  // alone: speed 100 / 400
  CHECK(s.next_finish() == Time{400});
  std::uint32_t tag = 0;
  CHECK_FALSE(s.finish_one({399}, tag));
  CHECK(s.finish_one({400}, tag));
  for (std::uint32_t i = 0; i < 3; ++i) s.start({1000}, {100}, i);  // load 300: half speed, shared by three
  CHECK(s.next_finish() == Time{1600});
}

TEST_CASE("jobs of different demands slow each other only where they meet") {
  using Share = ProportionalShare<2>;
  Share s;
  s.start({0}, {1.0F, 0.0F}, 100, 1);
  s.start({0}, {0.0F, 1.0F}, 100, 2);  // another resource: no meeting
  CHECK(s.next_finish() == Time{100});
  std::uint32_t tag = 0;
  CHECK(s.finish_one({100}, tag));
  CHECK(s.finish_one({100}, tag));
  s.start({200}, {1.0F, 0.0F}, 100, 3);
  s.start({200}, {0.5F, 0.0F}, 100, 4);  // load 1.5: both take 1.5 times as long
  CHECK(s.next_finish() == Time{350});
  CHECK_FALSE(s.finish_one({349}, tag));
  CHECK(s.finish_one({350}, tag));
}

TEST_CASE("conversions round up and never lose a picosecond") {
  CHECK(Clock(megahertz(1000)).time(std::int64_t{7}) == Time{7000});
  CHECK(Clock(megahertz(1755)).time(std::int64_t{1}) == Time{570});             // 569.8
  CHECK(Clock(megahertz(1755)).time(std::int64_t{1'755'000'000}) == Time{1'000'000'000'000});
  CHECK(Clock(megahertz(1755)).time(std::int64_t{5'000'000'000'000}).ps == 2'849'002'849'002'850);  // 2849.002849002849... s
  CHECK(transfer_time({1}, {3e12}) == Time{1});
  CHECK(transfer_time({3}, {3e12}) == Time{1});
  CHECK(transfer_time({4}, {3e12}) == Time{2});
  CHECK(transfer_time({0}, {3e12}) == Time{0});
}
