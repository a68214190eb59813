"use strict";
/* Costs of textures, attachments and buffers, from results of a replay by resource: a table, and the draws that use one. */
const frameResources = (() => {
  const {data, address} = frameStore;
  const {make, count} = frameDetails;
  const known = data.resources ?? null;
  const THUMBNAIL = 48;

  const picture = (surface, level) => {
    const texture = surface === null ? undefined : data.textures.find((each) => each.surface === surface);
    const found = texture?.levels.find(([number]) => number === level);
    return found ? address(found[4]) : null;
  };

  /* Operations whose draws sample a surface, or that draw to it. */
  const users = (surface) => data.operations.flatMap((operation, place) => {
    const samples = (operation.draw?.samplers ?? []).some(({texture}) => texture !== null && data.textures[texture].surface === surface);
    const draws = operation.planes.some((plane) => data.planes[plane].surface === surface);
    return samples || draws ? [{place, name: operation.name, how: samples ? "samples it" : "draws to it"}] : [];
  });

  const list = (panel, name, surface, choose) => {
    panel.textContent = "";
    const found = users(surface);
    make("span", panel, found.length ? `${name} is used by ` : `${name} is used by no operation of the frame.`);
    for (const {place, name: operation, how} of found) {
      const button = make("button", panel, operation);
      button.title = how;
      button.addEventListener("click", () => choose(place));
    }
    panel.scrollIntoView({block: "nearest"});
  };

  const table = (panel, choose) => {
    if (!known) return void make("p", panel, "Costs of resources are in results of replay --by-resource: pass them with --results.", "note");
    const used = make("p", panel, "A click on a texture or attachment lists the draws that use it.", "note users");
    const body = make("table", make("div", panel, null, "wide"), null, "costs resources");
    const head = make("tr", make("thead", body));
    for (const name of ["", "", ...known.names]) make("th", head, name);
    const lines = make("tbody", body);
    for (const {name, size, surface, level, notes, values} of known.rows) {
      const row = make("tr", lines, null, surface === null ? "other" : ""), cell = make("td", row), source = picture(surface, level);
      if (source) {
        const image = make("img", cell);
        image.src = source;
        image.alt = "";
        image.style.maxHeight = image.style.maxWidth = `${THUMBNAIL}px`;
      }
      const named = make("td", row, name);
      for (const line of [size, ...notes]) make("div", named, line, "note");
      for (const value of values) make("td", row, count(Math.abs(value) < 10 ? Number(value.toFixed(1)) : Math.round(value)), "value");
      if (surface !== null) row.addEventListener("click", () => list(used, name, surface, choose));
    }
  };

  return {table, users};
})();
