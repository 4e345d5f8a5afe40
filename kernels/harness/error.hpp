// How a failure ends the program: a sentence and an exit code.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace rooftile::measure {

inline constexpr int exit_check_failed = 1;
inline constexpr int exit_wrong_input = 2;  // the user's: arguments, no GPU, no driver, a GPU this code is not built for
inline constexpr int exit_internal = 3;
inline constexpr int exit_skipped = 77;  // CTest's SKIP_RETURN_CODE

class Failure : public std::runtime_error {
 public:
  Failure(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Failure(exit_internal, std::string(what) + ": " + cudaGetErrorString(status));
}

}  // namespace rooftile::measure
