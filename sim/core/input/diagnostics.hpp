// What is wrong in a file that somebody wrote: where, what, and what was expected instead.
#pragma once

#include <compare>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace rooftile::input {

// Line and column count from 1, columns in bytes; line 0 means the file (or option) as a whole.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  auto operator<=>(const Place&) const = default;
};

struct Diagnostic {
  Place place;
  std::string what;
  std::string expected;  // may be empty
  auto operator<=>(const Diagnostic&) const = default;
};

std::string to_string(const Place& place);
std::string to_string(const Diagnostic& diagnostic);  // file:line:col: what, expected ...

// Collects errors so that a user sees all of them at once. Keeps at most `kKept`; the rest is counted.
class Diagnostics {
 public:
  static constexpr std::size_t kKept = 1000;

  void add(Place place, std::string what, std::string expected = {});
  void add(const Diagnostics& others);
  bool empty() const { return kept_.empty(); }
  std::size_t count() const { return kept_.size() + dropped_; }
  std::vector<Diagnostic> sorted() const;  // by file, line, column; without repetitions
  std::string text() const;                // one line each, in that order
  void throw_if_any() const;               // InputError

 private:
  std::vector<Diagnostic> kept_;
  std::size_t dropped_ = 0;
};

// The user's mistake, as opposed to a broken invariant of the simulator (core::InvariantError).
class InputError : public std::exception {
 public:
  explicit InputError(Diagnostics found);
  InputError(Place place, std::string what, std::string expected = {});
  const char* what() const noexcept override { return state_->text.c_str(); }
  const Diagnostics& diagnostics() const { return state_->found; }

 private:
  struct State {
    Diagnostics found;
    std::string text;
  };
  std::shared_ptr<const State> state_;  // shared: copying an exception must not throw
};

}  // namespace rooftile::input
