#include "sim/core/input/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "sim/core/input/new_keys.hpp"

namespace rooftile::input {
namespace {

// What yaml-cpp lets pass: it takes the end of the text for a closing quote, and a lone word for a key.
class RawText {
 public:
  explicit RawText(std::string_view text) : text_(text) {}
  char byte(std::ptrdiff_t i) const {
    return i >= 0 && i < static_cast<std::ptrdiff_t>(text_.size()) ? text_[static_cast<std::size_t>(i)] : '\0';
  }
  bool quote_closes(std::ptrdiff_t i) const {
    const char quote = byte(i);
    if (quote != '"' && quote != '\'') return true;
    for (++i; byte(i) != quote; ++i) {
      if (byte(i) == '\0') return false;
      if (quote == '"' && byte(i) == '\\') ++i;
    }
    return true;
  }
  bool colon_follows(std::ptrdiff_t i, const Node& key) const {
    if (key.quoted() || key.text().empty() || byte(i) != key.text()[0]) return true;
    for (i += static_cast<std::ptrdiff_t>(key.text().size()); byte(i) == ' ';) ++i;
    return byte(i) == ':';
  }

 private:
  std::string_view text_;
};

// Builds the tree from the parser's events, so that limits act before anything grows.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, FileName file, const Limits& limits)
      : text_(text), file_(std::move(file)), limits_(limits) {}
  Node take() {
    found_.throw_if_any();
    return std::move(root_);
  }
  const Diagnostics& found() const { return found_; }

  void OnDocumentStart(const YAML::Mark& at) override {
    if (++documents_ > 1) fail(at, "text after the end of the document", "one document per file");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& at, YAML::anchor_t anchor) override {
    check(at, anchor, "?");
    value(Node{}, at);
  }
  void OnAlias(const YAML::Mark& at, YAML::anchor_t) override {
    found_.add(place(at), "an alias (*name)", "the value itself");
    value(Node{}, at);
  }
  void OnScalar(const YAML::Mark& at, const std::string& tag, YAML::anchor_t anchor, const std::string& text) override {
    const bool quoted = tag == "!";
    check(at, anchor, quoted && text_.byte(at.pos) != '!' ? "?" : tag);
    if (quoted && !text_.quote_closes(at.pos)) {
      found_.add(place(at), "text without its closing quote", std::string(1, text_.byte(at.pos)));
    }
    value(Node::scalar(text, quoted), at);
  }
  void OnSequenceStart(const YAML::Mark& at, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::sequence(), at, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& at, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::map(), at, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    std::optional<std::string> key;  // waiting for its value
    bool keep = true;                // false: the key was refused
    bool colon = true;               // false: the key stands alone
    Mark key_mark;
    NewKeys keys;
  };

  Place place(const YAML::Mark& at) const { return {*file_, at.line + 1, at.column + 1}; }
  [[noreturn]] void fail(const YAML::Mark& at, std::string what, std::string expected) {
    found_.add(place(at), std::move(what), std::move(expected));
    throw InputError(found_);
  }
  void check(const YAML::Mark& at, YAML::anchor_t anchor, const std::string& tag) {
    if (++values_ > limits_.values) {
      fail(at, "more than " + std::to_string(limits_.values) + " values", "a smaller document");
    }
    if (anchor != 0) found_.add(place(at), "an anchor (&name)", "plain data");
    if (tag != "?" && !tag.empty()) found_.add(place(at), "a tag (" + tag + ")", "plain data");
  }
  bool wants_key() const { return !open_.empty() && open_.back().node.is_map() && !open_.back().key; }
  void open(Node node, const YAML::Mark& at, const std::string& tag, YAML::anchor_t anchor) {
    check(at, anchor, tag);
    if (wants_key()) fail(at, "a list or map as a key, or a bracket that is never closed", "a name");
    if (static_cast<int>(open_.size()) >= limits_.depth) {
      fail(at, "nested deeper than " + std::to_string(limits_.depth) + " levels", "a flatter document");
    }
    open_.emplace_back().node = std::move(node.at(file_, {at.line + 1, at.column + 1}));
  }
  void close() {
    Node done = std::move(open_.back().node);
    open_.pop_back();
    attach(std::move(done));
  }
  void value(Node node, const YAML::Mark& at) {
    Mark mark{at.line + 1, at.column + 1};
    if (wants_key()) return key(node, at, mark);
    // The parser reports an empty value where the next token stands; its key is the better place.
    if (node.is_null() && !open_.empty() && open_.back().node.is_map()) {
      const Open& map = open_.back();
      mark = map.key_mark;
      if (!map.colon) found_.add({*file_, mark.line, mark.column}, "`" + *map.key + "` stands alone", "`key: value`");
    }
    attach(std::move(node.at(file_, mark)));
  }
  void key(const Node& node, const YAML::Mark& at, Mark mark) {
    Open& map = open_.back();
    map.keep = map.keys.add(map.node, node.text());
    map.key = node.text();
    map.key_mark = mark;
    map.colon = text_.colon_follows(at.pos, node);
    if (node.text().empty()) {
      found_.add(place(at), "an empty key", "a name");
    } else if (node.text() == "<<" && !node.quoted()) {
      found_.add(place(at), "a merge key (<<)", "the keys themselves");
    } else if (!map.keep) {
      found_.add(place(at), "the key `" + node.text() + "` is given twice", "each key once");
    }
  }
  void attach(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = open_.back(); parent.node.is_map()) {
      if (parent.keep) parent.node.add_unchecked(std::move(*parent.key), std::move(node), parent.key_mark);
      parent.key.reset();
    } else {
      parent.node.append(std::move(node));
    }
  }

  RawText text_;
  FileName file_;
  Limits limits_;
  Diagnostics found_;
  std::vector<Open> open_;
  Node root_;
  std::size_t values_ = 0;
  int documents_ = 0;
};

void refuse_tabs(std::string_view text, const std::string& file) {
  Diagnostics found;
  int line = 1;
  for (std::size_t start = 0; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view row = text.substr(start, end - start);
    const std::size_t first = row.find_first_not_of(" \t\r");
    const std::size_t tab = row.find('\t');
    if (first != std::string_view::npos && tab < first) {
      found.add({file, line, static_cast<int>(tab) + 1}, "a tab in the indentation", "spaces");
    }
    start = end + 1;
  }
  found.throw_if_any();
}

}  // namespace

Node parse_yaml(std::string_view text, std::string file, const Limits& limits) {
  text = checked_text(text, file, limits);
  refuse_tabs(text, file);
  TreeBuilder builder(text, file_name(file), limits);
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& e) {
    Diagnostics found = builder.found();
    found.add({file, e.mark.line + 1, e.mark.column + 1}, "not valid YAML: " + e.msg);
    throw InputError(found);
  }
  Node root = builder.take();
  if (root.is_null()) throw InputError({file, 1, 1}, "nothing in it", "a document");
  return root;
}

}  // namespace rooftile::input
