#include <catch2/catch.hpp>
#include <sqlite3.h>
#include <unistd.h>

#include "tests/workloads/sweep/support.hpp"
#include "workloads/sweep/merge.hpp"
#include "workloads/sweep/run.hpp"

namespace rooftile::workloads::sweep {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

const StoreIdentity kIdentity{"title", "hash", "version", 10};

Row row(PointId point, double time) {
  return {point, "{\"x\": " + std::to_string(point) + "}", "s", "h", Outcome{.time_us = time, .energy_mj = 2 * time, .bottleneck = "HBM"}};
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const input::InputError& e) {
    return e.what();
  }
  return "";
}

void make_store(const std::string& path, std::initializer_list<Row> rows, StoreIdentity identity = kIdentity) {
  Store s = Store::open(path, identity, false);
  for (const Row& r : rows) s.add(r);
  s.finish();
}

void sql(const std::string& path, const char* text) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
  REQUIRE(sqlite3_exec(db, text, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(db);
}

// A stand-in for the model: quick, and different at every point.
Outcome toy(const Scenario& s) {
  return Outcome{.time_us = 1e15 / s.gpu.hbm.bandwidth.value.value, .energy_mj = 1, .power_w = 2, .clock_mhz = 3, .bottleneck = "HBM"};
}

}  // namespace

TEST_CASE("a store gives back what was put in, after it was closed") {
  const Folder folder;
  const std::string path = folder / "s.sqlite";
  Row failed = row(2, 0);
  failed.outcome = Outcome{};
  failed.outcome.error = "does not fit";
  make_store(path, {row(7, 1.25), row(1, 2.5), failed});
  const Store s = Store::read_only(path);
  CHECK(s.identity() == kIdentity);
  std::vector<PointId> order;
  s.each([&](const Row& r) { order.push_back(r.point); });
  CHECK(order == std::vector<PointId>{1, 2, 7});
  CHECK(same(*s.find(7), row(7, 1.25)));
  CHECK(s.find(2)->outcome.error == "does not fit");
  CHECK_FALSE(s.find(3).has_value());
}

TEST_CASE("the same rows give the same bytes, in whatever order and however often interrupted") {
  const Folder folder;
  make_store(folder / "a", {row(1, 1), row(2, 2), row(3, 3)});
  make_store(folder / "b", {row(3, 3), row(1, 1)});
  {
    Store s = Store::open(folder / "b", kIdentity, true);
    s.add(row(2, 2));
    s.finish();
  }
  CHECK(bytes_of(folder / "a") == bytes_of(folder / "b"));
  { Store::open(folder / "b", kIdentity, true).finish(); }
  CHECK(bytes_of(folder / "a") == bytes_of(folder / "b"));
}

TEST_CASE("what was not committed is gone, what was committed is there") {
  const Folder folder;
  {
    Store s = Store::open(folder / "s", kIdentity, false);
    s.add(row(1, 1));
    s.commit();
    s.add(row(2, 2));
  }
  const Store s = Store::read_only(folder / "s");
  CHECK(s.has(1));
  CHECK_FALSE(s.has(2));
}

TEST_CASE("a store of another kind, another sweep, another model or the future is refused and left alone") {
  const Folder folder;
  const std::string path = folder / "s";
  const auto refuses = [&](const char* why, StoreIdentity identity = kIdentity) {
    const std::string before = bytes_of(path);
    CHECK_THAT(refusal([&] { Store::open(path, identity, true); }), Contains(path) && Contains(why));
    CHECK(bytes_of(path) == before);
  };
  make_store(path, {row(1, 1)});
  CHECK_THAT(refusal([&] { Store::open(path, kIdentity, false); }), Contains("exists"));
  refuses("another sweep", {"title", "other", "version", 10});
  refuses("another version of the model", {"title", "hash", "other", 10});
  sql(path, "PRAGMA user_version = 99");
  refuses("newer rooftile");
  sql(path, "PRAGMA application_id = 5");
  refuses("another program's database");
  folder.write("s", "not a database, but long enough to have a header of a hundred bytes: " + std::string(200, 'x'));
  refuses("not a sweep store");
  const std::string whole = (make_store(folder / "t", {row(1, 1)}), bytes_of(folder / "t"));
  folder.write("s", whole.substr(0, whole.size() / 2));
  refuses("damaged");
}

TEST_CASE("a locked store and a folder that is not there are refused by name") {
  const Folder folder;
  const Store first = Store::open(folder / "s", kIdentity, false);
  CHECK_THAT(refusal([&] { Store::open(folder / "s", kIdentity, true); }), Contains("locked by another process"));
  CHECK_THAT(refusal([&] { Store::open(folder / "no/such/s", kIdentity, true); }), Contains("cannot be opened"));
}

TEST_CASE("a read-only folder is refused") {
  if (::geteuid() == 0) {
    WARN("skipped: root may write anywhere");
    return;
  }
  const Folder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK_THAT(refusal([&] { Store::open(folder / "s", kIdentity, false); }), Contains("cannot be opened"));
}

TEST_CASE("the rows and bytes of a store do not depend on the number of threads") {
  const Folder folder;
  const Sweep sweep = read_sweep(folder.write("sweep.yaml", kSmallSweep));
  const StoreIdentity id{sweep.title, sweep.hash, "v", sweep.space.size()};
  for (const int jobs : {1, 2, 7}) {
    Store s = Store::open(folder / std::to_string(jobs), id, false);
    run(sweep, s, toy, {.jobs = jobs});
    CHECK(s.count() == 24);
  }
  CHECK(bytes_of(folder / "1") == bytes_of(folder / "2"));
  CHECK(bytes_of(folder / "1") == bytes_of(folder / "7"));
}

TEST_CASE("shards run every point once, and merging them in any order gives the store of the whole sweep") {
  const Folder folder;
  const Sweep sweep = read_sweep(folder.write("sweep.yaml", kSmallSweep));
  const StoreIdentity id{sweep.title, sweep.hash, "v", sweep.space.size()};
  PointId sum = 0;
  for (PointId i = 1; i <= 5; ++i) {
    Store s = Store::open(folder / std::to_string(i), id, false);
    run(sweep, s, toy, {.jobs = 2, .shard = {i, 5}});
    sum += s.count();
  }
  CHECK(sum == 24);
  {
    Store whole = Store::open(folder / "whole", id, false);
    run(sweep, whole, toy, {});
  }
  const auto shard = [&](int i) { return folder / std::to_string(i); };
  CHECK(merge(folder / "m", {shard(3), shard(1), shard(5), shard(2)}).points < 24);
  CHECK(merge(folder / "m", {shard(4)}).points == 24);
  CHECK(bytes_of(folder / "m") == bytes_of(folder / "whole"));
  CHECK(merge(folder / "m", {shard(1), shard(2)}).repeated > 0);  // again: nothing changes
  CHECK(bytes_of(folder / "m") == bytes_of(folder / "whole"));
}

TEST_CASE("stores that disagree are not merged, and the output stays as it was") {
  const Folder folder;
  make_store(folder / "a", {row(1, 1), row(2, 2)});
  make_store(folder / "b", {row(2, 2.5), row(3, 3)});
  make_store(folder / "c", {row(3, 3)}, {"other", "other", "version", 10});
  merge(folder / "m", {folder / "a"});
  const std::string before = bytes_of(folder / "m");
  CHECK_THAT(refusal([&] { merge(folder / "m", {folder / "b"}); }), Contains("disagrees"));
  CHECK_THAT(refusal([&] { merge(folder / "m", {folder / "c"}); }), Contains("another sweep"));
  CHECK(bytes_of(folder / "m") == before);
  CHECK_FALSE(fs::exists(folder / "m.merging"));
}

}  // namespace rooftile::workloads::sweep
