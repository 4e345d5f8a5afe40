#include "workloads/pointwise/elementwise.hpp"

#include <algorithm>

namespace rooftile::workloads::pointwise {

using namespace hw;

namespace {

PipeWork scaled(PipeWork w, double n) {
  w.fma *= n, w.alu *= n, w.mufu *= n, w.convert *= n, w.issue_only *= n, w.shared_bytes *= n;
  return w;
}

Tensor flat(const char* name, std::int64_t elements, std::int64_t box, double bytes, bool written) {
  // Boxes as rows of one matrix; the last one may be short, which costs nothing to ignore below one box in thousands.
  const std::int64_t boxes = (elements + box - 1) / box;
  const std::int64_t cols = boxes == 1 ? elements : box;
  return {name, 1, boxes, cols, 1, cols, bytes, false, written};
}

}  // namespace

TileProgram elementwise(const Elementwise& k, std::int64_t elements) {
  TileProgram p;
  p.kernel = k.name;
  p.threads = k.threads;
  p.registers = k.registers;
  for (int i = 0; i < k.inputs; ++i) p.tensors.push_back(flat("X", elements, k.elements_per_cta, k.input_bytes, false));
  p.tensors.push_back(flat("Y", elements, k.elements_per_cta, k.output_bytes, true));
  const std::int64_t boxes = p.tensors.front().rows;
  p.items.resize(static_cast<std::size_t>(boxes));
  for (std::int64_t i = 0; i < boxes; ++i) p.items[static_cast<std::size_t>(i)].coordinate[0] = static_cast<std::int32_t>(i);
  Section all{times(1), {}, true};
  for (int i = 0; i < k.inputs; ++i)
    all.ops.push_back(Load{Box{static_cast<std::uint8_t>(i), {}, at_item(0), {}}, i + 1 == k.inputs});
  const double own = static_cast<double>(std::min<std::int64_t>(elements, k.elements_per_cta));
  all.ops.push_back(WaitLoads{0});
  all.ops.push_back(Vector{{scaled(k.per_element, own)}, 40, "elements"});
  all.ops.push_back(Store{Box{static_cast<std::uint8_t>(k.inputs), {}, at_item(0), {}}});
  p.roles = {{"threads", k.threads / 32, {all}}};
  return p;
}

TileProgram row_kernel(const RowKernel& k, std::int64_t rows, std::int64_t cols) {
  TileProgram p;
  p.kernel = k.name;
  p.threads = k.threads;
  p.registers = k.registers;
  p.shared_memory = {1024};
  const std::int64_t step = std::min<std::int64_t>(cols, k.elements_per_step);
  const auto steps = static_cast<std::int32_t>((cols + step - 1) / step);
  p.items.resize(static_cast<std::size_t>(rows));
  for (std::int64_t r = 0; r < rows; ++r) p.items[static_cast<std::size_t>(r)].coordinate[0] = static_cast<std::int32_t>(r);
  Role role{"threads", k.threads / 32, {}};
  int inputs = 0, outputs = 0;
  for (const Pass& pass : k.passes) inputs = std::max(inputs, pass.inputs), outputs += pass.outputs;
  for (int i = 0; i < inputs; ++i) p.tensors.push_back({"X", 1, rows, cols, 1, step, k.input_bytes});
  for (int i = 0; i < outputs; ++i) p.tensors.push_back({"Y", 1, rows, cols, 1, step, k.output_bytes, false, true});
  auto output = static_cast<std::uint8_t>(inputs);
  for (const Pass& pass : k.passes) {
    const int together = std::clamp(pass.loads_in_flight, 1, static_cast<int>(steps));
    const int batches = (steps + together - 1) / together;
    Section loop{times(batches), {}, true, true};
    const double own = static_cast<double>(cols) / batches;
    const auto load = [&](std::vector<TileOp>& ops, int ahead) {
      for (int j = 0; j < together && pass.from_memory; ++j)
        for (int i = 0; i < pass.inputs; ++i)
          ops.push_back(Load{Box{static_cast<std::uint8_t>(i), {}, at_item(0), at_step(together) + Affine{.constant = j + ahead}}, i + 1 == pass.inputs && j + 1 == together});
    };
    const bool ahead = pass.warps_drift && pass.from_memory;
    if (ahead) {
      Section first{times(1), {}, false, true};
      load(first.ops, 0);
      role.sections.push_back(first);
    }
    load(loop.ops, ahead ? together : 0);
    if (pass.from_memory) loop.ops.push_back(WaitLoads{static_cast<std::uint8_t>(ahead ? 1 : 0)});
    loop.ops.push_back(Vector{{scaled(pass.per_element, own)}, pass.step_latency, "pass"});
    for (int o = 0; o < pass.outputs; ++o)
      for (int j = 0; j < together; ++j)
        loop.ops.push_back(Store{Box{static_cast<std::uint8_t>(output + o), {}, at_item(0), at_step(together) + Affine{.constant = j}}});
    output = static_cast<std::uint8_t>(output + pass.outputs);
    role.sections.push_back(loop);
    if (pass.reduction_latency > 0) role.sections.push_back({times(1), {Vector{{}, pass.reduction_latency, "block reduction"}}, false});
  }
  p.roles = {role};
  return p;
}

}  // namespace rooftile::workloads::pointwise
