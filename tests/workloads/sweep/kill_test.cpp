// The program itself: killed at random times and resumed, and on a disk that fills up.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/workloads/sweep/support.hpp"

namespace rooftile::workloads::sweep {
namespace {

using Catch::Matchers::Contains;

// Starts `rooftile sweep` and kills it after `ms` (never, if negative); true when it ended by itself with exit 0.
bool sweep_for(const std::string& file, const std::string& store, int ms) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) ::_exit(98);
    ::execl(ROOFTILE_BINARY, "rooftile", "sweep", file.c_str(), "--store", store.c_str(), "--resume", "--jobs", "2", static_cast<char*>(nullptr));
    ::_exit(99);
  }
  if (ms >= 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    ::kill(child, SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string shell(const std::string& command) {
  const Folder folder;
  const int status = std::system((command + " >" + (folder / "out") + " 2>&1").c_str());
  return std::to_string(WEXITSTATUS(status)) + "\n" + bytes_of(folder / "out");
}

const char* const kManyPoints = R"(sweep: many
scenario:
  scenario: a projection
  hardware: h200
  clock: boost
  ops: [{op: gemm, m: 512, n: 1024, k: 1024, dtype: bf16}]
vary:
  hardware.hbm.bandwidth: {from: 3 TB/s, to: 6 TB/s, steps: 12}
  hardware.l2.capacity: {from: 20 MB, to: 60 MB, steps: 10}
)";

}  // namespace

TEST_CASE("a sweep that is killed at random times and resumed loses nothing and repeats nothing") {
  const Folder folder;
  const std::string file = folder.write("sweep.yaml", kManyPoints);
  REQUIRE(sweep_for(file, folder / "whole", -1));
  std::mt19937 random(20240607);
  int kills = 0;
  while (kills < 12 && !sweep_for(file, folder / "killed", static_cast<int>(random() % 120))) ++kills;
  CHECK(sweep_for(file, folder / "killed", -1));
  INFO("killed " << kills << " times");
  CHECK(Store::read_only(folder / "killed").count() == 120);
  CHECK(bytes_of(folder / "killed") == bytes_of(folder / "whole"));
}

TEST_CASE("a disk that fills up is an error that keeps the store, which then resumes") {
  const Folder folder;
  const std::string file = folder.write("sweep.yaml", kManyPoints);
  const std::string command = std::string(ROOFTILE_BINARY) + " sweep " + file + " --resume --store ";
  // A limit on the size of files stands for the end of the disk; ignored, the signal becomes an error of write().
  const std::string full = shell("trap '' XFSZ; ulimit -f 24; " + command + (folder / "s"));
  CHECK_THAT(full, Catch::Matchers::StartsWith("2\n") && Contains("what was committed is safe"));
  CHECK_THAT(shell(command + (folder / "s")), Catch::Matchers::StartsWith("0\n"));
  CHECK(sweep_for(file, folder / "whole", -1));
  CHECK(bytes_of(folder / "s") == bytes_of(folder / "whole"));
}

TEST_CASE("shards come from the variables of a Slurm job array when none is given") {
  const Folder folder;
  const std::string file = folder.write("sweep.yaml", kSmallSweep);
  const std::string command = std::string(ROOFTILE_BINARY) + " sweep " + file + " --store ";
  for (int task = 0; task < 4; ++task) {
    const std::string slurm = "SLURM_ARRAY_TASK_ID=" + std::to_string(task) + " SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=0 ";
    CHECK_THAT(shell(slurm + command + (folder / std::to_string(task))), Catch::Matchers::StartsWith("0\n"));
    CHECK(Store::read_only(folder / std::to_string(task)).count() == 6);
  }
  CHECK_THAT(shell(std::string(ROOFTILE_BINARY) + " merge " + (folder / "0") + " " + (folder / "1") + " " + (folder / "2") + " " + (folder / "3") + " -o " + (folder / "all")),
             Contains("24 points, 0 more than once"));
  CHECK_THAT(shell(command + (folder / "x") + " --shard 5/4"), Catch::Matchers::StartsWith("2\n") && Contains("5/4"));
}

}  // namespace rooftile::workloads::sweep
