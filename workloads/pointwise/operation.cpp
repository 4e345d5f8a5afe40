#include "workloads/pointwise/operation.hpp"

namespace rooftile::workloads::pointwise {

std::string Pointwise::describe() const {
  if (name == "copy" && shape.rows == 1) return std::to_string(shape.cols * static_cast<std::int64_t>(shape.bytes)) + " bytes" + (hot ? ", hot" : "");
  return std::to_string(shape.rows) + "x" + std::to_string(shape.cols);
}

double Pointwise::flops() const { return row(name).flops * static_cast<double>(shape.elements()); }

double Pointwise::compulsory_bytes() const {
  const Row& r = row(name);
  const double out = r.written_bytes > 0 ? r.written_bytes : shape.bytes;
  return static_cast<double>(shape.elements()) * (r.reads * shape.bytes + r.writes * out);
}

std::vector<Plan> Pointwise::plans(const hw::GpuSpec& gpu, const std::string& implementation) const {
  const Row& r = row(name);
  Plan p;
  p.hot = hot;
  const std::int64_t bytes = shape.elements() * static_cast<std::int64_t>(shape.bytes);
  if (name == "copy" && bytes > gpu.launch.copy_kernel_limit.value.value) {
    p.schedule = "copy engine";
    Kernel k;
    k.program.kernel = "copy engine";
    k.copy_engine = {bytes};
    p.kernels.push_back(std::move(k));
    return {p};
  }
  Shape on_gpu = shape;
  on_gpu.sms = gpu.sm.count.value;
  for (hw::TileProgram& program : r.programs(on_gpu, implementation)) {
    p.schedule += (p.schedule.empty() ? "" : " + ") + program.kernel;
    p.kernels.push_back({std::move(program), false});
  }
  return {p};
}

}  // namespace rooftile::workloads::pointwise
