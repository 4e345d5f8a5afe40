#include "sim/core/input/diagnostics.hpp"

#include <algorithm>
#include <utility>

namespace rooftile::input {

std::string to_string(const Place& place) {
  if (place.line <= 0) return place.file;
  return place.file + ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
}

std::string to_string(const Diagnostic& d) {
  std::string text = to_string(d.place);
  if (!text.empty()) text += ": ";
  text += d.what;
  if (!d.expected.empty()) text += ", expected " + d.expected;
  return text;
}

void Diagnostics::add(Place place, std::string what, std::string expected) {
  if (kept_.size() < kKept) {
    kept_.push_back({std::move(place), std::move(what), std::move(expected)});
  } else {
    ++dropped_;
  }
}

void Diagnostics::add(const Diagnostics& others) {
  for (const Diagnostic& d : others.kept_) add(d.place, d.what, d.expected);
  dropped_ += others.dropped_;
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  auto result = kept_;
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::string Diagnostics::text() const {
  std::string text;
  for (const Diagnostic& d : sorted()) {
    if (!text.empty()) text += '\n';
    text += to_string(d);
  }
  if (dropped_ > 0) text += "\n... and " + std::to_string(dropped_) + " more errors";
  return text;
}

void Diagnostics::throw_if_any() const {
  if (!empty()) throw InputError(*this);
}

InputError::InputError(Diagnostics found) {
  auto text = found.text();
  state_ = std::make_shared<const State>(State{std::move(found), std::move(text)});
}

namespace {
Diagnostics only(Place place, std::string what, std::string expected) {
  Diagnostics found;
  found.add(std::move(place), std::move(what), std::move(expected));
  return found;
}
}  // namespace

InputError::InputError(Place place, std::string what, std::string expected)
    : InputError(only(std::move(place), std::move(what), std::move(expected))) {}

}  // namespace rooftile::input
