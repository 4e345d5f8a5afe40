// `rooftile compare`: a resource ledger of several scenarios.
#include <memory>

#include "reports/ledger.hpp"
#include "reports/page.hpp"
#include "sim/cli/common.hpp"
#include "sim/cli/predict_all.hpp"

namespace rooftile::cli {
namespace {

struct Arguments {
  std::vector<std::string> scenarios;
  std::string output, html;
  workloads::Overrides overrides;
  reports::Format format = reports::Format::text;
};

reports::Ledger compare(const Arguments& a) {
  std::vector<workloads::Scenario> scenarios;
  input::Diagnostics found;
  for (const std::string& path : a.scenarios) try {
      scenarios.push_back(workloads::read_scenario(path, a.overrides));
    } catch (const input::InputError& e) {
      found.add(e.diagnostics());
    }
  found.throw_if_any();
  const reports::Bands bands = reports::load_bands();
  std::vector<reports::RunReport> runs;
  std::vector<reports::Carriers> carriers;
  std::vector<double> percent;
  for (const workloads::Scenario& s : scenarios) {
    runs.push_back(reports::collect(s, predict_all(s)));
    carriers.push_back(reports::carriers(s.gpu));
    percent.push_back(reports::band_percent(runs.back(), s.gpu.name, bands));
  }
  return reports::compare(std::move(runs), carriers, std::move(percent));
}

}  // namespace

void add_compare(CLI::App& app, int&) {
  auto* command = app.add_subcommand("compare", "a resource ledger of several scenarios: what each gains and pays against the first");
  auto a = std::make_shared<Arguments>();
  command->add_option("SCENARIOS", a->scenarios, "two or more scenario files (YAML)")->required()->expected(2, 100);
  command->add_option("-o,--output", a->output, "write the answer to a file");
  add_overrides(*command, a->overrides);
  add_format(*command, a->format);
  command->add_option("--html", a->html, "write a self-contained page")->option_text("FILE.html");
  command->callback([a] {
    const reports::Ledger ledger = compare(*a);
    if (!a->html.empty()) write_file(a->html, reports::page("Resource ledger", {reports::compare_item(ledger)}));
    answer(reports::write(ledger, a->format), a->output);
  });
}

}  // namespace rooftile::cli
