// Whatever the bytes are: a document or an InputError, never anything else.
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "tests/sim/core/input/toy_spec.hpp"

using namespace rooftile::input;
using namespace rooftile::input::toy;

namespace {

// True if the text is a readable chip. Any exception but InputError fails the test by itself.
bool readable(const std::string& text) {
  try {
    const Node node = parse_yaml(text, "f.yaml");
    parse_yaml(dump_yaml(node), "dumped");  // what can be read can be written and read again
    read<Chip>(node);
    return true;
  } catch (const InputError& e) {
    CHECK(e.what()[0] != '\0');
    return false;
  }
}
bool readable_json(const std::string& text) {
  try {
    read<Chip>(parse_json(text, "f.json"));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::string mutated(std::string text, std::mt19937& random) {
  static const std::string kBytes = "{}[]:,-&*!|>'\"#%@`?~ \n\t\r\\<=.0e\xC3\xA9";
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (std::size_t edits = 1 + pick(6); edits > 0 && text.size() > 20; --edits) {
    const std::size_t at = pick(text.size());
    switch (pick(4)) {
      case 0:
        text[at] = kBytes[pick(kBytes.size())];
        break;
      case 1:
        text.insert(at, 1 + pick(3), kBytes[pick(kBytes.size())]);
        break;
      case 2:
        text.erase(at, 1 + pick(8));
        break;
      default:
        text.insert(at, text.substr(pick(text.size() - 8), pick(20)));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("Every beginning of a valid YAML document is read or refused") {
  const std::string text = kChip;
  CHECK(readable(text));
  for (std::size_t n = 0; n < text.find("read_bandwidth"); ++n) CHECK_FALSE(readable(text.substr(0, n)));
  for (std::size_t n = 0; n < text.size(); ++n) readable(text.substr(0, n));
}

TEST_CASE("Every beginning of a valid JSON document but the whole is refused") {
  const std::string text = dump_json(write(read<Chip>(parse_yaml(kChip, "f"))));
  CHECK(readable_json(text));
  for (std::size_t n = 0; n < text.size(); ++n) CHECK_FALSE(readable_json(text.substr(0, n)));
}

TEST_CASE("Random damage to a document is read or refused") {
  std::mt19937 random(20240607);
  const std::string json = dump_json(write(read<Chip>(parse_yaml(kChip, "f"))));
  for (int i = 0; i < 3000; ++i) {
    readable(mutated(kChip, random));
    readable(mutated(json, random));
    readable_json(mutated(json, random));
  }
}

TEST_CASE("Texts that broke other YAML readers are read or refused") {
  for (const char* text : {"!2",
                           "!",
                           "!<",
                           "&",
                           "*",
                           "? ",
                           ": ",
                           "- - - -",
                           "{",
                           "}",
                           "[",
                           "]",
                           "{,}",
                           "[,]",
                           "|",
                           ">",
                           "|9",
                           "'",
                           "\"",
                           "%",
                           "%YAML 9.9\n---\na",
                           "--- |",
                           "a: |+2\n x",
                           "&a [*a]",
                           "{? a}",
                           "? [a\n",
                           "\"\\x",
                           "\"\\u12",
                           "'\n\n",
                           "a:\n- b\n c",
                           "...",
                           "---\n...\n---",
                           "{a: &b *b}",
                           "-\n-\n  -",
                           "? ?"}) {
    INFO(text);
    readable(text);
  }
  for (const char open : {'[', '{', '-', '?', '"', '\'', '&', '!', '|', ':'}) {
    std::string many;
    for (int i = 0; i < 3000; ++i) many += std::string(1, open) + ' ';
    readable(many);
    readable(std::string(3000, open));
  }
}
