#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "sim/core/input/yaml.hpp"

namespace rooftile::input {
namespace {

// Length of the UTF-8 sequence at `i`, 0 if there is none (overlong forms and surrogates are none).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const auto tail = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(i), second = byte(i + 1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(i + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F);
    return tail(i + 1) && tail(i + 2) && !bad ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool bad = (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
    return tail(i + 1) && tail(i + 2) && tail(i + 3) && !bad ? 4 : 0;
  }
  return 0;
}

bool allowed_control(char c) { return c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

std::string_view checked_text(std::string_view text, const std::string& file, const Limits& limits) {
  if (text.size() > limits.bytes) {
    throw InputError({file, 0, 0}, "larger than " + std::to_string(limits.bytes) + " bytes", "a smaller file");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  int line = 1;
  std::size_t line_start = 0;
  const auto refuse = [&](std::size_t i, const char* what, const char* expected) {
    throw InputError({file, line, static_cast<int>(i - line_start) + 1}, what, expected);
  };
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == 0) refuse(i, "a NUL byte", "a text file");
    if ((c < 0x20 && !allowed_control(text[i])) || c == 0x7f) refuse(i, "a control character", "printable text");
    const std::size_t length = utf8_length(text, i);
    if (length == 0) refuse(i, "bytes that are not UTF-8", "a text file in UTF-8");
    i += length;
    if (c == '\n') {
      ++line;
      line_start = i;
    }
  }
  return text;
}

std::string read_file(const std::string& path, const Limits& limits) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text;
  char buffer[1 << 16];
  while (in && text.size() <= limits.bytes) {
    in.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
  }
  if (text.empty() && (!in.eof() || in.bad())) {
    const int error = errno;
    const std::string why = error == 0 ? "" : ": " + std::system_category().message(error);
    throw InputError({path, 0, 0}, "cannot be read" + why, "a readable file");
  }
  return text;
}

namespace {
Node parse_read(const std::string& path, const Limits& limits, bool json) {
  const std::string text = read_file(path, limits);
  return json ? parse_json(text, path, limits) : parse_yaml(text, path, limits);
}
}  // namespace

Node parse_file(const std::string& path, const Limits& limits) {
  return parse_read(path, limits, path.ends_with(".json"));
}
Node parse_yaml_file(const std::string& path, const Limits& limits) { return parse_read(path, limits, false); }

}  // namespace rooftile::input
