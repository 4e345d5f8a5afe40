// Mistakes in what a user wrote, gathered so that all are shown at once.
#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <tuple>
#include <vector>

#include "sim/core/input/node.hpp"

namespace rooftile::input {

struct Diagnostic {
  Place place;
  std::string what, expected;
  std::string text() const {
    std::string t = place.text();
    if (!t.empty()) t += ": ";
    return t + what + (expected.empty() ? "" : ", expected " + expected);
  }
};

class InputError : public std::exception {
 public:
  explicit InputError(std::vector<Diagnostic> list) : list_(std::move(list)) {
    for (const Diagnostic& d : list_) text_ += (text_.empty() ? "" : "\n") + d.text();
  }
  InputError(const Place& place, std::string what, std::string expected = "")
      : InputError(std::vector<Diagnostic>{{place, std::move(what), std::move(expected)}}) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
  std::string text_;
};

class Diagnostics {
 public:
  void add(const Place& place, std::string what, std::string expected = "") {
    list_.push_back({place, std::move(what), std::move(expected)});
  }
  void add(const InputError& error) { list_.insert(list_.end(), error.list().begin(), error.list().end()); }
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  // In the order of the file.
  void throw_if_any() {
    if (list_.empty()) return;
    std::stable_sort(list_.begin(), list_.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    throw InputError(std::move(list_));
  }

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace rooftile::input
