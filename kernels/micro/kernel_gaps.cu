// What a kernel costs beyond its CTAs: chains of empty kernels in a stream and in a CUDA graph, with programmatic
// dependent launch, with shared-memory configurations that alternate, and memset nodes.
//
// How: chain of 400, time by events over three replays of a graph (or one run of the stream), per kernel. In the
// programmatic chain each kernel lets its successor start at once and waits for its predecessor.
// Not separated: argument upload, kernels that write memory (the flush between dependent kernels).
#include "micro/graph_chain.cuh"
#include "micro/probe.cuh"

namespace rooftile::kernels::micro {
namespace {

__global__ void empty(int never) {
  if (never != 0) sink(static_cast<std::uint32_t>(never));
}

__global__ void empty_too(int never) {
  if (never != 0) sink(static_cast<std::uint32_t>(never) + 1);
}

// Every thread stores one word, so that the next kernel depends on memory too.
__global__ void writer(unsigned* words) { words[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

__global__ void programmatic(int hold) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  const std::uint64_t until = sm_clock() + static_cast<std::uint64_t>(hold);
  while (sm_clock() < until) {
  }
}

__global__ void holding(int hold) {
  const std::uint64_t until = sm_clock() + static_cast<std::uint64_t>(hold);
  while (sm_clock() < until) {
  }
}

template <class Enqueue>
void in_stream(Session& session, const std::string& name, const Enqueue& enqueue) {
  session.measure("kernel.stream." + name, "us/kernel", [&] {
    return seconds([&] {
             for (int i = 0; i < chain; ++i) enqueue(nullptr, i);
           }) /
           chain * 1e6;
  });
}

void launch_programmatic(cudaStream_t stream, unsigned ctas, int hold) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(ctas);
  config.blockDim = dim3(128);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, programmatic, hold), "programmatic launch");
}

void run(Session& session) {
  check(cudaFuncSetAttribute(empty_too, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024), "kernel gaps");
  const Buffer<unsigned> words(65536 * 128);
  for (const unsigned ctas : {1u, 132u, 1056u, 65536u}) {
    const std::string size = "ctas" + std::to_string(ctas);
    in_graph(session, "empty." + size, [=](cudaStream_t s, int) { empty<<<ctas, 128, 0, s>>>(0); });
    in_graph(session, "writer." + size, [&](cudaStream_t s, int) { writer<<<ctas, 128, 0, s>>>(words.get()); });
  }
  in_graph(session, "empty.ctas132.threads384.smem200KB",
           [](cudaStream_t s, int) { empty_too<<<132, 384, 200 * 1024, s>>>(0); });
  in_graph(session, "empty.alternating_smem", [](cudaStream_t s, int i) {
    if (i % 2 == 0) {
      empty<<<132, 128, 0, s>>>(0);
    } else {
      empty_too<<<132, 128, 200 * 1024, s>>>(0);
    }
  });
  for (const int hold : {0, 4000}) {
    const std::string name = ".hold" + std::to_string(hold);
    in_graph(session, "serial.ctas132" + name, [=](cudaStream_t s, int) { holding<<<132, 128, 0, s>>>(hold); });
    in_graph(session, "programmatic.ctas132" + name, [=](cudaStream_t s, int) { launch_programmatic(s, 132, hold); });
    in_stream(session, "programmatic.ctas132" + name, [=](cudaStream_t s, int) { launch_programmatic(s, 132, hold); });
  }
  in_graph(session, "memset.4B", [&](cudaStream_t s, int) { cudaMemsetAsync(words.get(), 0, 4, s); });
  in_graph(session, "memset.1MB", [&](cudaStream_t s, int) { cudaMemsetAsync(words.get(), 0, MiB, s); });
  in_stream(session, "empty.ctas1", [](cudaStream_t s, int) { empty<<<1, 128, 0, s>>>(0); });
  in_stream(session, "empty.ctas132", [](cudaStream_t s, int) { empty<<<132, 128, 0, s>>>(0); });
}

ROOFTILE_MICRO(run)

}  // namespace
}  // namespace rooftile::kernels::micro
