// The float64 reference of D = A * B^T, and how far a result is from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace rooftile::kernels::gemm {

// Worst |d - reference| / (|reference| + sqrt(k)) of one row; sqrt(k) is the standard deviation of a product of normal
// operands. Rounding the right value to bf16 alone costs up to 2^-8. NaN when an element was not written.
inline double row_error(const float* a, const float* b, const float* d, int n, int k, int pitch_b) {
  double worst = 0;
  for (int j = 0; j < n; ++j) {
    const float* row = b + static_cast<std::ptrdiff_t>(j) * pitch_b;
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(row[i]);
    const double error = std::abs(static_cast<double>(d[j]) - sum) / (std::abs(sum) + std::sqrt(k));
    if (std::isnan(error)) return std::numeric_limits<double>::quiet_NaN();
    worst = std::max(worst, error);
  }
  return worst;
}

// NaN wins.
inline double worse(double a, double b) { return std::isnan(a) || a > b ? a : b; }

// Worst difference of two results in the same measure.
inline double difference(const std::vector<float>& x, const std::vector<float>& y, int k) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double reference = static_cast<double>(x[i]);
    worst = worse(std::abs(static_cast<double>(y[i]) - reference) / (std::abs(reference) + std::sqrt(k)), worst);
  }
  return worst;
}

}  // namespace rooftile::kernels::gemm
