// The `rooftile` program: parses the command line and turns the two kinds of errors into exit codes.
#include <fmt/format.h>

#include <exception>

#include "sim/cli/common.hpp"
#include "sim/core/errors.hpp"
#include "sim/core/input/diagnostics.hpp"

int main(int argc, char** argv) {
  using namespace rooftile;
  CLI::App app{"rooftile predicts what a GPU does with a tile schedule"};
  app.require_subcommand(1);
  int exit_code = cli::kDone;
  cli::add_run(app, exit_code);
  cli::add_compare(app, exit_code);
  cli::add_explain(app, exit_code);
  cli::add_report(app, exit_code);
  cli::add_validate(app, exit_code);
  cli::add_list(app, exit_code);
  cli::add_schema(app, exit_code);
  cli::add_sweep(app, exit_code);
  cli::add_merge(app, exit_code);
  cli::add_tune(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? cli::kDone : cli::kInputWrong;
  } catch (const input::InputError& e) {
    fmt::print(stderr, "{}\n", e.what());
    return cli::kInputWrong;
  } catch (const core::InvariantError& e) {
    fmt::print(stderr, "internal error, please report it: {}\n", e.what());
    return cli::kInvariantBroken;
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "{}\n", e.what());
    return cli::kInputWrong;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "out of memory\n");
    return cli::kInputWrong;
  } catch (const std::exception& e) {
    fmt::print(stderr, "internal error, please report it: {}\n", e.what());
    return cli::kInvariantBroken;
  }
  return exit_code;
}
