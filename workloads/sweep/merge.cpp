#include "workloads/sweep/merge.hpp"

#include <filesystem>

#include "sim/core/input/diagnostics.hpp"

namespace rooftile::workloads::sweep {
namespace {

namespace fs = std::filesystem;
using input::InputError;

void expect_same(const StoreIdentity& first, const StoreIdentity& other, const std::string& path) {
  if (other.sweep_hash != first.sweep_hash)
    throw InputError({path, 0, 0}, "holds another sweep (" + other.title + ")", "shards of one sweep (" + first.title + ")");
  if (other.version != first.version)
    throw InputError({path, 0, 0}, "was made by another version of the model (" + other.version + ")", first.version);
}

// A store under another name, removed again unless it becomes the output.
struct Draft {
  std::string path;
  ~Draft() {
    std::error_code ignored;
    for (const char* tail : {"", "-journal", ".tmp"}) fs::remove(path + tail, ignored);
  }
};

}  // namespace

Merged merge(const std::string& output, const std::vector<std::string>& inputs) {
  std::vector<std::string> paths = inputs;
  std::error_code error;
  if (fs::exists(output, error)) paths.insert(paths.begin(), output);
  Merged merged{Store::read_only(paths.at(0)).identity()};
  const Draft draft{output + ".merging"};
  fs::remove(draft.path, error);
  {
    Store all = Store::open(draft.path, merged.identity, false);
    for (const std::string& path : paths) {
      const Store part = Store::read_only(path);
      expect_same(merged.identity, part.identity(), path);
      part.each([&](const Row& row) {
        const auto known = all.find(row.point);
        if (!known) {
          ++merged.points;
          return all.add(row);
        }
        ++merged.repeated;
        if (!same(*known, row))
          throw InputError({path, 0, 0}, "disagrees with another store about " + row.inputs, "the same result for the same point");
      });
    }
    all.finish();
  }
  fs::rename(draft.path, output, error);
  if (error) throw InputError({output, 0, 0}, "cannot be written", "a writable place with room");
  return merged;
}

}  // namespace rooftile::workloads::sweep
