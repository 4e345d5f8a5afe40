// Predicted against measured.
rt.validate = (parent, v, index) => {
  const families = rt.list(v.families);
  const records = rt.list(v.records).map((r, key) => ({ ...r, key, family: rt.str(r.family || rt.str(r.file).replace(/\.jsonl$/, "")), error: 100 * (rt.num(r.predicted_us) / rt.num(r.measured_us) - 1) }));
  const predicted = records.filter((r) => rt.num(r.measured_us) > 0 && rt.num(r.predicted_us) > 0), skipped = records.filter((r) => r.skipped !== undefined);
  const errors = predicted.map((r) => Math.abs(r.error)).sort((a, b) => a - b);
  const quantile = (q) => (errors.length ? errors[Math.min(errors.length - 1, Math.floor(q * errors.length))] : NaN);

  const summary = rt.section(parent, "Summary", `validate-${index}-summary`);
  summary.append(rt.tiles([
    ["Records", rt.grouped(String(records.length)), `${predicted.length} predicted, ${skipped.length} skipped`],
    ["Median error", rt.percent(quantile(0.5) / 100, 1), "absolute, all families"],
    ["90th percentile", rt.percent(quantile(0.9) / 100, 1)],
    ["Within 10 %", rt.percent(errors.filter((e) => e <= 10).length / errors.length), "of the predicted records"],
  ]));
  const f = (x, ok) => (ok ? rt.num(x).toFixed(1) : "–");
  rt.sortableTable(summary, "Families: errors in percent", [
    { name: "family", value: (r) => rt.str(r.family) }, { name: "device", value: (r) => rt.str(r.device) },
    { name: "records", value: (r) => rt.num(r.records), numeric: true }, { name: "skipped", value: (r) => rt.num(r.skipped), numeric: true },
    ...[["median", "median_ape"], ["mean", "mean_ape"], ["p90", "p90_ape"], ["worst", "worst_ape"], ["bias", "bias"]].map(([name, key]) =>
      ({ name, value: (r) => (r.predicted ? rt.num(r[key]) : NaN), text: (r) => f(r[key], r.predicted), numeric: true }))], families);
  rt.contents.push([`validate-${index}-summary`, "Summary"]);
  if (!predicted.length) return;

  const section = rt.section(parent, "Predicted against measured", `validate-${index}-scatter`);
  let shown = predicted;
  const names = [...new Set(predicted.map((r) => r.family))].sort();
  let table = null, scatter = null, spread = null;
  rt.filters(section, {
    id: `validate-${index}`, rows: predicted,
    searched: (r) => [r.family, r.op, r.impl, r.shape, r.schedule, r.bottleneck].map(rt.str).join(" "),
    choices: [{ name: "family", of: (r) => r.family }, { name: "impl", of: (r) => rt.str(r.impl) }, { name: "bound by", of: (r) => rt.str(r.bottleneck) }],
    least: { name: "error at least, %", of: (r) => Math.abs(r.error) },
    changed: (rows) => { shown = rows; table.show(rows); scatter.update(); spread.update(); },
  });
  const low = Math.min(...predicted.map((r) => Math.min(r.measured_us, r.predicted_us))) / 1.5, high = Math.max(...predicted.map((r) => Math.max(r.measured_us, r.predicted_us))) * 1.5;
  const bandLine = (c, factor, name, width) => ({ type: "line", name, silent: true, showSymbol: false, data: [[low, low * factor], [high, high * factor]], lineStyle: { color: c.muted, width, type: factor === 1 ? "solid" : "dashed" } });
  scatter = rt.chart(section, {
    title: "Scatter", description: "Both in microseconds. Solid: exact; dashed: 10 % above and below; dotted further out: 25 %.",
    height: (w) => Math.min(520, Math.max(300, w * 0.6)),
    table: () => ({ header: ["family", "shape", "measured µs", "predicted µs", "error %"], rows: shown.slice(0, 1000).map((r) => [r.family, rt.str(r.shape), rt.num(r.measured_us), rt.num(r.predicted_us), rt.signed(r.error, 1)]) }),
    option: (c, width) => ({
      grid: { left: 62, right: 14, top: width < 640 ? 76 : 40, bottom: 46 }, legend: rt.legend(c, { data: names }),
      tooltip: rt.tooltip(c, { formatter: (t) => { const r = t.data && t.data.record; return r ? `${r.family}, line ${rt.str(r.line)}\n${rt.short(r.shape, 60)}\nmeasured ${rt.time(r.measured_us)}, predicted ${rt.time(r.predicted_us)} (${rt.signed(r.error, 1)} %)\nbound by ${rt.str(r.bottleneck)}` : ""; } }),
      xAxis: rt.axis(c, { type: "log", name: "measured µs", min: low, max: high, axisLabel: { color: c.muted, formatter: (v) => Number(v.toPrecision(2)) } }),
      yAxis: rt.axis(c, { type: "log", name: "predicted µs", nameGap: 44, min: low, max: high, axisLabel: { color: c.muted, formatter: (v) => Number(v.toPrecision(2)) } }),
      series: [bandLine(c, 1, "exact", 1.5), ...[1.1, 1 / 1.1].map((x) => bandLine(c, x, "10 %", 1)), ...[1.25, 1 / 1.25].map((x) => ({ ...bandLine(c, x, "25 %", 1), lineStyle: { color: c.muted, type: "dotted", width: 1 } })),
        ...names.map((name, i) => ({ type: "scatter", name, symbolSize: 7, itemStyle: { color: c.series[i % 8], opacity: 0.75 },
          data: shown.filter((r) => r.family === name).map((r) => ({ value: [r.measured_us, r.predicted_us], record: r })) }))],
    }),
  });
  const step = 2.5, bins = Array.from({ length: 24 }, (_, i) => -30 + step * i);
  spread = rt.chart(section, {
    title: "Signed errors", description: "Records by error, in steps of 2.5 %; the ends hold everything beyond.", height: 220,
    table: () => ({ header: ["from %", "records"], rows: bins.map((b) => [b, shown.filter((r) => bin(r) === b).length]) }),
    option: (c) => ({
      grid: { left: 46, right: 12, top: 12, bottom: 42 }, tooltip: rt.tooltip(c, { trigger: "axis", formatter: (t) => `${t[0].axisValue} % and more: ${t[0].value} records` }),
      xAxis: rt.axis(c, { type: "category", name: "error, %", data: bins.map((b) => String(b)) }), yAxis: rt.axis(c, { type: "value", name: "records", nameGap: 32, minInterval: 1 }),
      series: [{ type: "bar", name: "records", barCategoryGap: "8%", data: bins.map((b) => ({ value: shown.filter((r) => bin(r) === b).length, itemStyle: { color: Math.abs(b + step / 2) < 10 ? c.series[2] : c.series[1] } })) }],
    }),
  });
  const bin = (r) => bins[Math.max(0, Math.min(bins.length - 1, Math.floor((r.error + 30) / step)))];
  table = rt.sortableTable(section, "Records", [
    { name: "family", value: (r) => r.family }, { name: "line", value: (r) => rt.num(r.line), text: (r) => rt.str(r.line), numeric: true }, { name: "impl", value: (r) => rt.str(r.impl) },
    { name: "shape", value: (r) => rt.str(r.shape) },
    { name: "measured µs", value: (r) => rt.num(r.measured_us), text: (r) => rt.within(r.measured_us, 0.5), numeric: true },
    { name: "predicted µs", value: (r) => rt.num(r.predicted_us), text: (r) => rt.within(r.predicted_us, 10), numeric: true },
    { name: "error %", value: (r) => r.error, text: (r) => rt.signed(r.error, 1), numeric: true },
    { name: "bound by", value: (r) => rt.str(r.bottleneck) }, { name: "schedule", value: (r) => rt.str(r.schedule) }], predicted, { column: 6, down: true });
  section.lastElementChild.classList.add("tall");
  if (skipped.length) {
    const reasons = new Map();
    skipped.forEach((r) => { const k = `${r.family}: ${rt.str(r.skipped)}`; reasons.set(k, (reasons.get(k) || 0) + 1); });
    section.append(rt.el("details", {}, rt.el("summary", {}, `${skipped.length} records were skipped`), rt.plainTable("Reasons", ["reason", "records"], [...reasons])));
  }
  rt.contents.push([`validate-${index}-scatter`, "Predicted against measured"]);
};
