"use strict";
(() => {
  const {metrics, runs, views} = JSON.parse(document.getElementById("tiles-data").textContent);
  const {themed, config} = window.tilegpuPage;
  const element = (name) => document.getElementById(`tiles-${name}`);
  const make = (tag, parent, text) => {
    const made = parent.appendChild(document.createElement(tag));
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const title = (metric) => metric.name.replace(/_/g, " ");
  const number = (value) => (value === null || value === undefined ? "" : value.toLocaleString("en"));
  let chosen = null;

  views.forEach((view, i) => make("option", element("view"), view.label).value = i);
  metrics.forEach((metric, i) => make("option", element("metric"), title(metric)).value = i);

  const place = (map, column, row) => row * map.across + column;
  const told = (map, at) => {
    const lines = metrics.map((metric) => `${title(metric)}: ${number(map.values[metric.name][at])}`);
    return map.skipped[at] ? [...lines, `left out by ${map.skipped[at]}`] : lines;
  };

  const figure = (map, run, metric, most) => {
    const rows = [...Array(map.down).keys()], columns = [...Array(map.across).keys()];
    const bare = {showgrid: false, zeroline: false, ticks: "", showticklabels: false, constrain: "domain"};
    const shapes = chosen === null ? [] : [{
      type: "rect", line: {color: "#ff3b6b", width: 3},
      x0: chosen.x, x1: chosen.x + chosen.width, y0: chosen.y, y1: chosen.y + chosen.height,
    }];
    return [[{
      type: "heatmap", colorscale: "Viridis", zmin: metric.name === "raster_unit" ? -1 : 0, zmax: most,
      x0: map.width / 2, dx: map.width, y0: map.height / 2, dy: map.height,
      z: rows.map((row) => columns.map((column) => map.values[metric.name][place(map, column, row)])),
      text: rows.map((row) => columns.map((column) => {
        const at = `tile ${column}, ${row} from the lower left`;
        return [`<b>${at}</b>`, ...told(map, place(map, column, row))].join("<br>");
      })),
      hovertemplate: "%{text}<extra></extra>", hoverongaps: false, hoverlabel: {align: "left"},
      colorbar: {thickness: 10, title: {text: metric.unit, side: "right"}},
    }], themed({
      title: {text: escaped(run), font: {size: 14}}, margin: {l: 10, r: 10, t: 36, b: 10}, shapes,
      xaxis: bare, yaxis: {...bare, scaleanchor: "x"},
    })];
  };

  const answer = (view) => {
    const table = element("values");
    table.tHead.replaceChildren();
    table.tBodies[0].replaceChildren();
    table.parentNode.hidden = chosen === null;
    if (chosen === null) return;
    const {x, y, width, height} = chosen;
    element("chosen").textContent =
      `Tile at pixels ${x} to ${x + width - 1} across, ${y} to ${y + height - 1} up; ${view.label}`;
    const head = make("tr", table.tHead);
    ["", "unit", ...runs].forEach((text, i) => (make("th", head, text).className = i < 2 ? "" : "number"));
    const at = view.maps.map((map) => {
      if (map === null) return null;
      const column = Math.floor((x + width / 2) / map.width), row = Math.floor((y + height / 2) / map.height);
      return column < map.across && row < map.down ? place(map, column, row) : null;
    });
    for (const metric of metrics) {
      const row = make("tr", table.tBodies[0]);
      row.title = metric.description;
      make("td", row, title(metric));
      make("td", row, metric.unit);
      view.maps.forEach((map, i) => {
        const cell = make("td", row, at[i] === null ? "" : number(map.values[metric.name][at[i]]));
        cell.className = "number";
      });
    }
  };

  const draw = () => {
    const view = views[element("view").value], metric = metrics[element("metric").value];
    element("description").textContent = `${metric.unit}: ${metric.description}`;
    const values = view.maps.flatMap((map) => (map === null ? [] : map.values[metric.name]));
    const most = values.reduce((a, b) => Math.max(a, b ?? 0), 1e-9);
    const maps = element("maps");
    for (const plot of maps.querySelectorAll(".map")) Plotly.purge(plot);
    maps.replaceChildren();
    const picture = view.picture && document.getElementById(view.picture);
    if (picture) {
      const shown = make("figure", maps);
      shown.appendChild(picture.querySelector("img").cloneNode());
      make("figcaption", shown, view.label);
    }
    view.maps.forEach((map, i) => {
      if (map === null) return;
      const plot = make("div", maps);
      plot.className = "map";
      const [data, layout] = figure(map, runs[i], metric, most);
      const ratio = (map.down * map.height) / (map.across * map.width);
      layout.height = Math.min(900, 46 + (plot.clientWidth - 80) * ratio);
      Plotly.newPlot(plot, data, layout, config);
      plot.on("plotly_click", ({points: [{x, y}]}) => {
        chosen = {x: x - map.width / 2, y: y - map.height / 2, width: map.width, height: map.height};
        draw();
      });
    });
    answer(view);
  };

  for (const name of ["view", "metric"]) element(name).addEventListener("change", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
})();
