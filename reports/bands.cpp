#include "reports/bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/core/input/fields.hpp"
#include "sim/core/input/yaml.hpp"
#include "workloads/data.hpp"

namespace rooftile::reports {
namespace {

struct BandFile {
  std::string written_by;
  std::vector<BandRecord> records;
  template <class V>
  static void visit_fields(V& v) {
    v.field("written_by", &BandFile::written_by, "the command that wrote this file");
    v.field("records", &BandFile::records, "one a measured record");
  }
};

double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  const double at = q * static_cast<double>(v.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const double high = v[std::min(low + 1, v.size() - 1)];
  return v[low] + (at - static_cast<double>(low)) * (high - v[low]);
}

double ratio(double a, double b) { return a > 0 && b > 0 ? std::max(a / b, b / a) : 1; }

}  // namespace

std::string Band::confidence() const {
  if (!same_device) return "other device";
  if (!same_impl) return "other implementation";
  return distance <= 2 ? "validated nearby" : distance <= 8 ? "interpolated" : "extrapolated";
}

std::optional<Band> Bands::find(const std::string& device, const std::string& op, const std::string& impl, double flops, double bytes) const {
  const BandRecord* best = nullptr;
  double least = 0;
  for (const BandRecord& r : records_) {
    if (r.op != op) continue;
    // Another implementation or device counts as a thousandfold distance: only when there is nothing else.
    const double d = ratio(r.flops, flops) * ratio(r.bytes, bytes) * (r.impl == impl ? 1 : 1e3) * (r.device == device ? 1 : 1e6);
    if (best && d >= least) continue;
    best = &r;
    least = d;
  }
  if (!best) return std::nullopt;
  Band band{.family = best->family, .device = best->device, .distance = std::max(ratio(best->flops, flops), ratio(best->bytes, bytes)),
            .same_impl = best->impl == impl, .same_device = best->device == device};
  std::vector<double> sizes;
  for (const BandRecord& r : records_)
    if (r.family == best->family && r.device == best->device) {
      sizes.push_back(std::abs(r.error));
      band.bias += r.error;
    }
  band.records = sizes.size();
  band.bias /= static_cast<double>(sizes.size());
  band.median = quantile(sizes, 0.5);
  band.p90 = quantile(sizes, 0.9);
  return band;
}

Bands load_bands(const std::string& path) { return Bands(input::read<BandFile>(input::parse_file(path)).records); }

Bands load_bands() {
  const auto path = workloads::data_folder() / "validation" / "bands.json";
  return std::filesystem::exists(path) ? load_bands(path.string()) : Bands();
}

int last_digit(double value, double percent) {
  if (value == 0 || !std::isfinite(value)) return 0;
  return static_cast<int>(std::floor(std::log10(std::abs(value) * std::max(percent, 0.01) / 400)));
}

std::string rounded(double value, int digit) {
  if (!std::isfinite(value)) return "-";
  const double unit = std::pow(10.0, digit);
  return fmt::format("{:.{}f}", std::round(value / unit) * unit + 0.0, std::max(0, -digit));
}

std::string within(double value, double percent) { return rounded(value, last_digit(value, percent)); }

}  // namespace rooftile::reports
