// Tile programs as YAML.
#include <catch2/catch.hpp>

#include "hw/play/play.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/data.hpp"
#include "workloads/gemm/program.hpp"
#include "workloads/play_cache.hpp"
#include "workloads/tune/expression.hpp"
#include "workloads/tune/program_spec.hpp"

namespace rooftile::workloads::tune {
namespace {

using Catch::Matchers::Contains;

std::string example() {
  return input::read_file((data_folder() / "workloads" / "scenarios" / "tile_programs" / "gemm-128x128.yaml").string());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string mistakes(const std::string& text) {
  try {
    read_program(input::parse_yaml(text, "program.yaml"));
  } catch (const input::InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a tile program stated in YAML plays as the one that the builder makes") {
  const auto gpu = load_gpu("h200");
  const hw::Machine machine = hw::resolve(gpu, gpu.clock.nominal.value);
  gemm::Schedule s;
  s.tile_m = s.tile_n = 128;
  s.band = 1 << 20;
  s.raster = gemm::Raster::along_m;
  hw::TileProgram built = gemm::program({1, 2048, 4096, 4096}, s, 132);
  hw::TileProgram stated = read_program(input::parse_yaml(example(), "gemm.yaml"));
  REQUIRE(stated.items.size() == built.items.size());
  CHECK(stated.shared_memory == built.shared_memory);
  const auto a = hw::play(built, machine), b = hw::play(stated, machine);
  CHECK(a.duration == b.duration);
  CHECK(a.traffic.dram_read == b.traffic.dram_read);
  CHECK(a.tensor_flops == b.tensor_flops);
}

TEST_CASE("a repeat may depend on the work item") {
  std::string text = replaced(example(), "repeat: 64", "repeat: 2*m + 1");
  text = replaced(text, "repeat: 64", "repeat: 2*m + 1");
  const hw::TileProgram p = read_program(input::parse_yaml(text, "x"));
  CHECK(p.items.front().count[0] == 1);
  CHECK(p.items.back().count[0] == 31);
}

TEST_CASE("mistakes in a tile program are told together, with suggestions") {
  std::string text = replaced(example(), "acquire: stages", "acquire: stage");
  text = replaced(text, "row: m, col: step", "row: q, col: step");
  text = replaced(text, "mma_wait: 1", "mma_wiat: 1");
  const std::string found = mistakes(text);
  CHECK_THAT(found, Contains("no ring 'stage'") && Contains("did you mean `stages`?"));
  CHECK_THAT(found, Contains("'q' in the sum") && Contains("did you mean `mma_wait`?"));
  CHECK_THAT(mistakes(replaced(example(), "box: [128, 64]", "box: [128]")), Contains("[rows, columns]"));
  CHECK_THAT(mistakes(replaced(example(), "size: 16", "size: 160000")), Contains("a million work items"));
  CHECK_THAT(mistakes(replaced(example(), "shared_memory: 147728 B", "shared_memory: 147728")), Contains("shared_memory"));
}

TEST_CASE("sums know integers, names and integer factors") {
  input::Diagnostics found;
  const Sum s = read_sum("2*m + step - 3 + m", {"m", "step"}, {}, found);
  CHECK(found.empty());
  CHECK(s.constant == -3);
  CHECK(s.factor.at("m") == 3);
  CHECK(s.factor.at("step") == 1);
  read_sum("2*m*step", {"m", "step"}, {}, found);
  read_sum("1.5*m", {"m"}, {}, found);
  read_sum("99999999999*99999999999", {"m"}, {}, found);
  CHECK(found.count() == 3);
}

}  // namespace rooftile::workloads::tune
