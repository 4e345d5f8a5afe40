#include <algorithm>
#include <cctype>
#include <cstdio>

#include "sim/core/input/node.hpp"

namespace rooftile::input {
namespace {

constexpr std::size_t kFlowWidth = 110;  // longest map or list that stays on one line

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Characters and a beginning that no YAML reader can misread, inside flow style too.
bool safe_without_quotes(std::string_view text) {
  if (text.empty() || text.back() == ' ') return false;
  const bool signed_number = text.size() > 1 && text[0] == '-' && (digit(text[1]) || text[1] == '.');
  if (!letter(text[0]) && !digit(text[0]) && text[0] != '/' && text[0] != '.' && !signed_number) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return letter(c) || digit(c) || std::string_view(" _./+-%()").find(c) != std::string_view::npos;
  });
}

bool looks_typed(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static constexpr std::string_view kWords[] = {"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  const bool number_like = digit(lower[0]) || ((lower[0] == '-' || lower[0] == '.') && lower.size() > 1);
  return std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords) || number_like;
}

std::string scalar_text(const Node& node) {
  if (node.is_null()) return "null";
  return node.quoted() || !safe_without_quotes(node.text()) ? quote(node.text()) : node.text();
}

std::string key_text(std::string_view key) {
  const bool null_word = key == "null" || key == "Null" || key == "NULL";
  return safe_without_quotes(key) && !null_word ? std::string(key) : quote(key);
}

bool is_leaf(const Node& node) { return node.is_null() || node.is_scalar(); }

// Flow style, or nothing if something inside is nested or the line would be long.
std::string flow(const Node& node) {
  std::string text = node.is_map() ? "{" : "[";
  for (const auto& m : node.members()) {
    if (!is_leaf(m.value)) return {};
    text += (text.size() == 1 ? "" : ", ") + key_text(m.key) + ": " + scalar_text(m.value);
  }
  for (const Node& item : node.items()) {
    if (!is_leaf(item)) return {};
    text += (text.size() == 1 ? "" : ", ") + scalar_text(item);
  }
  text += node.is_map() ? '}' : ']';
  return text.size() <= kFlowWidth || text.size() == 2 ? text : std::string{};
}

void block(const Node& node, std::size_t indent, bool started, std::string& out);

// What follows `key:` or `-`.
void value_after(const Node& node, std::size_t indent, bool dash, std::string& out) {
  if (is_leaf(node)) {
    out += ' ' + scalar_text(node) + '\n';
  } else if (const std::string line = flow(node); !line.empty()) {
    out += ' ' + line + '\n';
  } else if (dash) {
    out += ' ';
    block(node, indent, true, out);
  } else {
    out += '\n';
    block(node, indent, false, out);
  }
}

void block(const Node& node, std::size_t indent, bool started, std::string& out) {
  const auto begin_line = [&] {
    if (!started) out.append(indent, ' ');
    started = false;
  };
  for (const auto& m : node.members()) {
    begin_line();
    out += key_text(m.key) + ':';
    value_after(m.value, indent + 2, false, out);
  }
  for (const Node& item : node.items()) {
    begin_line();
    out += '-';
    value_after(item, indent + 2, true, out);
  }
}

void line_break(std::string& out, int indent, int depth) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent * depth), ' ');
}

void json(const Node& node, int indent, int depth, std::string& out) {
  if (node.is_null()) {
    out += "null";
  } else if (node.is_scalar()) {
    const bool bare = !node.quoted() && (is_json_number(node.text()) || is_json_word(node.text()));
    out += bare ? node.text() : quote(node.text());
  } else {
    const bool map = node.is_map();
    const std::size_t size = map ? node.members().size() : node.items().size();
    out += map ? '{' : '[';
    for (std::size_t i = 0; i < size; ++i) {
      if (i > 0) out += indent < 0 ? ", " : ",";
      line_break(out, indent, depth + 1);
      if (map) out += quote(node.members()[i].key) + ": ";
      json(map ? node.members()[i].value : node.items()[i], indent, depth + 1, out);
    }
    if (size > 0) line_break(out, indent, depth);
    out += map ? '}' : ']';
  }
}

}  // namespace

Node Node::string(std::string text) {
  const bool quoted = !safe_without_quotes(text) || looks_typed(text);
  return scalar(std::move(text), quoted);
}

std::string dump_yaml(const Node& node) {
  if (is_leaf(node)) return scalar_text(node) + '\n';
  if (node.members().empty() && node.items().empty()) return flow(node) + '\n';
  std::string out;
  block(node, 0, false, out);
  return out;
}

std::string dump_json(const Node& node, int indent) {
  std::string out;
  json(node, indent, 0, out);
  return out;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool is_json_number(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < text.size() && digit(text[i])) ++i;
    return i > from;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const bool leading_zero = i < text.size() && text[i] == '0';
  const std::size_t start = i;
  if (!digits() || (leading_zero && i - start > 1)) return false;
  if (i < text.size() && text[i] == '.' && (++i, !digits())) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

bool is_json_word(std::string_view text) { return text == "true" || text == "false" || text == "null"; }

}  // namespace rooftile::input
