"use strict";
/* Panels beside the picture: state, uniforms, textures, vertices, shaders, calls, and the history of a pixel. */
const frameDetails = (() => {
  const {data, address, valuesAt, outcomeAt} = frameStore;

  const make = (tag, parent, text, style) => {
    const made = document.createElement(tag);
    if (text !== undefined && text !== null) made.textContent = text;
    if (style) made.className = style;
    if (parent) parent.append(made);
    return made;
  };
  const count = (number) => number.toLocaleString("en");
  const none = (panel, text) => make("p", panel, text, "note");

  /* Objects that collide with that of a draw, and at how many pixels; from results of a replay. */
  const collidesWith = (draw) => (data.collisions ?? []).filter(([a, b]) => draw?.label && (a === draw.label || b === draw.label))
    .map(([a, b, pixels]) => `${a === draw.label ? b : a} at ${count(pixels)} pixels`);

  const drawBefore = (place) => {
    for (let i = place - 1; i >= 0; i--) if (data.operations[i].draw) return data.operations[i].draw;
    return null;
  };

  const table = (panel, columns, style) => {
    const made = make("table", make("div", panel, null, "wide"), null, style);
    if (columns) {
      const row = make("tr", make("thead", made));
      for (const name of columns) make("th", row, name);
    }
    return make("tbody", made);
  };

  /* Rows of texts by name; those that differ from the draw before are marked and tell what it had. */
  const rows = (panel, columns, now, before, style) => {
    const body = table(panel, columns, style);
    const known = before && new Map(before.map((row) => [row[0], row.slice(1).join("\u0000")]));
    for (const cells of now) {
      const row = make("tr", body);
      cells.forEach((text, i) => make("td", row, text, i ? "value" : ""));
      const old = known ? known.get(cells[0]) : undefined;
      if (known && old !== cells.slice(1).join("\u0000")) {
        row.className = "differs";
        row.title = old === undefined ? "the draw before has none" : `the draw before: ${old.split("\u0000").join(", ")}`;
      }
    }
  };

  const state = (panel, operation, place) => {
    const {draw} = operation;
    const facts = [["call", `${operation.call} ${operation.function}`], ...operation.facts];
    if (!draw) return rows(panel, null, facts, null, "facts");
    const culled = draw.mesh ? Object.entries(draw.mesh.culled).map(([why, number]) => `${count(number)} ${why}`) : [];
    if (draw.label) facts.push(["object", draw.label + (draw.collisionable ? " (collisionable)" : "")]);
    const others = collidesWith(draw);
    if (others.length) facts.push(["collides with", others.join("\n")]);
    facts.push(["primitives drawn", draw.mesh ? count(draw.mesh.total) : "0"]);
    if (culled.length) facts.push(["culled", culled.join(", ")]);
    facts.push(["quads covered", count(draw.covered)], ["fragments written", count(draw.fragments)]);
    facts.push(["program", String(data.programs[draw.program].name)]);
    const cost = frameCosts.of(operation);
    if (cost) facts.push(["time", `${frameCosts.percent(cost.share)} of the frame`]);
    facts.push(["executed", draw.ways[0] === draw.ways[1] ? draw.ways[0] : `primitives ${draw.ways[0]}; fragments ${draw.ways[1]}`]);
    rows(panel, null, facts, null, "facts");
    const before = drawBefore(place);
    for (const [title, group] of draw.state) {
      make("h3", panel, title);
      const old = before && before.state.find(([name]) => name === title);
      rows(panel, null, group, old && old[1], "facts");
    }
  };

  const uniforms = (panel, {draw}, place) => {
    if (!draw.uniforms.length) return none(panel, "The program has no uniforms but samplers.");
    const before = drawBefore(place), named = (of) => of.uniforms.map(([name, type, text]) => [`${name}: ${type}`, text]);
    rows(panel, null, named(draw), before && before.program === draw.program ? named(before) : null, "stacked");
  };

  const textures = (panel, {draw}) => {
    if (!draw.samplers.length) none(panel, "The program samples no textures.");
    for (const {name, stage, texture, ...parameters} of draw.samplers) {
      make("h3", panel, `${name} (${stage})`);
      const told = Object.entries(parameters).map(([key, value]) => `${key} ${value}`).join(", ");
      if (texture === null) {
        none(panel, `incomplete: it reads 0, 0, 0, 1; ${told}`);
        continue;
      }
      const {name: number, target, levels, layers} = data.textures[texture];
      const [, , width, height] = levels[0];
      const deep = layers > 1 ? `, ${layers} layers` : "";
      none(panel, `texture${number === null ? "" : ` ${number}`}, ${target}, ${width}x${height}${deep}; ${told}`);
      const grid = make("div", panel, null, "levels");
      for (const [level, layer, wide, high, number] of levels) {
        const figure = make("figure", grid), image = make("img", figure);
        image.src = address(number);
        image.alt = `level ${level}${layers > 1 ? `, layer ${layer}` : ""} of ${name}`;
        image.title = `${image.alt}: ${wide}x${high} texels`;
        make("figcaption", figure, layers > 1 ? `${level}, ${layer}` : `level ${level}`);
      }
    }
  };

  const vertices = (panel, {draw}) => {
    if (!draw.vertices) return none(panel, "The draw has no vertices.");
    const {columns, rows: first, total} = draw.vertices;
    none(panel, first.length < total ? `The first ${first.length} of ${count(total)} distinct vertices.` : `${total} distinct vertices.`);
    rows(panel, columns, first, null, "vertices");
  };

  const shaders = (panel, {draw}) => {
    for (const [stage, text, instructions, digest] of data.programs[draw.program].sources) {
      make("h3", panel, `${stage} shader${instructions ? `, ${instructions} instructions` : ""}`);
      frameLines.source(panel, stage, text, digest);
    }
  };

  /* Calls that only ask, which some toolkits make before and after each other one. */
  const QUERY = /^(gl(Get|Is|CheckFramebufferStatus)|egl(Get|Query))/;
  const shownCalls = {words: "", queries: false};
  const calls = (panel, operation) => {
    const [first, last] = operation.calls, between = data.calls.slice(first, last);
    const form = make("div", panel, null, "place fixed");
    const field = make("input", form), label = make("label", form), box = make("input", label);
    Object.assign(field, {type: "search", placeholder: "filter: words of calls", value: shownCalls.words});
    Object.assign(box, {type: "checkbox", checked: shownCalls.queries});
    label.append(" queries, such as glGetError");
    const told = make("p", panel, null, "note"), list = make("ul", panel, null, "calls");
    const fill = () => {
      Object.assign(shownCalls, {words: field.value, queries: box.checked});
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const seen = between.filter(([number, text]) => number === operation.call ||
        ((box.checked || !QUERY.test(text)) && words.every((word) => text.toLowerCase().includes(word))));
      list.replaceChildren();
      for (const [number, text] of seen) {
        const item = make("li", list, null, number === operation.call ? "own" : "");
        make("b", item, number);
        item.append(text);
      }
      const left = between.length - seen.length;
      told.textContent = `Calls since the operation before${left ? `, ${count(left)} of ${count(between.length)} not shown` : ""}:`;
    };
    for (const each of [field, box]) each.addEventListener("input", fill);
    fill();
  };

  const hexadecimal = (value) =>
    [value, value >> 8, value >> 16].map((byte) => (byte & 255).toString(16).padStart(2, "0")).join("");
  const shown = (cell, kind, value) => {
    if (value === undefined) return void make("span", cell, "unknown", "note");
    if (kind !== "color") return void make("code", cell, kind === "depth" ? (value / data.depth_max).toFixed(5) : value);
    make("span", cell, null, "swatch").style.background = `#${hexadecimal(value)}`;
    make("code", cell, `#${hexadecimal(value)}`);
  };
  const change = (row, kind, before, after) => {
    const cell = make("td", row);
    shown(make("div", cell), kind, before);
    if (after === undefined || after === before) return;
    const line = make("div", cell, "→ ");
    shown(line, kind, after);
  };

  /* Operations that covered a pixel, with their outcomes and the values before and after. */
  const historyOf = async (plane, x, y) => {
    const depth = data.operations.map(({planes}) => planes.includes(plane) && planes.find((p) => data.planes[p].kind === "depth"))
      .find((found) => found !== undefined && found !== false);
    const shownPlanes = [...new Set([plane, ...(depth === undefined ? [] : [depth])])];
    const values = await Promise.all(shownPlanes.map((each) => valuesAt(each, x, y)));
    const known = values.map((list) => list.filter(({operation}) => operation < 0)[0]?.value);
    const lines = [];
    for (const [place, operation] of data.operations.entries()) {
      if (!operation.planes.includes(plane)) continue;
      const outcome = await outcomeAt(operation, x, y);
      const now = values.map((list) => list.find((step) => step.operation === place)?.value);
      if (!outcome && now.every((value) => value === undefined)) continue;
      const told = data.outcomes.filter((_, bit) => outcome >> bit & 1);
      lines.push({place, operation, outcome, told, changes: now.map((value, i) => [known[i], value])});
      now.forEach((value, i) => { if (value !== undefined) known[i] = value; });
    }
    return {planes: shownPlanes, lines};
  };

  /* What the tile of the chosen pixel cost in the pass of the chosen operation; tiles are counted from the bottom. */
  const tileOf = ({operation, plane, place: [x, y]}) => {
    const now = data.operations[operation], map = now && data.tiles?.passes[now.pass];
    if (!map || !now.planes.includes(plane)) return [];
    const row = Math.floor((data.planes[plane].height - 1 - y) / map.height), column = Math.floor(x / map.width);
    const at = row * map.across + column;
    const values = data.tiles.metrics.map(({name}) => [name, map.values[name][at]]);
    const texts = values.filter(([, value]) => typeof value === "number")
      .map(([name, value]) => `${name.replace(/_/g, " ")} ${count(value)}`);
    return [...texts, ...(map.bounded[at] ? [`bounded by ${map.bounded[at]}`] : [])];
  };

  const pixel = async (panel, view, still) => {
    const {plane, place: at} = view;
    const {width, height, label} = data.planes[plane];
    const form = make("div", panel, null, "place");
    ["x", "y"].forEach((axis, i) => {
      const field = make("label", form, `${axis} `).appendChild(document.createElement("input"));
      Object.assign(field, {type: "number", min: 0, max: [width, height][i] - 1, value: at ? at[i] : ""});
      field.id = `frame-${axis}`;
      field.addEventListener("change", () => {
        const place = ["frame-x", "frame-y"].map((id) => Math.round(Number(document.getElementById(id).value) || 0));
        view.choosePixel(Math.min(Math.max(place[0], 0), width - 1), Math.min(Math.max(place[1], 0), height - 1));
      });
    });
    make("span", form, `from the upper left of ${label}`, "note");
    if (!at) return none(panel, "Click on the picture, or type a place.");
    const tile = tileOf(view);
    if (tile.length) none(panel, `Its tile in the pass: ${tile.join("; ")}.`);
    const {planes, lines} = await historyOf(plane, ...at);
    if (!still()) return;
    if (!lines.length) none(panel, "No operation of the frame touches this pixel.");
    const kinds = planes.map((each) => data.planes[each].kind);
    const named = kinds.map((kind) => (kind === "color" ? "colour" : kind));
    const body = lines.length ? table(panel, ["operation", ...named], "history") : null;
    for (const {place, operation, outcome, told, changes} of lines) {
      const row = make("tr", body, null, outcome && !(outcome & 1) ? "failed" : "");
      const cell = make("td", row);
      make("div", cell, `${operation.name}${operation.draw?.label ? ` ${operation.draw.label}` : ""}`);
      const cost = frameCosts.of(operation);
      const share = cost ? [`${frameCosts.percent(cost.share)} of the frame's time`] : [];
      make("div", cell, [told.join(", ") || operation.function, ...share].join("; "), "outcome");
      changes.forEach(([before, after], i) => change(row, kinds[i], before, after));
      row.addEventListener("click", () => view.choose(place));
    }
  };

  const OF_DRAWS = {uniforms, textures, vertices, shaders};
  const cost = (panel, operation, place, view) => frameCosts.table(panel, view.choose);
  const resources = (panel, operation, place, view) => frameResources.table(panel, view.choose);
  const TABS = {state, ...OF_DRAWS, calls, cost, resources, pixel};
  const fill = async (name, panel, view, still) => {
    const operation = data.operations[view.operation], kept = panel.dataset.tab === name ? panel.scrollTop : 0;
    panel.dataset.tab = name;
    panel.textContent = "";
    if (name === "pixel") return pixel(panel, view, still);
    if (!operation) return none(panel, "The frame has no operations.");
    if (name in OF_DRAWS && !operation.draw) return none(panel, `A ${operation.kind.replace("_", " ")} has none.`);
    TABS[name](panel, operation, view.operation, view);
    /* The operation's own call is the last one. */
    panel.scrollTop = name === "calls" ? panel.scrollHeight : kept;
  };
  const GROUPS = {side: ["state", "uniforms", "textures", "pixel"], under: ["calls", "vertices", "shaders", "cost", "resources"]};
  return {groups: GROUPS, fill, make, count, historyOf, collidesWith};
})();
