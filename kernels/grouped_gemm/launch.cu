#include <algorithm>
#include <stdexcept>

#include "gemm/arguments.cuh"
#include "gemm/descriptors.hpp"
#include "grouped_gemm/launch.hpp"

namespace rooftile::kernels::grouped_gemm {
namespace {

namespace tiling = workloads::gemm;

gemm::Arguments make_arguments(const Problem& p, const tiling::Tiling& t) {
  constexpr auto element = tiling::Element::bf16;
  const std::int64_t weights = static_cast<std::int64_t>(p.groups) * p.n;
  gemm::Arguments args{};
  args.a_rows = tiling::loaded_rows(t, p.rows);
  args.a = gemm::input_map(element, p.a, p.rows, p.k, p.pitch_ab, args.a_rows / t.cluster_n);
  args.b = gemm::input_map(element, p.b, weights, p.k, p.pitch_ab, t.tile_n / t.cluster_m);
  args.d = gemm::output_map(p.d, p.rows, p.n, p.pitch_d, tiling::chunk_columns(tiling::cta_tile(t, element)));
  args.m = p.rows;
  args.n = p.n;
  args.k_blocks = (p.k + tiling::tile_k(element) - 1) / tiling::tile_k(element);
  args.tiles_n = (p.n + t.tile_n - 1) / t.tile_n;
  args.stages = t.stages;
  args.cluster_m = t.cluster_m;
  args.cluster_n = t.cluster_n;
  args.raster_group = t.raster_group;
  args.splits = 1;
  args.out = static_cast<__nv_bfloat16*>(p.d);
  args.pitch = p.pitch_d;
  args.group_ends = p.group_ends;
  args.groups = p.groups;
  return args;
}

}  // namespace

Launch::Launch(const Problem& problem, const tiling::Tiling& t, int most_ctas) {
  if (!workloads::grouped_gemm::is_valid(t)) throw std::invalid_argument("this grouped GEMM schedule is not built");
  if (problem.groups > workloads::grouped_gemm::most_groups) throw std::invalid_argument("too many groups");
  arguments_ = std::make_unique<gemm::Arguments>(make_arguments(problem, t));
  function_ = gemm::find_kernel(kernels(), tiling::cta_tile(t, tiling::Element::bf16));
  cluster_ = t.cluster_m * t.cluster_n;
  ctas_ = std::max(1, std::min(most_ctas, gemm::multiprocessors()) / cluster_) * cluster_;
  shared_bytes_ = tiling::shared_memory_bytes(t);
  gemm::allow_shared_memory(function_, tiling::shared_memory_limit);
}

Launch::~Launch() = default;
Launch::Launch(Launch&&) noexcept = default;

void Launch::operator()(cudaStream_t stream) const {
  gemm::launch_clusters(function_, *arguments_, ctas_, cluster_, shared_bytes_, stream);
}

}  // namespace rooftile::kernels::grouped_gemm
