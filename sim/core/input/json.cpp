// JSON by hand: nlohmann's events carry no line or column, and a record of thousands of numbers should cost
// one pass over its bytes.
#include <algorithm>
#include <string>
#include <utility>

#include "sim/core/input/new_keys.hpp"
#include "sim/core/input/yaml.hpp"

namespace rooftile::input {
namespace {

class JsonParser {
 public:
  JsonParser(std::string_view text, FileName file, int first_line, const Limits& limits)
      : text_(text), file_(std::move(file)), limits_(limits), line_(first_line) {}

  Node document() {
    skip_space();
    if (at_end()) fail("nothing in it", "a JSON value");
    Node root = value(0);
    skip_space();
    if (!at_end()) fail("text after the end of the value", "nothing more");
    return root;
  }

 private:
  bool at_end() const { return i_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[i_]; }
  Mark mark() const { return {line_, static_cast<int>(i_ - line_start_) + 1}; }
  [[noreturn]] void fail(std::string what, std::string expected) const {
    if (at_end()) what = "the text ends too early";
    throw InputError({*file_, mark().line, mark().column}, std::move(what), std::move(expected));
  }
  void skip_space() {
    for (; !at_end(); ++i_) {
      const char c = text_[i_];
      if (c == '\n') {
        ++line_;
        line_start_ = i_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  Node value(int depth) {
    if (++values_ > limits_.values) fail("more than " + std::to_string(limits_.values) + " values", "fewer");
    const Mark start = mark();
    Node node = value_at(depth);
    node.at(file_, start);
    return node;
  }
  Node value_at(int depth) {
    const char c = peek();
    if (c == '{' || c == '[') {
      if (depth >= limits_.depth) {
        fail("nested deeper than " + std::to_string(limits_.depth) + " levels", "a flatter document");
      }
      return c == '{' ? object(depth + 1) : array(depth + 1);
    }
    return c == '"' ? Node::scalar(string(), true) : bare();
  }
  Node object(int depth) {
    Node map = Node::map();
    NewKeys keys;
    ++i_;
    for (skip_space(); peek() != '}'; skip_space()) {
      const Mark start = mark();
      if (peek() != '"') fail("no key here", "a key in double quotes");
      std::string key = string();
      if (!keys.add(map, key)) {
        throw InputError({*file_, start.line, start.column}, "the key `" + key + "` is given twice", "each key once");
      }
      skip_space();
      expect(':');
      map.add_unchecked(std::move(key), value(depth), start);
      if (!another('}')) break;
    }
    ++i_;
    return map;
  }
  Node array(int depth) {
    Node list = Node::sequence();
    ++i_;
    for (skip_space(); peek() != ']'; skip_space()) {
      list.append(value(depth));
      if (!another(']')) break;
    }
    ++i_;
    return list;
  }
  void expect(char c) {
    if (peek() != c) fail("unexpected text", std::string("`") + c + '`');
    ++i_;
    skip_space();
  }
  // After an element: true if a comma leads to the next one, false at the closing bracket.
  bool another(char close) {
    skip_space();
    if (peek() == close) return false;
    if (peek() != ',') fail("unexpected text", std::string("`,` or `") + close + '`');
    ++i_;
    skip_space();
    if (peek() == close) fail("a comma before the closing bracket", "another element");
    return true;
  }
  Node bare() {
    std::size_t end = i_;
    while (end < text_.size() && std::string_view(" \t\r\n,:]}[{\"").find(text_[end]) == std::string_view::npos) ++end;
    const std::string_view word = text_.substr(i_, end - i_);
    if (!is_json_number(word) && !is_json_word(word)) {
      if (end == text_.size()) i_ = end;
      fail("`" + std::string(word.substr(0, 40)) + "` is no JSON value",
           "a number, text in quotes, true, false or null");
    }
    i_ = end;
    return word == "null" ? Node{} : Node::scalar(std::string(word));
  }
  std::string string() {
    std::string out;
    ++i_;
    while (true) {
      const std::size_t from = i_;
      while (!at_end() && text_[i_] != '"' && text_[i_] != '\\' && text_[i_] != '\n') ++i_;
      out += text_.substr(from, i_ - from);
      if (at_end() || text_[i_] == '\n') fail("text without its closing quote", "`\"`");
      if (text_[i_++] == '"') return out;
      escape(out);
    }
  }
  void escape(std::string& out) {
    static constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    const std::size_t known = at_end() ? std::string_view::npos : kFrom.find(text_[i_]);
    if (known != std::string_view::npos) {
      ++i_;
      out += kTo[known];
    } else if (peek() == 'u') {
      ++i_;
      code_point(out);
    } else {
      fail("an unknown escape in text", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    }
  }
  unsigned hex4() {
    unsigned code = 0;
    for (int k = 0; k < 4; ++k, ++i_) {
      const auto digit = std::string_view("0123456789abcdef").find(static_cast<char>(peek() | 0x20));
      if (at_end() || digit == std::string_view::npos || peek() < '0')
        fail("a broken \\u escape", "four hexadecimal digits");
      code = code * 16 + static_cast<unsigned>(digit);
    }
    return code;
  }
  void code_point(std::string& out) {
    unsigned code = hex4();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(i_, 2) == "\\u") {
      i_ += 2;
      const unsigned low = hex4();
      if (low < 0xDC00 || low > 0xDFFF) fail("half of a surrogate pair", "both halves");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) fail("a \\u escape for no character", "a character");
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
      put(0xC0 | code >> 6);
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12);
      put(0x80 | (code >> 6 & 0x3F));
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
      put(0x80 | (code >> 6 & 0x3F));
    }
    put(0x80 | (code & 0x3F));
  }

  std::string_view text_;
  FileName file_;
  const Limits& limits_;
  std::size_t i_ = 0, line_start_ = 0, values_ = 0;
  int line_;
};

}  // namespace

Node parse_json(std::string_view text, std::string file, const Limits& limits) {
  text = checked_text(text, file, limits);
  return JsonParser(text, file_name(std::move(file)), 1, limits).document();
}

void parse_json_lines(std::string_view text, std::string file, const std::function<void(Node&&)>& each,
                      const Limits& limits) {
  text = checked_text(text, file, limits);
  const FileName name = file_name(std::move(file));
  Diagnostics found;
  int line = 1;
  for (std::size_t start = 0; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view row = text.substr(start, end - start);
    start = end + 1;
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Node node;
    try {
      node = JsonParser(row, name, line, limits).document();
    } catch (const InputError& e) {
      found.add(e.diagnostics());
      continue;
    }
    each(std::move(node));
  }
  found.throw_if_any();
}

std::vector<Node> parse_json_lines_file(const std::string& path, const Limits& limits) {
  std::vector<Node> nodes;
  parse_json_lines(
      read_file(path, limits), path, [&](Node&& node) { nodes.push_back(std::move(node)); }, limits);
  if (nodes.empty()) throw InputError({path, 1, 1}, "nothing in it", "one JSON value per line");
  return nodes;
}

}  // namespace rooftile::input
