// How far predictions have been from measurement, and so how many digits of one mean anything.
//
// `rooftile validate --bands FILE` writes the errors of every record; here they become a band for one operation: that of
// the family whose record of the same operator, on the same device, is nearest in FLOPs and bytes. Percentages.
// Not modelled: that errors differ inside a family.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rooftile::reports {

struct BandRecord {
  std::string device, family, op, impl;
  double flops = 0, bytes = 0, error = 0;  // error: signed percent
  template <class V>
  static void visit_fields(V& v) {
    v.field("device", &BandRecord::device, "device it was measured on");
    v.field("family", &BandRecord::family, "record file");
    v.field("op", &BandRecord::op, "operator");
    v.field("impl", &BandRecord::impl, "implementation");
    v.field("flops", &BandRecord::flops, "FLOPs");
    v.field("bytes", &BandRecord::bytes, "compulsory bytes");
    v.field("error", &BandRecord::error, "predicted over measured, less one, percent");
  }
};

struct Band {
  std::string family, device;
  std::size_t records = 0;
  double median = 0, p90 = 0, bias = 0;  // percent
  double distance = 1;      // to the nearest record: the larger of the two ratios of FLOPs and of bytes
  bool same_impl = true, same_device = true;
  std::string confidence() const;  // "validated nearby", "interpolated", "extrapolated", "other device"
};

class Bands {
 public:
  Bands() = default;
  explicit Bands(std::vector<BandRecord> records) : records_(std::move(records)) {}
  bool empty() const { return records_.empty(); }
  std::optional<Band> find(const std::string& device, const std::string& op, const std::string& impl, double flops, double bytes) const;

 private:
  std::vector<BandRecord> records_;
};

// From the data folder (validation/bands.json); empty when there is none. Throws InputError when it is damaged.
Bands load_bands();
Bands load_bands(const std::string& path);

// A number with no more digits than `percent` supports: the step of its last digit is between a 40th and a quarter of the
// band. `last_digit` is that step as a power of ten.
int last_digit(double value, double percent);
std::string within(double value, double percent);
std::string rounded(double value, int digit);
inline constexpr double kUnknownBand = 20;  // percent: two digits, where nothing has been measured

}  // namespace rooftile::reports
