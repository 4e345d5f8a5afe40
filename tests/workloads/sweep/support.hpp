// Folders that vanish, sweeps as text, and the program as a child process.
#pragma once

#include <stdlib.h>
#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/core/input/diagnostics.hpp"
#include "workloads/sweep/store.hpp"
#include "workloads/sweep/sweep.hpp"

namespace rooftile::workloads::sweep {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rooftile-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return *this / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// 24 points of a GEMM that takes next to no time.
inline const char* const kSmallSweep = R"(sweep: small
scenario:
  scenario: one small projection
  hardware: h200
  clock: boost
  ops: [{op: gemm, m: 64, n: 256, k: 256, dtype: bf16}]
vary:
  ops.0.m: [16, 64]
  ops.0.k: {from: 256, to: 1024, steps: 3, scale: log}
  hardware.hbm.bandwidth: {from: 3 TB/s, to: 6 TB/s, steps: 4}
objectives: [time, energy]
)";

inline std::string mistakes(const std::string& text) {
  const Folder folder;
  try {
    read_sweep(folder.write("sweep.yaml", text));
  } catch (const input::InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace rooftile::workloads::sweep
