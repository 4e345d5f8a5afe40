// Clock and power as the driver reports them. The library is loaded when the program runs, so that building and linking
// need the CUDA Toolkit alone; where it is absent every reading is empty.
//
// The clock is the one the driver set, which under load is some percent above cycles over time; the power is a running
// average over about 0.1 s.
#pragma once

#include <optional>
#include <string>

namespace rooftile::measure {

class Nvml {
 public:
  explicit Nvml(const std::string& pci_bus_id);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::optional<double> sm_mhz() const;
  std::optional<double> power_w() const;
  std::optional<double> temperature_c() const;
  std::string driver_version() const;  // "" when unknown

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace rooftile::measure
