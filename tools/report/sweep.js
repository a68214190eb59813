"use strict";
(() => {
  const {across, down, runs, statistics} = JSON.parse(document.getElementById("sweep-data").textContent);
  const element = (name) => document.getElementById(`sweep-${name}`);
  const make = (tag, parent, text, style) => {
    const made = parent.appendChild(document.createElement(tag));
    if (text !== undefined) made.textContent = text;
    if (style) made.className = style;
    return made;
  };
  const number = (value) => value.toLocaleString("en", {maximumFractionDigits: Math.abs(value) < 100 ? 4 : 0});
  statistics.forEach(([name, unit], i) => (make("option", element("statistic"), `${name} (${unit})`).value = i));

  const columns = [...new Set(runs.map((run) => run.across))];
  const key = (run) => JSON.stringify(run.down);
  const rows = [...new Set(runs.map(key))];
  const draw = () => {
    const at = Number(element("statistic").value), percent = element("percent").checked;
    const [, unit, description] = statistics[at], first = runs[0].totals[at];
    element("about").textContent = `${unit}, over all counted frames: ${description}. Baseline: ${runs[0].name}`;
    const table = element("matrix");
    table.tHead.replaceChildren();
    table.tBodies[0].replaceChildren();
    const names = make("tr", table.tHead);
    for (const field of down) make("th", names, field);
    columns.forEach((value, i) => make("th", names, i ? value : `${across}: ${value}`, "number"));
    for (const row of rows) {
      const line = make("tr", table.tBodies[0]);
      for (const value of JSON.parse(row)) make("td", line, value);
      for (const column of columns) {
        const run = runs.find((each) => key(each) === row && each.across === column), value = run?.totals[at];
        const known = value !== undefined && value !== null, change = known && first ? 100 * (value / first - 1) : null;
        const text = !known ? "" : !percent ? number(value) : change === null ? "" : `${change < 0 ? "" : "+"}${change.toFixed(1)} %`;
        const cell = make("td", line, text, "number");
        if (change !== null) {
          cell.title = `${run.name}: ${number(value)} ${unit}, ${change.toFixed(1)} % from the baseline`;
          cell.style.background = `rgb(59 125 216 / ${Math.min(50, Math.abs(change)).toFixed(0)}%)`;
        }
      }
    }
  };
  for (const name of ["statistic", "percent"]) element(name).addEventListener("change", draw);
  draw();
})();
