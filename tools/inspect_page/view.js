"use strict";
/* The list of operations, the picture, and the keys. */
(() => {
  const {data, picture, inflated, after, steps, value} = frameStore;
  const {make, count, collidesWith} = frameDetails;
  const MAP = "draws";
  const $ = (name) => document.getElementById(`frame-${name}`);
  const view = {operation: data.operations.length - 1, plane: 0, place: null, tabs: {side: "state", under: "calls"}, wanted: "auto"};
  const items = [];

  /* The list: passes, groups and markers are headings of what follows them. */
  const list = $("list");
  const headings = [], folded = new Set();
  /* A heading folds what is under it: operations, and headings that have it among those that are `open`. */
  const heading = (text, style, depth, open) => {
    const made = make("div", list, text, style);
    made.style.setProperty("--depth", depth);
    if (depth) made.classList.add("indent");
    made.role = "presentation";
    headings.push({made, open: [...open]});
    if (style === "marker") return made;
    made.title = "click to fold or unfold, f for all";
    made.addEventListener("click", () => fold([made], !folded.has(made)));
    return made;
  };
  const fold = (some, away) => {
    for (const made of some) {
      if (away) folded.add(made);
      else folded.delete(made);
      made.classList.toggle("folded", away);
    }
    filter();
  };
  const foldAll = () => {
    const groups = headings.map(({made}) => made).filter((made) => made.classList.contains("group"));
    const some = groups.length ? groups : headings.map(({made}) => made).filter((made) => made.classList.contains("heading"));
    fold(some, some.some((made) => !folded.has(made)));
  };
  const build = () => {
    let pass = null, groups = [], open = [];
    data.operations.forEach((operation, place) => {
      if (operation.pass !== null && operation.pass !== pass) {
        pass = operation.pass;
        const [first] = operation.planes;
        const plane = first === undefined ? null : data.planes[first];
        const where = plane ? `: ${plane.label.replace(/ (colour|alpha|depth|stencil).*/, "")}, ${plane.width}x${plane.height}` : "";
        open = [heading(`Pass ${pass}${where}`, "heading", 0, [])];
        groups = [];
      }
      let same = 0;
      while (same < groups.length && groups[same] === operation.groups[same]) same++;
      open.length = Math.min(open.length, 1 + same);
      for (let i = same; i < operation.groups.length; i++) open.push(heading(operation.groups[i], "group", i, open));
      for (const marker of operation.markers) heading(marker, "marker", operation.groups.length, open);
      groups = operation.groups;
      const item = make("div", list, null, "operation indent");
      item.role = "option";
      item.id = `operation-${place}`;
      item.style.setProperty("--depth", groups.length);
      make("span", item, operation.call, "number");
      const what = make("span", item, null, "what");
      make("b", what, operation.name.replace(/ \(call .*/, ""));
      /* What is as in the line before is not said again; the filter and a tooltip know it. */
      const repeated = operation.title === data.operations[place - 1]?.title;
      make("span", what, repeated ? "" : ` ${operation.title}`);
      item.title = [operation.title, operation.draw?.label].filter(Boolean).join("; ");
      if (operation.draw?.label && operation.draw.label !== groups.at(-1)) make("span", what, ` ${operation.draw.label}`);
      const chips = [];
      if (operation.draw?.collisionable) chips.push(collidesWith(operation.draw).length ? "collides" : "collisionable");
      if (operation.planes.length && !operation.changes.length) {
        item.classList.add("still");
        chips.push("no change");
      }
      for (const chip of chips) what.append(" "), make("span", what, chip, "chip");
      frameCosts.bar(item, operation);
      item.addEventListener("click", () => choose(place));
      const program = operation.draw ? `program ${data.programs[operation.draw.program].name}` : "";
      const text = [item.textContent, operation.title, operation.function, operation.call, operation.draw?.label ?? "", program, ...groups];
      items.push({item, text: text.join(" ").toLowerCase(), open: [...open]});
    });
  };

  const filter = () => {
    const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const away = (open) => !words.length && open.some((made) => folded.has(made));
    for (const {made, open} of headings) made.hidden = words.length > 0 || away(open);
    let number = 0;
    for (const {item, text, open} of items) {
      const found = words.every((word) => text.includes(word));
      item.hidden = !found || away(open);
      number += found;
      if (found && words.length) for (const made of open) made.hidden = false;
    }
    $("count").textContent = `${count(number)} of ${count(items.length)} operations`;
  };

  /* The picture. */
  const planeOf = (operation) => {
    if (view.wanted !== "auto") return Number(view.wanted);
    const {planes, changes} = operation ?? {planes: [], changes: []};
    const colour = (plane) => data.planes[plane].kind === "color";
    return changes.map(([plane]) => plane).find(colour) ?? planes.find(colour) ?? changes[0]?.[0] ?? planes[0] ?? view.plane;
  };

  const GRAYS = {alpha: 255, stencil: 0, depth: 0};
  const grays = (image, kind) => {
    const {data: pixels} = image;
    let least = Infinity, most = -Infinity;
    for (let i = 0; i < pixels.length; i += 4) {
      const now = value(pixels.subarray(i, i + 3));
      if (kind === "depth" && now === data.depth_max) continue;
      if (now < least) least = now;
      if (now > most) most = now;
    }
    if (GRAYS[kind]) [least, most] = [0, GRAYS[kind]];
    const range = Math.max(1, most - least);
    for (let i = 0; i < pixels.length; i += 4) {
      const share = (value(pixels.subarray(i, i + 3)) - least) / range;
      pixels[i] = pixels[i + 1] = pixels[i + 2] = Math.round(255 * Math.min(1, share));
    }
    if (most < least) return "";
    const scaled = (number) => (kind === "depth" ? (number / data.depth_max).toFixed(6) : number);
    return `black is ${scaled(least)}, white ${scaled(most)}`;
  };

  const layout = () => {
    const {width, height} = data.planes[view.plane];
    const stage = $("stage"), zoom = Number($("zoom").value);
    const most = innerWidth > 1180 ? .58 * $("view").clientHeight : 480;
    const fit = Math.min((stage.clientWidth - 1) / width, (most - 3) / height);
    const scale = zoom || (fit > 1 ? Math.max(1, Math.min(8, Math.floor(fit))) : fit);
    $("stack").style.width = `${Math.max(1, width * scale)}px`;
    $("stack").style.height = `${Math.max(1, height * scale)}px`;
    $("stack").classList.toggle("enlarged", scale > 1);
    return scale;
  };

  /* Darkens what the operation leaves as it is, and frames what it changes. */
  const marked = async (context, operation, scale) => {
    const own = operation.changes.filter(([plane]) => plane === view.plane);
    if (!own.length) return;
    const mask = document.createElement("canvas"), {width, height} = data.planes[view.plane];
    [mask.width, mask.height] = [width, height];
    const paint = mask.getContext("2d");
    paint.fillStyle = "#00000088";
    paint.fillRect(0, 0, width, height);
    paint.globalCompositeOperation = "destination-out";
    for (const [, x, y, , , number] of own) paint.drawImage(await picture(number), x, y);
    context.drawImage(mask, 0, 0, width * scale, height * scale);
    context.strokeStyle = "#ff2fa0";
    for (const [, x, y, wide, high] of own) context.strokeRect(x * scale, y * scale, wide * scale, high * scale);
  };

  const wires = async (context, {draw}, scale) => {
    if (!draw?.mesh || !draw.mesh.shown) return;
    const {corners} = draw.mesh;
    const places = new Int16Array(await inflated(draw.mesh.places));
    const primitives = new Uint16Array(await inflated(draw.mesh.primitives));
    const at = (i) => [0, 1].map((axis) => places[2 * primitives[i] + axis] / data.subpixels * scale);
    context.beginPath();
    for (let first = 0; first < primitives.length; first += corners) {
      const [x, y] = at(first);
      if (corners === 1) context.rect(x - 2, y - 2, 4, 4);
      context.moveTo(x, y);
      for (let i = 1; i < corners; i++) context.lineTo(...at(first + i));
      if (corners === 3) context.closePath();
    }
    context.strokeStyle = "#00e0a0";
    context.stroke();
  };

  const COSTS = data.tiles ? data.tiles.metrics : [];
  const RAMP = [[68, 1, 84], [59, 81, 139], [33, 144, 141], [92, 200, 99], [253, 231, 37]];
  const colour = (share) => {
    const part = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1), low = Math.min(Math.floor(part), RAMP.length - 2);
    return RAMP[low].map((c, i) => Math.round(c + (part - low) * (RAMP[low + 1][i] - c)));
  };
  /* Costs of draws by pixel; the scale ends where one pixel in a hundred is more expensive. */
  const drawCosts = async (context, scale) => {
    const {width, height} = data.planes[view.plane], map = await frameCosts.map(view.plane);
    const sorted = map.filter((number) => number > 0).sort(), most = sorted[Math.floor(.99 * (sorted.length - 1))] || 1;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const image = new ImageData(width, height);
    map.forEach((number, at) => image.data.set([...colour(number / most), number > 0 ? 190 : 0], 4 * at));
    canvas.getContext("2d").putImageData(image, 0, 0);
    context.drawImage(canvas, 0, 0, width * scale, height * scale);
    return `; yellow pixels take ${most.toPrecision(3)} cycles`;
  };
  const costs = async (context, {pass}, scale) => {
    const map = data.tiles?.passes[pass], name = $("tiles").value;
    if (name === MAP) return drawCosts(context, scale);
    if (!map || !name) return "";
    const found = map.values[name], most = Math.max(...found.filter((number) => number !== null), 1e-9);
    const {height} = data.planes[view.plane];
    context.globalAlpha = .6;
    found.forEach((number, at) => {
      if (number === null) return;
      context.fillStyle = `rgb(${colour(number / most).join(" ")})`;
      const [column, row] = [at % map.across, Math.floor(at / map.across)];
      const [left, right] = [column, column + 1].map((edge) => Math.round(edge * map.width * scale));
      const [upper, lower] = [row + 1, row].map((edge) => Math.round((height - edge * map.height) * scale));
      context.fillRect(left, upper, right - left, lower - upper);
    });
    context.globalAlpha = 1;
    const {unit} = COSTS.find((metric) => metric.name === name);
    return `; yellow tiles take ${count(most)} ${unit}`;
  };

  const overlay = async (operation, scale, still) => {
    const {width, height} = data.planes[view.plane];
    const fine = Math.max(1, Math.min(4, scale * devicePixelRatio)), drawn = document.createElement("canvas");
    [drawn.width, drawn.height] = [Math.round(width * fine), Math.round(height * fine)];
    const context = drawn.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.lineWidth = Math.max(1, fine / (scale * devicePixelRatio));
    const told = operation ? await costs(context, operation, fine) : "";
    if (operation && $("marks").checked && $("tiles").value !== MAP) await marked(context, operation, fine);
    if (operation && $("wire").checked) await wires(context, operation, fine);
    if (view.place) {
      const [x, y] = view.place.map((at) => at * fine);
      context.strokeStyle = "#ffffff";
      context.strokeRect(x - 1, y - 1, fine + 2, fine + 2);
      context.strokeStyle = "#000000";
      context.strokeRect(x - 2, y - 2, fine + 4, fine + 4);
    }
    if (!still()) return "";
    const seen = $("overlay");
    [seen.width, seen.height] = [drawn.width, drawn.height];
    seen.getContext("2d").drawImage(drawn, 0, 0);
    return told;
  };

  let turn = 0;
  const show = async () => {
    const mine = ++turn, still = () => mine === turn;
    const operation = data.operations[view.operation];
    if (!data.planes.length) return;
    view.plane = planeOf(operation);
    const {width, height, kind, label} = data.planes[view.plane];
    const composed = await after(view.plane, view.operation);
    if (!still()) return;
    const canvas = $("picture"), context = canvas.getContext("2d", {willReadFrequently: true});
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const image = composed.getContext("2d").getImageData(0, 0, width, height);
    const told = kind === "color" ? "" : grays(image, kind);
    context.putImageData(image, 0, 0);
    const own = operation ? operation.changes.filter(([plane]) => plane === view.plane).length : 0;
    const words = [label, `${width}x${height}`, ...(told ? [told] : []), ...(own ? [] : ["unchanged by this operation"])];
    const cost = await overlay(operation, layout(), still);
    if (!still()) return;
    $("below").textContent = words.join(", ") + cost;
    document.body.dataset.shown = `${view.operation} ${view.plane}`;
  };

  const details = (group) => {
    const name = view.tabs[group], asked = details[group] = {};
    for (const tab of $(`${group}-tabs`).children) tab.setAttribute("aria-selected", tab.dataset.tab === name);
    return frameDetails.fill(name, $(group), view, () => details[group] === asked);
  };

  const choose = (place) => {
    if (!data.operations.length) return;
    view.operation = Math.min(Math.max(place, 0), data.operations.length - 1);
    const operation = data.operations[view.operation];
    items.forEach(({item}, i) => item.setAttribute("aria-selected", i === view.operation));
    items[view.operation].item.scrollIntoView({block: "nearest"});
    list.setAttribute("aria-activedescendant", `operation-${view.operation}`);
    $("title").textContent = `${operation.name}: ${operation.title} `;
    make("span", $("title"), operation.function);
    for (const group of ["side", "under"]) if (view.tabs[group] !== "pixel") details(group);
    return show();
  };
  const choosePixel = (x, y) => {
    view.place = [x, y];
    view.tabs.side = "pixel";
    details("side");
    return show();
  };
  Object.assign(view, {choose, choosePixel});

  const move = (by) => {
    const seen = items.map(({item}, i) => (item.hidden ? -1 : i)).filter((i) => i >= 0);
    if (!seen.length) return;
    const next = seen.findIndex((i) => i >= view.operation);
    const at = next < 0 ? seen.length : next;
    const on = seen[at] === view.operation;
    choose(seen[Math.min(Math.max(at + by - (on || by < 0 ? 0 : 1), 0), seen.length - 1)]);
  };
  const KEYS = {ArrowDown: () => move(1), ArrowUp: () => move(-1), PageDown: () => move(10), PageUp: () => move(-10),
    Home: () => move(-Infinity), End: () => move(Infinity), "/": () => $("filter").focus(),
    c: () => $("marks").click(), w: () => $("wire").click(), f: foldAll};
  const tabs = Object.entries(frameDetails.groups).flatMap(([group, names]) => names.map((name) => [group, name]));
  tabs.forEach(([group, name], i) => {
    KEYS[i + 1] = () => { view.tabs[group] = name; details(group); };
    const tab = make("button", $(`${group}-tabs`), name[0].toUpperCase() + name.slice(1));
    tab.dataset.tab = name;
    tab.type = "button";
    tab.role = "tab";
    tab.title = `key ${i + 1}`;
    tab.addEventListener("click", KEYS[i + 1]);
  });
  document.addEventListener("keydown", (event) => {
    const {target, key} = event, inFilter = target === $("filter");
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (inFilter && key === "Escape") return void target.blur();
    if (target.matches("select, input[type=number], .panel input") || (inFilter && !["ArrowDown", "ArrowUp"].includes(key))) return;
    if (target.classList.contains("panel") && ["PageDown", "PageUp", "Home", "End"].includes(key)) return;
    if (!(key in KEYS)) return;
    event.preventDefault();
    KEYS[key]();
  });

  make("option", $("plane"), "colours of the operation").value = "auto";
  data.planes.forEach(({label, width, height}, i) => make("option", $("plane"), `${label}, ${width}x${height}`).value = i);
  $("plane").addEventListener("change", () => { view.wanted = $("plane").value; show(); });
  if (data.tiles) {
    make("option", $("tiles"), "none").value = "";
    for (const {name} of COSTS) make("option", $("tiles"), `tiles: ${name.replace(/_/g, " ")}`).value = name;
    if (frameCosts.known) make("option", $("tiles"), "draws: cycles by pixel").value = MAP;
    $("tiles").parentNode.hidden = false;
  }
  for (const name of ["zoom", "marks", "wire", "tiles"]) $(name).addEventListener("change", show);
  $("filter").addEventListener("input", filter);
  addEventListener("resize", () => show());
  $("overlay").addEventListener("click", (event) => {
    const {left, top, width, height} = $("overlay").getBoundingClientRect(), plane = data.planes[view.plane];
    const at = [(event.clientX - left) / width * plane.width, (event.clientY - top) / height * plane.height];
    choosePixel(...at.map((number, i) => Math.min(Math.max(Math.floor(number), 0), [plane.width, plane.height][i] - 1)));
  });
  if (data.warnings.length) {
    const told = make("details", $("app").parentNode);
    make("summary", told, `${count(data.warnings.length)} warning${data.warnings.length > 1 ? "s" : ""} up to this frame`);
    for (const line of data.warnings) make("p", told, line, "note");
  }
  const dearest = frameCosts.dearest();
  if (dearest !== null) {
    view.operation = dearest;
    $("tiles").value = MAP;
  }
  build();
  filter();
  choose(view.operation);
})();
