"use strict";
// Small helpers. Text always goes in as text: nothing in these scripts parses markup.
const rt = {};

rt.el = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) e.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null) continue;
    e.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return e;
};

rt.num = (v) => (typeof v === "number" && Number.isFinite(v) ? v : NaN);
rt.list = (v) => (Array.isArray(v) ? v : []);
rt.map = (v) => (v && typeof v === "object" && !Array.isArray(v) ? v : {});
rt.str = (v) => (v === undefined || v === null ? "" : String(v));

// No more digits than an error band of `percent` supports: the last digit's step is at most a quarter of the band.
rt.within = (value, percent) => {
  const v = rt.num(value);
  if (Number.isNaN(v)) return "–";
  if (v === 0) return "0";
  const digit = Math.floor(Math.log10(Math.abs(v) * Math.max(percent, 0.01) / 400));
  const unit = 10 ** digit;
  return rt.grouped((Math.round(v / unit) * unit).toFixed(Math.max(0, -digit)));
};
// A thin space between groups of three digits, from five digits on.
rt.grouped = (text) => {
  const [whole, part] = text.split(".");
  const digits = whole.replace("-", "");
  const spaced = digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u2009") : digits;
  return (whole.startsWith("-") ? "−" : "") + spaced + (part ? "." + part : "");
};
rt.percent = (share, digits = 0) => (Number.isFinite(share) ? (100 * share).toFixed(digits) + " %" : "–");
rt.signed = (v, digits = 0) => (Number.isFinite(v) ? (v > 0 ? "+" : v < 0 ? "−" : "") + Math.abs(v).toFixed(digits) : "–");
rt.si = (value, unit, digits = 3) => {
  const v = rt.num(value);
  if (Number.isNaN(v)) return "–";
  const steps = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
  const [scale, prefix] = steps.find(([s]) => Math.abs(v) >= s) || [1, ""];
  return Number((v / scale).toPrecision(digits)) + " " + prefix + unit;
};
rt.time = (us, percent = 1) => {
  const v = rt.num(us);
  if (Number.isNaN(v)) return "–";
  if (Math.abs(v) >= 1e6) return rt.within(v / 1e6, percent) + " s";
  if (Math.abs(v) >= 1e4) return rt.within(v / 1e3, percent) + " ms";
  return rt.within(v, percent) + " µs";
};
rt.short = (text, length = 28) => (rt.str(text).length > length ? rt.str(text).slice(0, length - 1) + "…" : rt.str(text));

// Sections with a heading, collected for the contents at the top.
rt.contents = [];
rt.section = (parent, title, id) => {
  const heading = rt.el("h3", { id, tabindex: "-1" }, title);
  const section = rt.el("section", { "aria-labelledby": id }, heading);
  parent.append(section);
  return section;
};
rt.tiles = (entries) =>
  rt.el("dl", { class: "tiles" }, entries.filter(Boolean).map(([name, value, note]) =>
    rt.el("div", {}, rt.el("dt", {}, name), rt.el("dd", {}, value, note ? rt.el("small", {}, note) : null))));
rt.note = (text) => rt.el("p", { class: "note" }, text);
