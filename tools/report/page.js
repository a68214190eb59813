"use strict";
(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /* What every figure of the page has in common, in the page's present colours. */
  const themed = (layout) => {
    const axis = {gridcolor: colour("--line"), linecolor: colour("--line"), zerolinecolor: colour("--line")};
    const made = {
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      hoverlabel: {namelength: -1},
      modebar: {bgcolor: "rgba(0,0,0,0)", color: colour("--faint"), activecolor: colour("--accent")},
      legend: {orientation: "h", y: -0.16, yanchor: "top"},
      ...layout,
      font: {family: "system-ui, Segoe UI, Helvetica Neue, Arial, sans-serif", size: 13, color: colour("--text")},
    };
    for (const name of Object.keys(layout).filter((name) => /^[xy]axis/.test(name)))
      made[name] = {...axis, ...layout[name]};
    return made;
  };
  /* Named one by one: later versions of the library add buttons that open its maker's site. */
  const config = {
    responsive: true, displaylogo: false, modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]],
  };

  const draw = (place) => {
    const figure = JSON.parse(place.querySelector('script[type="application/json"]').textContent);
    return Plotly.newPlot(place.plot ??= place.appendChild(document.createElement("div")), figure.data,
      {...themed(figure.layout), height: place.clientHeight || undefined}, config);
  };

  const sort = (header) => {
    const column = [...header.parentNode.children].indexOf(header);
    const down = header.getAttribute("aria-sort") === "ascending";
    for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = header.closest("table").tBodies[0];
    const keyed = [...body.rows].map((row) => {
      const {dataset, textContent} = row.cells[column];
      return {row, value: dataset.value === undefined ? null : Number(dataset.value), text: textContent.trim()};
    });
    /* Numbers, then texts, then empty places, whichever way the rest goes. */
    const rank = ({value, text}) => (value !== null ? 0 : text ? 1 : 2);
    keyed.sort((a, b) => {
      if (rank(a) !== rank(b)) return rank(a) - rank(b);
      const order = a.value !== null ? a.value - b.value : a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
      return down ? -order : order;
    });
    body.append(...keyed.map(({row}) => row));
  };

  const filter = (field) => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of field.parentNode.querySelector("tbody").rows) {
      const told = [row, ...row.cells].map((each) => `${each.title}`).join(" ");
      const text = `${row.textContent} ${told}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  };

  window.tilegpuPage = {themed, config};
  for (const header of document.querySelectorAll(".sortable th")) {
    header.addEventListener("click", () => sort(header));
    header.addEventListener("keydown", (event) => event.key === "Enter" && sort(header));
  }
  for (const field of document.querySelectorAll("input.filter")) field.addEventListener("input", () => filter(field));
  const figures = [...document.querySelectorAll(".figure")];
  for (const figure of figures) draw(figure);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => figures.forEach(draw));
})();
