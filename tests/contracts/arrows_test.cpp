// The arrows between folders: a file includes only from its own ring and the rings to its left.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kRings{"sim/core", "hw", "workloads", "reports", "validation", "sim/cli"};

int ring_of(const std::string& path) {
  for (std::size_t i = 0; i < kRings.size(); ++i)
    if (path.rfind(kRings[i] + "/", 0) == 0) return static_cast<int>(i);
  return -1;
}

// What is wrong with an include, or "" when nothing is.
std::string complaint(const std::string& file, const std::string& included) {
  const int from = ring_of(file), to = ring_of(included);
  if (file.rfind("kernels/", 0) == 0) {
    static const std::regex tiling("workloads/[a-z_0-9]+/tiling\\.hpp");
    return to < 0 || std::regex_match(included, tiling) ? "" : file + " includes " + included;
  }
  return from >= 0 && to > from ? file + " includes " + included : "";
}

std::vector<std::string> includes_of(const fs::path& path) {
  static const std::regex line("^\\s*#\\s*include\\s+\"([^\"]+)\".*");
  std::ifstream in(path);
  std::vector<std::string> found;
  std::smatch match;
  for (std::string text; std::getline(in, text);)
    if (std::regex_match(text, match, line)) found.push_back(match[1]);
  return found;
}

}  // namespace

TEST_CASE("no file includes from a ring to its right") {
  const fs::path root = ROOFTILE_SOURCE_DIR;
  std::vector<std::string> wrong;
  std::size_t files = 0;
  for (const char* folder : {"sim", "hw", "workloads", "reports", "validation", "kernels"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp" && extension != ".cu" && extension != ".cuh") continue;
      ++files;
      const std::string file = fs::relative(entry.path(), root).string();
      for (const std::string& included : includes_of(entry.path()))
        if (const std::string text = complaint(file, included); !text.empty()) wrong.push_back(text);
    }
  CHECK(files > 100);
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("the check of the arrows finds an arrow that points the other way") {
  CHECK(complaint("hw/l2.hpp", "workloads/catalog.hpp") == "hw/l2.hpp includes workloads/catalog.hpp");
  CHECK(complaint("sim/core/engine.hpp", "hw/l2.hpp") != "");
  CHECK(complaint("validation/write.cpp", "sim/cli/common.hpp") != "");
  CHECK(complaint("kernels/gemm/launch.cu", "workloads/gemm/program.hpp") != "");
  CHECK(complaint("kernels/gemm/launch.cu", "workloads/gemm/tiling.hpp") == "");
  CHECK(complaint("reports/table.cpp", "hw/machine.hpp") == "");
}
