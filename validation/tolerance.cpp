#include "validation/tolerance.hpp"

#include <fmt/format.h>

#include <map>

#include "sim/core/input/fields.hpp"
#include "sim/core/input/yaml.hpp"

namespace rooftile::validation {
namespace {

struct Tolerance {
  double median = 0, p90 = 0;
  std::int64_t skipped = 0;

  template <class V>
  static void visit_fields(V& v) {
    v.field("median", &Tolerance::median, "largest median error, percent", input::Range{0, 1000});
    v.field("p90", &Tolerance::p90, "largest 90th percentile, percent", input::Range{0, 1000});
    v.field("skipped", &Tolerance::skipped, "records that may be skipped", input::Range{0, 1e6}).optional();
  }
};
struct Tolerances {
  std::map<std::string, Tolerance> families;

  template <class V>
  static void visit_fields(V& v) {
    v.field("families", &Tolerances::families, "by family name");
  }
};

}  // namespace

std::string broken_tolerances(const Validation& v, const std::string& file) {
  const auto allowed = input::read<Tolerances>(input::parse_yaml_file(file)).families;
  std::string out;
  for (const Family& f : v.families) {
    const auto t = allowed.find(f.family);
    if (t == allowed.end()) {
      out += fmt::format("{}: no tolerance in {}\n", f.family, file);
      continue;
    }
    if (f.median_ape > t->second.median) out += fmt::format("{}: median {:.2f} % is above {} %\n", f.family, f.median_ape, t->second.median);
    if (f.p90_ape > t->second.p90) out += fmt::format("{}: p90 {:.2f} % is above {} %\n", f.family, f.p90_ape, t->second.p90);
    if (f.skipped > static_cast<std::size_t>(t->second.skipped))
      out += fmt::format("{}: {} records skipped, {} allowed\n", f.family, f.skipped, t->second.skipped);
  }
  return out;
}

}  // namespace rooftile::validation
