#include "micro/micro.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace rooftile::kernels::micro {
namespace {

std::vector<Microbenchmark>& registry() {
  static std::vector<Microbenchmark> all;
  return all;
}

std::string below_root(std::string_view file) {
  const auto at = file.rfind("kernels/micro/");
  return std::string(at == std::string_view::npos ? file : file.substr(at));
}

}  // namespace

Registration::Registration(const char* file, void (*run)(Session&)) { registry().push_back({below_root(file), run}); }

std::vector<Microbenchmark> microbenchmarks() {
  auto sorted = registry();
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
  return sorted;
}

void Session::measure(const std::string& name, const char* unit, const std::function<double()>& once, int repeats) {
  if (name.find(filter_) == std::string::npos && source_.find(filter_) == std::string::npos) return;
  once();
  std::vector<double> values;
  for (int i = 0; i < repeats; ++i) values.push_back(once());
  std::sort(values.begin(), values.end());
  const double median = values[values.size() / 2];
  record(name, unit, median);
  readings_.back().repeats = repeats;
  readings_.back().spread = median == 0 ? 0 : (values.back() - values.front()) / std::abs(median);
}

void Session::record(const std::string& name, const char* unit, double value) {
  readings_.push_back({name, value, unit, 0, 1, source_, nvml_.sm_mhz()});
  std::fprintf(stderr, "%-58s %14.3f %s\n", name.c_str(), value, unit);
}

}  // namespace rooftile::kernels::micro
