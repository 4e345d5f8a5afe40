#include "workloads/gemm/operation.hpp"

#include <algorithm>

#include "workloads/gemm/cublas.hpp"
#include "workloads/types.hpp"

namespace rooftile::workloads::gemm {

std::string Gemm::describe() const {
  std::string text = std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k) + " " + dtype;
  return shape.batch > 1 ? std::to_string(shape.batch) + " of " + text : text;
}

double Gemm::compulsory_bytes() const {
  const double in = element_bytes(dtype), out = element_bytes(out_dtype);
  return static_cast<double>(shape.batch) * (static_cast<double>(shape.m * shape.k + shape.n * shape.k) * in +
                                             static_cast<double>(shape.m * shape.n) * out);
}

Derivation Gemm::derivation() const {
  const Factor batch{"batch", static_cast<double>(shape.batch)}, m{"m", static_cast<double>(shape.m)};
  const Factor n{"n", static_cast<double>(shape.n)}, k{"k", static_cast<double>(shape.k)};
  const Factor in{"bytes of " + dtype, element_bytes(dtype)}, out{"bytes of " + out_dtype, element_bytes(out_dtype)};
  return {{{"multiply and add", {{"", 2}, batch, m, n, k}}},
          {{"read x", {batch, m, k, in}}, {"read W", {batch, n, k, in}}, {"write y", {batch, m, n, out}}},
          {}};
}

namespace {

// Split count that fills the SMs; the library keeps whole clusters.
int fill_split(const Shape& s, const Schedule& t, std::int64_t sms) {
  const std::int64_t cluster = t.cluster_m * t.cluster_n;
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t clusters = up(up(s.m, t.tile_m), t.cluster_m) * up(up(s.n, t.tile_n), t.cluster_n) * s.batch;
  return static_cast<int>(std::max<std::int64_t>(2, sms / cluster / std::max<std::int64_t>(1, clusters)));
}

}  // namespace

Plan plan(const Shape& swapped, const Schedule& s, const hw::GpuSpec& gpu) {
  Plan p;
  p.schedule = "nvjet_" + name(s);
  p.kernels.push_back({program(swapped, s, static_cast<int>(gpu.sm.count.value)), false});
  if (s.split_k > 1)
    p.kernels.push_back(split_k_reduction(swapped.n, swapped.m, s.split_k, s.output_bytes, gpu));
  return p;
}

Kernel split_k_reduction(std::int64_t rows, std::int64_t cols, int splits, double output_bytes, const hw::GpuSpec&) {
  using namespace hw;
  // One CTA of 512 threads reduces a patch of 32 x 16 vectors (name of the library's kernel: <32, 16, ...>).
  constexpr std::int64_t patch_cols = 32, patch_rows = 16;
  TileProgram p;
  p.kernel = "splitKreduce";
  p.threads = 512;
  p.registers = 32;
  p.shared_memory = {0};
  p.tensors = {{"partials", splits, rows, cols, patch_rows, patch_cols, 4, true},
               {"D", 1, rows, cols, patch_rows, patch_cols, output_bytes}};
  for (std::int64_t r = 0; r < p.tensors[1].row_boxes(); ++r)
    for (std::int64_t c = 0; c < p.tensors[1].col_boxes(); ++c) {
      WorkItem item;
      item.coordinate[0] = static_cast<std::int32_t>(r);
      item.coordinate[1] = static_cast<std::int32_t>(c);
      item.count[0] = splits;
      p.items.push_back(item);
    }
  const double elements = patch_rows * patch_cols;
  Role role{"threads", 16, {}};
  role.sections = {{item_count(0), {Load{{0, at_step(), at_item(0), at_item(1)}, true}}, true},
                   {times(1),
                    {WaitLoads{0}, Vector{{{.fma = elements * splits, .convert = elements / 2}}, 100, "add partials"},
                     Store{{1, {}, at_item(0), at_item(1)}}},
                    false}};
  p.roles = {role};
  return {p, false};
}

std::vector<Plan> Gemm::plans(const hw::GpuSpec& gpu, const std::string& implementation) const {
  if (implementation == "cutlass_fp8") {
    if (math_type(dtype) != hw::MathType::fp8) throw std::invalid_argument("cutlass_fp8 multiplies fp8 only");
    const Schedule s = cutlass_fp8_schedule(shape.m, element_bytes(out_dtype));
    return {{"cutlass_" + name(s), {{program(shape, s, static_cast<int>(gpu.sm.count.value)), false, {}}}}};
  }
  if (implementation == "rooftile" && own_schedule) {
    const Schedule& s = *own_schedule;
    Plan p{"rooftile_" + name(s), {{program(shape, s, static_cast<int>(gpu.sm.count.value)), false, {}}}};
    if (s.split_k > 1) p.kernels.push_back(split_k_reduction(shape.m, shape.n, s.split_k, s.output_bytes, gpu));
    return {p};
  }
  Shape swapped = shape;
  std::swap(swapped.m, swapped.n);
  const hw::MathType type = math_type(dtype);
  const double out = element_bytes(out_dtype);
  std::vector<Plan> all;
  if (auto known = parse_nvjet(known_kernel, type, out)) {
    if (known->split_k == 0) known->split_k = fill_split(swapped, *known, gpu.sm.count.value);
    all.push_back(plan(swapped, *known, gpu));
    return all;
  }
  for (const Schedule& s : cublas_candidates(swapped, type, out, gpu)) all.push_back(plan(swapped, s, gpu));
  return all;
}

}  // namespace rooftile::workloads::gemm
