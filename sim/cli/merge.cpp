// `rooftile merge`: join the stores of the shards of a sweep.
#include <fmt/format.h>

#include <memory>

#include "sim/cli/common.hpp"
#include "workloads/sweep/merge.hpp"

namespace rooftile::cli {

void add_merge(CLI::App& app, int&) {
  auto* command = app.add_subcommand("merge", "join the stores of the shards of a sweep");
  auto inputs = std::make_shared<std::vector<std::string>>();
  auto output = std::make_shared<std::string>();
  command->add_option("STORES", *inputs, "stores of one sweep")->required();
  command->add_option("-o,--output", *output, "the joined store; if it exists, it counts as an input")->required()->option_text("FILE.sqlite");
  command->callback([inputs, output] {
    const auto merged = workloads::sweep::merge(*output, *inputs);
    answer(fmt::format("{}: {} points, {} more than once\n", *output, merged.points, merged.repeated));
  });
}

}  // namespace rooftile::cli
