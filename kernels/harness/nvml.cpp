#include "harness/nvml.hpp"

#include <dlfcn.h>

namespace rooftile::measure {
namespace {

// The few entry points used, declared here because the header nvml.h is not in every Toolkit installation.
constexpr int success = 0, clock_sm = 1, temperature_gpu = 0;

template <class Function>
Function* symbol(void* library, const char* name) {
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

Nvml::Nvml(const std::string& pci_bus_id) : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  auto* const init = symbol<int()>(library_, "nvmlInit_v2");
  auto* const find = symbol<int(const char*, void**)>(library_, "nvmlDeviceGetHandleByPciBusId_v2");
  if (init == nullptr || find == nullptr || init() != success) return;
  if (find(pci_bus_id.c_str(), &device_) != success) device_ = nullptr;
}

Nvml::~Nvml() {
  if (auto* const shutdown = symbol<int()>(library_, "nvmlShutdown")) shutdown();
  if (library_ != nullptr) dlclose(library_);
}

std::optional<double> Nvml::sm_mhz() const {
  static auto* const read = symbol<int(void*, int, unsigned*)>(library_, "nvmlDeviceGetClockInfo");
  unsigned mhz = 0;
  if (device_ == nullptr || read == nullptr || read(device_, clock_sm, &mhz) != success) return std::nullopt;
  return mhz;
}

std::optional<double> Nvml::power_w() const {
  static auto* const read = symbol<int(void*, unsigned*)>(library_, "nvmlDeviceGetPowerUsage");
  unsigned milliwatts = 0;
  if (device_ == nullptr || read == nullptr || read(device_, &milliwatts) != success) return std::nullopt;
  return milliwatts / 1000.0;
}

std::optional<double> Nvml::temperature_c() const {
  static auto* const read = symbol<int(void*, int, unsigned*)>(library_, "nvmlDeviceGetTemperature");
  unsigned celsius = 0;
  if (device_ == nullptr || read == nullptr || read(device_, temperature_gpu, &celsius) != success) return std::nullopt;
  return celsius;
}

std::string Nvml::driver_version() const {
  auto* const read = symbol<int(char*, unsigned)>(library_, "nvmlSystemGetDriverVersion");
  char text[96] = "";
  if (read == nullptr || read(text, sizeof text) != success) return "";
  return text;
}

}  // namespace rooftile::measure
