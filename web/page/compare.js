// A resource ledger.
rt.compare = (parent, l, index) => {
  const runs = rt.list(l.runs), rows = rt.list(l.ledger), bands = rt.list(l.error_band_percent).map((b) => rt.num(b) || 15);
  const letter = (i) => (i < 26 ? String.fromCharCode(65 + i) : String(i + 1));
  const section = rt.section(parent, "Ledger", `compare-${index}-ledger`);
  section.append(rt.el("ul", {}, runs.map((r, i) => rt.el("li", {}, rt.el("strong", {}, letter(i)), `: ${rt.str(r.scenario)}, ${rt.str(r.hardware)}, ${rt.time(r.time_us, bands[i])} (±${(bands[i] || 15).toFixed(0)} %)`))));
  rt.list(l.verdicts).forEach((v) => section.append(rt.el("p", { class: "verdict" }, rt.str(v))));
  const busy = rows.filter((r) => rt.str(r.unit).startsWith("us") && rt.list(r.values).some((v) => v > 0));
  rt.chart(section, {
    title: "Busy time of every carrier", description: "Microseconds that each run needs of a carrier. A run cannot be shorter than its longest bar.",
    height: (w) => 60 + (16 + 14 * runs.length) * busy.length,
    table: () => ({ header: ["carrier", ...runs.map((_, i) => letter(i))], rows: busy.map((r) => [rt.str(r.carrier), ...r.values.map((v, i) => rt.within(v, bands[i]))]) }),
    option: (c, width) => ({
      grid: { left: width < 500 ? 110 : 180, right: 20, top: 34, bottom: 30 }, legend: rt.legend(c), tooltip: rt.tooltip(c, { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: (v) => rt.time(v, 5) }),
      xAxis: rt.axis(c, { type: "value", axisLabel: { color: c.muted, hideOverlap: true, formatter: (v) => rt.time(v) } }),
      yAxis: rt.axis(c, { type: "category", inverse: true, data: busy.map((r) => rt.str(r.carrier)), axisLabel: { color: c.text, width: width < 500 ? 102 : 172, overflow: "truncate" } }),
      series: runs.map((r, i) => ({ type: "bar", name: `${letter(i)}: ${rt.short(r.scenario, 40)}`, data: busy.map((x) => rt.num(x.values[i])), barMaxWidth: 14 })),
    }),
  });
  const header = ["resource", "carrier", "unit", "A"];
  runs.slice(1).forEach((_, i) => header.push(letter(i + 1), `${letter(i + 1)} − A`, "%", ""));
  const body = rows.map((r) => {
    const v = rt.list(r.values).map(rt.num), cells = [rt.str(r.resource), rt.str(r.carrier), rt.str(r.unit), rt.within(v[0], bands[0])];
    v.slice(1).forEach((x, i) => {
      const verdict = rt.str(rt.list(r.verdict)[i]);
      cells.push(rt.within(x, bands[i + 1]), (x > v[0] ? "+" : "") + rt.within(x - v[0], Math.max(bands[0], bands[i + 1]) * 2), v[0] !== 0 ? rt.signed(100 * (x / v[0] - 1)) : x !== 0 ? "new" : "",
        rt.el("span", { class: verdict === "gains" ? "good" : verdict === "pays" ? "bad" : "" }, verdict));
    });
    return cells;
  });
  section.append(rt.plainTable("What each run takes of every carrier, and what it gains or pays against A", header, body));
  rt.contents.push([`compare-${index}-ledger`, "Ledger"]);
};
