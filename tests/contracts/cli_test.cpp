// The program as scripts use it: exit codes, streams, JSON keys, every mistake at once, nothing half-written.
#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

struct Answer {
  int code = 0;
  std::string out, err;
};

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("rooftile-contract-" + std::to_string(::getpid()) + "-" + std::to_string(next_++))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name) << content;
    return (path_ / name).string();
  }
  const fs::path& path() const { return path_; }

 private:
  static inline int next_ = 0;
  fs::path path_;
};

std::string slurp(const fs::path& p) {
  std::ifstream in(p);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

Answer rooftile(const std::string& arguments) {
  const Folder f;
  const std::string command = std::string(ROOFTILE_BINARY) + " " + arguments + " > " + (f.path() / "out").string() + " 2> " + (f.path() / "err").string();
  const int status = std::system(command.c_str());
  return {WEXITSTATUS(status), slurp(f.path() / "out"), slurp(f.path() / "err")};
}

const char* kScenario = "scenario: two operations\nhardware: h200\nops:\n"
                        "  - {op: gemm, m: 512, n: 1024, k: 512}\n"
                        "  - {op: attention, batch: 1, q_heads: 8, kv_heads: 2, q_len: 512, kv_len: 512, head_dim: 128, mask: causal, impl: cudnn}\n";

}  // namespace

TEST_CASE("run prints one JSON object with the keys that scripts depend on, and nothing on stderr") {
  const Folder f;
  const Answer a = rooftile("run " + f.file("s.yaml", kScenario) + " --format json");
  REQUIRE(a.code == 0);
  CHECK(a.err.empty());
  const auto j = nlohmann::json::parse(a.out);
  for (const char* key : {"schema_version", "scenario", "hardware", "clock_mhz", "time_us", "energy_mj", "power_w", "ops", "memory"}) CHECK(j.contains(key));
  REQUIRE(j["ops"].size() == 2);
  for (const char* key : {"name", "op", "impl", "schedule", "time_us", "cycles", "flops", "bytes", "l2_hit_rate", "bottleneck", "stalls", "utilization"})
    CHECK(j["ops"][0].contains(key));
  CHECK(j["ops"][0]["flops"] == 2.0 * 512 * 1024 * 512);
  CHECK(j["time_us"].get<double>() == Approx(j["ops"][0]["time_us"].get<double>() + j["ops"][1]["time_us"].get<double>()));
}

TEST_CASE("run gives the same bytes every time, in every format") {
  const Folder f;
  const std::string s = f.file("s.yaml", kScenario);
  for (const char* format : {"text", "json", "csv", "markdown"}) {
    const Answer a = rooftile("run " + s + " --format " + format), b = rooftile("run " + s + " --format " + format);
    CHECK(a.code == 0);
    CHECK(a.out == b.out);
  }
}

TEST_CASE("validate gives the same bytes with one thread and with two, and the keys that scripts depend on") {
  const Folder f;
  fs::create_directories(f.path() / "h200");
  std::ofstream(f.path() / "h200" / "gemm.jsonl")
      << R"({"op":"gemm","m":256,"n":256,"k":256,"dtype":"bf16","impl":"cublas","measured":{"sustained_us":3.0}})" << "\n"
      << R"({"op":"gemm","m":512,"n":256,"k":256,"dtype":"bf16","impl":"cublas","measured":{"sustained_us":3.5}})" << "\n"
      << R"({"op":"warp_drive","measured":{"sustained_us":1.0}})" << "\n";
  const std::string command = "validate " + (f.path() / "h200").string() + " --format json --jobs ";
  const Answer one = rooftile(command + "1"), two = rooftile(command + "2");
  REQUIRE(one.code == 0);
  CHECK(one.out == two.out);
  const auto j = nlohmann::json::parse(one.out);
  for (const char* key : {"family", "device", "records", "predicted", "skipped", "median_ape", "mean_ape", "p90_ape", "bias"})
    CHECK(j["families"][0].contains(key));
  CHECK(j["families"][0]["device"] == "h200");
  CHECK(j["families"][0]["skipped"] == 1);
  for (const char* key : {"file", "line", "op", "impl", "measured_us", "predicted_us", "ape", "bottleneck"}) CHECK(j["records"][0].contains(key));
  CHECK(j["records"][2]["skipped"].get<std::string>().find("warp_drive") != std::string::npos);
}

TEST_CASE("a family that is worse than its tolerance makes validate exit with 1") {
  const Folder f;
  fs::create_directories(f.path() / "h200");
  std::ofstream(f.path() / "h200" / "gemm.jsonl") << R"({"op":"gemm","m":256,"n":256,"k":256,"measured":{"sustained_us":3000}})" << "\n";
  const std::string loose = f.file("loose.yaml", "families: {gemm: {median: 1000, p90: 1000}}\n");
  const std::string tight = f.file("tight.yaml", "families: {gemm: {median: 5, p90: 5}}\n");
  const std::string command = "validate " + (f.path() / "h200").string() + " --tolerances ";
  CHECK(rooftile(command + loose).code == 0);
  const Answer a = rooftile(command + tight);
  CHECK(a.code == 1);
  CHECK_THAT(a.err, Contains("gemm: median"));
}

TEST_CASE("every mistake of a scenario is reported at once, with its place, and nothing is written") {
  const Folder f;
  const std::string s = f.file("bad.yaml",
                               "scenario: bad\nhardware: h20\nclok: burst\nops:\n"
                               "  - {op: gemm, m: 0, n: -4, k: 9e30}\n"
                               "  - {op: attention, batch: 1, q_heads: 7, kv_heads: 2, q_len: 16, kv_len: 16, head_dim: 128, mask: diagonal}\n"
                               "  - {op: gemmm, m: 1, n: 1, k: 1}\n"
                               "  - {op: gemm, m: 16, k: 16, colour: red, dtype: bf17}\n");
  const Answer a = rooftile("run " + s + " -o " + (f.path() / "out.json").string());
  CHECK(a.code == 2);
  CHECK(a.out.empty());
  CHECK_FALSE(fs::exists(f.path() / "out.json"));
  for (const char* text : {":2:11: unknown hardware 'h20'", ":3:1: unknown key 'clok'", ":5:19: m:", ":5:25: n:", ":5:32: k:", ":6:100: mask:", ":7:10: unknown op 'gemmm'",
                           "did you mean `gemm`", ":8:5: the key `n` is missing", ":8:30: unknown key `colour`"})
    CHECK_THAT(a.err, Contains(text));
}

TEST_CASE("heads that do not divide, unknown types and too many elements are refused") {
  const Folder f;
  const Answer a = rooftile("run " + f.file("s.yaml",
                                            "scenario: s\nhardware: h200\nops:\n"
                                            "  - {op: attention, batch: 1, q_heads: 7, kv_heads: 2, q_len: 16, kv_len: 16, head_dim: 128}\n"
                                            "  - {op: gemm, m: 16, n: 16, k: 16, dtype: bf17}\n"
                                            "  - {op: gemm, m: 60000000, n: 60000000, k: 16}\n"
                                            "  - {op: router_softmax_topk, tokens: 4, experts: 8, top_k: 9}\n"));
  CHECK(a.code == 2);
  for (const char* text : {"7 query heads over 2 KV heads", "unknown type 'bf17'", "more than 1e12 elements", "top_k 9 of 8 experts"}) CHECK_THAT(a.err, Contains(text));
}

TEST_CASE("hardware numbers need their unit and their source") {
  const Folder f;
  std::string gpu = slurp(fs::path(ROOFTILE_SOURCE_DIR) / "tests/support/tiny_gpu.yaml");
  const auto replace = [&](const std::string& from, const std::string& to) { gpu.replace(gpu.find(from), from.size(), to); };
  replace("bandwidth: {value: 100 GB/s, source: test}", "bandwidth: {value: 100, source: test}");
  replace("latency: {value: 200 ns, source: test}", "latency: {value: 200 ns}");
  replace("capacity: {value: 16 GiB, source: test}", "capacity: {value: 16 parsecs, source: test}");
  const std::string scenario = f.file("s.yaml", "scenario: s\nhardware: " + f.file("gpu.yaml", gpu) + "\nops:\n  - {op: gemm, m: 16, n: 16, k: 16}\n");
  const Answer a = rooftile("run " + scenario);
  CHECK(a.code == 2);
  for (const char* text : {"gpu.yaml:", "source", "unit", "parsecs"}) CHECK_THAT(a.err, Contains(text));
}

TEST_CASE("broken YAML, a truncated record and a missing file say where, and exit with 2") {
  const Folder f;
  CHECK_THAT(rooftile("run " + f.file("s.yaml", "scenario: [unclosed\nops:\n")).err, Contains("s.yaml:"));
  const Answer truncated = rooftile("validate " + f.file("gemm.jsonl", "{\"op\":\"gemm\",\"m\":256,\"n\":2"));
  CHECK(truncated.code == 2);
  CHECK_THAT(truncated.err, Contains("gemm.jsonl:1:"));
  const Answer missing = rooftile("run " + (f.path() / "nowhere.yaml").string());
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Contains("nowhere.yaml"));
  const Answer negative = rooftile("validate " + f.file("gemm2.jsonl", R"({"op":"gemm","m":2,"n":2,"k":2,"measured":{"sustained_us":-3}})"));
  CHECK(negative.code == 2);
}

TEST_CASE("an output that cannot be written is an error and leaves nothing behind") {
  const Folder f;
  const Answer a = rooftile("run " + f.file("s.yaml", kScenario) + " -o " + (f.path() / "no" / "such" / "place.json").string());
  CHECK(a.code == 2);
  CHECK_THAT(a.err, Contains("cannot be written"));
  CHECK(std::distance(fs::directory_iterator(f.path()), fs::directory_iterator{}) == 1);  // the scenario alone
}

TEST_CASE("help lists commands, and each of them answers to --help") {
  const Answer a = rooftile("--help");
  CHECK(a.code == 0);
  const std::string list = a.out.substr(a.out.find("Subcommands:"));
  std::stringstream lines(list);
  std::string line;
  std::getline(lines, line);
  int commands = 0;
  while (std::getline(lines, line)) {
    std::stringstream words(line);
    std::string name;
    if (line.rfind("  ", 0) != 0 || !(words >> name) || line[2] == ' ') continue;
    ++commands;
    CHECK(rooftile(name + " --help").code == 0);
  }
  CHECK(commands >= 4);
  CHECK(rooftile("fly").code == 2);
  CHECK(rooftile("").code == 2);
}

TEST_CASE("a field can be changed on the command line, and one that does not exist is refused") {
  const Folder f;
  const std::string s = f.file("s.yaml", kScenario);
  const auto time = [](const Answer& a) { return nlohmann::json::parse(a.out)["time_us"].get<double>(); };
  const double base = time(rooftile("run " + s + " --format json"));
  CHECK(time(rooftile("run " + s + " --format json --set ops.0.m=4096")) > base);
  const Answer a = rooftile("run " + s + " --set hardware.hbm.bandwith='6 TB/s'");
  CHECK(a.code == 2);
  CHECK_THAT(a.err, Contains("bandwidth"));
}
