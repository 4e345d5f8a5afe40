// The second error kind: an invariant of the simulator itself is broken (exit code 3). Mistakes in what a
// user wrote are input::InputError.
#pragma once

#include <stdexcept>
#include <string>

namespace rooftile::core {

class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void ensure(bool holds, const char* what) {
  if (!holds) throw InvariantError(what);
}

}  // namespace rooftile::core
