#include <catch2/catch.hpp>

#include "reports/explain.hpp"
#include "reports/run_json.hpp"
#include "tests/reports/scenario_for_tests.hpp"
#include "workloads/catalog.hpp"

using namespace rooftile;
using namespace rooftile::reports;

namespace {

const Explanation& explained() {
  static const Explanation e = [] {
    const auto s = small_scenario();
    return explain(s, predictions_of(s), load_bands(), {.levers_for = 1});
  }();
  return e;
}

double sum(const std::vector<Reason>& reasons) {
  double us = 0;
  for (const Reason& r : reasons) us += r.us;
  return us;
}

}  // namespace

TEST_CASE("The formulas of every operation give its FLOPs and its bytes") {
  for (const auto& op : small_scenario().ops) {
    const workloads::Derivation d = op.operation->derivation();
    CHECK(workloads::sum(d.flops) == Approx(op.operation->flops()).epsilon(1e-12));
    CHECK(workloads::sum(d.bytes) == Approx(op.operation->compulsory_bytes()).epsilon(1e-12));
  }
}

TEST_CASE("Every role's reasons add up to the time of its kernel, and none is negative") {
  for (const OpExplained& op : explained().ops)
    for (const KernelExplained& k : op.kernels)
      for (const RoleAccount& role : k.roles) {
        INFO(op.row.name << ", " << k.program.kernel << ", " << role.role);
        CHECK(sum(role.reasons) == Approx(k.time_us).epsilon(1e-9));
        for (const Reason& r : role.reasons) {
          INFO(r.what << " " << r.us);
          CHECK(r.us >= -1e-9);
        }
      }
}

TEST_CASE("Where the time goes adds up to the time of each operation") {
  for (const OpExplained& op : explained().ops) CHECK(sum(op.where) == Approx(op.row.time_us).epsilon(1e-9));
}

TEST_CASE("No resource needs longer than the operation took") {
  for (const OpExplained& op : explained().ops)
    for (const BoundRow& b : op.bounds) {
      INFO(op.row.name << ", " << b.resource);
      CHECK(b.us <= op.row.time_us * 1.0001);
    }
}

TEST_CASE("Explain carries the numbers of the run report") {
  const auto s = small_scenario();
  const Json run = run_json(collect(s, predictions_of(s)));
  Json from_explain = explain_json(explained());
  for (Json& op : from_explain["ops"]) op.erase("explanation");
  for (const auto& [key, value] : run.items()) CHECK(from_explain.at(key) == value);
}

TEST_CASE("The tile program's matrix work is the work that was played") {
  const auto s = small_scenario();
  const auto predictions = predictions_of(s);
  for (std::size_t i = 0; i < predictions.size(); ++i)
    for (std::size_t k = 0; k < predictions[i].kernels.size(); ++k) {
      double tensor = 0;
      for (const ProgramOp& o : explained().ops[i].kernels[k].program.ops) tensor += o.executions * o.cycles[hw::kTensor];
      INFO(s.ops[i].name);
      CHECK(tensor == Approx(predictions[i].kernels[k].play.unit_cycles[hw::kTensor]).epsilon(1e-5));
    }
}

TEST_CASE("Levers are played for the longest operation only, when one is asked for") {
  int with = 0;
  for (const OpExplained& op : explained().ops) with += op.levers.empty() ? 0 : 1;
  CHECK(with == 1);
}

TEST_CASE("The text names the constants and the limits, and prints no markup as markup") {
  const Document d = document(explained());
  CHECK(d.text().find("sm.tensor.bf16") != std::string::npos);
  CHECK(d.text().find("sm.tensor.fp8") == std::string::npos);  // no fp8 here
  CHECK(d.text().find("channels, banks") != std::string::npos);
  CHECK(d.html().find("<img") == std::string::npos);
  CHECK(d.html().find("<b>") == std::string::npos);
  CHECK(d.markdown().find("<img") == std::string::npos);
}
