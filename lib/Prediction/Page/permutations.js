// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where transposes are and were: the regions, drawn, and each transpose with its reason.

const orderColours = ["array", "vector", "read", "latency", "port", "store", "write", "special"];
const orderText = order => order.length ? `[${order.join(", ")}]` : "as written";

/** Places of the ops: each one row below the lowest op that it reads, beside the others of its row. Long regions
    go on in the next column. Linear in ops and edges. */
function placeOps(region) {
  const box = {width: 148, height: 24}, rowsOfColumn = 24, pitch = {x: 164, y: 44};
  const row = region.ops.map(() => 0), first = region.ops.map(() => -1);
  for (const [from, to] of [...region.edges].sort((a, b) => a[1] - b[1])) { // from < to, so that its row is known
    row[to] = Math.max(row[to], row[from] + 1);
    if (first[to] < 0) first[to] = from;
  }
  // What reads nothing is just above its first reader.
  const reader = region.ops.map(() => Infinity);
  for (const [from, to] of region.edges) reader[from] = Math.min(reader[from], row[to]);
  region.ops.forEach((op, i) => { if (first[i] < 0 && reader[i] < Infinity) row[i] = reader[i] - 1; });
  const lane = [], taken = new Map(), lanesOf = [];
  region.ops.forEach((op, i) => {
    if (!taken.has(row[i])) taken.set(row[i], new Set());
    const used = taken.get(row[i]);
    let wanted = first[i] < 0 ? 0 : lane[first[i]];
    while (used.has(wanted)) ++wanted;
    used.add(wanted);
    lane[i] = wanted;
    const column = Math.floor(row[i] / rowsOfColumn);
    lanesOf[column] = Math.max(lanesOf[column] || 0, wanted + 1);
  });
  const left = [0];
  for (let column = 0; column < lanesOf.length; ++column) left.push(left[column] + (lanesOf[column] || 1) * pitch.x);
  const places = region.ops.map((op, i) => ({
    column: Math.floor(row[i] / rowsOfColumn),
    x: left[Math.floor(row[i] / rowsOfColumn)] + lane[i] * pitch.x + 8, y: row[i] % rowsOfColumn * pitch.y + 8
  }));
  const rows = Math.min(Math.max(0, ...row) + 1, rowsOfColumn);
  return {box, places, width: left[left.length - 1] + 8, height: rows * pitch.y};
}

/** The path from the lower edge of a box to the upper edge of the other, or sideways into the next column. */
function edgePath(box, a, b) {
  if (a.column === b.column) {
    const x = a.x + box.width / 2, y = a.y + box.height, u = b.x + box.width / 2, half = (b.y - y) / 2;
    return {path: `M${x} ${y}C${x} ${y + half} ${u} ${b.y - half} ${u} ${b.y}`, x: (x + u) / 2, y: (y + b.y) / 2};
  }
  const x = a.x + box.width, y = a.y + box.height / 2, v = b.y + box.height / 2, half = (b.x - x) / 2;
  return {path: `M${x} ${y}C${x + half} ${y} ${b.x - half} ${v} ${b.x} ${v}`, x: (x + b.x) / 2, y: (y + v) / 2};
}

function drawRegion(region) {
  const {box, places, width, height} = placeOps(region);
  const orders = [...new Set(region.ops.map(op => orderText(op.order)))].filter(order => order !== "as written");
  const tint = order => order === "as written" ? "var(--panel)" : `var(--${orderColours[orders.indexOf(order) % orderColours.length]})`;
  const drawing = mark("svg", {class: "region", width, height, role: "img",
                               "aria-label": `${counted(region.ops.length, "op")}, ${region.transposes_after} transposes remain`});
  for (const [from, to, number] of region.edges) {
    const transpose = region.transposes[number], {path, x, y} = edgePath(box, places[from], places[to]);
    const kind = !transpose ? "plain" : transpose.remains ? "kept" : "removed";
    const show = event => transpose && tip.show(event, kind === "kept" ? "transpose" : "transpose of the program, removed",
                                                transpose.text, transpose.location);
    drawing.append(mark("path", {d: path, class: "edge " + kind, mousemove: show, mouseleave: () => tip.hide()}));
    if (kind === "kept") drawing.append(mark("text", {x: x + 4, y: y + 4, class: "kept"}, format.bytes(transpose.bytes)));
  }
  region.ops.forEach((op, i) => {
    const order = orderText(op.order), {x, y} = places[i];
    const show = event => tip.show(event, op.name, "order: " + order, op.location);
    const name = op.name.length > 19 ? op.name.slice(0, 18) + "\u2026" : op.name;
    drawing.append(mark("g", {class: op.order.length ? "op other" : "op", mousemove: show, mouseleave: () => tip.hide()},
      mark("rect", {x, y, width: box.width, height: box.height, rx: 4, style: "fill:" + tint(order)}),
      mark("text", {x: x + box.width / 2, y: y + 16, "text-anchor": "middle"}, name)));
  });
  const rest = region.ops_in_all - region.ops.filter(op => !/^(argument|result) /.test(op.name)).length;
  return [
    el("div", {class: "legend"}, ["as written", ...orders].map(order =>
      el("span", null, el("i", {style: `background:${tint(order)};border:1px solid var(--line)`}), "stored " + order)),
      el("span", {class: "bad"}, "\u2014 transpose"), el("span", {class: "good"}, "- - transpose of the program, removed")),
    el("div", {class: "scroll"}, drawing),
    rest > 0 ? el("p", {class: "note"}, `${counted(rest, "op")} of the region not drawn`) : null
  ].filter(Boolean);
}

function transposeTable(regions) {
  const all = regions.flatMap(region => region.transposes), outcomeOf = transpose => transpose.remains ? "remains" : "removed";
  return sortableTable([
    {title: "outcome", key: outcomeOf, cell: one => el("span", {class: one.remains ? "bad" : "good"}, outcomeOf(one))},
    {title: "time", key: one => one.time_us, cell: one => format.time(one.time_us), n: true},
    {title: "bytes", key: one => one.bytes, cell: one => format.bytes(one.bytes), n: true},
    {title: "location", key: one => one.location, cell: one => one.location, class: "where"},
    {title: "why", key: one => one.text, cell: one => one.text}
  ], () => all, {row: (one, cells) => el("tr", null, cells), order: 1, limit: 50}).box;
}

sections.push({
  id: "permutations",
  title: "Permutations",
  applies: view => view.prediction.permutations.regions.length > 0,
  render(box, view) {
    const {permutations} = view.prediction, {regions} = permutations, most = 50;
    const change = (name, key, form) => card(name, shown(view, `permutations.${key}_after`, form),
      el("span", {class: "note"}, "before ", shown(view, `permutations.${key}_before`, form)));
    box.append(el("p", {id: "permutations-line", class: permutations.optimal ? "good" : null}, permutations.line),
      el("div", {class: "cards"}, change("transposes", "transposes", "count"), change("bytes of transposes", "bytes", "bytes"),
         card("device time of the regions", shown(view, "permutations.after_us", "time"),
              el("span", {class: "note"}, "before ", shown(view, "permutations.before_us", "time"))),
         card("lower bound", shown(view, "permutations.lower_bound_us", "time"),
              el("span", {class: "note"}, permutations.optimal ? "optimal for this form" : ["gap ", shown(view, "permutations.gap", "share")]))));
    const order = regions.map((region, index) => index)
      .sort((a, b) => regions[b].transposes_after - regions[a].transposes_after || regions[b].before_us - regions[a].before_us || a - b);
    order.slice(0, most).forEach((index, place) => {
      const region = regions[index], details = el("details", {class: "card"},
        el("summary", null, `${region.entry}${region.location ? " at " + region.location : ""}, ${counted(region.ops_in_all, "op")}: ${region.line}`));
      const fill = () => { if (details.open && details.childElementCount === 1) details.append(...drawRegion(region)); };
      details.addEventListener("toggle", fill);
      if (place === 0) details.open = true;
      fill();
      box.append(details);
    });
    if (regions.length > most) box.append(el("p", {class: "note"}, `${regions.length - most} more regions not drawn`));
    if (regions.some(region => region.transposes.length)) box.append(el("h3", null, "Transposes"), transposeTable(regions));
  }
});
