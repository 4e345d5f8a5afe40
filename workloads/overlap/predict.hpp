// The prediction of an overlap, from those of its two sides.
#pragma once

#include "workloads/overlap/keys.hpp"
#include "workloads/predict.hpp"

namespace rooftile::workloads::overlap {

Prediction predict_overlap(const Overlap& overlap, const hw::GpuSpec& gpu, const PredictOptions& options);

}  // namespace rooftile::workloads::overlap
