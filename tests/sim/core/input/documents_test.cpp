#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/sim/core/input/toy_spec.hpp"

using namespace rooftile::input;
using namespace rooftile::input::toy;
using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("Every part of a YAML document knows its line and column") {
  const Node root = parse_yaml("a: 1\nops:\n  - {op: gemm, m: 8}\n  - x\n", "f.yaml");
  CHECK(to_string(find_path(root, "a")->place()) == "f.yaml:1:4");
  CHECK(to_string(find_path(root, "ops.0.m")->place()) == "f.yaml:3:19");
  CHECK(to_string(find_path(root, "ops.1")->place()) == "f.yaml:4:5");
  CHECK(to_string(root.key_place(root.members()[1])) == "f.yaml:2:1");
}

TEST_CASE("A scalar remembers whether it stood in quotes") {
  const Node root = parse_yaml("[5, '5', \"5\", 4.8 TB/s, ~]", "f");
  CHECK_FALSE(root.items()[0].quoted());
  CHECK(root.items()[1].quoted());
  CHECK(root.items()[2].quoted());
  CHECK(root.items()[3].text() == "4.8 TB/s");
  CHECK(root.items()[4].is_null());
}

TEST_CASE("A repeated key is an error at its second place") {
  CHECK(yaml_errors("a: 1\nb: 2\na: 3\n") == "f.yaml:3:1: the key `a` is given twice, expected each key once");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "k" + std::to_string(i) + ": 1\n";
  CHECK(yaml_errors(many).empty());
  CHECK_THAT(yaml_errors(many + "k7: 2\n"), StartsWith("f.yaml:101:1: the key `k7` is given twice"));
}

TEST_CASE("A tab in the indentation is an error") {
  CHECK(yaml_errors("a:\n\tb: 1\n  \tc: 2\n") ==
        "f.yaml:2:1: a tab in the indentation, expected spaces\n"
        "f.yaml:3:3: a tab in the indentation, expected spaces");
}

TEST_CASE("Anchors, aliases, merge keys and tags are all reported at once") {
  const auto text = yaml_errors("a: &x {b: 1}\nc: *x\n<<: {d: 1}\ne: !!int 3\nf: ! x\n");
  CHECK_THAT(text, Contains("1:4: an anchor"));
  CHECK_THAT(text, Contains("2:4: an alias"));
  CHECK_THAT(text, Contains("3:1: a merge key"));
  CHECK_THAT(text, Contains("4:4: a tag (tag:yaml.org,2002:int)"));
  CHECK_THAT(text, Contains("5:4: a tag"));
}

TEST_CASE("A document without content is an error") {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "~"}) {
    INFO(text);
    CHECK(yaml_errors(text) == "f.yaml:1:1: nothing in it, expected a document");
  }
}

TEST_CASE("A second document is an error") {
  CHECK_THAT(yaml_errors("a: 1\n---\nb: 2\n"), Contains("2:1: text after the end of the document"));
}

TEST_CASE("A key that stands alone is an error") {
  CHECK_THAT(yaml_errors("a: 1\nb\n"), StartsWith("f.yaml:2:1:"));
  CHECK(yaml_errors("{a: 1, b}") == "f.yaml:1:8: `b` stands alone, expected `key: value`");
  CHECK(yaml_errors("a: 1\nb:\n").empty());
}

TEST_CASE("Text without its closing quote is an error") {
  CHECK_FALSE(yaml_errors("a: \"x\n").empty());
  CHECK_FALSE(yaml_errors("a: 'x''").empty());
  CHECK_FALSE(yaml_errors("a: \"x\\\"").empty());
  CHECK(yaml_errors("a: 'it''s'\nb: \"\\\"\"\n").empty());
}

TEST_CASE("Bytes that are no text are an error with their place") {
  CHECK(yaml_errors(std::string("a: 1\nb: \0", 9)) == "f.yaml:2:4: a NUL byte, expected a text file");
  CHECK_THAT(yaml_errors("a: \x01"), StartsWith("f.yaml:1:4: a control character"));
  for (const char* bad : {"a: \xff", "a: \xc0\xaf", "a: \xed\xa0\x80", "a: \xe2\x82", "a: \xf5\x80\x80\x80"}) {
    CHECK(yaml_errors(bad) == "f.yaml:1:4: bytes that are not UTF-8, expected a text file in UTF-8");
  }
  CHECK(parse_yaml("\xEF\xBB\xBF"
                   "a: µs €\n",
                   "f")
            .find("a")
            ->text() == "µs €");
}

TEST_CASE("Size, depth and number of values are limited") {
  Limits limits;
  CHECK_THAT(yaml_errors(std::string(64, '[') + std::string(64, ']')), !Contains("nested"));
  CHECK_THAT(yaml_errors(std::string(65, '[') + std::string(65, ']')), Contains("1:65: nested deeper than 64 levels"));
  CHECK_THAT(yaml_errors(std::string(1'000'000, '[')), Contains("f.yaml:1:"));
  CHECK_THAT(yaml_errors(std::string(1'000'000, '{')), Contains("f.yaml:1:"));
  limits.values = 10;
  CHECK_THAT(yaml_errors("[1,2,3,4,5,6,7,8,9,10,11]", limits), Contains("more than 10 values"));
  limits.bytes = 10;
  CHECK(yaml_errors("a: 12345678", limits) == "f.yaml: larger than 10 bytes, expected a smaller file");
}

TEST_CASE("A file that cannot be read is an error that names it") {
  CHECK_THAT(errors_of([] { parse_file("/nonexistent/x.yaml"); }), StartsWith("/nonexistent/x.yaml: cannot be read"));
  CHECK_THAT(errors_of([] { parse_file("/"); }), StartsWith("/: cannot be read"));
  Limits limits;
  limits.bytes = 1 << 20;
  CHECK_THAT(errors_of([&] { parse_file("/dev/zero", limits); }), Contains("larger than"));
}

TEST_CASE("Diagnostics come sorted, once each, and their number is bounded") {
  Diagnostics found;
  found.add({"b", 1, 1}, "later file");
  found.add({"a", 10, 1}, "ten");
  found.add({"a", 9, 2}, "nine", "less");
  found.add({"a", 10, 1}, "ten");
  CHECK(found.text() == "a:9:2: nine, expected less\na:10:1: ten\nb:1:1: later file");
  for (int i = 0; i < 2000; ++i) found.add({"c", i + 1, 1}, "x");
  CHECK(found.count() == 2004);
  CHECK_THAT(found.text(), Contains("and 1004 more errors"));
}
