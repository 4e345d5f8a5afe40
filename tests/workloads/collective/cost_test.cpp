#include <catch2/catch.hpp>

#include <chrono>

#include "sim/core/input/yaml.hpp"
#include "workloads/catalog.hpp"
#include "workloads/collective/cost.hpp"

using namespace rooftile;
using namespace rooftile::workloads::collective;

namespace {

Group h100(std::int64_t ranks, std::int64_t nodes = 1) { return make_group(load_fabric(nodes > 1 ? "h100-ndr" : "dgx-h100"), ranks, nodes); }

std::string chosen(Op op, double bytes, const Group& g) {
  const Choice c = choose(op, bytes, g);
  return std::string(kAlgorithmNames[static_cast<std::size_t>(c.algorithm)]) + " " + kProtocolNames[static_cast<std::size_t>(c.protocol)];
}

constexpr double KiB = 1024, MiB = 1 << 20, GiB = 1 << 30;

}  // namespace

TEST_CASE("NCCL's choice on eight H100: ring LL up to 1 MiB, in-switch reduction from 2 MiB") {
  for (const double b : {8.0, KiB, 64 * KiB, 512 * KiB, MiB}) CHECK(chosen(Op::all_reduce, b, h100(8)) == "ring LL");
  for (const double b : {2 * MiB, 16 * MiB, GiB}) CHECK(chosen(Op::all_reduce, b, h100(8)) == "nvls Simple");
}

TEST_CASE("in-switch reduction is chosen from five ranks on Hopper and six on Blackwell") {
  const auto b200 = load_fabric("hgx-b200");
  CHECK(chosen(Op::all_reduce, 8 * GiB, h100(4)) == "ring Simple");
  CHECK(chosen(Op::all_reduce, 8 * GiB, h100(5)) == "nvls Simple");
  CHECK(chosen(Op::all_reduce, 8 * GiB, make_group(b200, 5)) == "ring Simple");
  CHECK(chosen(Op::all_reduce, 8 * GiB, make_group(b200, 6)) == "nvls Simple");
}

TEST_CASE("NCCL's choice on two nodes: tree LL, tree LL128, trees between switches") {
  CHECK(chosen(Op::all_reduce, 4 * KiB, h100(16, 2)) == "tree LL");
  CHECK(chosen(Op::all_reduce, 2 * MiB, h100(16, 2)) == "tree LL128");
  CHECK(chosen(Op::all_reduce, 64 * MiB, h100(16, 2)) == "nvls_tree Simple");
}

TEST_CASE("large all-reduces approach the bytes over the link") {
  const Group g = h100(4);
  const double bytes = 64 * GiB;
  CHECK(ring(Op::all_reduce, bytes, g, Protocol::simple).seconds > bytes * 1.5 / g.wire);
  CHECK(ring(Op::all_reduce, bytes, g, Protocol::simple).seconds < bytes * 1.5 / g.wire * 1.12);
}

TEST_CASE("small all-reduces are start and hops alone") {
  const Group g = h100(8);
  const auto& k = g.fabric.kernel;
  CHECK(ring(Op::all_reduce, 8, g, Protocol::ll).seconds == Approx(k.start.value.seconds() + 14 * k.hop_ll.value.seconds()).epsilon(1e-3));
}

TEST_CASE("the parts of a cost add up, and the cost grows with the bytes within a choice") {
  for (const std::int64_t ranks : {2, 4, 8, 16}) {
    const Group g = ranks > 8 ? h100(ranks, 2) : h100(ranks);
    for (const Op op : {Op::all_reduce, Op::all_gather, Op::reduce_scatter, Op::broadcast, Op::all_to_all, Op::send_recv, Op::neighbours}) {
      std::string last_choice;
      double last = 0;
      for (double b = 8; b < 2e10; b *= 2) {
        const Cost c = cost(op, b, g);
        double sum = 0;
        for (const Part& p : c.parts) {
          CHECK(p.seconds >= 0);
          sum += p.seconds;
        }
        CHECK(sum == Approx(c.seconds));
        const std::string choice = chosen(op, b, g);
        // The halved chunks of in-switch reduction leave small steps down.
        if (choice == last_choice) CHECK(c.seconds > last * 0.9);
        last = c.seconds;
        last_choice = choice;
      }
    }
  }
}

TEST_CASE("twice the bandwidth and twice the bytes cost the same beyond latency") {
  auto fast = load_fabric("dgx-h100");
  for (auto* rate : {&fast.node.nvlink.bandwidth, &fast.kernel.channel}) rate->value.value *= 2;
  const Cost slow = pairwise(equal_exchange(GiB, h100(8)), h100(8)), twice = pairwise(equal_exchange(2 * GiB, h100(8)), make_group(fast, 8));
  CHECK(twice.seconds == Approx(slow.seconds).epsilon(0.02));
}

TEST_CASE("a hot expert makes an all-to-all by matrix longer, an even matrix is the balanced one") {
  const Group g = h100(8);
  std::vector<std::vector<double>> m(8, std::vector<double>(8, MiB));
  CHECK(pairwise(exchange_of(m, g), g).seconds == Approx(pairwise(equal_exchange(8 * MiB, g), g).seconds));
  for (auto& row : m) row[3] = 4 * MiB;
  CHECK(pairwise(exchange_of(m, g), g).seconds > 2 * pairwise(equal_exchange(8 * MiB, g), g).seconds);
}

TEST_CASE("an all-reduce on 100,000 GPUs is predicted in seconds") {
  const auto begin = std::chrono::steady_clock::now();
  const Group g = make_group(hw::fabric::with_nodes(load_fabric("h100-fat-tree"), 12'500), 100'000);
  CHECK(g.nodes == 12'500);
  const Cost c = cost(Op::all_reduce, GiB, g);
  CHECK(c.seconds > 2 * GiB / g.network);
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 60);
}

TEST_CASE("ranks that a fabric cannot hold or join are refused") {
  CHECK_THROWS_WITH(make_group(load_fabric("dgx-h100"), 16, 1), Catch::Contains("a node of dgx-h100 has 8 GPUs"));
  CHECK_THROWS_WITH(make_group(load_fabric("dgx-h100"), 16, 2), Catch::Contains("no network between nodes"));
  CHECK_THROWS_WITH(make_group(load_fabric("h100-ndr"), 10, 4), Catch::Contains("do not spread evenly"));
  CHECK_THROWS_WITH(load_fabric("dgx-h10"), Catch::Contains("did you mean"));
}

TEST_CASE("mistakes in a collective's keys are said with their place") {
  const auto errors = [](const std::string& text) {
    input::Diagnostics found;
    workloads::read_operation(input::parse_yaml(text, "s.yaml"), found);
    return found.text();
  };
  CHECK(errors("{op: all_reduce, ranks: 8}").find("no size") != std::string::npos);
  CHECK(errors("{op: all_reduce, ranks: 10, nodes: 4, bytes: 100}").find("do not spread evenly") != std::string::npos);
  CHECK(errors("{op: all_reduce, ranks: 8, bytes: 100, impl: mpi}").find("unknown impl 'mpi'") != std::string::npos);
  CHECK(errors("{op: all_reduce, ranks: 8, bytes: 100, algorithm: butterfly}").find("unknown algorithm 'butterfly'") != std::string::npos);
  CHECK(errors("{op: all_reduce, ranks: 8, bytes: 100, protocol: L}").find("unknown protocol 'L'") != std::string::npos);
  CHECK(errors("{op: all_to_all, ranks: 2, matrix: [[1, 2]]}").find("the matrix is not 2 by 2") != std::string::npos);
  CHECK(errors("{op: all_gather, ranks: 2, matrix: [[1, 2], [3, 4]]}").find("all_to_all alone") != std::string::npos);
}

TEST_CASE("algorithm, protocol and channels may be fixed") {
  const auto schedule = [](const std::string& more) {
    input::Diagnostics found;
    const auto op = workloads::read_operation(input::parse_yaml("{op: all_reduce, ranks: 8, bytes: 67108864" + more + "}", "s.yaml"), found);
    REQUIRE(found.empty());
    return *op.operation->communication("h100", "nccl");
  };
  CHECK(schedule("").schedule == "nccl nvls Simple");
  CHECK(schedule(", algorithm: ring").schedule == "nccl ring Simple");
  CHECK(schedule(", algorithm: ring, protocol: LL128").schedule == "nccl ring LL128");
  CHECK(schedule(", algorithm: ring, channels: 4").sms == 4);
  CHECK(schedule(", algorithm: ring, channels: 4").time.ps > schedule(", algorithm: ring").time.ps);
}
