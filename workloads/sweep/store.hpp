// The store of a sweep: one SQLite file, one row a point with its inputs, its outputs and where they come from.
//
// Rows are written in transactions, so after a crash or kill -9 the file holds every committed point once and
// nothing else; the store is locked against a second writer while it is open. `finish` rewrites the file in
// its canonical form: its bytes then depend on the rows alone, not on threads, interruptions or shards.
// Errors: input::InputError that names the file when it is read-only, locked, full, no store at all, of another
// sweep or another version of the model, or written by a newer rooftile. The file is then as it was.
// Not for network file systems without POSIX locks. SQLiteCpp is included by store.cpp alone.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "workloads/sweep/axes.hpp"
#include "workloads/sweep/outcome.hpp"

namespace rooftile::workloads::sweep {

struct StoreIdentity {
  std::string title, sweep_hash, version;  // what was swept, and the version of the model
  PointId points = 0;                      // of the whole sweep, all shards together
  bool operator==(const StoreIdentity&) const = default;
};

struct Row {
  PointId point = 0;
  std::string inputs;                        // a JSON object
  std::string scenario_hash, hardware_hash;  // of the contents, overrides applied
  Outcome outcome;
};
bool same(const Row& a, const Row& b);

class Store {
 public:
  // Empty path: a temporary store that vanishes. An existing file needs `resume`; a missing one is made.
  static Store open(const std::string& path, const StoreIdentity& identity, bool resume);
  static Store read_only(const std::string& path);
  Store(Store&&) noexcept;
  ~Store();

  const StoreIdentity& identity() const;
  PointId count() const;
  bool has(PointId point) const;
  std::optional<Row> find(PointId point) const;
  void each(const std::function<void(const Row&)>& visit) const;  // in the order of points

  void add(const Row& row);  // committed every second or so, and by commit
  void commit();
  void finish();  // commit, and bring the file into its canonical form

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rooftile::workloads::sweep
