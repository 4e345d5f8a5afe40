// The stream, one SM, and the memory counters of the longest kernel.
rt.bars = (c, rows, data, describe) => ({
  type: "custom", clip: true, data,
  encode: { x: [1, 2], y: 0 },
  renderItem: (_, api) => {
    const start = api.coord([api.value(1), api.value(0)]), end = api.coord([api.value(2), api.value(0)]);
    const height = Math.min(20, api.size([0, 1])[1] * 0.7);
    return { type: "rect", shape: { x: start[0], y: start[1] - height / 2, width: Math.max(0.6, end[0] - start[0]), height }, style: { fill: api.visual("color"), opacity: 0.9 } };
  },
});

rt.zoom = (c) => [{ type: "inside", filterMode: "weakFilter" }, { type: "slider", filterMode: "weakFilter", height: 22, bottom: 6, borderColor: c.line, fillerColor: c.accent + "22", textStyle: { color: c.muted }, labelFormatter: () => "" }];

rt.streamTimeline = (parent, timeline) => {
  const kernels = rt.list(timeline.kernels).slice(0, 3000);
  if (!kernels.length) return;
  const names = [...new Set(kernels.map((k) => rt.str(k.operation)))];
  rt.chart(parent, {
    title: "Timeline of the stream",
    description: "One stream; the kernels of each operation, in order. An operation that repeats is drawn once. Drag the slider to zoom.",
    height: 190,
    table: () => ({ header: ["operation", "kernel", "start µs", "µs", "times"], rows: kernels.map((k) => [k.operation, k.kernel, rt.num(k.start_us), rt.num(k.us), rt.num(k.repeat)]) }),
    option: (c) => ({
      grid: { left: 12, right: 12, top: 12, bottom: 66 },
      tooltip: rt.tooltip(c, { formatter: (t) => { const k = kernels[t.dataIndex]; return `${rt.short(k.operation, 60)}\n${rt.short(k.kernel, 60)}\nstarts at ${rt.time(k.start_us)}, takes ${rt.time(k.us)}` + (k.repeat > 1 ? `, ${k.repeat} times` : ""); } }),
      dataZoom: rt.zoom(c),
      xAxis: rt.axis(c, { type: "value", min: 0, name: "µs", nameGap: 18 }),
      yAxis: { type: "category", data: ["stream"], axisLabel: { show: false }, axisLine: { show: false }, axisTick: { show: false } },
      series: [rt.bars(c, ["stream"], kernels.map((k) => ({ value: [0, rt.num(k.start_us), rt.num(k.start_us) + rt.num(k.us)], itemStyle: { color: c.series[names.indexOf(rt.str(k.operation)) % 8] } })))],
    }),
  });
};

rt.smTimeline = (parent, sm) => {
  const rows = rt.list(sm.rows).map(rt.str), labels = rt.list(sm.labels).map(rt.str), spans = rt.list(sm.spans);
  if (!spans.length) return;
  const waits = labels.map((l) => l.startsWith("waiting"));
  const used = rows.map((name, i) => ({ name, i })).filter(({ i }) => spans.some((s) => s[0] === i));
  const place = new Map(used.map(({ i }, at) => [i, at]));
  const end = Math.max(...spans.map((s) => s[1] + s[2])) / 1e6;
  const working = labels.filter((_, i) => !waits[i]);
  rt.chart(parent, {
    title: `Timeline of SM ${rt.str(sm.sm)}`,
    description: `${rt.str(sm.operation)}: the first ${spans.length} spans of ${rt.str(sm.kernel)}. Full colour: working; grey: waiting. It starts zoomed in; drag the slider to move.`,
    height: () => 120 + 30 * used.length,
    table: () => ({ header: ["row", "what", "start µs", "µs"], rows: spans.slice(0, 400).map((s) => [rows[s[0]], labels[s[3]], s[1] / 1e6, s[2] / 1e6]) }),
    option: (c, width) => ({
      grid: { left: width < 500 ? 90 : 170, right: 14, top: 10, bottom: 66 },
      tooltip: rt.tooltip(c, { formatter: (t) => { const s = spans[t.dataIndex]; return `${labels[s[3]]}\n${rows[s[0]]}\nfrom ${(s[1] / 1e6).toFixed(3)} µs for ${(s[2] / 1e6).toFixed(3)} µs`; } }),
      dataZoom: rt.zoom(c).map((z) => ({ ...z, startValue: 0, endValue: Math.min(end, Math.max(8, end / 6)) })),
      xAxis: rt.axis(c, { type: "value", min: 0, max: end, name: "µs from the start of the kernel", nameGap: 18 }),
      yAxis: rt.axis(c, { type: "category", inverse: true, data: used.map((u) => u.name), splitLine: { show: false }, axisLabel: { color: c.text, width: width < 500 ? 84 : 162, overflow: "truncate" } }),
      series: [rt.bars(c, rows, spans.map((s) => ({ value: [place.get(s[0]), s[1] / 1e6, (s[1] + s[2]) / 1e6],
        itemStyle: { color: waits[s[3]] ? c.line : c.series[working.indexOf(labels[s[3]]) % 7] } })))],
    }),
  });
};

rt.memoryCounters = (parent, memory) => {
  const bins = rt.list(memory.tb_per_s), width = rt.num(memory.bin_us);
  if (!bins.length) return;
  const names = ["HBM read", "HBM write", "L2 read", "L2 write"];
  rt.chart(parent, {
    title: "Memory traffic while the longest kernel runs",
    description: "Whole GPU, terabytes per second.",
    height: 260,
    table: () => ({ header: ["µs", ...names], rows: bins.map((b, i) => [i * width, ...b.map(rt.num)]) }),
    option: (c) => ({
      grid: { left: 48, right: 12, top: 34, bottom: 42 }, legend: rt.legend(c),
      tooltip: rt.tooltip(c, { trigger: "axis" }),
      xAxis: rt.axis(c, { type: "value", name: "µs", min: 0, max: bins.length * width }),
      yAxis: rt.axis(c, { type: "value", name: "TB/s", nameGap: 30 }),
      series: names.map((name, s) => ({ type: "line", name, showSymbol: false, step: "start", lineStyle: { width: 1.5 }, data: bins.map((b, i) => [Number((i * width).toPrecision(6)), rt.num(b[s])]) })),
    }),
  });
};
