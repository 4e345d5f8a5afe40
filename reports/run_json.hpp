// The JSON form of a run report, for other reports that carry the same numbers.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/run_report.hpp"

namespace rooftile::reports {

using Json = nlohmann::ordered_json;

Json op_json(const OpRow& row);
Json run_json(const RunReport& report);
struct Explanation;
struct Ledger;
Json ledger_json(const Ledger& ledger);
Json explain_json(const Explanation& explanation);
// With bytes that are not UTF-8 replaced.
std::string dump(const Json& json, int indent = 2);

}  // namespace rooftile::reports
