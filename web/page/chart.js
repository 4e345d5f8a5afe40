// Charts: one place that makes them, redraws them for another theme or width, and gives each a description and its data as
// a table, for those who do not see it.
rt.charts = [];

rt.theme = () => document.documentElement.dataset.theme;
rt.colors = () => {
  const css = getComputedStyle(document.documentElement);
  const of = (name) => css.getPropertyValue(name).trim();
  return {
    text: of("--text"), muted: of("--muted"), line: of("--line"), surface: of("--surface"), accent: of("--accent"),
    series: ["--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7", "--c8"].map(of),
    good: of("--good"), bad: of("--bad"), ramp: [of("--ramp0"), of("--ramp1"), of("--ramp2")],
  };
};
// Reasons and resources keep their colour in every chart.
rt.groups = ["unit busy", "unit shared", "dependency", "bandwidth shared", "no slot", "launch", "no work left", "other"];
rt.groupColor = (colors, group) => colors.series[Math.max(0, rt.groups.indexOf(group)) % colors.series.length];

rt.axis = (colors, more) => ({
  axisLabel: { color: colors.muted, hideOverlap: true },
  axisLine: { lineStyle: { color: colors.line } },
  splitLine: { lineStyle: { color: colors.line, opacity: 0.5 } },
  nameTextStyle: { color: colors.muted },
  nameLocation: "middle",
  nameGap: 28,
  ...more,
});
// Tooltips are drawn as text of the picture, not as markup.
rt.tooltip = (colors, more) => ({
  renderMode: "richText", confine: true, backgroundColor: colors.surface, borderColor: colors.line,
  textStyle: { color: colors.text, fontSize: 12 }, ...more,
});
rt.legend = (colors, more) => ({ type: "plain", top: 0, textStyle: { color: colors.text }, icon: "roundRect", itemWidth: 12, itemHeight: 12, ...more });

// spec: title, description, height (or a function of the width), option(colors, width), table: () => ({header, rows}).
rt.chart = (parent, spec) => {
  const box = rt.el("div", { class: "chart", role: "img", "aria-label": `${spec.title}. ${spec.description}` });
  const details = rt.el("details", { class: "data" }, rt.el("summary", {}, "Data of this chart"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const { header, rows } = spec.table();
    details.append(rt.plainTable(spec.title, header, rows));
  });
  parent.append(rt.el("figure", {}, rt.el("figcaption", {}, rt.el("strong", {}, spec.title), " ", rt.el("span", {}, spec.description)), box,
    spec.table ? details : null));
  const chart = { box, spec, instance: null };
  chart.draw = () => {
    const width = box.clientWidth || 600;
    box.style.height = (typeof spec.height === "function" ? spec.height(width) : spec.height || 320) + "px";
    if (chart.instance) chart.instance.dispose();
    chart.instance = echarts.init(box, null, { renderer: "svg", width });
    const colors = rt.colors();
    chart.instance.setOption({ animation: false, color: colors.series, textStyle: { fontFamily: "inherit" }, ...spec.option(colors, width) });
    chart.width = width;
  };
  chart.update = () => {
    if (chart.instance) chart.instance.setOption({ ...spec.option(rt.colors(), chart.width) }, { replaceMerge: ["series"] });
  };
  rt.charts.push(chart);
  return chart;
};
rt.drawAll = () => rt.charts.forEach((c) => c.draw());

rt.setTheme = (theme, remember) => {
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.textContent = theme === "dark" ? "Light" : "Dark";
  button.setAttribute("aria-label", theme === "dark" ? "Use the light theme" : "Use the dark theme");
  if (remember) try { localStorage.setItem("rooftile-theme", theme); } catch { /* not allowed from disk in some browsers */ }
  rt.drawAll();
};
rt.preferredTheme = () => {
  let kept = null;
  try { kept = localStorage.getItem("rooftile-theme"); } catch { /* as above */ }
  return kept === "dark" || kept === "light" ? kept : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
};

rt.watch = () => {
  let waiting = 0;
  new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => rt.charts.forEach((c) => { if (c.box.clientWidth && c.box.clientWidth !== c.width) c.draw(); }), 120);
  }).observe(document.getElementById("main"));
  // Paper is light, and narrower than a screen.
  let before = null;
  matchMedia("print").addEventListener("change", (e) => {
    if (e.matches) { before = rt.theme(); rt.setTheme("light"); } else if (before) rt.setTheme(before);
  });
};
