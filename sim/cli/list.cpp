// `rooftile list`: what comes with rooftile. `rooftile schema`: JSON Schema for editors.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/cli/common.hpp"
#include "sim/core/input/suggest.hpp"
#include "workloads/collective/group.hpp"
#include "workloads/data.hpp"

namespace rooftile::cli {
namespace {

std::string list(const std::string& what) {
  std::string out;
  if (what == "hw")
    for (const std::string& name : workloads::names_in(workloads::data_folder() / "hw" / "gpus", ".yaml"))
      out += fmt::format("{:10} {}\n", name, workloads::load_gpu(name).vendor_name);
  else if (what == "fabrics")
    for (const std::string& name : workloads::names_in(workloads::data_folder() / "hw" / "fabrics", ".yaml")) {
      const hw::fabric::FabricSpec f = workloads::collective::load_fabric(name);
      out += fmt::format("{:14} {} GPUs a node ({}), {}\n", name, f.node.gpus, f.hardware,
                         f.network.kind == hw::fabric::Network::none ? "one node" : fmt::format("{} nodes unless told", f.network.nodes));
    }
  else if (what == "scenarios")
    for (const std::string& name : workloads::names_in(workloads::data_folder() / "workloads" / "scenarios", ".yaml"))
      out += fmt::format("{}\n", name);
  else
    for (const workloads::CatalogRow& row : workloads::catalog())
      for (const std::string& impl : row.implementations) out += fmt::format("{:20} {}\n", row.op, impl);
  return out;
}

std::vector<std::string> schema_names() {
  std::vector<std::string> names{"gpu", "fabric"};
  for (const workloads::CatalogRow& row : workloads::catalog()) names.push_back(row.op);
  return names;
}

}  // namespace

void add_list(CLI::App& app, int&) {
  auto* command = app.add_subcommand("list", "list hw, fabrics, kernels or scenarios");
  auto what = std::make_shared<std::string>();
  command->add_option("WHAT", *what, "hw, fabrics, kernels or scenarios")->required()->check(CLI::IsMember({"hw", "fabrics", "kernels", "scenarios"}));
  command->callback([what] { answer(list(*what)); });
}

void add_schema(CLI::App& app, int&) {
  auto* command = app.add_subcommand("schema", "JSON Schema of a GPU or fabric file, or of an operation");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "gpu, fabric, or an operator")->required();
  command->callback([name] {
    if (*name == "gpu") return answer(input::dump_json(input::schema<hw::GpuSpec>("gpu")) + "\n");
    if (*name == "fabric") return answer(input::dump_json(input::schema<hw::fabric::FabricSpec>("fabric")) + "\n");
    for (const workloads::CatalogRow& row : workloads::catalog())
      if (row.op == *name) return answer(input::dump_json(row.schema(row.op.c_str())) + "\n");
    throw input::InputError({}, "unknown schema '" + *name + "'" + input::did_you_mean(*name, schema_names()), input::one_of(schema_names()));
  });
}

}  // namespace rooftile::cli
