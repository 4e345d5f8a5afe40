// Tables: plain ones, and ones that sort and filter.
rt.scroll = (label, table) => rt.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);

rt.cell = (value) => {
  if (value instanceof Node) return rt.el("td", {}, value);
  const numeric = typeof value === "number" || /^[+−-]?[\d\u2009]+(\.\d+)?( ?(%|µs|ms|s|W|MB|MHz))?$/.test(rt.str(value));
  return rt.el("td", numeric ? { class: "n" } : {}, typeof value === "number" ? rt.grouped(String(Number(value.toPrecision(5)))) : rt.str(value));
};

rt.plainTable = (caption, header, rows) =>
  rt.scroll(caption, rt.el("table", {}, rt.el("caption", {}, caption),
    rt.el("thead", {}, rt.el("tr", {}, header.map((h) => rt.el("th", { scope: "col" }, h)))),
    rt.el("tbody", {}, rows.map((r) => rt.el("tr", {}, r.map(rt.cell))))));

// columns: [{name, value(row), text(row), numeric}]; a click on a heading sorts, again turns around.
rt.sortableTable = (parent, caption, columns, rows, start) => {
  let order = start || { column: 0, down: false };
  let shown = rows;
  const body = rt.el("tbody", {});
  const heads = columns.map((c, i) => {
    const button = rt.el("button", { type: "button", onclick: () => {
      order = { column: i, down: order.column === i ? !order.down : Boolean(c.numeric) };
      draw();
    } }, c.name);
    return rt.el("th", { scope: "col", class: c.numeric ? "n" : null }, button);
  });
  const draw = () => {
    const { column, down } = order, c = columns[column];
    const value = (r) => { const v = c.value(r); return typeof v === "number" && Number.isNaN(v) ? -Infinity : v; };
    const sorted = [...shown].sort((a, b) => {
      const x = value(a), y = value(b);
      const less = typeof x === "number" && typeof y === "number" ? x - y : rt.str(x).localeCompare(rt.str(y), "en");
      return down ? -less : less;
    });
    heads.forEach((h, i) => (i === column ? h.setAttribute("aria-sort", down ? "descending" : "ascending") : h.removeAttribute("aria-sort")));
    body.replaceChildren(...sorted.map((r) => rt.el("tr", { "data-key": r.key }, columns.map((k) =>
      rt.el("td", k.numeric ? { class: "n" } : {}, k.text ? k.text(r) : rt.str(k.value(r)))))));
  };
  parent.append(rt.scroll(caption, rt.el("table", { class: "sortable" }, rt.el("caption", {}, caption), rt.el("thead", {}, rt.el("tr", {}, heads)), body)));
  draw();
  return { show: (some) => { shown = some; draw(); } };
};

// Controls that narrow a list of rows: a text, choices, and a least value. Calls `changed(rows)`.
rt.filters = (parent, { id, rows, choices, least, searched, changed }) => {
  const state = { text: "", least: 0, chosen: {} };
  const count = rt.el("output", { class: "count", "aria-live": "polite" });
  const apply = () => {
    const text = state.text.toLowerCase();
    const kept = rows.filter((r) =>
      (!text || searched(r).toLowerCase().includes(text)) &&
      choices.every((c) => !state.chosen[c.name] || c.of(r) === state.chosen[c.name]) &&
      (!least || !(least.of(r) < state.least)));
    count.textContent = `${kept.length} of ${rows.length}`;
    changed(kept);
  };
  const field = (label, input) => rt.el("label", {}, rt.el("span", {}, label), input);
  const form = rt.el("form", { class: "filters", onsubmit: (e) => e.preventDefault(), "aria-label": "Filter" },
    field("Search", rt.el("input", { type: "search", id: `${id}-text`, oninput: (e) => { state.text = e.target.value; apply(); } })),
    choices.filter((c) => new Set(rows.map(c.of)).size > 1).map((c) =>
      field(c.name, rt.el("select", { id: `${id}-${c.name}`, onchange: (e) => { state.chosen[c.name] = e.target.value; apply(); } },
        rt.el("option", { value: "" }, "all"), [...new Set(rows.map(c.of))].sort().map((v) => rt.el("option", { value: v }, v))))),
    least ? field(least.name, rt.el("input", { type: "number", id: `${id}-least`, min: 0, step: 1, value: 0, oninput: (e) => { state.least = Number(e.target.value) || 0; apply(); } })) : null,
    count);
  parent.append(form);
  count.textContent = `${rows.length} of ${rows.length}`;
};
