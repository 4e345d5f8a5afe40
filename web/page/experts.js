// How evenly tokens fall on experts: operators that carry `expert_load`, tokens by expert.
rt.expertLoad = (parent, run) => {
  for (const o of rt.list(run.ops)) {
    const load = rt.list(o.expert_load).map(rt.num).filter((v) => v >= 0);
    if (!load.length) continue;
    const mean = load.reduce((s, v) => s + v, 0) / load.length, most = Math.max(...load);
    const sorted = [...load].sort((a, b) => b - a);
    rt.chart(parent, {
      title: `Expert load: ${rt.str(o.name)}`,
      description: `${load.length} experts, ${Number(mean.toPrecision(3))} tokens on average, ${most} on the fullest (${mean > 0 ? (most / mean).toFixed(2) : "–"} times the average).`,
      height: 240,
      table: () => ({ header: ["rank", "tokens"], rows: sorted.map((v, i) => [i + 1, v]) }),
      option: (c) => ({
        grid: { left: 52, right: 12, top: 12, bottom: 42 },
        tooltip: rt.tooltip(c, { trigger: "axis" }),
        xAxis: rt.axis(c, { type: "category", data: sorted.map((_, i) => i + 1), name: "experts, fullest first" }),
        yAxis: rt.axis(c, { type: "value", name: "tokens", nameGap: 38 }),
        series: [{ type: "bar", name: "tokens", data: sorted, barCategoryGap: "10%", markLine: { silent: true, symbol: "none", lineStyle: { color: c.series[1] }, label: { color: c.text, formatter: "mean" }, data: [{ yAxis: mean }] } }],
      }),
    });
  }
};
