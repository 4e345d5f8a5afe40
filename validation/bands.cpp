#include "validation/bands.hpp"

#include <fmt/format.h>

#include "reports/bands.hpp"
#include "sim/core/input/fields.hpp"

namespace rooftile::validation {

std::string bands_json(const Validation& v) {
  std::string out = "{\"written_by\": \"rooftile validate RECORDS --bands FILE\",\n \"records\": [\n";
  bool first = true;
  for (const Row& r : v.rows) {
    if (!r.skipped.empty()) continue;
    const reports::BandRecord b{r.device, r.family, r.op, r.impl, r.flops, r.bytes, r.error()};
    // Two digits behind the point are plenty, and keep the file's changes small.
    out += fmt::format("{}{{\"device\": {}, \"family\": {}, \"op\": {}, \"impl\": {}, \"flops\": {:.4g}, \"bytes\": {:.4g}, \"error\": {:.2f}}}",
                       first ? "" : ",\n", input::quote(b.device), input::quote(b.family), input::quote(b.op), input::quote(b.impl), b.flops, b.bytes, b.error);
    first = false;
  }
  return out + "\n]}\n";
}

}  // namespace rooftile::validation
