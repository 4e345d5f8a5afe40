#include <algorithm>
#include <stdexcept>

#include "gemm/arguments.cuh"
#include "gemm/descriptors.hpp"
#include "gemm/launch.hpp"
#include "harness/error.hpp"

namespace rooftile::kernels::gemm {
namespace {

int divide_up(int a, int b) { return (a + b - 1) / b; }

const void* kernel_for(const tiling::CtaTile& tile) {
  for (const auto table : {ping_pong_bf16(), cooperative_bf16(), all_fp8()}) {
    if (const void* function = find_kernel(table, tile)) return function;
  }
  throw std::invalid_argument("no GEMM kernel is compiled for this tile");
}

Arguments make_arguments(const Problem& p, const tiling::Tiling& t) {
  const tiling::CtaTile tile = tiling::cta_tile(t, p.element);
  Arguments args{};
  args.a_rows = tiling::loaded_rows(t, p.m);
  args.a = input_map(p.element, p.a, p.m, p.k, p.pitch_ab, args.a_rows / t.cluster_n);
  args.b = input_map(p.element, p.b, p.n, p.k, p.pitch_ab, t.tile_n / t.cluster_m);
  args.d = output_map(p.d, p.m, p.n, p.pitch_d, tiling::chunk_columns(tile));
  args.m = p.m;
  args.n = p.n;
  args.k_blocks = divide_up(p.k, tiling::tile_k(p.element));
  args.tiles_m = divide_up(p.m, t.tile_m);
  args.tiles_n = divide_up(p.n, t.tile_n);
  args.stages = t.stages;
  args.cluster_m = t.cluster_m;
  args.cluster_n = t.cluster_n;
  args.raster_group = t.raster_group;
  args.splits = std::min(t.split_k, args.k_blocks);  // each split has work
  args.partial = p.partial;
  args.out = static_cast<__nv_bfloat16*>(p.d);
  args.pitch = p.pitch_d;
  return args;
}

}  // namespace

int multiprocessors() {
  static const int count = [] {
    int device = 0, value = 0;
    measure::check(cudaGetDevice(&device), "cudaGetDevice");
    measure::check(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    return value;
  }();
  return count;
}

const void* find_kernel(std::span<const Instance> table, const tiling::CtaTile& tile) {
  const auto found = std::ranges::find(table, tile, &Instance::tile);
  return found == table.end() ? nullptr : found->function;
}

void allow_shared_memory(const void* function, int bytes) {
  measure::check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                 "shared memory limit");
}

void launch_clusters(const void* function, Arguments& arguments, int ctas, int cluster, int shared_bytes,
                     cudaStream_t stream) {
  cudaLaunchAttribute shape{};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = static_cast<unsigned>(cluster);
  shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(ctas));
  config.blockDim = dim3(tiling::threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.stream = stream;
  config.attrs = &shape;
  config.numAttrs = 1;
  void* parameters[] = {&arguments};
  measure::check(cudaLaunchKernelExC(&config, function, parameters), "GEMM launch");
}

Launch::Launch(const Problem& problem, const tiling::Tiling& t, int most_ctas) {
  if (!tiling::is_valid(t, problem.element)) throw std::invalid_argument("this GEMM schedule is not built");
  arguments_ = std::make_unique<Arguments>(make_arguments(problem, t));
  function_ = kernel_for(tiling::cta_tile(t, problem.element));
  cluster_ = t.cluster_m * t.cluster_n;
  const Arguments& args = *arguments_;
  const int units = divide_up(args.tiles_m, t.cluster_m) * divide_up(args.tiles_n, t.cluster_n) * args.splits;
  ctas_ = std::min(units, std::max(1, std::min(most_ctas, multiprocessors()) / cluster_)) * cluster_;
  shared_bytes_ = tiling::shared_memory_bytes(t);
  allow_shared_memory(function_, tiling::shared_memory_limit);
}

Launch::~Launch() = default;
Launch::Launch(Launch&&) noexcept = default;

void Launch::operator()(cudaStream_t stream) const {
  launch_clusters(function_, *arguments_, ctas_, cluster_, shared_bytes_, stream);
  if (arguments_->splits > 1) {
    const auto count = static_cast<std::int64_t>(arguments_->m) * arguments_->pitch;
    reduce_splits(arguments_->partial, arguments_->out, arguments_->splits, count, stream);
  }
}

}  // namespace rooftile::kernels::gemm
