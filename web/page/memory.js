// Device memory by part, against what the device has.
rt.memoryParts = (parent, memory) => {
  const parts = Object.entries(rt.map(memory)).filter(([k, v]) => k !== "capacity" && rt.num(v) >= 0).map(([k, v]) => [k.replaceAll("_", " "), rt.num(v) / 1e9]);
  const capacity = rt.num(rt.map(memory).capacity) / 1e9;
  const used = parts.reduce((s, [, v]) => s + v, 0);
  rt.chart(parent, {
    title: "Memory by part",
    description: `${used.toPrecision(3)} GB are used` + (capacity > 0 ? ` of ${capacity.toPrecision(3)} GB.` : "."),
    height: 130,
    table: () => ({ header: ["part", "GB"], rows: [...parts, ...(capacity > 0 ? [["free", capacity - used], ["capacity", capacity]] : [])] }),
    option: (c, width) => ({
      grid: { left: 10, right: 16, top: width < 500 ? 54 : 34, bottom: 26 }, legend: rt.legend(c),
      tooltip: rt.tooltip(c, { formatter: (t) => `${t.seriesName}: ${Number(t.value.toPrecision(3))} GB` }),
      xAxis: rt.axis(c, { type: "value", max: Math.max(capacity || 0, used), axisLabel: { color: c.muted, hideOverlap: true, formatter: (v) => Number(v.toPrecision(3)) + " GB" } }),
      yAxis: { type: "category", data: [""], axisLine: { show: false }, axisTick: { show: false } },
      series: [...parts.map(([name, v]) => ({ type: "bar", stack: "m", name, data: [v], barWidth: 26 })),
               ...(capacity > used ? [{ type: "bar", stack: "m", name: "free", data: [capacity - used], barWidth: 26, itemStyle: { color: c.line } }] : [])],
    }),
  });
};
