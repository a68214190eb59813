"use strict";
/* Costs of draws, from results of a replay by draw: bars in the list, a table, and a map over the picture. */
const frameCosts = (() => {
  const {data, inflated} = frameStore;
  const {make, count} = frameDetails;
  const known = data.costs ?? null;
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const ofCall = new Map((known?.calls ?? []).map(([call, why, share, ...values]) => [call, {why, share, values}]));
  const most = Math.max(1e-9, ...[...ofCall.values()].map(({share}) => share));

  const of = ({call}) => ofCall.get(call);

  /* Place of the operation that takes most time; null where no costs are known. */
  const dearest = () => {
    const shares = data.operations.map((operation) => of(operation)?.share ?? 0), top = Math.max(0, ...shares);
    return top > 0 ? shares.indexOf(top) : null;
  };

  const bar = (item, operation) => {
    const cost = of(operation);
    if (!cost) return;
    const made = make("span", item, null, "cost");
    made.style.setProperty("--share", `${100 * cost.share / most}%`);
    made.title = `${percent(cost.share)} of the frame's time: ${cost.why}`;
  };

  const text = (number) => count(Math.abs(number) < 10 ? Number(number.toFixed(1)) : Math.round(number));

  /* All that takes time, the most expensive first; a click chooses the operation. */
  const table = (panel, choose) => {
    if (!known) return void make("p", panel, "Costs of draws are in results of replay --by-draw: pass them with --results.", "note");
    const body = make("table", make("div", panel, null, "wide"), null, "costs");
    const head = make("tr", make("thead", body));
    for (const name of ["", "time", "why", ...known.names]) make("th", head, name);
    const rows = data.operations.flatMap((operation, place) => {
      const cost = of(operation);
      const label = `${operation.name}${operation.draw?.label ? ` ${operation.draw.label}` : ""}`;
      return cost ? [{label, place, ...cost}] : [];
    });
    for (const [label, why, share, ...values] of known.others) rows.push({label: label.replace(/_/g, " "), place: null, why, share, values});
    rows.sort((one, other) => other.share - one.share);
    const lines = make("tbody", body);
    for (const {label, place, why, share, values} of rows) {
      const row = make("tr", lines, null, place === null ? "other" : "");
      make("td", row, label);
      make("td", row, percent(share), "value");
      make("td", row, why, "why");
      for (const told of values.map(text)) make("td", row, told, "value");
      if (place !== null) row.addEventListener("click", () => choose(place));
    }
  };

  /* Cycles of draws spread evenly over the pixels that they cover, for each pixel of a plane. */
  const maps = new Map();
  const spread = async (plane) => {
    const {width, height} = data.planes[plane], map = new Float32Array(width * height);
    for (const operation of data.operations) {
      const cost = of(operation), outcomes = operation.draw?.outcomes;
      if (!cost || !outcomes || !operation.planes.includes(plane)) continue;
      const [left, top, across, down, number] = outcomes, flags = new Uint8Array(await inflated(number));
      const covered = flags.reduce((sum, flag) => sum + (flag !== 0), 0);
      const each = cost.values[known.names.indexOf("cycles")] / Math.max(1, covered);
      for (let y = 0; y < down; y++)
        for (let x = 0; x < across; x++)
          if (flags[y * across + x]) map[(top + y) * width + left + x] += each;
    }
    return map;
  };
  const map = (plane) => {
    if (!maps.has(plane)) maps.set(plane, spread(plane));
    return maps.get(plane);
  };

  return {known: known !== null, of, dearest, bar, table, map, percent};
})();
