#include "workloads/attention/mask.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "sim/core/input/suggest.hpp"

namespace rooftile::workloads::attention {

constexpr auto enum_names(Mask) {
  return std::array<std::pair<const char*, Mask>, 6>{{{"none", Mask::none},
                                                      {"causal", Mask::causal},
                                                      {"causal_bottom_right", Mask::causal_bottom_right},
                                                      {"causal_window", Mask::causal_window},
                                                      {"causal_packed", Mask::causal_packed},
                                                      {"causal_blocks", Mask::causal_blocks}}};
}

namespace {

using input::Range;

struct MaskKeys {
  Mask kind = Mask::none;
  std::optional<std::int64_t> window, stride, local_window;
  std::vector<std::int64_t> lengths;

  template <class V>
  static void visit_fields(V& v) {
    v.field("kind", &MaskKeys::kind, "which keys a query sees");
    v.field("window", &MaskKeys::window, "causal_window: keys that a query sees, itself included", Range{1, 1 << 26});
    v.field("lengths", &MaskKeys::lengths, "causal_packed: lengths of the sequences", Range{1, 1 << 26}).optional();
    v.field("stride", &MaskKeys::stride, "causal_blocks: every stride-th diagonal of 128-blocks", Range{1, 1 << 20});
    v.field("local_window", &MaskKeys::local_window, "causal_blocks: keys that a query sees in any case", Range{0, 1 << 26});
  }
};

void need(bool given, const char* key, const input::Node& at, input::Diagnostics& found) {
  if (!given) found.add(at.place(), std::string("mask: the key `") + key + "` is missing", "the number that this kind of mask needs");
}

}  // namespace

void read_mask(const input::Node& node, Shape& shape, input::Diagnostics& found) {
  if (node.is_null()) return;
  if (node.is_scalar()) {
    std::vector<std::string> names;
    for (const auto& [name, mask] : enum_names(Mask{})) {
      const bool bare = mask == Mask::none || mask == Mask::causal || mask == Mask::causal_bottom_right;
      if (bare) names.emplace_back(name);
      if (bare && node.text() == name) {
        shape.mask = mask;
        return;
      }
    }
    found.add(node.place(), "mask: unknown name `" + node.text() + "`" + input::did_you_mean(node.text(), names),
              input::one_of(names) + ", or a map with `kind`");
    return;
  }
  input::Diagnostics own;
  const MaskKeys keys = input::read<MaskKeys>(node, own);
  if (own.empty()) {
    shape.mask = keys.kind;
    shape.window = keys.window.value_or(0);
    shape.lengths = keys.lengths;
    shape.stride = keys.stride.value_or(1);
    shape.local_window = keys.local_window.value_or(0);
    if (keys.kind == Mask::causal_window) need(keys.window.has_value(), "window", node, own);
    if (keys.kind == Mask::causal_blocks) need(keys.stride.has_value(), "stride", node, own);
    if (keys.kind == Mask::causal_packed) {
      need(!keys.lengths.empty(), "lengths", node, own);
      const std::int64_t sum = std::accumulate(keys.lengths.begin(), keys.lengths.end(), std::int64_t{0});
      if (!keys.lengths.empty() && sum != shape.q_len)
        own.add(node.place(), "mask: the lengths add up to " + std::to_string(sum), "q_len, " + std::to_string(shape.q_len));
    }
    // One query stands at the end of its keys.
    if (keys.kind >= Mask::causal_window && shape.q_len != shape.kv_len && !(keys.kind == Mask::causal_window && shape.q_len == 1))
      own.add(node.place(), "mask: this kind needs as many keys as queries", "q_len equal to kv_len");
  }
  found.add(own);
}

}  // namespace rooftile::workloads::attention
