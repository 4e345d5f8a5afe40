#include <catch2/catch.hpp>

#include <chrono>

#include "sim/core/input/yaml.hpp"
#include "workloads/parallel/step.hpp"
#include "workloads/parallel/transfer.hpp"

using namespace rooftile;
using namespace rooftile::workloads::parallel;
using workloads::collective::load_fabric;

namespace {

StepWork dense() {
  StepWork w;
  w.layer = {.attention_seconds = 400e-6, .mlp_seconds = 800e-6, .hidden_bytes = 64 << 20};
  w.layers = 96;
  w.gpu = {.sms = 132, .bytes_per_second = 3e12};
  return w;
}

}  // namespace

TEST_CASE("one device has no messages and no bubble") {
  const auto r = run_step(dense(), {}, load_fabric("dgx-h100"));
  CHECK(r.seconds == Approx(96 * 1.2e-3));
  CHECK(r.exposed == 0);
  CHECK(r.bubble == Approx(0));
  CHECK(r.messages.empty());
}

TEST_CASE("tensor parallelism exposes its sums, twice a layer") {
  const Layout l{.tensor = 8};
  const auto f = load_fabric("dgx-h100");
  const auto r = run_step(dense(), l, f);
  const double sum = workloads::collective::cost(workloads::collective::Op::all_reduce, 64 << 20, group(l, Axis::tensor, f)).seconds;
  CHECK(r.exposed == Approx(96 * 2 * sum));
  CHECK(r.seconds == Approx(96 * (1.2e-3 + 2 * sum)));
}

TEST_CASE("a pipeline's bubble is reported, and more microbatches shrink it") {
  StepWork w = dense();
  w.training = true;
  const auto f = load_fabric("h100-ndr");
  const auto few = run_step(w, {.pipeline = 4, .microbatches = 4}, f), many = run_step(w, {.pipeline = 4, .microbatches = 32}, f);
  CHECK(few.bubble > 3.0 / 7 - 0.01);
  CHECK(many.bubble < few.bubble);
  CHECK(run_step(w, {.pipeline = 4, .virtual_stages = 4, .microbatches = 4}, f).bubble < few.bubble);
}

TEST_CASE("gradients hide behind the last backward where they can") {
  StepWork w = dense();
  w.training = true;
  w.gradient_bytes = 2e9;
  const auto f = load_fabric("h100-ndr");
  const auto hidden = run_step(w, {.data = 32}, f);
  w.overlap_gradients = false;
  const auto open = run_step(w, {.data = 32}, f);
  CHECK(open.gradient_exposed == Approx(open.gradient_seconds));
  CHECK(hidden.gradient_exposed < open.gradient_exposed);
}

TEST_CASE("ring attention hides its messages behind long sequences and not behind short ones") {
  const auto f = load_fabric("dgx-h100");
  const auto g = group({.context = 8}, Axis::context, f);
  CHECK(ring_attention(100e-3, 1 << 20, g) == Approx(100e-3));
  CHECK(ring_attention(10e-6, 64 << 20, g) > 7 * (64 << 20) / g.wire);
  CHECK(all_gather_attention(100e-3, 1 << 20, g) > 100e-3);
}

TEST_CASE("keys and values that leave layer by layer are mostly hidden behind the prefill") {
  const auto f = load_fabric("h100-ndr");
  const auto by_layer = kv_transfer(4e9, 80, 0.5, 8, f), at_once = kv_transfer(4e9, 80, 0.5, 8, f, false);
  CHECK(by_layer.exposed < at_once.exposed / 20);
  CHECK(by_layer.exposed >= by_layer.seconds / 80);
  CHECK(kv_transfer(4e9, 80, 1e-3, 8, f).exposed > 0.01);  // the wire is slower than the prefill
}

TEST_CASE("groups follow the order tensor, context, data, pipeline") {
  const Layout l{.tensor = 8, .context = 2, .data = 4, .pipeline = 2, .expert = 4};
  CHECK(members(l, Axis::tensor, 13) == std::vector<std::int64_t>{8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(members(l, Axis::context, 13) == std::vector<std::int64_t>{5, 13});
  CHECK(members(l, Axis::data, 1) == std::vector<std::int64_t>{1, 17, 33, 49});
  CHECK(members(l, Axis::pipeline, 70) == std::vector<std::int64_t>{6, 70});
  CHECK(members(l, Axis::expert, 20) == std::vector<std::int64_t>{4, 12, 20, 28});
}

TEST_CASE("what does not divide is said, all of it") {
  const Layout l{.tensor = 8, .pipeline = 4};
  const auto rules = broken_rules(l, {.layers = 30, .q_heads = 36, .kv_heads = 3, .experts = 8}, 64);
  REQUIRE(rules.size() == 4);
  CHECK(rules[0] == "tensor x context x data x pipeline = 32, but there are 64 devices");
  CHECK(rules[1] == "30 layers do not split into 4 pipeline stages");
  CHECK(rules[3] == "3 KV heads neither split into nor repeat over 8 tensor ranks");
  const auto errors = [](const char* text) {
    input::Diagnostics found;
    input::read<Layout>(input::parse_yaml(text, "p.yaml"), found);
    return found.text();
  };
  CHECK(errors("{data: 4, expert: 3}").find("expert 3 does not divide context x data = 4") != std::string::npos);
  CHECK(errors("{tensr: 4}").find("tensor") != std::string::npos);
}

TEST_CASE("a step on 16,384 GPUs is predicted in seconds") {
  const auto begin = std::chrono::steady_clock::now();
  StepWork w = dense();
  w.training = true;
  w.gradient_bytes = 1e9;
  w.layer.moe_tokens = 4096;
  w.layer.moe_hidden = 7168;
  w.layer.moe_top_k = 8;
  w.layer.moe_experts = 256;
  const Layout l{.tensor = 8, .data = 128, .pipeline = 16, .expert = 64, .microbatches = 128};
  CHECK(l.devices() == 16'384);
  const auto r = run_step(w, l, rooftile::hw::fabric::with_nodes(load_fabric("h100-ndr"), 2048));
  CHECK(r.seconds > r.compute);
  CHECK(r.exposed > 0);
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 60);
}
