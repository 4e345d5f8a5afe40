// One self-contained HTML page: no network, no second file. The data of each report goes in as JSON, the scripts and the
// style of web/ draw it in the browser; the explanation is put in as escaped HTML.
//
// Text from files is never markup: JSON is embedded with every `<` written as an escape, and the scripts set text only. A
// content policy in the page forbids any request.
#pragma once

#include <string>
#include <vector>

#include "reports/explain.hpp"
#include "reports/ledger.hpp"
#include "reports/run_json.hpp"
#include "reports/trace.hpp"

namespace rooftile::reports {

struct PageItem {
  std::string kind;   // run, compare, validate, sweep, topology
  std::string title;
  Json data;
  std::string text;   // an HTML fragment made by Document::html, or empty
};

PageItem run_item(const Explanation& explanation);
PageItem run_item(const Explanation& explanation, const workloads::Scenario& scenario, const std::vector<workloads::Prediction>& predictions,
                  const std::vector<std::unique_ptr<OpTrace>>& traces);
PageItem compare_item(const Ledger& ledger);
PageItem topology_item(const std::string& fabric);  // a name in hw/fabrics, or a path
// A JSON file that run, explain, compare, validate or sweep wrote; its kind is told by its keys. Throws InputError.
PageItem item_from_json(const std::string& text, const std::string& file);

std::string page(const std::string& title, const std::vector<PageItem>& items);

// The rows of one SM and the kernels of the stream, for the page: bounded by `spans`.
Json timeline_json(const workloads::Scenario& scenario, const std::vector<workloads::Prediction>& predictions,
                   const std::vector<std::unique_ptr<OpTrace>>& traces, std::size_t spans = 1500);

}  // namespace rooftile::reports
