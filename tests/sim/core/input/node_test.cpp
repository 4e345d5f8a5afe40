#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/core/input/suggest.hpp"
#include "tests/sim/core/input/toy_spec.hpp"

using namespace rooftile::input;
using namespace rooftile::input::toy;
using Catch::Contains;

namespace {
Node doc() { return parse_yaml("hardware: {l2: {capacity: 50 MB}}\nops:\n  - {op: gemm, batch: 1}\n", "f.yaml"); }
std::string set_errors(const std::string& path, Missing missing = Missing::kRefuse) {
  Node root = doc();
  return errors_of([&] { set_path(root, path, Node::scalar("4").at({"--set", 1, 1}), missing); });
}
}  // namespace

TEST_CASE("A dotted path reaches into maps and lists") {
  Node root = doc();
  set_path(root, "ops.0.batch", Node::scalar("4"));
  set_path(root, "hardware.l2.capacity", Node::scalar("60 MB"));
  set_path(root, "clock", Node::scalar("burst"));
  CHECK(find_path(root, "ops.0.batch")->text() == "4");
  CHECK(find_path(root, "hardware.l2.capacity")->text() == "60 MB");
  CHECK(root.find("clock")->text() == "burst");
  CHECK(find_path(root, "ops.1.batch") == nullptr);
}

TEST_CASE("A path that leads nowhere is an error with a suggestion") {
  CHECK(set_errors("hardwar.l2.capacity") ==
        "--set:1:1: no `hardwar` (did you mean `hardware`?), expected one of hardware, ops");
  CHECK_THAT(set_errors("hardware.l3.capacity"), Contains("no `hardware.l3` (did you mean `l2`?)"));
  CHECK_THAT(set_errors("ops.1.batch"), Contains("no `ops.1`, expected a position from 0 to 0"));
  CHECK_THAT(set_errors("ops.first.batch"), Contains("no `ops.first`"));
  CHECK_THAT(set_errors("ops.0.batch.x"), Contains("what holds it is a single value"));
  CHECK_THAT(set_errors("ops..batch"), Contains("empty part"));
  CHECK_THAT(set_errors(""), Contains("empty part"));
  CHECK(set_errors("precision.kv_cache", Missing::kCreate).empty());
  CHECK_THAT(set_errors("ops.99999999999999999999", Missing::kCreate), Contains("position from 0 to 0"));
}

TEST_CASE("A copy of a document is independent of the original") {
  const Node original = doc();
  Node copy = original;
  set_path(copy, "ops.0.batch", Node::scalar("9"));
  CHECK(find_path(original, "ops.0.batch")->text() == "1");
}

TEST_CASE("Dumped YAML reads back as the same document") {
  Node root = parse_yaml(kChip, "f.yaml");
  const std::string odd = R"({"a: b": "- x", "#": "", t: "true", n: "12", s: ' x ', l: "a\nb\t\u0007é", e: [], m: {},
    deep: [[1, [2, {k: [v, "~"]}]], {q: null}], long: [)";
  root.set("odd", parse_yaml(odd + std::string(60, 'a') + ", " + std::string(60, 'b') + "]}", "g.yaml"));
  const std::string text = dump_yaml(root);
  CHECK(dump_yaml(parse_yaml(text, "again")) == text);
  CHECK(dump_json(parse_yaml(text, "again")) == dump_json(root));
}

TEST_CASE("Strings that look like something else are written in quotes") {
  for (const std::string s :
       {"",     "true", "null", "~",  "12",  "-3", "1e5", ".5", "a: b", "#x", "- a", "[x]",  "x ", " x", "é",
        "a\nb", "\x07", "\"",   "\\", "yes", "*a", "&a",  "!t", "%",    "@",  "`",   "a #b", "?",  "-"}) {
    INFO(s);
    Node root = Node::map();
    root.set("k", Node::string(s));
    root.set(s.empty() ? "e" : s, Node::string("v"));
    Node list = Node::sequence();
    list.append(Node::string(s));
    root.set("l", list);
    const Node yaml = parse_yaml(dump_yaml(root), "f");
    const Node json = parse_json(dump_json(root), "f");
    CHECK(yaml.find("k")->text() == s);
    CHECK(json.find("k")->text() == s);
    CHECK(yaml.find("l")->items()[0].text() == s);
    CHECK(json.find(s.empty() ? "e" : s)->text() == "v");
  }
}

TEST_CASE("JSON output keeps numbers and words bare and quotes the rest") {
  const Node root = parse_yaml("{a: 1, b: 4.8 TB/s, c: true, d: '1', e: ~, f: [x, 0x1], g: {}}", "f");
  CHECK(dump_json(root, -1) ==
        R"({"a": 1, "b": "4.8 TB/s", "c": true, "d": "1", "e": null, "f": ["x", "0x1"], "g": {}})");
}

TEST_CASE("A slip of the pen is recognised and a different word is not") {
  const std::vector<std::string> names{"batch", "q_heads", "kv_heads", "head_dim", "q_len", "kv_len", "mask", "impl"};
  CHECK(nearest("bacth", names) == "batch");
  CHECK(nearest("Batch", names) == "batch");
  CHECK(nearest("kv_head", names) == "kv_heads");
  CHECK(nearest("headdim", names) == "head_dim");
  CHECK(nearest("batch_size", names) == "batch");
  CHECK(nearest("kvlen", names) == "kv_len");
  CHECK(nearest("temperature", names).empty());
  CHECK(nearest("x", names).empty());
  CHECK(nearest(std::string(100'000, 'a'), names).empty());
  CHECK(edit_distance("abcd", "abdc") == 1);
}
