#include "sim/core/input/yaml.hpp"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <set>
#include <sstream>

#include "sim/core/input/diagnostics.hpp"

namespace rooftile::input {
namespace {

using File = std::shared_ptr<const std::string>;

Place place_of(const YAML::Mark& mark, const File& file, int first_line) {
  if (mark.line < 0) return {file, first_line, 1};
  return {file, mark.line + first_line, mark.column + 1};
}

class Converter {
 public:
  Converter(File file, int first_line, const Limits& limits, Diagnostics& errors)
      : file_(std::move(file)), first_line_(first_line), limits_(limits), errors_(errors) {}

  Node convert(const YAML::Node& y, int depth) {
    Node n;
    n.place = place_of(y.Mark(), file_, first_line_);
    if (++count_ > limits_.nodes)
      throw InputError(n.place, "the document is too large", "at most " + std::to_string(limits_.nodes) + " values");
    if (depth > limits_.depth)
      throw InputError(n.place, "nested too deeply", "at most " + std::to_string(limits_.depth) + " levels");
    if (y.IsScalar()) {
      n.kind = Node::Kind::scalar;
      n.text = y.Scalar();
      n.quoted = y.Tag() == "!";
      if (!n.quoted && !y.Tag().empty() && y.Tag() != "?")
        errors_.add(n.place, "tag '" + y.Tag() + "' is not supported", "a plain value");
    } else if (y.IsSequence()) {
      n.kind = Node::Kind::sequence;
      for (const auto& item : y) n.items.push_back(convert(item, depth + 1));
    } else if (y.IsMap()) {
      n.kind = Node::Kind::map;
      for (const auto& pair : y) add_member(n, pair.first, pair.second, depth);
    }
    return n;
  }

 private:
  void add_member(Node& n, const YAML::Node& key, const YAML::Node& value, int depth) {
    const Place at = place_of(key.Mark(), file_, first_line_);
    if (!key.IsScalar()) return errors_.add(at, "a key is not a single value", "a name");
    if (n.find(key.Scalar())) return errors_.add(at, "key '" + key.Scalar() + "' is given twice", "each key once");
    Node child = convert(value, depth + 1);
    if (child.kind == Node::Kind::null) child.place = at;
    n.keys.push_back(key.Scalar());
    n.key_places.push_back(at);
    n.items.push_back(std::move(child));
  }

  File file_;
  int first_line_;
  Limits limits_;
  Diagnostics& errors_;
  std::size_t count_ = 0;
};

void check_text(std::string_view text, const File& file, int first_line) {
  int line = first_line, column = 1;
  std::size_t brackets = 0;
  for (const char c : text) {
    if (c == '\0') throw InputError({file, line, column}, "a NUL byte", "text");
    if (c == '[' || c == '{') ++brackets;
    if (c == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& name, int first_line, const Limits& limits) {
  const auto file = std::make_shared<const std::string>(name);
  if (text.size() > limits.bytes)
    throw InputError({file, 0, 0}, "the file is too large", "at most " + std::to_string(limits.bytes >> 20) + " MiB");
  check_text(text, file, first_line);
  Diagnostics errors;
  Node root;
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.empty() || documents[0].IsNull())
      throw InputError({file, first_line, 1}, "the document is empty", "keys and values");
    if (documents.size() > 1) throw InputError({file, first_line, 1}, "more than one document", "a single document");
    root = Converter(file, first_line, limits, errors).convert(documents[0], 0);
  } catch (const YAML::Exception& e) {
    throw InputError(place_of(e.mark, file, first_line), e.msg, "valid YAML");
  }
  errors.throw_if_any();
  return root;
}

std::string read_text(const std::filesystem::path& path, const Limits& limits) {
  const auto file = std::make_shared<const std::string>(path.string());
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw InputError({file, 0, 0}, "no such file", "a readable file");
  if (std::filesystem::is_directory(path, error)) throw InputError({file, 0, 0}, "is a folder", "a file");
  if (!std::filesystem::is_regular_file(path, error)) throw InputError({file, 0, 0}, "is not a regular file", "a file");
  if (std::filesystem::file_size(path, error) > limits.bytes)
    throw InputError({file, 0, 0}, "the file is too large", "at most " + std::to_string(limits.bytes >> 20) + " MiB");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError({file, 0, 0}, "cannot be opened", "a readable file");
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

Node parse_yaml_file(const std::filesystem::path& path, const Limits& limits) {
  return parse_yaml(read_text(path, limits), path.string(), 1, limits);
}

std::vector<Node> parse_json_lines(const std::filesystem::path& path, const Limits& limits) {
  const std::string text = read_text(path, limits);
  std::vector<Node> records;
  Diagnostics errors;
  std::size_t begin = 0;
  for (int line = 1; begin < text.size(); ++line) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    const std::string_view row = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      Node n = parse_yaml(row, path.string(), line, limits);
      if (!n.is_map()) errors.add(n.place, "a record is " + std::string(kind_name(n.kind)), "a JSON object");
      records.push_back(std::move(n));
    } catch (const InputError& e) {
      errors.add(e);
    }
  }
  errors.throw_if_any();
  return records;
}

Node parse_value(std::string_view text, const std::string& origin) { return parse_yaml(text, origin); }

}  // namespace rooftile::input
