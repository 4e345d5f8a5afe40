// One predicted run.
rt.run = (parent, run, index, text) => {
  const band = rt.num(run.error_band_percent) || 15;
  const ops = rt.list(run.ops);
  const longest = rt.opShares(run)[0];
  const summary = rt.section(parent, "Summary", `run-${index}-summary`);
  summary.append(rt.tiles([
    ["Time", rt.time(run.time_us, band), run.error_band_percent ? `error band ±${band.toFixed(0)} %` : "error band not stated"],
    ["Hardware", rt.str(run.hardware), `${rt.str(run.clock)} clock`],
    ["SM clock", rt.within(run.clock_mhz, 2) + " MHz", "average"],
    ["Power", rt.within(run.power_w, band) + " W", `${rt.within(run.energy_mj, band)} mJ`],
    longest ? ["Longest operator", rt.percent(longest.us / rt.num(run.time_us)), `${rt.short(longest.name, 40)}, bound by ${rt.str(longest.op.bottleneck)}`] : null,
  ]));
  rt.opTable(summary, run);
  rt.contents.push([`run-${index}-summary`, "Summary"]);

  const where = rt.section(parent, "Where the time goes", `run-${index}-time`);
  const pair = rt.el("div", { class: "grid" });
  where.append(pair);
  const left = rt.el("div"), right = rt.el("div");
  pair.append(left, right);
  rt.timeByOperator(left, run, band);
  rt.timeByResource(right, run);
  rt.levers(where, run, band);
  rt.contents.push([`run-${index}-time`, "Time"]);

  const roof = rt.section(parent, "Roofline", `run-${index}-roofline`);
  rt.roofline(roof, run, band);
  rt.contents.push([`run-${index}-roofline`, "Roofline"]);

  const timeline = rt.map(run.timeline);
  if (rt.list(timeline.kernels).length) {
    const t = rt.section(parent, "Timeline", `run-${index}-timeline`);
    rt.streamTimeline(t, timeline);
    if (timeline.sm) rt.smTimeline(t, rt.map(timeline.sm));
    if (timeline.memory) rt.memoryCounters(t, rt.map(timeline.memory));
    rt.contents.push([`run-${index}-timeline`, "Timeline"]);
  }
  if (Object.keys(rt.map(run.memory)).length) {
    rt.memoryParts(rt.section(parent, "Memory", `run-${index}-memory`), run.memory);
    rt.contents.push([`run-${index}-memory`, "Memory"]);
  }
  if (ops.some((o) => rt.list(o.expert_load).length)) {
    rt.expertLoad(rt.section(parent, "Experts", `run-${index}-experts`), run);
    rt.contents.push([`run-${index}-experts`, "Experts"]);
  }
  if (rt.list(run.constants).length || text) {
    const how = rt.section(parent, "How it was derived", `run-${index}-how`);
    if (rt.list(run.constants).length) how.append(rt.el("details", {}, rt.el("summary", {}, `Constants used (${run.constants.length}) and where they come from`),
      rt.plainTable("Constants; weak: assumed or fitted", ["key", "value", "source", ""], run.constants.map((c) => [rt.str(c.key), rt.str(c.value), rt.str(c.source), c.weak ? "weak" : ""]))));
    if (rt.list(run.assumptions).length) how.append(rt.el("details", { open: true }, rt.el("summary", {}, "Assumptions and limits"), rt.el("ul", {}, run.assumptions.map((a) => rt.el("li", {}, rt.str(a))))));
    if (text) how.append(rt.el("details", { class: "explanation" }, rt.el("summary", {}, "The whole derivation"), text.content.cloneNode(true)));
    rt.contents.push([`run-${index}-how`, "Derivation"]);
  }
};
