#include "workloads/tune/read_ops.hpp"

#include <algorithm>

#include "sim/core/input/suggest.hpp"
#include "workloads/tune/expression.hpp"

namespace rooftile::workloads::tune {
namespace {

using input::Diagnostics;
using input::Node;

struct BoxKeys {
  std::string tensor, group = "0", row = "0", col = "0";
  template <class V>
  static void box_fields(V& v) {
    v.field("tensor", &BoxKeys::tensor, "the tensor");
    v.field("group", &BoxKeys::group, "which of its matrices").optional();
    v.field("row", &BoxKeys::row, "row, in boxes").optional();
    v.field("col", &BoxKeys::col, "column, in boxes").optional();
  }
};
struct TmaKeys : BoxKeys {
  std::string ring;
  hw::Multicast multicast = hw::Multicast::none;
  template <class V>
  static void visit_fields(V& v) {
    v.field("ring", &TmaKeys::ring, "the ring whose acquired stage it fills");
    box_fields(v);
    v.field("multicast", &TmaKeys::multicast, "also to the CTAs of the same column or row of the cluster").optional();
  }
};
struct LoadKeys : BoxKeys {
  bool commit = true;
  template <class V>
  static void visit_fields(V& v) {
    box_fields(v);
    v.field("commit", &LoadKeys::commit, "closes a group").optional();
  }
};
struct StoreKeys : BoxKeys {
  bool bulk = false, reduce = false;
  template <class V>
  static void visit_fields(V& v) {
    box_fields(v);
    v.field("bulk", &StoreKeys::bulk, "a TMA store").optional();
    v.field("reduce", &StoreKeys::reduce, "adds in L2").optional();
  }
};
struct ReleaseKeys {
  std::string ring;
  std::int32_t lag = 0;
  template <class V>
  static void visit_fields(V& v) {
    v.field("ring", &ReleaseKeys::ring, "the ring");
    v.field("lag", &ReleaseKeys::lag, "stages waited for that are kept", Range{0, 16}).optional();
  }
};
struct WorkKeys {
  double fma = 0, alu = 0, mufu = 0, convert = 0, issue_only = 0, shared_bytes = 0;
  template <class V>
  static void visit_fields(V& v) {
    const Range lanes{0, 1e12};
    v.field("fma", &WorkKeys::fma, "FP32 FMA, ADD, MUL of all lanes", lanes).optional();
    v.field("alu", &WorkKeys::alu, "integer, logic, compare", lanes).optional();
    v.field("mufu", &WorkKeys::mufu, "exponentials, reciprocals", lanes).optional();
    v.field("convert", &WorkKeys::convert, "packed conversions", lanes).optional();
    v.field("issue_only", &WorkKeys::issue_only, "anything else that is issued", lanes).optional();
    v.field("shared_bytes", &WorkKeys::shared_bytes, "bytes through the shared-memory path", lanes).optional();
  }
  hw::PipeWork make() const { return {fma, alu, mufu, convert, issue_only, shared_bytes}; }
};
struct MmaKeys {
  double flops = 0, operand_bytes = 0, exposed_cycles = 0;
  bool async = true;
  WorkKeys beside;
  template <class V>
  static void visit_fields(V& v) {
    v.field("flops", &MmaKeys::flops, "FLOP of the role's tile", Range{1, 1e15});
    v.field("operand_bytes", &MmaKeys::operand_bytes, "read from shared memory by the tensor core", Range{0, 1e12}).optional();
    v.field("exposed_cycles", &MmaKeys::exposed_cycles, "latency that in-order issue cannot hide", Range{0, 1e6}).optional();
    v.field("async", &MmaKeys::async, "wgmma; false: mma.sync").optional();
    v.field("beside", &MmaKeys::beside, "work overlapped with it").optional();
  }
};
struct VectorKeys {
  std::vector<WorkKeys> phases;
  double latency = 0;
  template <class V>
  static void visit_fields(V& v) {
    v.field("phases", &VectorKeys::phases, "dependent phases, one after the other").optional();
    v.field("latency", &VectorKeys::latency, "cycles that no pipe explains", Range{0, 1e6}).optional();
  }
};
struct SyncKeys {
  std::int32_t barrier = 0, roles = 2;
  template <class V>
  static void visit_fields(V& v) {
    v.field("barrier", &SyncKeys::barrier, "which named barrier", Range{0, 3});
    v.field("roles", &SyncKeys::roles, "roles that meet", Range{1, 16});
  }
};

class Reader {
 public:
  Reader(const Node& body, const Names& names, Diagnostics& found) : body_(body), names_(names), found_(found) {}

  template <class Keys>
  Keys keys() {
    return input::read<Keys>(body_, found_);
  }
  std::uint8_t index(const std::string& name, const std::vector<std::string>& known, const char* what) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end())
      found_.add(body_.place(), std::string("no ") + what + " '" + name + "'" + input::did_you_mean(name, known), input::one_of(known));
    return static_cast<std::uint8_t>(at - known.begin());
  }
  std::uint8_t ring(const std::string& name) { return index(name, names_.rings, "ring"); }
  std::uint8_t number(std::int64_t most) {
    input::Problem problem;
    const auto n = input::parse_integer(body_.text(), problem);
    if (n && *n >= 0 && *n <= most) return static_cast<std::uint8_t>(*n);
    found_.add(body_.place(), "'" + body_.text() + "' is no count", "a whole number from 0 to " + std::to_string(most));
    return 0;
  }
  hw::Box box(const BoxKeys& k) { return {index(k.tensor, names_.tensors, "tensor"), affine(k.group), affine(k.row), affine(k.col)}; }

 private:
  hw::Affine affine(const std::string& text) {
    std::vector<std::string> names = names_.loops;
    names.insert(names.end(), {"step", "rank_x", "rank_y"});
    const Sum sum = read_sum(text, names, body_.place(), found_);
    hw::Affine a;
    a.constant = static_cast<std::int32_t>(sum.constant);
    for (const auto& [name, factor] : sum.factor) {
      const auto f = static_cast<std::int32_t>(factor);
      if (name == "step") a.step = f;
      else if (name == "rank_x") a.rank_x = f;
      else if (name == "rank_y") a.rank_y = f;
      else a.item[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())] = f;
    }
    return a;
  }
  const Node& body_;
  const Names& names_;
  Diagnostics& found_;
};

using Make = hw::TileOp (*)(Reader&, const Node&);
struct OpRow {
  const char* name;
  Make make;
};

hw::TileOp make_mma(Reader& r, const Node&) {
  const auto k = r.keys<MmaKeys>();
  return hw::Mma{k.flops, k.operand_bytes, 0, k.async, k.beside.make(), k.exposed_cycles};
}
hw::TileOp make_vector(Reader& r, const Node&) {
  const auto k = r.keys<VectorKeys>();
  hw::Vector v{{}, k.latency, "vector"};
  for (const WorkKeys& phase : k.phases) v.phases.push_back(phase.make());
  return v;
}
hw::TileOp make_tma(Reader& r, const Node&) {
  const auto k = r.keys<TmaKeys>();
  return hw::TmaLoad{r.ring(k.ring), r.box(k), k.multicast};
}
hw::TileOp make_release(Reader& r, const Node& body) {
  if (body.is_scalar()) return hw::Release{r.ring(body.text())};
  const auto k = r.keys<ReleaseKeys>();
  return hw::Release{r.ring(k.ring), static_cast<std::uint8_t>(k.lag)};
}
hw::TileOp make_load(Reader& r, const Node&) {
  const auto k = r.keys<LoadKeys>();
  return hw::Load{r.box(k), k.commit};
}
hw::TileOp make_store(Reader& r, const Node&) {
  const auto k = r.keys<StoreKeys>();
  return hw::Store{r.box(k), k.bulk, k.reduce};
}
hw::TileOp make_sync(Reader& r, const Node&) {
  const auto k = r.keys<SyncKeys>();
  return hw::Sync{static_cast<std::uint8_t>(k.barrier), static_cast<std::uint8_t>(k.roles)};
}

const OpRow kOps[] = {
    {"acquire", [](Reader& r, const Node& b) -> hw::TileOp { return hw::Acquire{r.ring(b.text())}; }},
    {"tma_load", make_tma},
    {"wait_full", [](Reader& r, const Node& b) -> hw::TileOp { return hw::WaitFull{r.ring(b.text())}; }},
    {"release", make_release},
    {"mma", make_mma},
    {"mma_wait", [](Reader& r, const Node&) -> hw::TileOp { return hw::MmaWait{r.number(16)}; }},
    {"vector", make_vector},
    {"load", make_load},
    {"wait_loads", [](Reader& r, const Node&) -> hw::TileOp { return hw::WaitLoads{r.number(7)}; }},
    {"store", make_store},
    {"wait_stores", [](Reader&, const Node& b) -> hw::TileOp { return hw::WaitStores{b.text() == "global"}; }},
    {"turn_wait", [](Reader& r, const Node&) -> hw::TileOp { return hw::TurnWait{r.number(3)}; }},
    {"turn_pass", [](Reader& r, const Node&) -> hw::TileOp { return hw::TurnPass{r.number(3)}; }},
    {"sync", make_sync}};

}  // namespace

std::optional<hw::TileOp> read_op(const Node& node, const Names& names, Diagnostics& found) {
  std::vector<std::string> known;
  for (const OpRow& row : kOps) known.emplace_back(row.name);
  if (node.members().size() != 1) {
    found.add(node.place(), "a tile op is " + std::string(node.is_map() ? "a map with several keys" : node.kind_name()), "a map with one key: " + input::one_of(known));
    return std::nullopt;
  }
  const Node::Member& op = node.members().front();
  for (const OpRow& row : kOps)
    if (op.key == row.name) {
      Reader reader(op.value, names, found);
      return row.make(reader, op.value);
    }
  found.add(node.key_place(op), "unknown tile op '" + op.key + "'" + input::did_you_mean(op.key, known), input::one_of(known));
  return std::nullopt;
}

}  // namespace rooftile::workloads::tune
