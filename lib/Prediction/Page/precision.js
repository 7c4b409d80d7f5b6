// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two precisions: what the second gains in time and memory, what of the error its layers and ops cause, and losses.

/** Both losses over the steps. */
function drawLosses(losses) {
  const width = 720, height = 280, left = 64, right = 12, top = 12, bottom = 40;
  const values = losses.steps.flatMap(step => [step.before, step.after]).filter(value => value !== null);
  const least = Math.min(...values), span = Math.max(...values) - least || 1, last = losses.steps.length;
  const x = step => left + (width - left - right) * (last > 1 ? (step - 1) / (last - 1) : 0.5);
  const y = value => top + (height - top - bottom) * (1 - (value - least) / span);
  const drawing = mark("svg", {class: "curve", width, height, role: "img", "aria-label": `${losses.output} over the steps`});
  for (let part = 0; part <= 4; ++part) {
    const value = least + span * part / 4;
    drawing.append(mark("line", {class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value)}),
      mark("text", {x: left - 6, y: y(value) + 4, "text-anchor": "end"}, value.toPrecision(4)));
  }
  for (const step of new Set([1, Math.ceil(last / 2), last]))
    drawing.append(mark("text", {x: x(step), y: height - bottom + 16, "text-anchor": "middle"}, String(step)));
  drawing.append(mark("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, "step"));
  const tints = {before: "array", after: "vector"};
  for (const [side, tint] of Object.entries(tints)) {
    const points = losses.steps.filter(step => step[side] !== null);
    drawing.append(mark("polyline", {"data-side": side, points: points.map(step => `${x(step.step)},${y(step[side])}`).join(" "),
                                     style: `stroke:var(--${tint})`}));
    for (const step of points)
      drawing.append(mark("circle", {cx: x(step.step), cy: y(step[side]), r: 3, style: `fill:var(--${tint})`,
        mousemove: event => tip.show(event, `step ${step.step}`, `${losses.before}: ${step.before}`, `${losses.after}: ${step.after}`),
        mouseleave: () => tip.hide()}));
  }
  return [el("div", {class: "legend"}, Object.entries(tints).map(([side, tint]) =>
    el("span", null, el("i", {style: `background:var(--${tint})`}), losses[side]))), el("div", {class: "scroll"}, drawing)];
}

sections.push({
  id: "precision",
  title: "Precision",
  applies: () => Boolean(data.precision),
  render(box) {
    const found = data.precision;
    if (found.steps) return box.append(el("h3", null, `${found.output} of each step`), ...drawLosses(found));
    const {before, after} = found, number = value => value === null ? "not finite" : value.toPrecision(3);
    const change = (was, is) => was ? (100 * (is / was - 1)).toFixed(1) + " %" : "";
    box.append(el("div", {class: "cards"},
      card("device time", format.time(after.time_us),
           el("span", {class: "note"}, `${before.setting}: ${format.time(before.time_us)}, ${change(before.time_us, after.time_us)}`)),
      card("memory", format.bytes(after.memory.needed),
           el("span", {class: "note"}, `${before.setting}: ${format.bytes(before.memory.needed)}, ` +
             change(before.memory.needed, after.memory.needed))),
      card("error", number(found.error), el("span", {class: "note"}, `${after.setting} against ${before.setting}` +
             (found.error === null ? "" : ", of the outputs' norm")))));
    const left = found.outputs.reduce((sum, output) => sum + output.not_finite_before, 0);
    if (left) box.append(el("p", {class: "note"}, `${left} elements of outputs are not finite in ${before.setting} and left out.`));
    const layers = [{title: "layer", key: row => row.name, cell: row => row.name},
      {title: "share of the error", key: row => row.share, cell: row => format.share(row.share), n: true},
      {title: before.setting, key: row => row.time_us_before, cell: row => format.time(row.time_us_before), n: true},
      {title: after.setting, key: row => row.time_us, cell: row => format.time(row.time_us), n: true}];
    const ops = [{title: "op", key: row => row.name, cell: row => row.name},
      {title: "type", key: row => row.type, cell: row => row.type},
      {title: "why", key: row => row.reason, cell: row => row.reason},
      {title: "share of the error", key: row => row.share, cell: row => format.share(row.share), n: true},
      {title: "error alone", key: row => row.error_alone, cell: row => number(row.error_alone), n: true},
      {title: "switched back", key: row => row.error_without, cell: row => number(row.error_without), n: true},
      {title: "at", key: row => row.location, cell: row => row.location}];
    const ranked = found.ranking.map(index => found.ops[index]), kept = found.ops.filter(op => !op.share);
    const table = (id, columns, rows, by) => {
      const made = sortableTable(columns, () => rows, {row: (row, cells) => el("tr", null, cells), order: by, direction: -1, limit: 50}).box;
      made.id = id;
      return made;
    };
    box.append(el("h3", null, "Layers that cause the error"), table("precision-layers", layers, found.layers, 1),
               el("h3", null, "Ops that cause the error"), table("precision-ops", ops, [...ranked, ...kept], 3));
  }
});
