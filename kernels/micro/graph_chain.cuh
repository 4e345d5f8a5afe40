// A chain of dependent kernels in a CUDA graph, timed by events over replays.
#pragma once

#include "micro/probe.cuh"

namespace rooftile::kernels::micro {

inline constexpr int chain = 400;

class Graph {
 public:
  template <class Enqueue>
  explicit Graph(const Enqueue& enqueue) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < chain; ++i) enqueue(stream_, i);
    cudaGraph_t graph;
    check(cudaStreamEndCapture(stream_, &graph), "capture");
    check(cudaGraphInstantiate(&exec_, graph, 0), "graph");
    cudaGraphDestroy(graph);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    cudaGraphExecDestroy(exec_);
    cudaStreamDestroy(stream_);
  }
  void replay() const { check(cudaGraphLaunch(exec_, nullptr), "graph replay"); }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

template <class Enqueue>
void in_graph(Session& session, const std::string& name, const Enqueue& enqueue) {
  const Graph graph(enqueue);
  session.measure("kernel.graph." + name, "us/kernel", [&] {
    graph.replay();
    return seconds([&] {
             for (int i = 0; i < 3; ++i) graph.replay();
           }) /
           (3 * chain) * 1e6;
  });
}

}  // namespace rooftile::kernels::micro
