"use strict";
(() => {
  const {metrics, runs, views} = JSON.parse(document.getElementById("tiles-data").textContent);
  const element = (name) => document.getElementById(`tiles-${name}`);
  const make = (tag, parent, text) => {
    const made = parent.appendChild(document.createElement(tag));
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const title = (metric) => metric.name.replace(/_/g, " ");
  const number = (value) => (value === null || value === undefined ? "" : value.toLocaleString("en"));
  /* Viridis, which is as light as its values are high. */
  const RAMP = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99],
    [170, 220, 50], [253, 231, 37]];
  const colour = (share) => {
    const at = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1), low = Math.min(Math.floor(at), RAMP.length - 2);
    const mixed = RAMP[low].map((value, i) => Math.round(value + (at - low) * (RAMP[low + 1][i] - value)));
    return `rgb(${mixed.join(" ")})`;
  };
  const gradient = `linear-gradient(90deg, ${RAMP.map((_, i) => colour(i / (RAMP.length - 1))).join(", ")})`;
  let chosen = null;

  views.forEach((view, i) => make("option", element("view"), view.label).value = i);
  metrics.forEach((metric, i) => make("option", element("metric"), title(metric)).value = i);

  const place = (map, column, row) => row * map.across + column;
  const told = (map, column, row) => {
    const at = place(map, column, row);
    const lines = metrics.map((metric) => `${title(metric)}: ${number(map.values[metric.name][at])}`);
    const skipped = map.skipped[at] ? [`left out by ${map.skipped[at]}`] : [];
    const bounded = map.bounded[at] ? [`bounded by ${map.bounded[at]}`] : [];
    return [`tile ${column}, ${row} from the lower left`, ...lines, ...skipped, ...bounded].join("\n");
  };

  const paint = (canvas, map, metric, least, most, cursor) => {
    /* As many pixels as the screen shows, so that edges of tiles lie on whole ones. */
    canvas.width = Math.max(map.across, Math.round((canvas.clientWidth || 600) * devicePixelRatio));
    canvas.height = Math.max(map.down, Math.round(canvas.width * map.down * map.height / (map.across * map.width)));
    const [across, down] = [canvas.width / map.across, canvas.height / map.down];
    const context = canvas.getContext("2d");
    const gap = across > 6 * devicePixelRatio ? Math.round(devicePixelRatio) : 0;
    for (let row = 0; row < map.down; row++) for (let column = 0; column < map.across; column++) {
      const value = map.values[metric.name][place(map, column, row)];
      if (value === null) continue;
      context.fillStyle = colour((value - least) / (most - least));
      const [left, right] = [column, column + 1].map((edge) => Math.round(edge * across));
      const [upper, lower] = [row + 1, row].map((edge) => Math.round((map.down - edge) * down));
      context.fillRect(left, upper, right - left - gap, lower - upper - gap);
    }
    const frame = (x, y, width, height, style) => {
      context.strokeStyle = style;
      context.lineWidth = Math.max(2, across / 6);
      context.strokeRect(x, y, width, height);
    };
    if (chosen !== null) {
      const [x, y] = [chosen.x / map.width * across, chosen.y / map.height * down];
      const [wide, high] = [chosen.width / map.width * across, chosen.height / map.height * down];
      frame(x, canvas.height - y - high, wide, high, "#ff3b6b");
    }
    if (cursor) frame(cursor.column * across, (map.down - 1 - cursor.row) * down, across, down, "#ffffff");
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

  const tip = element("tip");
  const show = (map, cursor, left, top) => {
    tip.textContent = told(map, cursor.column, cursor.row);
    tip.hidden = false;
    tip.style.left = `${Math.max(4, Math.min(left + 14, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(4, Math.min(top + 14, innerHeight - tip.offsetHeight - 8))}px`;
  };

  let repaint = [];
  const draw = () => {
    const view = views[element("view").value], metric = metrics[element("metric").value];
    element("description").textContent = `${metric.unit}: ${metric.description}`;
    const values = view.maps.flatMap((map) => (map === null ? [] : map.values[metric.name]));
    const most = values.reduce((a, b) => Math.max(a, b ?? 0), 1e-9), least = metric.name === "raster_unit" ? -1 : 0;
    const maps = element("maps");
    maps.replaceChildren();
    repaint = [];
    tip.hidden = true;
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
      make("h4", plot, runs[i]);
      const canvas = make("canvas", plot);
      canvas.tabIndex = 0;
      canvas.setAttribute("role", "application");
      canvas.setAttribute("aria-label", `${title(metric)} of ${map.across} by ${map.down} tiles, ${runs[i]}, ${view.label}`);
      canvas.setAttribute("aria-describedby", "tiles-tip");
      let cursor = null;
      const again = () => paint(canvas, map, metric, least, most, cursor);
      repaint.push(again);
      const ramp = make("div", plot), ends = make("div", plot);
      ramp.className = "ramp";
      ramp.style.background = gradient;
      ends.className = "ends";
      [number(least), metric.unit, number(Math.round(most * 100) / 100)].forEach((text) => make("span", ends, text));
      const under = (event) => {
        const box = canvas.getBoundingClientRect();
        const column = Math.floor((event.clientX - box.left) / box.width * map.across);
        const row = map.down - 1 - Math.floor((event.clientY - box.top) / box.height * map.down);
        const within = (at, end) => Math.min(Math.max(at, 0), end - 1);
        return {column: within(column, map.across), row: within(row, map.down)};
      };
      const choose = ({column, row}) => {
        chosen = {x: column * map.width, y: row * map.height, width: map.width, height: map.height};
        repaint.forEach((each) => each());
        answer(view);
      };
      canvas.addEventListener("mousemove", (event) => show(map, under(event), event.clientX, event.clientY));
      canvas.addEventListener("mouseleave", () => { tip.hidden = true; });
      canvas.addEventListener("click", (event) => { cursor = under(event); choose(cursor); });
      canvas.addEventListener("blur", () => { cursor = null; tip.hidden = true; again(); });
      canvas.addEventListener("keydown", (event) => {
        const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
        if (!step && event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (cursor === null) cursor = {column: 0, row: map.down - 1};
        else if (step) cursor = {
          column: Math.min(Math.max(cursor.column + step[0], 0), map.across - 1),
          row: Math.min(Math.max(cursor.row + step[1], 0), map.down - 1),
        };
        again();
        const box = canvas.getBoundingClientRect();
        show(map, cursor, box.left + (cursor.column + 1) / map.across * box.width,
          box.top + (map.down - cursor.row) / map.down * box.height);
        if (!step) choose(cursor);
      });
      again();
    });
    answer(view);
  };

  addEventListener("resize", () => repaint.forEach((each) => each()));
  addEventListener("scroll", () => { tip.hidden = true; }, {passive: true});
  for (const name of ["view", "metric"]) element(name).addEventListener("change", draw);
  draw();
})();
