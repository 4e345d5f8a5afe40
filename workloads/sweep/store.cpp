#include "workloads/sweep/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>

#include "sim/core/input/diagnostics.hpp"

namespace rooftile::workloads::sweep {
namespace {

namespace fs = std::filesystem;
using input::InputError;

constexpr int kApplication = 0x726f6f66;  // "roof"
constexpr int kFormat = 1;
constexpr const char* kColumns =
    "point, inputs, scenario_hash, hardware_hash, time_us, energy_mj, power_w, clock_mhz, memory_bytes, tokens_per_second, "
    "bottleneck, error";
constexpr const char* kSchema =
    "CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE points(point INTEGER PRIMARY KEY, inputs TEXT NOT NULL, scenario_hash TEXT NOT NULL, hardware_hash TEXT NOT NULL,"
    " time_us REAL, energy_mj REAL, power_w REAL, clock_mhz REAL, memory_bytes REAL, tokens_per_second REAL,"
    " bottleneck TEXT, error TEXT)";

[[noreturn]] void refuse(const std::string& path, const SQLite::Exception& e) {
  const input::Place at{path, 0, 0};
  switch (e.getErrorCode()) {
    case SQLITE_FULL: throw InputError(at, "the disk is full; what was committed is safe", "room, then --resume");
    case SQLITE_IOERR: throw InputError(at, "cannot be read or written; what was committed is safe", "a disk with room, then --resume");
    case SQLITE_READONLY:
    case SQLITE_PERM: throw InputError(at, "is read-only", "a file and a folder that may be written");
    case SQLITE_CANTOPEN: throw InputError(at, "cannot be opened", "a file in a folder that exists and may be written");
    case SQLITE_BUSY:
    case SQLITE_LOCKED: throw InputError(at, "is locked by another process", "one writer a store; shards take a store each");
    case SQLITE_NOTADB: throw InputError(at, "is not a sweep store", "a file written by `rooftile sweep`");
    case SQLITE_CORRUPT: throw InputError(at, "is damaged", "an intact sweep store");
    default: throw InputError(at, std::string("store: ") + e.what());
  }
}

template <class Body>
auto guarded(const std::string& path, Body&& body) {
  try {
    return body();
  } catch (const SQLite::Exception& e) {
    refuse(path, e);
  }
}

void bind_real(SQLite::Statement& s, int at, const std::optional<double>& v) {
  if (v) s.bind(at, *v);
  else s.bind(at);
}

std::optional<double> real(const SQLite::Column& c) { return c.isNull() ? std::nullopt : std::optional(c.getDouble()); }

Row row_of(SQLite::Statement& s) {
  Row r;
  r.point = s.getColumn(0).getInt64();
  r.inputs = s.getColumn(1).getString();
  r.scenario_hash = s.getColumn(2).getString();
  r.hardware_hash = s.getColumn(3).getString();
  Outcome& o = r.outcome;
  o.time_us = s.getColumn(4).getDouble();
  o.energy_mj = s.getColumn(5).getDouble();
  o.power_w = s.getColumn(6).getDouble();
  o.clock_mhz = s.getColumn(7).getDouble();
  o.memory_bytes = real(s.getColumn(8));
  o.tokens_per_second = real(s.getColumn(9));
  o.bottleneck = s.getColumn(10).getString();
  o.error = s.getColumn(11).getString();
  return r;
}

ino_t inode(const std::string& path) {
  struct stat s {};
  return ::stat(path.c_str(), &s) == 0 ? s.st_ino : 0;
}

}  // namespace

bool same(const Row& a, const Row& b) {
  const Outcome &x = a.outcome, &y = b.outcome;
  return a.point == b.point && a.inputs == b.inputs && a.scenario_hash == b.scenario_hash && a.hardware_hash == b.hardware_hash &&
         x.time_us == y.time_us && x.energy_mj == y.energy_mj && x.power_w == y.power_w && x.clock_mhz == y.clock_mhz &&
         x.memory_bytes == y.memory_bytes && x.tokens_per_second == y.tokens_per_second && x.bottleneck == y.bottleneck && x.error == y.error;
}

struct Store::State {
  std::string path;
  std::unique_ptr<SQLite::Database> db;
  std::unique_ptr<SQLite::Statement> insert;
  std::unique_ptr<SQLite::Statement> select;
  std::unique_ptr<SQLite::Transaction> open;
  std::chrono::steady_clock::time_point committed = std::chrono::steady_clock::now();
  StoreIdentity identity;

  State(std::string p, int flags) : path(std::move(p)), db(std::make_unique<SQLite::Database>(path, flags)) {}

  int pragma(const char* name) { return db->execAndGet(std::string("PRAGMA ") + name).getInt(); }

  void prepare() {
    select = std::make_unique<SQLite::Statement>(*db, std::string("SELECT ") + kColumns + " FROM points WHERE point = ?");
  }

  void create(const StoreIdentity& id) {
    SQLite::Transaction all(*db);
    db->exec("PRAGMA application_id = " + std::to_string(kApplication) + "; PRAGMA user_version = " + std::to_string(kFormat));
    db->exec(kSchema);
    SQLite::Statement put(*db, "INSERT INTO sweep VALUES (?, ?)");
    const std::pair<const char*, std::string> entries[] = {
        {"title", id.title}, {"sweep_hash", id.sweep_hash}, {"version", id.version}, {"points", std::to_string(id.points)}};
    for (const auto& [key, value] : entries) {
      put.bind(1, std::string(key));
      put.bind(2, value);
      put.exec();
      put.reset();
    }
    all.commit();
  }

  // The file is ours and of a format that we know.
  void recognise() {
    const input::Place at{path, 0, 0};
    if (pragma("application_id") != kApplication) throw InputError(at, "is another program's database", "a file written by `rooftile sweep`");
    if (pragma("user_version") > kFormat) throw InputError(at, "was written by a newer rooftile", "format " + std::to_string(kFormat) + " or older");
    const auto get = [&](const char* key) {
      SQLite::Statement s(*db, "SELECT value FROM sweep WHERE key = ?");
      s.bind(1, std::string(key));
      return s.executeStep() ? s.getColumn(0).getString() : std::string();
    };
    identity = {get("title"), get("sweep_hash"), get("version"), std::atoll(get("points").c_str())};
  }

  void expect(const StoreIdentity& wanted) const {
    const input::Place at{path, 0, 0};
    if (identity.sweep_hash != wanted.sweep_hash)
      throw InputError(at, "holds another sweep (" + identity.title + "), or the sweep or its scenario has changed", "a new store");
    if (identity.version != wanted.version)
      throw InputError(at, "was made by another version of the model (" + identity.version + ", this is " + wanted.version + ")", "a new store");
  }
};

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;

Store::~Store() {
  if (state_) state_->open.reset();  // rolls back what was not committed
}

Store Store::open(const std::string& path, const StoreIdentity& identity, bool resume) {
  std::error_code error;
  const bool exists = !path.empty() && fs::exists(path, error);
  if (exists && !resume) throw InputError({path, 0, 0}, "exists", "--resume to continue it, or another name");
  return guarded(path, [&] {
    const ino_t before = inode(path);
    auto state = std::make_unique<State>(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    state->db->exec("PRAGMA locking_mode = EXCLUSIVE");
    state->db->exec("BEGIN EXCLUSIVE; COMMIT");
    if (exists && inode(path) != before) throw InputError({path, 0, 0}, "is locked by another process", "one writer a store");
    const bool empty = state->pragma("schema_version") == 0;
    if (empty) state->create(identity);
    state->recognise();
    state->expect(identity);
    if (!path.empty()) fs::remove(path + ".tmp", error);
    state->prepare();
    state->insert = std::make_unique<SQLite::Statement>(*state->db, std::string("INSERT INTO points(") + kColumns + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
    return Store(std::move(state));
  });
}

Store Store::read_only(const std::string& path) {
  return guarded(path, [&] {
    auto state = std::make_unique<State>(path, SQLite::OPEN_READONLY);
    state->recognise();
    state->prepare();
    return Store(std::move(state));
  });
}

const StoreIdentity& Store::identity() const { return state_->identity; }

PointId Store::count() const {
  return guarded(state_->path, [&] { return state_->db->execAndGet("SELECT count(*) FROM points").getInt64(); });
}

bool Store::has(PointId point) const { return find(point).has_value(); }

std::optional<Row> Store::find(PointId point) const {
  return guarded(state_->path, [&]() -> std::optional<Row> {
    SQLite::Statement& s = *state_->select;
    s.reset();
    s.bind(1, static_cast<int64_t>(point));
    std::optional<Row> row;
    if (s.executeStep()) row = row_of(s);
    s.reset();
    return row;
  });
}

void Store::each(const std::function<void(const Row&)>& visit) const {
  guarded(state_->path, [&] {
    SQLite::Statement s(*state_->db, std::string("SELECT ") + kColumns + " FROM points ORDER BY point");
    while (s.executeStep()) visit(row_of(s));
  });
}

void Store::add(const Row& r) {
  guarded(state_->path, [&] {
    if (!state_->open) state_->open = std::make_unique<SQLite::Transaction>(*state_->db);
    SQLite::Statement& s = *state_->insert;
    const Outcome& o = r.outcome;
    const bool ran = o.error.empty();
    const auto number = [&](double v) { return ran ? std::optional(v) : std::nullopt; };
    s.reset();
    s.bind(1, static_cast<int64_t>(r.point));
    s.bind(2, r.inputs);
    s.bind(3, r.scenario_hash);
    s.bind(4, r.hardware_hash);
    bind_real(s, 5, number(o.time_us));
    bind_real(s, 6, number(o.energy_mj));
    bind_real(s, 7, number(o.power_w));
    bind_real(s, 8, number(o.clock_mhz));
    bind_real(s, 9, o.memory_bytes);
    bind_real(s, 10, o.tokens_per_second);
    s.bind(11, o.bottleneck);
    s.bind(12, o.error);
    s.exec();
  });
  if (std::chrono::steady_clock::now() - state_->committed > std::chrono::seconds(1)) commit();
}

void Store::commit() {
  guarded(state_->path, [&] {
    if (state_->open) state_->open->commit();
    state_->open.reset();
    state_->committed = std::chrono::steady_clock::now();
  });
}

void Store::finish() {
  commit();
  if (state_->path.empty()) return;
  const std::string temporary = state_->path + ".tmp";
  std::error_code error;
  try {
    guarded(state_->path, [&] {
      // The copy counts one schema change more than its origin: start every copy from the same count.
      state_->db->exec("PRAGMA schema_version = 1");
      SQLite::Statement copy(*state_->db, "VACUUM INTO ?");
      copy.bind(1, temporary);
      copy.executeStep();
    });
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
  fs::rename(temporary, state_->path, error);
  if (error) throw InputError({state_->path, 0, 0}, "cannot be replaced", "a folder that may be written");
}

}  // namespace rooftile::workloads::sweep
