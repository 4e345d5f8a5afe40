#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "tests/sim/core/input/toy_spec.hpp"

using namespace rooftile::input;
using namespace rooftile::input::toy;
using Catch::Contains;

namespace {
std::string json_errors(const std::string& text) {
  return errors_of([&] { parse_json(text, "f.json"); });
}
std::string line_errors(const std::string& text, std::vector<Node>* read = nullptr) {
  return errors_of([&] {
    parse_json_lines(text, "r.jsonl", [&](Node&& n) {
      if (read != nullptr) read->push_back(std::move(n));
    });
  });
}
}  // namespace

TEST_CASE("JSON text keeps its escapes, numbers their spelling") {
  const Node root = parse_json(R"({"a": "x\"\\\/\n\u00e9\ud83d\ude00", "b": -1.50e+3, "c": [true, null]})", "f");
  CHECK(root.find("a")->text() == "x\"\\/\n\xC3\xA9\xF0\x9F\x98\x80");
  CHECK(root.find("a")->quoted());
  CHECK(root.find("b")->text() == "-1.50e+3");
  CHECK_FALSE(root.find("c")->items()[0].quoted());
  CHECK(root.find("c")->items()[1].is_null());
}

TEST_CASE("Broken JSON is an error at the place where it breaks") {
  CHECK(json_errors("{\"a\": 1,\n \"a\": 2}") == "f.json:2:2: the key `a` is given twice, expected each key once");
  CHECK_THAT(json_errors("{\"a\": 1"), Contains("f.json:1:8: the text ends too early, expected `,` or `}`"));
  CHECK_THAT(json_errors("[1, 2,]"), Contains("1:7: a comma before the closing bracket"));
  CHECK_THAT(json_errors("[1 2]"), Contains("1:4: unexpected text"));
  CHECK_THAT(json_errors("{a: 1}"), Contains("1:2: no key here"));
  CHECK_THAT(json_errors("\"abc"), Contains("1:5: the text ends too early"));
  CHECK_THAT(json_errors("[1] x"), Contains("1:5: text after the end"));
  CHECK_THAT(json_errors(std::string(100, '[')), Contains("1:65: nested deeper than 64"));
  for (const char* bad : {"01",          "1.",  ".5",  "+1",   "NaN",     "Infinity",    "1e",
                          "tru",         "'a'", "--1", "0x10", "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"",
                          "\"\\u0000\"", "",    "  ",  "]",    ",",       "{\"a\" 1}",   "{\"a\":}"}) {
    INFO(bad);
    CHECK_FALSE(json_errors(bad).empty());
  }
}

TEST_CASE("Each JSON line knows its true line number") {
  std::vector<Node> read;
  CHECK(line_errors("{\"a\": 1}\n\n{\"a\": 2}\r\n", &read).empty());
  REQUIRE(read.size() == 2);
  CHECK(to_string(read[1].find("a")->place()) == "r.jsonl:3:7");
}

TEST_CASE("All broken lines of a JSON Lines file are reported together, and the good ones are read") {
  std::vector<Node> read;
  const auto text = line_errors("{\"a\": 1}\n{\"a\": \n{\"a\": 3}\n{\"a\": \"x", &read);
  CHECK(read.size() == 2);
  CHECK_THAT(text, Contains("r.jsonl:2:7: the text ends too early"));
  CHECK_THAT(text, Contains("r.jsonl:4:9: the text ends too early"));
}

TEST_CASE("Thousands of long JSON lines are read in well under a second") {
  std::string line = "{\"op\": \"grouped_gemm\", \"rows_per_group\": [0";
  for (int i = 1; i < 256; ++i) line += ", " + std::to_string(i * 37 % 1000);
  line += "], \"measured\": {\"sustained_us\": 12.5}}\n";
  std::string text;
  for (int i = 0; i < 2000; ++i) text += line;
  std::size_t items = 0;
  const auto start = std::chrono::steady_clock::now();
  parse_json_lines(text, "r.jsonl", [&](Node&& n) { items += n.find("rows_per_group")->items().size(); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(items == 2000 * 256);
  CHECK(took.count() < 2.0);  // about 0.05 s when optimised; generous for a busy machine
}
