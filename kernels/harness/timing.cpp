#include "harness/timing.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "harness/error.hpp"

namespace rooftile::measure {
namespace {

// One graph of `calls` launches that rotate over the sets.
class Graph {
 public:
  Graph(Instance& instance, int calls, int sets) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < calls; ++i) instance.launch(i % sets, stream_);
    cudaGraph_t graph;
    check(cudaStreamEndCapture(stream_, &graph), "capture");
    check(cudaGraphInstantiate(&exec_, graph, 0), "graph");
    cudaGraphDestroy(graph);
    check(cudaEventCreate(&start_), "event");
    check(cudaEventCreate(&stop_), "event");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
    cudaGraphExecDestroy(exec_);
    cudaStreamDestroy(stream_);
  }
  double replay_us() const {
    check(cudaEventRecord(start_, stream_), "event");
    check(cudaGraphLaunch(exec_, stream_), "replay");
    check(cudaEventRecord(stop_, stream_), "event");
    check(cudaEventSynchronize(stop_), "replay");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start_, stop_), "event");
    return ms * 1e3;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))];
}

}  // namespace

int rotation_sets(std::size_t bytes_per_set) {
  constexpr std::size_t twice_l2 = 2 * 60'000'000;
  return static_cast<int>(std::clamp<std::size_t>((twice_l2 + bytes_per_set - 1) / std::max<std::size_t>(1, bytes_per_set), 1, 48));
}

Timing time_case(const Case& c, const Nvml& nvml, double seconds) {
  Timing t;
  t.sets = rotation_sets(c.bytes_per_set);
  const auto instance = c.make(t.sets, 1);
  double one_us = 0;
  {
    const Graph probe(*instance, t.sets, t.sets);
    probe.replay_us();
    one_us = probe.replay_us() / t.sets;
  }
  t.calls = std::clamp(static_cast<int>(4000 / std::max(one_us, 0.5)), 1, 2000);
  t.calls = std::max(t.sets, t.calls / t.sets * t.sets);
  const Graph graph(*instance, t.calls, t.sets);
  graph.replay_us();
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  t.burst_us = graph.replay_us() / t.calls;
  std::vector<double> all;
  double spent = 0;
  while (spent < seconds * 1e6 || all.size() < 9) {
    all.push_back(graph.replay_us() / t.calls);
    spent += all.back() * t.calls;
    if (!t.sm_mhz && spent > 0.85 * seconds * 1e6) t.sm_mhz = nvml.sm_mhz(), t.power_w = nvml.power_w();
  }
  const std::vector<double> last(all.end() - static_cast<std::ptrdiff_t>(std::max<std::size_t>(3, all.size() / 3)), all.end());
  t.sustained_us = quantile(last, 0.5);
  t.spread = (quantile(last, 0.9) - quantile(last, 0.1)) / t.sustained_us;
  t.replays = static_cast<int>(all.size());
  return t;
}

}  // namespace rooftile::measure
