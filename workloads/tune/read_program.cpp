#include <algorithm>
#include <cmath>

#include "sim/core/input/yaml.hpp"
#include "workloads/tune/expression.hpp"
#include "workloads/tune/program_spec.hpp"
#include "workloads/tune/read_ops.hpp"

namespace rooftile::workloads::tune {
namespace {

using input::Diagnostics;
using input::Node;

constexpr double kMostItems = 1e6, kMostIterations = 2e7;

class Builder {
 public:
  Builder(const Node& document, Diagnostics& found) : at_(document.place()), found_(found), spec_(input::read<ProgramSpec>(document, found)) {}

  hw::TileProgram build() {
    take_names();
    if (!found_.empty()) return {};
    fill_parts();
    fill_items();
    for (const RoleSpec& role : spec_.roles) add_role(role);
    double iterations = 0;
    for (const hw::WorkItem& item : p_.items)
      for (const hw::Role& role : p_.roles)
        for (const hw::Section& s : role.sections) iterations += s.repeat.item_count >= 0 ? item.count[s.repeat.item_count] : s.repeat.constant;
    if (iterations > kMostIterations) found_.add(at_, "more than 20 million iterations of all roles", "a smaller grid, or fewer repeats");
    return std::move(p_);
  }

 private:
  void take_names() {
    for (const LoopSpec& loop : spec_.grid.loops) names_.loops.push_back(loop.name);
    for (const auto& [name, ring] : spec_.rings) names_.rings.push_back(name);
    for (const auto& [name, tensor] : spec_.tensors) names_.tensors.push_back(name);
    if (names_.loops.size() > hw::kItemCoordinates) found_.add(at_, "more than four loops", "at most four");
    if (names_.rings.size() > 4) found_.add(at_, "more than four rings", "at most four");
    if (names_.tensors.size() > 16) found_.add(at_, "more than 16 tensors", "at most 16");
    if (spec_.roles.empty()) found_.add(at_, "no roles", "at least one");
    double items = 1;
    for (const LoopSpec& loop : spec_.grid.loops) items *= loop.size;
    if (items > kMostItems) found_.add(at_, "more than a million work items", "larger tiles");
  }

  void fill_parts() {
    p_.kernel = spec_.title;
    p_.threads = spec_.threads;
    p_.registers = spec_.registers;
    p_.turn_roles = spec_.turn_roles;
    p_.shared_memory = spec_.shared_memory;
    p_.engines = {{spec_.engine, spec_.type}};
    p_.schedule = spec_.grid.schedule;
    p_.grid = spec_.grid.ctas;
    p_.cluster_x = spec_.grid.cluster_x;
    p_.cluster_y = spec_.grid.cluster_y;
    for (const auto& [name, r] : spec_.rings) p_.rings.push_back({name, r.stages, r.loads_per_fill, r.releases_per_fill});
    for (const auto& [name, t] : spec_.tensors)
      p_.tensors.push_back({name, t.groups, t.rows, t.cols, t.box[0], t.box[1], t.element_bytes, t.warm, t.written});
  }

  void fill_items() {
    hw::WorkItem item;
    const auto& loops = spec_.grid.loops;
    for (;;) {
      p_.items.push_back(item);
      std::size_t i = loops.size();
      while (i > 0 && ++item.coordinate[i - 1] == loops[i - 1].size) item.coordinate[--i] = 0;
      if (i == 0) return;
    }
  }

  // A constant, or a count of the items that is computed for each.
  hw::Repeat repeat(const std::string& text) {
    const Sum sum = read_sum(text, names_.loops, at_, found_);
    if (sum.factor.empty()) {
      if (sum.constant < 0 || sum.constant > 1'000'000) found_.add(at_, "repeats '" + text + "'", "from 0 to a million");
      return hw::times(static_cast<int>(sum.constant));
    }
    const auto known = std::find(counts_.begin(), counts_.end(), text);
    const auto index = static_cast<int>(known - counts_.begin());
    if (known != counts_.end()) return hw::item_count(index);
    if (index >= hw::kItemCounts) {
      found_.add(at_, "more than four different repeats that depend on the work item", "at most four");
      return {};
    }
    counts_.push_back(text);
    for (hw::WorkItem& item : p_.items) {
      std::int64_t n = sum.constant;
      for (std::size_t i = 0; i < names_.loops.size(); ++i)
        if (const auto f = sum.factor.find(names_.loops[i]); f != sum.factor.end()) n += f->second * item.coordinate[i];
      item.count[index] = static_cast<std::int32_t>(std::clamp<std::int64_t>(n, 0, 1'000'000));
    }
    return hw::item_count(index);
  }

  void add_role(const RoleSpec& r) {
    hw::Role role{r.name, r.warps, {}, r.first_item, r.item_stride, r.turn};
    for (const SectionSpec& s : r.sections) {
      hw::Section section{repeat(s.repeat), {}, s.counts_steps, s.restarts_steps};
      for (const Node& op : s.ops)
        if (auto made = read_op(op, names_, found_)) section.ops.push_back(std::move(*made));
      role.sections.push_back(std::move(section));
    }
    p_.roles.push_back(std::move(role));
  }

  input::Place at_;
  Diagnostics& found_;
  ProgramSpec spec_;
  Names names_;
  hw::TileProgram p_;
  std::vector<std::string> counts_;
};

}  // namespace

hw::TileProgram read_program(const Node& document) {
  Diagnostics found;
  hw::TileProgram p = Builder(document, found).build();
  found.throw_if_any();
  return p;
}

hw::TileProgram read_program_file(const std::string& path) { return read_program(input::parse_yaml_file(path)); }

}  // namespace rooftile::workloads::tune
