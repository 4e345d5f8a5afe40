#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/core/input/toy_spec.hpp"

using namespace rooftile;
using namespace rooftile::input;
using namespace rooftile::input::toy;
using Catch::Contains;

TEST_CASE("A spec is read with all its kinds of fields") {
  const Chip chip = read<Chip>(parse_yaml(kChip, "f.yaml"));
  CHECK(chip.name == "toy");
  CHECK(chip.efficiency == 0.5);
  CHECK(chip.coherent);
  CHECK(chip.mask == Mask::kCausal);
  CHECK(chip.l2.capacity.value == core::Bytes{50 << 20});
  CHECK(chip.l2.capacity.source == "datasheet, page 3");
  CHECK(chip.l2.capacity.spread->value == 0.02);
  CHECK(chip.l2.latency == core::Time{67'000});
  CHECK(chip.gpcs == std::vector<std::int64_t>{1, 3});
  CHECK(chip.boost->value == 1.98e9);
  CHECK(chip.rails.at("memory").value == 75.5);
  REQUIRE(chip.vary.size() == 2);
  CHECK(chip.vary[0].first == "l2.capacity");
  CHECK(chip.vary[0].second.items()[1].text() == "60 MB");
}

TEST_CASE("Keys that may be absent keep their initial values") {
  const Chip chip = read<Chip>(
      parse_yaml("{name: x, sms: 2, boost: ~, l2: {capacity: {value: 1 GB, source: s}, read_bandwidth: 1 TB/s}}", "f"));
  CHECK(chip.efficiency == 1);
  CHECK(chip.l2.latency == core::Time{200'000});
  CHECK_FALSE(chip.boost.has_value());
}

TEST_CASE("All mistakes of a document are reported at once, in the order of the file") {
  const auto text = chip_errors(
      "nme: toy\n"
      "sms: 0\n"
      "efficiency: high\n"
      "coherent: yes\n"
      "mask: casual\n"
      "l2:\n"
      "  capacity: 50 MB\n"
      "  read_bandwidth: 5.5\n"
      "  latency: [1]\n"
      "gpcs: [1, 65, x]\n"
      "rails: {core: -3 W}\n");
  CHECK(
      text ==
      "f.yaml:1:1: the key `name` is missing (what people call it), expected text\n"
      "f.yaml:1:1: unknown key `nme` (did you mean `name`?), expected one of name, sms, efficiency, coherent, mask, "
      "l2, gpcs, boost, rails, vary, small\n"
      "f.yaml:2:6: sms: `0` is out of range, expected from 1 to 4096\n"
      "f.yaml:3:13: efficiency: `high` is not a plain number, expected a number such as 0.5 or 3e-2\n"
      "f.yaml:4:11: coherent: `yes` is no truth value, expected true or false\n"
      "f.yaml:5:7: mask: unknown name `casual` (did you mean `causal`?), expected one of none, causal, causal_window\n"
      "f.yaml:7:13: l2.capacity: a hardware number without a source, expected {value: ..., source: \"where from\"}, "
      "the value a size such as 50 MiB\n"
      "f.yaml:8:19: l2.read_bandwidth: `5.5` has no unit, expected a bandwidth such as 4.8 TB/s (units: B/s, kB/s, "
      "MB/s, GB/s, TB/s, PB/s, KiB/s, MiB/s, GiB/s, TiB/s, PiB/s, kbit/s, Mbit/s, Gbit/s, Tbit/s)\n"
      "f.yaml:9:12: l2.latency: is a list, expected a time such as 67 ns\n"
      "f.yaml:10:11: gpcs.1: `65` is out of range, expected from 1 to 64\n"
      "f.yaml:10:15: gpcs.2: `x` is not a whole number, expected a whole number such as 128\n"
      "f.yaml:11:15: rails.core: `-3 W` is out of range, expected from 0 W to 1 GW");
}

TEST_CASE("A value of the wrong kind is an error") {
  const auto with = [](const char* what, const char* by) { return chip_errors(replaced(kChip, what, by)); };
  CHECK_THAT(with("sms: 4", "sms: '4'"), Contains("sms: \"4\" is text, in quotes, expected a whole number"));
  CHECK_THAT(with("sms: 4", "sms: 4.5"), Contains("not a whole number"));
  CHECK_THAT(with("sms: 4", "sms:"), Contains("f.yaml:2:1: sms: has no value"));
  CHECK_THAT(with("sms: 4", "sms: 99999999999999999999"), Contains("does not fit in 64 bits"));
  CHECK_THAT(with("name: toy", "name: [toy]"), Contains("name: is a list, expected text"));
  CHECK_THAT(with("gpcs: [1, 3]", "gpcs: 4"), Contains("gpcs: is a single value, expected a list"));
  CHECK_THAT(with("coherent: true", "coherent: 'true'"), Contains("no truth value"));
  CHECK_THAT(with("efficiency: 0.5", "efficiency: .nan"), Contains("not a plain number"));
  CHECK_THAT(with("boost: 1980 MHz", "small: 3000000000"), Contains("small: `3000000000` is out of range"));
  CHECK_THAT(chip_errors("- 1\n"), Contains("1:1: is a list, expected a map with keys: name, sms"));
}

TEST_CASE("A hardware number states a source that is not empty") {
  const auto with = [](const char* by) {
    return chip_errors(replaced(kChip, "{value: 50 MiB, source: \"datasheet, page 3\", spread: 2 %}", by));
  };
  CHECK_THAT(with("{value: 50 MiB}"), Contains("l2.capacity: the key `source` is missing"));
  CHECK_THAT(with("{value: 50 MiB, source: ' '}"), Contains("the source of a hardware number is empty"));
  CHECK_THAT(with("{value: 50, source: s}"), Contains("l2.capacity: `50` has no unit"));
  CHECK_THAT(with("{value: 50 kB, source: s}"), Contains("l2.capacity: `50 kB` is out of range, expected from 1 MiB"));
  CHECK_THAT(with("{value: 0.5 B, source: s}"), Contains("out of range"));
  CHECK_THAT(with("{value: 2000000.5 B, source: s}"), Contains("not a whole number of B"));
  CHECK_THAT(with("{value: 50 MB, source: s, measured: {date: 2026-01-02}}"), Contains("the key `file` is missing"));
  CHECK(with("{value: 50 MB, source: s, hand_kept: true, measured: {date: 2026-01-02, file: a.jsonl}}").empty());
}

TEST_CASE("A check across fields runs once the fields are readable") {
  CHECK(chip_errors(replaced(kChip, "[1, 3]", "[2, 3]")) == "f.yaml:1:1: the GPCs hold 5 SMs, expected sms");
  CHECK_THAT(chip_errors(replaced(kChip, "[1, 3]", "[2, x]")), !Contains("hold"));
}

TEST_CASE("Unknown keys can be ignored where a record holds more than a spec") {
  const Node node = parse_yaml(std::string(kChip) + "measured: {us: 3}\n", "f.yaml");
  CHECK_THAT(errors_of([&] { read<Chip>(node); }), Contains("unknown key `measured`"));
  CHECK(errors_of([&] { read<Chip>(node, UnknownKeys::kIgnore); }).empty());
}

TEST_CASE("A spec written to YAML or JSON reads back as the same spec") {
  const Chip chip = read<Chip>(parse_yaml(kChip, "f.yaml"));
  const Node node = write(chip);
  const std::string yaml = dump_yaml(node), json = dump_json(node);
  CHECK(dump_yaml(write(read<Chip>(parse_yaml(yaml, "again")))) == yaml);
  CHECK(dump_json(write(read<Chip>(parse_json(json, "again")))) == json);
  CHECK_THAT(yaml, Contains("  capacity: {value: 50 MiB, source: \"datasheet, page 3\", spread: 2 %}\n"));
}

TEST_CASE("The schema of a spec states kinds, ranges, names and defaults") {
  const Node s = schema<Chip>("toy chip");
  CHECK(s.find("$schema")->text() == "https://json-schema.org/draft/2020-12/schema");
  CHECK(s.find("additionalProperties")->text() == "false");
  CHECK(dump_json(*s.find("required"), -1) == R"(["name", "sms", "l2"])");
  CHECK(dump_json(*find_path(s, "properties.sms"), -1) ==
        R"({"type": "integer", "minimum": 1, "maximum": 4096, "description": "streaming multiprocessors"})");
  CHECK(
      dump_json(*find_path(s, "properties.mask"), -1) ==
      R"({"enum": ["none", "causal", "causal_window"], "description": "which keys a query sees", "default": "none"})");
  CHECK(find_path(s, "properties.gpcs.items.maximum")->text() == "64");
  CHECK(find_path(s, "properties.l2.properties.latency.default")->text() == "200 ns");
  CHECK_THAT(find_path(s, "properties.l2.properties.capacity.properties.value.pattern")->text(), Contains("|MiB|"));
  CHECK(dump_json(s) == dump_json(parse_json(dump_json(s), "f")));
}

TEST_CASE("A dotted path is resolved to its field") {
  const Target t = resolve<Chip>("l2.capacity");
  CHECK(t.meaning == "all partitions");
  CHECK(t.type->is_sourced());
  CHECK(t.number(Node::scalar("60 MB")) == 60e6);
  CHECK(errors_of([] {
          resolve<Chip>("l2.capcity", {"--set", 0, 0});
        }) ==
        "--set: no field `l2.capcity` (did you mean `capacity`?), expected one of capacity, read_bandwidth, latency");
  CHECK_THAT(errors_of([] { resolve<Chip>("sms.x"); }), Contains("no field `sms.x`, expected a whole number"));
  CHECK(errors_of([] { resolve<Chip>("rails.anything"); }).empty());
}

TEST_CASE("An assignment sets a field, and the option becomes the source of a hardware number") {
  Node root = parse_yaml(kChip, "f.yaml");
  for (const char* text : {"l2.capacity=30 MB", "gpcs.1=2", "sms=3", "rails.io=5 W"}) {
    const Assignment a = parse_assignment(text);
    assign<Chip>(root, a.path, a.value);
  }
  const Chip chip = read<Chip>(root);
  CHECK(chip.l2.capacity.value == core::Bytes{30'000'000});
  CHECK(chip.l2.capacity.source == "--set l2.capacity:1:1");
  CHECK(chip.gpcs == std::vector<std::int64_t>{1, 2});
  CHECK(chip.rails.at("io").value == 5);
  CHECK_FALSE(errors_of([] { parse_assignment("novalue"); }).empty());
  CHECK_FALSE(errors_of([] { parse_assignment("=3"); }).empty());
  CHECK_FALSE(errors_of([] { parse_assignment("a="); }).empty());
}

TEST_CASE("A range of a sweep becomes evenly spaced values with their unit") {
  const auto texts = [](const char* path, const char* from, const char* to, int steps, bool factor = false) {
    std::string all;
    for (const Node& n : spaced(resolve<Chip>(path), Node::scalar(from), Node::scalar(to), steps, factor)) {
      all += (all.empty() ? "" : ", ") + n.text();
    }
    return all;
  };
  CHECK(texts("l2.read_bandwidth", "3 TB/s", "8 TB/s", 6) == "3 TB/s, 4 TB/s, 5 TB/s, 6 TB/s, 7 TB/s, 8 TB/s");
  CHECK(texts("l2.capacity", "30 MB", "120 MB", 3, true) == "30 MB, 60 MB, 120 MB");
  CHECK(texts("sms", "1", "9", 3) == "1, 5, 9");
  CHECK(texts("boost", "1 GHz", "1 GHz", 1) == "1 GHz");
  CHECK_THAT(errors_of([&] { texts("l2.capacity", "30", "60 MB", 2); }), Contains("expected"));
  CHECK_THAT(errors_of([&] { texts("name", "a", "b", 2); }), Contains("not a number"));
  CHECK_THAT(errors_of([&] { texts("sms", "1", "2", 0); }), Contains("0 steps"));
}
