// One wave of CTAs that stream a fixed share each from HBM: fixed cost and slope of the regime of decode kernels.
//
// How: 132 CTAs of one warp, a ring of TMA bulk copies (8 KB pieces, 160 KB in flight); chain in a CUDA graph over
// addresses that rotate through 4 GiB. `contiguous`: a CTA's share is one stretch; `rows`: pieces of 128 B wide columns
// of 64 rows, as a GEMM's weight tile is (box loads, row pitch 8 KB). CTA ends are stamped with the global timer.
#include "micro/bulk_copy.cuh"
#include "micro/graph_chain.cuh"
#include "micro/probe.cuh"
#include "wgmma/tensor_map.hpp"
#include "wgmma/tma.cuh"

namespace rooftile::kernels::micro {
namespace {

constexpr int kStages = 20, kPiece = 8192, kRing = kStages * kPiece;
constexpr std::uint64_t kSpan = 4ull * GiB;

template <class Issue>
__device__ __forceinline__ void stream(int pieces, const Issue& issue, std::uint64_t* stamps) {
  extern __shared__ char raw[];
  char* ring = raw + ((1024 - (wgmma::smem_address(raw) & 1023)) & 1023);
  __shared__ std::uint64_t full[kStages];
  if (threadIdx.x != 0) return;
  const std::uint64_t start = global_ns();
  for (auto& b : full) wgmma::mbarrier_init(&b, 1);
  wgmma::mbarrier_init_fence();
  for (int i = 0; i < pieces + kStages; ++i) {
    const int slot = i % kStages;
    if (i >= kStages) wgmma::mbarrier_wait(&full[slot], static_cast<std::uint32_t>(i / kStages - 1) & 1);
    if (i == kStages && stamps != nullptr) stamps[gridDim.x * 2 + blockIdx.x] = global_ns();
    if (i < pieces) {
      wgmma::mbarrier_arrive_expect(&full[slot], kPiece);
      issue(ring + slot * kPiece, i, &full[slot]);
    } else if (i - kStages >= pieces) {
      break;
    }
  }
  if (stamps != nullptr) {
    stamps[blockIdx.x] = start;
    stamps[gridDim.x + blockIdx.x] = global_ns();
  }
}

__global__ void contiguous(const char* base, int pieces, std::uint64_t* stamps) {
  const char* mine = base + static_cast<std::uint64_t>(blockIdx.x) * static_cast<std::uint64_t>(pieces) * kPiece;
  stream(pieces, [&](char* to, int i, std::uint64_t* full) { bulk_load(to, mine + static_cast<std::uint64_t>(i) * kPiece, kPiece, full); }, stamps);
}

// 64 rows of 128 B: one k-step of a 64-row weight tile with row pitch 8 KB.
__global__ void rows(const __grid_constant__ CUtensorMap map, int first_row, int pieces, std::uint64_t* stamps) {
  stream(pieces, [&](char* to, int i, std::uint64_t* full) {
    wgmma::tma_load_2d(to, &map, full, (i % 64) * 64, first_row + (static_cast<int>(blockIdx.x) + static_cast<int>(gridDim.x) * (i / 64)) * 64);
  }, stamps);
}

// The same share by plain loads: 512 threads, eight 16-byte loads in flight each.
__global__ void __launch_bounds__(512) plain(const uint4* base, int vectors) {
  const uint4* mine = base + static_cast<std::uint64_t>(blockIdx.x) * static_cast<std::uint64_t>(vectors);
  std::uint32_t sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += 512 * 8) {
    uint4 v[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) v[j] = i + j * 512 < vectors ? __ldcg(&mine[i + j * 512]) : uint4{};
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += v[j].x ^ v[j].y ^ v[j].z ^ v[j].w;
  }
  sink(sum);
}

void run(Session& session) {
  const Buffer<char> data(kSpan);
  check(cudaMemset(data.get(), 1, kSpan), "one wave");
  check(cudaFuncSetAttribute(contiguous, cudaFuncAttributeMaxDynamicSharedMemorySize, kRing + 1024), "one wave");
  check(cudaFuncSetAttribute(rows, cudaFuncAttributeMaxDynamicSharedMemorySize, kRing + 1024), "one wave");
  const CUtensorMap map = wgmma::make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, data.get(), {{4096, kSpan / 8192}, {8192}, {64, 64}});
  for (const unsigned ctas : {132u, 112u, 96u, 64u})
    for (const int pieces : {4, 8, 16, 32, 64, 128, 256}) {
      if (ctas != 132 && pieces != 64) continue;
      const std::uint64_t bytes = static_cast<std::uint64_t>(ctas) * static_cast<std::uint64_t>(pieces) * kPiece;
      const std::uint64_t slots = kSpan / ((bytes + 2 * MiB - 1) / (2 * MiB) * (2 * MiB)) - 1;
      const std::string size = "ctas" + std::to_string(ctas) + "." + std::to_string(pieces * kPiece / 1024) + "KB";
      const auto at = [&](int i) { return data.get() + (static_cast<std::uint64_t>(i) % slots) * ((bytes + 2 * MiB - 1) / (2 * MiB) * (2 * MiB)); };
      in_graph(session, "one_wave.contiguous." + size, [&](cudaStream_t s, int i) { contiguous<<<ctas, 32, kRing + 1024, s>>>(at(i), pieces, nullptr); });
      in_graph(session, "one_wave.rows." + size, [&](cudaStream_t s, int i) {
        const auto row = static_cast<int>((static_cast<std::uint64_t>(i) * ctas * 64 * static_cast<unsigned>((pieces + 63) / 64)) % (kSpan / 8192 - ctas * 64 * 4));
        rows<<<ctas, 32, kRing + 1024, s>>>(map, row, pieces, nullptr);
      });
      in_graph(session, "one_wave.plain." + size, [&](cudaStream_t s, int i) { plain<<<ctas, 512, 0, s>>>(reinterpret_cast<const uint4*>(at(i)), pieces * kPiece / 16); });
      const Buffer<std::uint64_t> stamps(ctas * 3);
      contiguous<<<ctas, 32, kRing + 1024>>>(at(7), pieces, stamps.get());
      finish("one wave");
      auto t = stamps.download();
      std::uint64_t first = t[0];
      for (unsigned c = 0; c < ctas; ++c) first = std::min(first, t[c]);
      std::vector<double> start, end, filled;
      for (unsigned c = 0; c < ctas; ++c) start.push_back(static_cast<double>(t[c] - first)), end.push_back(static_cast<double>(t[ctas + c] - first)), filled.push_back(static_cast<double>(t[2 * ctas + c] - first));
      session.record("one_wave.first_piece.median." + size, "ns", median(filled));
      session.record("one_wave.start.last." + size, "ns", percentile(start, 100));
      for (const double q : {0.0, 10.0, 50.0, 90.0, 100.0}) session.record("one_wave.end.p" + std::to_string(static_cast<int>(q)) + "." + size, "ns", percentile(end, q));
    }
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
