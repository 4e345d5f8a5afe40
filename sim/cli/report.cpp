// `rooftile report`: one page of what other commands answered in JSON.
#include <memory>

#include "reports/page.hpp"
#include "sim/cli/common.hpp"
#include "sim/core/input/diagnostics.hpp"
#include "sim/core/input/yaml.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::vector<std::string> files, fabrics;
  std::string output, title = "rooftile report";
};

void run(const Arguments& a) {
  std::vector<reports::PageItem> items;
  input::Diagnostics found;
  const auto add = [&](auto&& make) {
    try {
      items.push_back(make());
    } catch (const input::InputError& e) {
      found.add(e.diagnostics());
    }
  };
  for (const std::string& file : a.files) add([&] { return reports::item_from_json(input::read_file(file), file); });
  for (const std::string& fabric : a.fabrics) add([&] { return reports::topology_item(fabric); });
  found.throw_if_any();
  if (items.empty()) throw input::InputError({}, "nothing to report", "JSON files that run, explain, compare, validate or sweep wrote, or --fabric");
  write_file(a.output, reports::page(items.size() == 1 ? items.front().title : a.title, items));
}

}  // namespace

void add_report(CLI::App& app, int&) {
  auto* command = app.add_subcommand("report", "one self-contained HTML page of what other commands wrote in JSON");
  auto a = std::make_shared<Arguments>();
  command->add_option("FILES", a->files, "what run, explain, compare, validate or sweep printed with --format json");
  command->add_option("--fabric", a->fabrics, "add a picture of a fabric: a name in hw/fabrics, or a path (repeatable)")->option_text("NAME_OR_FILE");
  command->add_option("--title", a->title, "heading of a page of several files");
  command->add_option("-o,--output", a->output, "the page")->required()->option_text("OUT.html");
  command->callback([a] { run(*a); });
}

}  // namespace rooftile::cli
