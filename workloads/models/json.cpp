#include "workloads/models/json.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace rooftile::models {
namespace {

Place place_of(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const auto before = text.substr(0, offset);
  const auto newline = before.rfind('\n');
  const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')), 1 + offset - line_start};
}

// Python writes infinities bare; JSON has none. A finite stand-in of the same width keeps every column right,
// and a reader that wants an integer there still refuses it.
std::string without_infinity(std::string_view text) {
  constexpr std::string_view kInfinity = "Infinity";
  std::string out(text);
  bool quoted = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (quoted && out[i] == '\\') {
      ++i;
    } else if (out[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && out.compare(i, kInfinity.size(), kInfinity) == 0) {
      out.replace(i, kInfinity.size(), "1e308   ");
    }
  }
  return out;
}

// Lets the handler know how far the lexer has read: nlohmann's SAX events carry no position.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::size_t* consumed_;
};

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, const JsonLimits& limits, const std::size_t* consumed)
      : text_(text), limits_(limits), consumed_(consumed) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool v) override { return add(v); }
  bool number_integer(number_integer_t v) override { return add(std::int64_t{v}); }
  bool number_unsigned(number_unsigned_t v) override {
    if (v > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) return add(static_cast<double>(v));
    return add(static_cast<std::int64_t>(v));
  }
  bool number_float(number_float_t v, const string_t&) override { return add(v); }
  bool string(string_t& v) override { return add(v); }
  bool binary(binary_t&) override { return fail("binary value"); }
  bool start_object(std::size_t) override { return open(Json::Object{}); }
  bool start_array(std::size_t) override { return open(Json::Array{}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    for (const auto& [known, value] : std::get<Json::Object>(stack_.back()->value)) {
      if (known == name) return fail("duplicate key \"" + name + "\"");
    }
    key_ = name;
    mark();
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    std::string what = error.what();
    if (const auto tail = what.find(": ", what.find("column")); tail != std::string::npos) what.erase(0, tail + 2);
    problem_ = JsonProblem{place_of(text_, position == 0 ? 0 : position - 1), "not valid JSON: " + what};
    return false;
  }

  JsonResult take() && {
    if (problem_) return *problem_;
    return std::move(root_);
  }

 private:
  using Value = decltype(Json::value);

  // The token that just ended started at the first character after the previous one that is not punctuation.
  Place start_of_token() const {
    std::size_t at = last_end_;
    while (at < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at])) || text_[at] == ',' || text_[at] == ':'))
      ++at;
    return place_of(text_, at);
  }
  void mark() { last_end_ = *consumed_; }
  bool fail(std::string what) {
    problem_ = JsonProblem{place_of(text_, *consumed_ == 0 ? 0 : *consumed_ - 1), std::move(what)};
    return false;
  }
  bool add(Value value) { return place(std::move(value)) != nullptr; }

  Json* place(Value value) {
    if (++values_ > limits_.values) {
      fail("more than " + std::to_string(limits_.values) + " values");
      return nullptr;
    }
    Json json{std::move(value), start_of_token()};
    mark();
    if (stack_.empty()) {
      root_ = std::move(json);
      return &root_;
    }
    if (auto* array = std::get_if<Json::Array>(&stack_.back()->value)) return &array->emplace_back(std::move(json));
    return &std::get<Json::Object>(stack_.back()->value).emplace_back(key_, std::move(json)).second;
  }
  bool open(Value value) {
    if (stack_.size() >= limits_.depth) return fail("nested deeper than " + std::to_string(limits_.depth) + " levels");
    Json* json = place(std::move(value));
    if (json == nullptr) return false;
    stack_.push_back(json);
    return true;
  }
  bool close() {
    stack_.pop_back();
    mark();
    return true;
  }

  std::string_view text_;
  JsonLimits limits_;
  const std::size_t* consumed_;
  std::size_t last_end_ = 0;
  std::size_t values_ = 0;
  std::string key_;
  Json root_;
  std::vector<Json*> stack_;  // a parent is never grown while a child is open, so the pointers hold
  std::optional<JsonProblem> problem_;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  if (const auto* members = object()) {
    for (const auto& [name, json] : *members)
      if (name == key) return &json;
  }
  return nullptr;
}

const char* type_name(const Json& json) {
  static constexpr const char* kNames[] = {"null", "a boolean", "an integer", "a number", "a string", "an array", "an object"};
  return kNames[json.value.index()];
}

JsonResult parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    return JsonProblem{{1, 1}, "larger than " + std::to_string(limits.bytes) + " bytes"};
  }
  const std::string strict = without_infinity(text);
  std::size_t consumed = 0;
  TreeBuilder builder(strict, limits, &consumed);
  nlohmann::json::sax_parse(CountingIterator(strict.data(), &consumed),
                            CountingIterator(strict.data() + strict.size(), &consumed), &builder);
  return std::move(builder).take();
}

}  // namespace rooftile::models
