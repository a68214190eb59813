"use strict";
/* Source of a shader, with what each line costs if results of a replay by line were given. */
const frameLines = (() => {
  const {data} = frameStore;
  const {make, count} = frameDetails;
  const known = data.lines ?? null;

  const source = (panel, stage, text, digest) => {
    const lines = known?.shaders[`${stage} ${digest}`];
    if (!lines) {
      if (!known) make("p", panel, "Costs of lines are in results of replay --by-line: pass them with --results.", "note");
      return void make("pre", panel, text);
    }
    const body = make("table", make("div", panel, null, "wide"), null, "costs lines"), head = make("tr", make("thead", body));
    for (const name of ["share", "", "", ...known.names]) make("th", head, name);
    const rows = make("tbody", body);
    [...text.split(/\r\n|\n\r|\n|\r/), null].forEach((line, i) => {
      const number = line === null ? 0 : i + 1, costs = lines[number];
      if (line === null && !costs) return;
      const row = make("tr", rows, null, costs ? "" : "other");
      const [share, values, calls] = costs ?? [0, [], []];
      const bar = make("td", row, costs ? frameCosts.percent(share) : "", "value share");
      bar.style.setProperty("--share", `${(100 * share).toFixed(2)}%`);
      make("td", row, number || "", "value");
      make("code", make("td", row, null, "code"), line ?? "(no line: end of the program)");
      known.names.forEach((_, at) => make("td", row, costs ? count(values[at]) : "", "value"));
      const costsInWords = costs ? known.names.map((name, at) => `${name}: ${count(values[at])}`) : [];
      row.title = [...costsInWords, ...(calls.length ? [`called in line ${calls.join(", ")}`] : [])].join("\n");
    });
  };

  return {source};
})();
