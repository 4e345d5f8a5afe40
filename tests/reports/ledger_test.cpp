#include <catch2/catch.hpp>

#include "reports/ledger.hpp"
#include "reports/run_json.hpp"
#include "tests/reports/scenario_for_tests.hpp"

using namespace rooftile;
using namespace rooftile::reports;

namespace {

RunReport run(const std::string& name, double time, double tensor, double mufu, double hbm_bytes) {
  RunReport r{.scenario = name, .hardware = "h200", .clock = "sustained", .time_us = time, .energy_mj = time / 2, .power_w = 500, .clock_mhz = 1500};
  OpRow o{.name = "op", .op = "attention", .bottleneck = tensor > mufu ? "tensor" : "MUFU", .time_us = time, .flops = 1e9};
  o.utilization = {{"tensor", tensor / time}, {"MUFU", mufu / time}};
  o.bytes = {{"hbm_read", hbm_bytes}, {"hbm_write", 0}};
  o.kernels = {{"k", time, 1, 1500, 132, 1, 256, 128, 114 * 1024.0}};
  r.ops = {o};
  return r;
}

const LedgerRow& row(const Ledger& l, const std::string& resource) {
  for (const LedgerRow& r : l.rows)
    if (r.resource == resource) return r;
  throw std::runtime_error(resource);
}

Ledger two() {
  const Carriers h200{132, 65536, 228 * 1024.0, 60e6};
  return compare({run("wide", 100, 80, 10, 5e6), run("narrow", 60, 30, 35, 4e6)}, {h200, h200}, {10, 10});
}

}  // namespace

TEST_CASE("A ledger tells gains from payments, signed and relative, with their carrier") {
  const Ledger l = two();
  CHECK(row(l, "tensor pipe").change(1) == Approx(-50));
  CHECK(row(l, "tensor pipe").percent(1) == Approx(-62.5));
  CHECK(row(l, "tensor pipe").verdict(1) == std::string("gains"));
  CHECK(row(l, "exponentials").verdict(1) == std::string("pays"));
  CHECK(row(l, "exponentials").carrier == "MUFU");
  CHECK(row(l, "useful work").verdict(1) == std::string());
  CHECK(row(l, "registers").values[0] == Approx(100 * 256 * 128 / 65536.0));
  CHECK(row(l, "shared memory").values[0] == Approx(50));
  CHECK(row(l, "HBM bytes").values == std::vector<double>{5, 4});
}

TEST_CASE("A verdict names the largest gain, the largest price and the bound on one line") {
  const std::string v = two().verdicts.at(0);
  CHECK(v == "'narrow' is 1.67 times as fast as 'wide': it gains 50 us of tensor cores of the SMs (-62 %) and pays 25.0 us of MUFU (+250 %); "
             "the bound moves from tensor to MUFU.");
}

TEST_CASE("Every physical carrier has a row, used or not") {
  std::string carriers;
  for (const LedgerRow& r : two().rows) carriers += r.carrier + ";";
  for (const char* c : {"tensor cores", "MUFU", "FMA pipe", "ALU pipe", "warp schedulers", "register file", "shared-memory capacity", "shared-memory port",
                        "L2 capacity", "L2 bandwidth", "HBM capacity", "HBM bandwidth", "NVLink", "NIC", "launch", "power"})
    CHECK(carriers.find(c) != std::string::npos);
}

TEST_CASE("A ledger's values are those of the runs that it carries") {
  const auto s = small_scenario();
  const RunReport r = collect(s, predictions_of(s));
  const Ledger l = compare({r, r}, {carriers(s.gpu), carriers(s.gpu)}, {10, 10});
  const Json j = ledger_json(l);
  CHECK(j["runs"][0] == run_json(r));
  double tensor = 0;
  for (const OpRow& o : r.ops) tensor += static_cast<double>(o.repeat) * o.time_us * o.utilization.at("tensor");
  CHECK(row(l, "tensor pipe").values[0] == Approx(tensor));
  for (const LedgerRow& x : l.rows) CHECK(x.verdict(1) == std::string());
  CHECK(l.verdicts[0].find("as long as") != std::string::npos);
}
