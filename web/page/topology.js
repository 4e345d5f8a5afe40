// GPUs, switches and links as a picture.
rt.topology = (parent, t, index) => {
  const names = rt.list(t.nodes).map(rt.str), links = rt.list(t.links);
  const kinds = [["GPU", 0], ["PCIe switch", 1], ["NVSwitch", 2], ["NIC", 3], ["leaf switch", 4], ["spine switch", 5]];
  const kind = (name) => kinds.findIndex(([k]) => name.toLowerCase().startsWith(k.toLowerCase()));
  const rate = (v) => `${Number((rt.num(v) / 1e9).toPrecision(3))} GB/s`;
  const section = rt.section(parent, "Topology", `topology-${index}`);
  const layers = [1, 3, 0, 2, 4, 5].filter((k) => names.some((n) => kind(n) === k));  // from the bottom up
  const count = (k) => names.filter((n) => kind(n) === k).length;
  const most = Math.max(...links.map((l) => rt.num(l[2])), 1);
  rt.chart(section, {
    title: "Nodes and links", description: `${rt.str(t.vertices)} nodes, ${links.length} links; a thicker line is a faster link. ` + layers.map((k) => `${count(k)} ${kinds[k][0]}`).join(", ") + ".",
    height: () => 110 * Math.max(2, layers.length),
    table: () => ({ header: ["from", "to", "bandwidth", "latency µs"], rows: links.slice(0, 1000).map((l) => [names[l[0]], names[l[1]], rate(l[2]), rt.num(l[3])]) }),
    option: (c, width) => {
      const seen = new Map();
      const data = names.map((name) => {
        const k = kind(name), n = seen.get(k) || 0, all = count(k);
        seen.set(k, n + 1);
        return { name, x: (n + 0.5) / all * (width - 40) + 20, y: -110 * layers.indexOf(k), symbolSize: Math.max(4, Math.min(22, width / all / 1.6)), symbol: k === 0 ? "roundRect" : "circle",
                 itemStyle: { color: c.series[Math.max(0, k)] }, label: { show: all <= (width < 500 ? 8 : 16), position: "bottom", color: c.text, fontSize: 10, formatter: () => name.replace(/ switch/i, "") } };
      });
      return {
        tooltip: rt.tooltip(c, { formatter: (p) => (p.dataType === "edge" ? `${names[links[p.dataIndex][0]]} – ${names[links[p.dataIndex][1]]}\n${rate(links[p.dataIndex][2])}, ${links[p.dataIndex][3]} µs` : p.name) }),
        series: [{ type: "graph", layout: "none", left: 20, right: 20, top: 20, bottom: 34, data, links: links.map((l) => ({ source: l[0], target: l[1], lineStyle: { width: 0.6 + 2.4 * rt.num(l[2]) / most } })), lineStyle: { color: c.muted, opacity: 0.55 }, roam: false }],
      };
    },
  });
  rt.contents.push([`topology-${index}`, "Topology"]);
};
