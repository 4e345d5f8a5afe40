// A roofline: every operator by arithmetic intensity (useful FLOPs over HBM bytes as predicted) and rate.
rt.roofline = (parent, run, band) => {
  const points = rt.list(run.ops).map((o) => {
    const bytes = rt.num(rt.map(o.bytes).hbm_read) + rt.num(rt.map(o.bytes).hbm_write);
    return { name: rt.str(o.name), bound: rt.str(o.bottleneck), x: rt.num(o.flops) / bytes, y: rt.num(o.flops) / rt.num(o.time_us) / 1e6,
             us: rt.num(o.time_us) * (rt.num(o.repeat) || 1) };
  }).filter((p) => p.x > 0 && p.y > 0 && Number.isFinite(p.x));
  const roofs = rt.map(run.roofs);
  const peaks = rt.list(roofs.flops).map(([name, v]) => [rt.str(name), rt.num(v) / 1e12]).filter(([, v]) => v > 0);
  const slopes = rt.list(roofs.bandwidth).map(([name, v]) => [rt.str(name), rt.num(v) / 1e12]).filter(([, v]) => v > 0);
  if (!points.length || !peaks.length || !slopes.length) {
    parent.append(rt.note("No operator with both FLOPs and bytes from HBM: there is no roofline to draw."));
    return;
  }
  const total = points.reduce((s, p) => s + p.us, 0);
  const low = Math.min(0.1, ...points.map((p) => p.x)) / 2, high = Math.max(2000, ...points.map((p) => p.x)) * 2;
  const top = Math.max(...peaks.map(([, v]) => v));
  const bottom = Math.min(...points.map((p) => p.y)) / 3;
  rt.chart(parent, {
    title: "Roofline",
    description: "Each operator by useful FLOPs per byte of HBM traffic and by its rate; the lines are the ceilings at the run's average clock.",
    height: (w) => (w < 500 ? 340 : 420),
    table: () => ({ header: ["operator", "FLOP per byte", "TFLOP/s", "share of time", "bound by"],
                    rows: points.map((p) => [p.name, p.x, p.y, rt.percent(p.us / total), p.bound]) }),
    option: (c, width) => {
      const line = (name, data, color, dashed) => ({ type: "line", name, data, showSymbol: false, silent: true, lineStyle: { color, width: 1.5, type: dashed ? "dashed" : "solid" },
        endLabel: { show: false }, label: { show: false } });
      const label = (text, at, color) => ({ type: "scatter", data: [{ value: at, symbolSize: 0, label: { show: true, formatter: () => text, position: "left", color, fontSize: 11 } }], silent: true });
      const series = [];
      slopes.forEach(([name, v]) => series.push(line(name, [[low, low * v], [top / v, top]], c.muted, name !== "HBM"),
        { ...label(`${name} ${Number(v.toPrecision(3))} TB/s`, [Math.max(low * 3, bottom / v * 3), Math.max(low * 3, bottom / v * 3) * v], c.muted) }));
      series.slice(-4).forEach((s) => { if (s.type === "scatter") s.data[0].label.position = [6, 4]; });
      peaks.forEach(([name, v]) => series.push(line(name, [[v / Math.max(...slopes.map(([, s]) => s)), v], [high, v]], c.muted, false),
        label(`${name} ${Number(v.toPrecision(3))} TFLOP/s`, [high, v], c.muted)));
      peaks.forEach((_, i) => { const s = series[series.length - 2 * i - 1]; s.data[0].label.offset = [0, -8]; });
      series.push({ type: "scatter", name: "operators",
        data: points.map((p, i) => ({ value: [p.x, p.y], symbolSize: 9 + 22 * Math.sqrt(p.us / total), itemStyle: { color: c.series[i % 8], opacity: 0.85, borderColor: c.surface },
          label: { show: points.length <= 12, formatter: () => rt.short(p.name, width < 500 ? 14 : 26), position: "bottom", color: c.text, fontSize: 11 } })),
        labelLayout: { hideOverlap: true, moveOverlap: "shiftY" } });
      return {
        grid: { left: 56, right: 18, top: 18, bottom: 46 },
        tooltip: rt.tooltip(c, { trigger: "item", formatter: (t) => { const p = points[t.dataIndex]; return t.seriesName !== "operators" || !p ? "" :
          `${rt.short(p.name, 60)}\n${rt.within(p.y, band)} TFLOP/s at ${Number(p.x.toPrecision(3))} FLOP/B\n${rt.percent(p.us / total)} of the time, bound by ${p.bound}`; } }),
        xAxis: rt.axis(c, { type: "log", name: "FLOP per byte of HBM", min: low, max: high, axisLabel: { color: c.muted, formatter: (v) => Number(v.toPrecision(2)) } }),
        yAxis: rt.axis(c, { type: "log", name: "TFLOP/s", nameGap: 40, min: bottom, max: top * 2, axisLabel: { color: c.muted, formatter: (v) => Number(v.toPrecision(2)) } }),
        series,
      };
    },
  });
};
