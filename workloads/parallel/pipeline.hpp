// Pipeline schedules: which stage works on which microbatch when, and how long stages wait (the bubble). One
// representative of each stage; every stage has its own times. A message to a neighbour overlaps with the sender's next
// work and delays the receiver.
#pragma once

#include <cstdint>
#include <vector>

namespace rooftile::workloads::parallel {

enum class PipelineSchedule { forward_only, one_f_one_b, interleaved };

struct StageTimes {
  double forward = 0, backward = 0;  // seconds of one microbatch through one chunk of the stage
  double send = 0;                   // of activations (or gradients) to the neighbour
};

struct PipelineResult {
  double seconds = 0;
  std::vector<double> busy;      // of each stage
  std::vector<double> waited;    // seconds - busy
  double bubble = 0;             // waited over all time, mean of stages
  std::int64_t in_flight = 0;    // most microbatches whose activations the first stage holds
};

// `stages[s * virtual_stages + v]`: chunk v of stage s. Interleaved needs microbatches in multiples of the stages.
PipelineResult run_pipeline(const std::vector<StageTimes>& stages, std::int64_t microbatches, PipelineSchedule schedule,
                            std::int64_t virtual_stages = 1);

}  // namespace rooftile::workloads::parallel
