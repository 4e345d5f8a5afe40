// Builds the page from the embedded data.
(() => {
  const items = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const draw = { run: rt.run, validate: rt.validate, compare: rt.compare, sweep: rt.sweep, topology: rt.topology };
  const several = items.length > 1;
  items.forEach((item, i) => {
    const article = rt.el("article", {}, several ? rt.el("h2", { id: `item-${i}` }, rt.str(item.title)) : rt.el("h2", { class: "visually", id: `item-${i}` }, { run: "Prediction", validate: "Validation", compare: "Comparison", sweep: "Sweep", topology: "Topology" }[item.kind] || ""));
    main.append(article);
    const before = rt.contents.length;
    if (several) rt.contents.push([`item-${i}`, rt.short(item.title, 40)]);
    if (draw[item.kind]) draw[item.kind](article, rt.map(item.data), i, document.getElementById(`text-${i}`));
    if (several) rt.contents.length = before + 1;  // one entry an item, where there are several
  });
  document.getElementById("contents").append(...rt.contents.map(([id, name]) => rt.el("li", {}, rt.el("a", { href: `#${id}` }, name))));
  document.getElementById("theme").addEventListener("click", () => rt.setTheme(rt.theme() === "dark" ? "light" : "dark", true));
  rt.setTheme(rt.preferredTheme());
  rt.watch();
  document.documentElement.dataset.ready = "yes";
})();
