#include <catch2/catch.hpp>

#include <algorithm>

#include "workloads/data.hpp"
#include "workloads/predict.hpp"
#include "workloads/step/operation.hpp"

using namespace rooftile;
using namespace rooftile::workloads;
using namespace rooftile::workloads::step;

namespace {

const Decoder kDense{4, 1024, 8, 2, 128, 32000, 2816};
const Decoder kExperts{4, 1024, 8, 2, 128, 32000, 0, 16, 2, 512};

ModelStep step_of(const Decoder& d, std::vector<Sequences> batch) {
  ModelStep s;
  s.model = d;
  s.batch = std::move(batch);
  return s;
}

}  // namespace

TEST_CASE("a step's FLOPs are those of its weights and of its attention") {
  const std::int64_t tokens = 3 * 64;
  const double weights = kDense.parameters() - static_cast<double>(kDense.vocab * kDense.hidden);
  double gemm = 0, attention = 0;
  for (const Part& p : parts(kDense, {{3, 64, 64}})) {
    if (p.kind == "gemm") gemm += static_cast<double>(p.times) * p.operation->flops();
    if (p.kind == "attention") attention += static_cast<double>(p.times) * p.operation->flops();
  }
  CHECK(gemm == 2 * weights * static_cast<double>(tokens) + 2.0 * 3 * static_cast<double>(kDense.vocab * kDense.hidden));
  CHECK(attention == 4.0 * 4 * 3 * 8 * (64 * 65 / 2) * 128);
}

TEST_CASE("experts get every token top_k times, whatever is drawn") {
  for (const Part& p : parts(kExperts, {{5, 7, 7}}))
    if (p.kind == "experts") CHECK(p.operation->flops() == 2.0 * 35 * 2 * (p.operation->describe().find("1024x1024") != std::string::npos ? 1024 * 1024 : 1024 * 512));
}

TEST_CASE("decodes beside a prefill chunk cost less than both steps alone and more than either") {
  const hw::GpuSpec gpu = load_gpu("h200");
  const auto time = [&](std::vector<Sequences> batch) {
    return predict(step_of(kDense, std::move(batch)), "torch_compiled_cuda_graph", gpu, {}).time;
  };
  const core::Time prefill = time({{1, 512, 512}}), decode = time({{32, 1, 1024}}), mixed = time({{1, 512, 512}, {32, 1, 1024}});
  CHECK(mixed < prefill + decode);
  CHECK(mixed > std::max(prefill, decode));
}

TEST_CASE("twice the layers take twice the time beyond what runs once") {
  const hw::GpuSpec gpu = load_gpu("h200");
  const auto time = [&](std::int64_t layers) {
    Decoder d = kDense;
    d.layers = layers;
    return predict(step_of(d, {{8, 1, 512}}), "torch_compiled_cuda_graph", gpu, {.clock = {ClockMode::fixed, core::megahertz(1500)}}).time.ps;
  };
  CHECK(time(8) - time(4) == 2 * (time(4) - time(2)));
}
