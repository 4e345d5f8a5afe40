// Storage types by the names that records and scenarios use.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "hw/tile_program.hpp"
#include "sim/core/input/node.hpp"
#include "sim/core/input/suggest.hpp"

namespace rooftile::workloads {

inline double element_bytes(const std::string& type) {
  if (type == "fp32" || type == "tf32") return 4;
  if (type == "bf16" || type == "fp16") return 2;
  if (type == "fp8_e4m3" || type == "fp8_e5m2" || type == "int8") return 1;
  throw std::invalid_argument("unknown type " + type + ", expected one of bf16, fp16, fp32, tf32, fp8_e4m3, fp8_e5m2, int8");
}

inline hw::MathType math_type(const std::string& type) {
  if (type == "bf16") return hw::MathType::bf16;
  if (type == "fp16") return hw::MathType::fp16;
  if (type == "tf32" || type == "fp32") return hw::MathType::tf32;
  if (type == "fp8_e4m3" || type == "fp8_e5m2") return hw::MathType::fp8;
  if (type == "int8") return hw::MathType::int8;
  throw std::invalid_argument("no matrix instruction for type " + type);
}

// Adds a diagnostic when `type` (the value of `key`) is not a storage type, or has no matrix instruction.
inline void check_type(const input::Node& at, const char* key, const std::string& type, input::Diagnostics& found,
                       bool for_matrix) {
  static const std::vector<std::string> known{"bf16", "fp16", "fp32", "tf32", "fp8_e4m3", "fp8_e5m2", "int8"};
  const input::Node* node = at.find(key);
  if (std::find(known.begin(), known.end(), type) == known.end())
    found.add((node ? *node : at).place(), "unknown type '" + type + "'" + input::did_you_mean(type, known), input::one_of(known));
  else if (for_matrix && type == "fp32")
    found.add((node ? *node : at).place(), "fp32 has no matrix instruction", "tf32, or a narrower type");
}

}  // namespace rooftile::workloads
