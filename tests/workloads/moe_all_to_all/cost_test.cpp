#include <catch2/catch.hpp>

#include "sim/core/input/yaml.hpp"
#include "workloads/catalog.hpp"
#include "workloads/moe_all_to_all/cost.hpp"

using namespace rooftile;
using namespace rooftile::workloads::moe_all_to_all;
using rooftile::workloads::collective::load_fabric;
using rooftile::workloads::collective::make_group;

TEST_CASE("a token goes once to every rank that holds one of its experts") {
  Shape s{.top_k = 1, .experts = 64};
  CHECK(expected_groups(8, s) == Approx(1));
  s.top_k = 64;
  CHECK(expected_groups(8, s) == Approx(8));
  s.top_k = 2;  // the second expert is in another group with probability 56/63
  CHECK(expected_groups(8, s) == Approx(1 + 56.0 / 63));
}

TEST_CASE("many tokens cost their bytes over the port, whoever moves them") {
  const auto g = make_group(load_fabric("dgx-h100"), 8);
  const Shape s{.tokens = 1 << 20, .sms = 128};
  const double bytes = static_cast<double>(s.tokens) * expected_groups(8, s) * 7 / 8 * 7168 * 2;
  CHECK(dispatch(s, g).seconds == Approx(bytes / g.wire).epsilon(1e-3));
}

TEST_CASE("more SMs never slow dispatch and combine, more tokens never hasten them") {
  const auto g = make_group(load_fabric("dgx-h100"), 8);
  for (const auto cost : {dispatch, combine}) {
    CHECK(cost({.tokens = 4096, .sms = 24}, g).seconds < cost({.tokens = 4096, .sms = 8}, g).seconds);
    CHECK(cost({.tokens = 4096}, g).seconds < cost({.tokens = 8192}, g).seconds);
  }
  for (const auto cost : {dispatch_low_latency, combine_low_latency}) CHECK(cost({.tokens = 16}, g).seconds < cost({.tokens = 256}, g).seconds);
}

TEST_CASE("across nodes a token crosses the network once for every node, in low latency once for every expert") {
  const auto g = make_group(rooftile::hw::fabric::with_nodes(load_fabric("h100-ndr"), 4), 32, 4);
  const Shape s{.tokens = 4096};
  CHECK(dispatch_low_latency(s, g).seconds > dispatch(s, g).seconds);
  CHECK(dispatch(s, g).seconds > dispatch(s, make_group(load_fabric("dgx-h100"), 8)).seconds);
}

TEST_CASE("copies of hot experts even out the ranks") {
  std::vector<double> loads(64, 1);
  loads[5] = 17;
  CHECK(imbalance_of(std::vector<double>(64, 3), 0, 8) == Approx(1));
  const double alone = imbalance_of(loads, 0, 8);
  CHECK(alone == Approx((17 + 7) * 8 / 80.0));
  CHECK(imbalance_of(loads, 8, 8) < alone / 2);
  CHECK_THROWS_WITH(imbalance_of(loads, 3, 8), Catch::Contains("67 experts and copies"));
}

TEST_CASE("mistakes in a dispatch's keys are said") {
  const auto errors = [](const std::string& text) {
    input::Diagnostics found;
    workloads::read_operation(input::parse_yaml(text, "s.yaml"), found);
    return found.text();
  };
  const std::string base = "{op: moe_dispatch, ranks: 8, hidden_size: 7168, tokens_per_rank: 128, ";
  CHECK(errors(base + "top_k: 9, experts: 8}").find("top_k is 9 of 8 experts") != std::string::npos);
  CHECK(errors(base + "top_k: 8, experts: 100}").find("do not spread evenly") != std::string::npos);
  CHECK(errors(base + "top_k: 8, experts: 64, expert_loads: [1, 2]}").find("2 loads for 64 experts") != std::string::npos);
  CHECK(errors(base + "top_k: 8, experts: 64}").empty());
}
