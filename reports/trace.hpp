// A timeline of a run in the Chrome trace format: opens in Perfetto and chrome://tracing.
//
// Rows: the stream with its kernels and gaps; memory counters of the whole GPU; for each sampled SM one row a role and CTA
// slot, one for asynchronous matrix work, and counters of its units. An operation that repeats is drawn once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reports/kernel_trace.hpp"
#include "workloads/scenario.hpp"

namespace rooftile::reports {

// Spans for all operations together: about 130 bytes each in the file.
inline constexpr std::size_t kTraceSpans = 80'000;
TraceLimits limits_for(std::size_t operations, int sms);

std::string trace_json(const workloads::Scenario& scenario, const std::vector<workloads::Prediction>& predictions,
                       const std::vector<std::unique_ptr<OpTrace>>& traces);

}  // namespace rooftile::reports
