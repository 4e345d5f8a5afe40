// `explain` as JSON: the run report's object, and beside each of its operations what explains it. Numbers in full.
#include "reports/explain.hpp"
#include "reports/run_json.hpp"

namespace rooftile::reports {
namespace {

Json terms(const std::vector<workloads::Term>& list) {
  Json out = Json::array();
  for (const workloads::Term& t : list) {
    Json factors = Json::array();
    for (const workloads::Factor& f : t.factors) factors.push_back({{"symbol", f.symbol}, {"value", f.value}});
    out.push_back({{"term", t.what}, {"factors", factors}, {"value", t.value()}});
  }
  return out;
}

Json reasons(const std::vector<Reason>& list) {
  Json out = Json::array();
  for (const Reason& r : list) out.push_back({{"reason", r.what}, {"group", r.group}, {"us", r.us}});
  return out;
}

Json kernel(const KernelExplained& k) {
  Json ops = Json::array(), roles = Json::array();
  for (const ProgramOp& o : k.program.ops) {
    Json cycles = Json::object();
    for (std::size_t r = 0; r < o.cycles.size(); ++r)
      if (o.cycles[r] > 0) cycles[hw::kSmResourceNames[r]] = o.cycles[r];
    ops.push_back({{"role", o.role}, {"op", o.what}, {"per_item", o.per_item}, {"executions", o.executions}, {"cycles", cycles}, {"cycles_alone", o.solo}});
  }
  for (const RoleAccount& r : k.roles) roles.push_back({{"role", r.role}, {"time", reasons(r.reasons)}});
  const ProgramView& v = k.program;
  return {{"kernel", v.kernel}, {"time_us", k.time_us}, {"items", v.items}, {"cta_schedule", v.schedule}, {"cluster", {v.cluster_x, v.cluster_y}},
          {"threads", v.threads}, {"registers", v.registers}, {"shared_memory", v.shared_memory}, {"ctas_per_sm", v.ctas_per_sm},
          {"occupancy_limit", v.occupancy_limit}, {"rings", v.rings}, {"tensors", v.tensors}, {"engines", v.engines}, {"program", ops},
          {"pacing_role", k.pacing_role}, {"roles", roles}};
}

Json band(const OpExplained& o) {
  if (!o.band) return nullptr;
  const Band& b = *o.band;
  return {{"family", b.family}, {"device", b.device}, {"records", b.records}, {"median_ape", b.median}, {"p90_ape", b.p90}, {"bias", b.bias},
          {"nearest_record_ratio", b.distance}, {"confidence", b.confidence()}};
}

Json op(const OpExplained& o) {
  Json kernels = Json::array(), bounds = Json::array(), levers = Json::array();
  for (const KernelExplained& k : o.kernels) kernels.push_back(kernel(k));
  for (const BoundRow& b : o.bounds) bounds.push_back({{"resource", b.resource}, {"formula", b.formula}, {"numbers", b.numbers}, {"us", b.us}});
  for (const Lever& l : o.levers) levers.push_back({{"change", l.change}, {"time_us", l.time_us}});
  Json j = op_json(o.row);
  j["explanation"] = {{"flops", terms(o.derivation.flops)}, {"bytes", terms(o.derivation.bytes)}, {"notes", o.derivation.notes},
                      {"candidates", o.candidates}, {"power_capped", o.capped}, {"kernels", kernels}, {"bounds", bounds},
                      {"where", reasons(o.where)}, {"error_band", band(o)}, {"levers", levers}};
  return j;
}

}  // namespace

Json explain_json(const Explanation& e) {
  Json j = run_json(e.run);
  j["ops"] = Json::array();
  for (const OpExplained& o : e.ops) j["ops"].push_back(op(o));
  j["error_band_percent"] = e.band_percent;
  j["constants"] = Json::array();
  for (const Provenance& p : e.constants) j["constants"].push_back({{"key", p.key}, {"value", p.value}, {"source", p.source}, {"weak", p.weak}});
  j["assumptions"] = e.assumptions;
  return j;
}

std::string write(const Explanation& e, Format format) {
  if (format == Format::json) return dump(explain_json(e));
  return format == Format::markdown ? document(e).markdown() : document(e).text();
}

}  // namespace rooftile::reports
