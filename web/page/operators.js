// Time by operator (split by reason where it is known) and by resource.
rt.opShares = (run) => {
  const ops = rt.list(run.ops).map((o) => {
    const repeat = rt.num(o.repeat) || 1;
    const groups = {};
    const where = rt.list(rt.map(o.explanation).where);
    for (const r of where) groups[rt.str(r.group)] = (groups[rt.str(r.group)] || 0) + rt.num(r.us) * repeat;
    return { name: rt.str(o.name), us: rt.num(o.time_us) * repeat, repeat, groups, hasReasons: where.length > 0, op: o };
  });
  return ops.sort((a, b) => b.us - a.us);
};

rt.timeByOperator = (parent, run, band) => {
  const all = rt.opShares(run), shown = all.slice(0, 25), rest = all.slice(25);
  if (rest.length) shown.push({ name: `${rest.length} others`, us: rest.reduce((s, o) => s + o.us, 0), groups: {}, op: {} });
  const total = all.reduce((s, o) => s + o.us, 0);
  const groups = rt.groups.filter((g) => shown.some((o) => o.groups[g] > 0));
  const split = groups.length > 0;
  rt.chart(parent, {
    title: "Time by operator",
    description: split ? "Each microsecond has one reason; the parts of a bar add up to the operator's time, repetitions included." : "Repetitions included, longest first.",
    height: () => 70 + 30 * Math.max(2, shown.length),
    table: () => ({ header: ["operator", "µs", "share", ...groups], rows: shown.map((o) => [o.name, rt.within(o.us, band), rt.percent(o.us / total), ...groups.map((g) => rt.within(o.groups[g] || 0, band))]) }),
    option: (c, width) => ({
      grid: { left: width < 500 ? 96 : 190, right: 64, top: split ? (width < 620 ? 62 : 34) : 8, bottom: 26 },
      legend: split ? rt.legend(c, { data: groups, left: 0, right: 0 }) : undefined,
      tooltip: rt.tooltip(c, { trigger: "axis", axisPointer: { type: "shadow" }, formatter: (items) => {
        const o = shown[items[0].dataIndex];
        return [rt.short(o.name, 60), `${rt.time(o.us, band)}, ${rt.percent(o.us / total)} of the time`, ...groups.filter((g) => o.groups[g] > 0).map((g) => `${g}: ${rt.time(o.groups[g], band)}`)].join("\n");
      } }),
      xAxis: rt.axis(c, { type: "value", axisLabel: { color: c.muted, hideOverlap: true, formatter: (v) => rt.time(v, 1) } }),
      yAxis: rt.axis(c, { type: "category", inverse: true, data: shown.map((o) => o.name), axisLabel: { color: c.text, width: width < 500 ? 88 : 180, overflow: "truncate" } }),
      series: (split ? groups : ["time"]).map((g, i, list) => ({
        type: "bar", name: g, stack: "t", barMaxWidth: 22, itemStyle: { color: split ? rt.groupColor(c, g) : c.series[0] },
        data: shown.map((o) => (split ? o.groups[g] || (o.hasReasons || i > 0 ? 0 : o.us) : o.us)),
        label: i === list.length - 1 ? { show: true, position: "right", color: c.muted, formatter: (t) => rt.percent(shown[t.dataIndex].us / total) } : undefined,
      })),
    }),
  });
};

rt.resources = ["tensor", "shared memory path", "issue", "FMA", "ALU", "MUFU", "convert", "L2", "L2 link", "HBM", "NVLink", "NIC", "launch"];
rt.timeByResource = (parent, run) => {
  const ops = rt.opShares(run).slice(0, 25);
  const names = rt.resources.filter((r) => ops.some((o) => rt.num(rt.map(o.op.utilization)[r]) > 0));
  const cells = [];
  ops.forEach((o, y) => names.forEach((r, x) => cells.push([x, y, Math.round(1000 * (rt.num(rt.map(o.op.utilization)[r]) || 0)) / 10])));
  rt.chart(parent, {
    title: "Time by resource",
    description: "Share of each operator's time in which a resource was busy. More than one can be busy at once; the fullest binds.",
    height: () => 110 + 30 * Math.max(2, ops.length),
    table: () => ({ header: ["operator", ...names], rows: ops.map((o) => [o.name, ...names.map((r) => rt.percent(rt.num(rt.map(o.op.utilization)[r]) || 0))]) }),
    option: (c, width) => ({
      grid: { left: width < 500 ? 96 : 190, right: 10, top: 8, bottom: 92 },
      tooltip: rt.tooltip(c, { formatter: (t) => `${rt.short(ops[t.value[1]].name, 60)}\n${names[t.value[0]]}: ${t.value[2]} % busy` }),
      xAxis: rt.axis(c, { type: "category", data: names, splitLine: { show: false }, axisLabel: { color: c.muted, rotate: 40, interval: 0 } }),
      yAxis: rt.axis(c, { type: "category", inverse: true, data: ops.map((o) => o.name), splitLine: { show: false }, axisLabel: { color: c.text, width: width < 500 ? 88 : 180, overflow: "truncate" } }),
      visualMap: { show: false, min: 0, max: 100, inRange: { color: c.ramp } },
      series: [{ type: "heatmap", data: cells, itemStyle: { borderColor: c.surface, borderWidth: 1 },
        label: { show: width >= 420, fontSize: 11, formatter: (t) => (t.value[2] >= 0.5 ? Math.round(t.value[2]) : ""), color: c.text, textBorderColor: c.surface, textBorderWidth: 2 } }],
    }),
  });
};

rt.opTable = (parent, run) => {
  const columns = [
    { name: "operator", value: (r) => r.name },
    { name: "kind", value: (r) => `${rt.str(r.op.op)} / ${rt.str(r.op.impl)}` },
    { name: "shape", value: (r) => rt.str(r.op.shape) },
    { name: "times", value: (r) => r.repeat, numeric: true },
    { name: "µs each", value: (r) => rt.num(r.op.time_us), text: (r) => rt.within(r.op.time_us, r.band), numeric: true },
    { name: "error band", value: (r) => r.band, text: (r) => (r.known ? `±${r.band.toFixed(0)} %` : "unknown"), numeric: true },
    { name: "bound by", value: (r) => rt.str(r.op.bottleneck) },
    { name: "MHz", value: (r) => rt.num(r.op.clock_mhz), text: (r) => rt.within(r.op.clock_mhz, 2), numeric: true },
    { name: "HBM MB", value: (r) => (rt.num(rt.map(r.op.bytes).hbm_read) + rt.num(rt.map(r.op.bytes).hbm_write)) / 1e6, text: (r) => rt.within((rt.num(rt.map(r.op.bytes).hbm_read) + rt.num(rt.map(r.op.bytes).hbm_write)) / 1e6, 10), numeric: true },
    { name: "schedule", value: (r) => rt.str(r.op.schedule) },
  ];
  const rows = rt.opShares(run).map((o) => {
    const b = rt.map(o.op.explanation).error_band;
    return { ...o, known: Boolean(b), band: b ? rt.num(b.p90_ape) : 20 };
  });
  rt.sortableTable(parent, "Operators", columns, rows, { column: 4, down: true });
};

rt.levers = (parent, run, band) => {
  const ops = rt.opShares(run).filter((o) => rt.list(rt.map(o.op.explanation).levers).length);
  if (!ops.length) return;
  const names = [...new Set(ops.flatMap((o) => o.op.explanation.levers.map((l) => rt.str(l.change))))];
  const saved = names.map((n) => [n, ops.reduce((s, o) => {
    const l = o.op.explanation.levers.find((x) => x.change === n);
    return s + (l ? (rt.num(l.time_us) - rt.num(o.op.time_us)) * o.repeat : 0);
  }, 0)]).sort((a, b) => a[1] - b[1]);
  const total = rt.num(run.time_us);
  rt.chart(parent, {
    title: "What one would change",
    description: `Change of the run's time if one thing were different, played again with the same schedules (the ${ops.length} longest operators).`,
    height: (w) => (w < 500 ? 56 : 40) + (w < 500 ? 46 : 32) * saved.length,
    table: () => ({ header: ["if", "change of time", "µs"], rows: saved.map(([n, v]) => [n, rt.signed(100 * v / total, 1) + " %", rt.within(v, band)]) }),
    option: (c, width) => ({
      grid: { left: width < 500 ? 150 : 330, right: 56, top: 4, bottom: 24 },
      tooltip: rt.tooltip(c, { trigger: "axis", axisPointer: { type: "shadow" }, formatter: (t) => `${saved[t[0].dataIndex][0]}\n${rt.signed(100 * saved[t[0].dataIndex][1] / total, 1)} % of the time` }),
      xAxis: rt.axis(c, { type: "value", axisLabel: { color: c.muted, hideOverlap: true, formatter: (v) => rt.signed(v) + " %" } }),
      yAxis: rt.axis(c, { type: "category", inverse: true, data: saved.map(([n]) => n), axisLabel: { color: c.text, width: width < 500 ? 142 : 320, overflow: "break", lineHeight: 13, fontSize: 11 } }),
      series: [{ type: "bar", barMaxWidth: 18, data: saved.map(([, v]) => ({ value: 100 * v / total, itemStyle: { color: v < 0 ? c.series[2] : c.series[7] } })),
        label: { show: true, position: "right", color: c.muted, formatter: (t) => rt.signed(t.value, Math.abs(t.value) < 2 ? 1 : 0) + " %" } }],
    }),
  });
};
