#include <catch2/catch.hpp>

#include "hw/l2.hpp"
#include "hw/play/compile.hpp"
#include "tests/support/tiny_gpu.hpp"

using namespace rooftile;
using namespace rooftile::hw;
using core::Bytes;

TEST_CASE("the least recently used box leaves first, and one that is touched stays") {
  L2Cache l2(1, {300});
  l2.add_boxes(4);
  for (std::uint32_t box : {0U, 1U, 2U}) CHECK(l2.read(0, box, {100}).dram_read.value == 100);
  CHECK(l2.read(0, 0, {100}).dram_read.value == 0);    // touched
  CHECK(l2.read(0, 3, {100}).dram_read.value == 100);  // pushes out box 1
  CHECK(l2.read(0, 0, {100}).dram_read.value == 0);
  CHECK(l2.read(0, 1, {100}).dram_read.value == 100);
}

TEST_CASE("a written box is written back once, when it is pushed out") {
  L2Cache l2(1, {200});
  l2.add_boxes(4);
  CHECK(l2.write(0, 0, {100}).dram_written.value == 0);
  CHECK(l2.dirty_bytes().value == 100);
  CHECK(l2.read(0, 1, {100}).dram_written.value == 0);
  CHECK(l2.read(0, 2, {100}).dram_written.value == 100);
  CHECK(l2.dirty_bytes().value == 0);
  CHECK(l2.read(0, 3, {100}).dram_written.value == 0);
}

TEST_CASE("a partition fetches the half whose home is the other one over the link and keeps a copy") {
  L2Cache l2(2, {1000});
  l2.add_boxes(1);
  const auto first = l2.read(0, 0, {100});
  CHECK(first.dram_read.value == 100);
  CHECK(first.far.value == 50);
  CHECK(l2.read(0, 0, {100}).far.value == 0);          // its copy is near now
  const auto other = l2.read(1, 0, {100});
  CHECK(other.dram_read.value == 0);                   // both homes have it
  CHECK(other.far.value == 50);
  CHECK(l2.write(0, 0, {100}).far.value == 50);        // goes home and takes the copies away
  CHECK(l2.read(0, 0, {100}).far.value == 50);
}

TEST_CASE("what earlier calls left is written back as it is pushed out, in its dirty share") {
  L2Cache l2(1, {1000});
  l2.add_boxes(2);
  l2.fill_with_stale(0.5);
  CHECK(l2.read(0, 0, {400}).dram_written.value == 200);
  CHECK(l2.read(0, 1, {600}).dram_written.value == 300);
}

TEST_CASE("occupancy is the tightest of registers, shared memory, warps and CTA slots, and names it") {
  const Machine m = tests::tiny_machine();
  TileProgram p = tests::one_role({});
  p.threads = 128;
  p.registers = 32;
  CHECK(player::occupancy(p, m).ctas == 16);
  CHECK(player::occupancy(p, m).limit == "registers");
  p.registers = 255;
  CHECK(player::occupancy(p, m).ctas == 2);
  p.registers = 16;
  CHECK(player::occupancy(p, m).ctas == 16);
  CHECK(player::occupancy(p, m).limit == "warps");
  p.threads = 32;
  CHECK(player::occupancy(p, m).limit == "CTA slots");
  p.shared_memory = {227 * 1024};
  CHECK(player::occupancy(p, m).ctas == 1);
  CHECK(player::occupancy(p, m).limit == "shared memory");
  p.shared_memory = {227 * 1024 + 1};
  CHECK(player::occupancy(p, m).ctas == 0);
}
