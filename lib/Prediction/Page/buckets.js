// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets of an entry with dynamic sizes: their times, what launches make of them, and how the waste falls with
// their number.

const strategyTints = {"optimal": "array", "exponential": "read", "linear": "vector", "percent-padding": "latency"};

/** Waste over the number of buckets, one line per strategy. Both axes are logarithmic: each next bucket saves less. */
function drawCurve(curve, what) {
  const width = 720, height = 280, left = 64, right = 12, top = 12, bottom = 40;
  const budgets = curve.map(point => point.max_buckets), most = Math.max(2, ...budgets);
  const wastes = curve.map(point => point.waste).filter(waste => waste > 0);
  const least = Math.max(1e-4, Math.min(...wastes, 0.1)), largest = Math.max(...wastes, least * 10);
  const x = budget => left + (width - left - right) * Math.log(budget) / Math.log(most);
  const y = waste => top + (height - top - bottom) *
    (1 - Math.log(Math.max(waste, least) / least) / Math.log(largest / least));
  const drawing = mark("svg", {class: "curve", width, height, role: "img",
                               "aria-label": `padding, as a share of ${what}, over the number of buckets`});
  for (let power = Math.ceil(Math.log10(least)); power <= Math.floor(Math.log10(largest)); ++power)
    drawing.append(mark("line", {class: "grid", x1: left, x2: width - right, y1: y(10 ** power), y2: y(10 ** power)}),
      mark("text", {x: left - 6, y: y(10 ** power) + 4, "text-anchor": "end"}, format.share(10 ** power)));
  for (let budget = 1; budget <= most; budget *= 2)
    drawing.append(mark("text", {x: x(budget), y: height - bottom + 16, "text-anchor": "middle"}, String(budget)));
  drawing.append(mark("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, "buckets at most"));
  for (const [strategy, tint] of Object.entries(strategyTints)) {
    const points = curve.filter(point => point.strategy === strategy);
    const line = points.map(point => `${x(point.max_buckets)},${y(point.waste)}`).join(" ");
    drawing.append(mark("polyline", {points: line, style: `stroke:var(--${tint})`}));
    for (const point of points)
      drawing.append(mark("circle", {cx: x(point.max_buckets), cy: y(point.waste), r: 3.5, style: `fill:var(--${tint})`,
        mousemove: event => tip.show(event, `${strategy}, at most ${counted(point.max_buckets, "bucket")}`,
          `${counted(point.buckets, "bucket")}, ${format.share(point.waste)} of ${what} for padding`,
          `at least ${format.share(point.least_waste)}`),
        mouseleave: () => tip.hide()}));
  }
  return [el("div", {class: "legend"}, Object.entries(strategyTints).map(([strategy, tint]) =>
    el("span", null, el("i", {style: `background:var(--${tint})`}), strategy))), el("div", {class: "scroll"}, drawing)];
}

function curveTable(view) {
  const {curve} = view.prediction.buckets, strategies = Object.keys(strategyTints);
  const budgets = [...new Set(curve.map(point => point.max_buckets))];
  const find = (strategy, budget) => curve.findIndex(point => point.strategy === strategy && point.max_buckets === budget);
  const cell = (index, key) => el("td", {class: "n"}, index < 0 ? "" : shown(view, `buckets.curve.${index}.${key}`, "share"));
  return el("div", {class: "scroll"}, el("table", {id: "bucket-curve"},
    el("thead", null, el("tr", null, ["buckets at most", ...strategies, "no choice below"].map(title =>
      el("th", {scope: "col", class: "n"}, title)))),
    el("tbody", null, budgets.map(budget => el("tr", null, el("td", {class: "n"}, String(budget)),
      strategies.map(strategy => cell(find(strategy, budget), "waste")), cell(find("optimal", budget), "least_waste"))))));
}

sections.push({
  id: "buckets",
  title: "Buckets",
  applies: view => view.prediction.buckets,
  render(box, view) {
    const {symbols, rows, histogram, misses, curve, curve_of: what} = view.prediction.buckets;
    const volume = row => row.sizes.reduce((product, size) => product * size, 1);
    const number = row => rows.indexOf(row);
    const part = (row, key, form) => row[key] === undefined ? "" : shown(view, `buckets.rows.${number(row)}.${key}`, form);
    if (histogram !== undefined)
      box.append(el("div", {class: "cards"},
        card("launches", shown(view, "buckets.launches", "count"), el("span", {class: "note"}, "of " + histogram)),
        card("predicted time of all", shown(view, "buckets.device_us", "time")),
        card("padding", shown(view, "buckets.padding", "share"), el("span", {class: "note"}, "of elements")),
        card("misses", shown(view, "buckets.misses", "count"),
             el("span", {class: misses ? "bad" : "good"}, misses ? "launches without a bucket" : "each launch has a bucket"))));
    const columns = [
      {title: symbols.join(" x "), key: volume, n: true,
       cell: row => row.sizes.join(" x ") + (row.predicted ? ", predicted here" : "")},
      {title: "predicted time", key: row => row.time_us ?? 0, cell: row => part(row, "time_us", "time"), n: true}];
    if (histogram !== undefined)
      columns.push({title: "launches", key: row => row.launches, cell: row => part(row, "launches", "count"), n: true},
        {title: "share", key: row => row.share, cell: row => part(row, "share", "share"), n: true},
        {title: "padding", key: row => row.padding, cell: row => part(row, "padding", "share"), n: true});
    box.append(sortableTable(columns, () => rows, {direction: 1, limit: 50}).box);
    if (curve.length)
      box.append(el("h3", null, `Buckets against padding, as a share of ${what}`), ...drawCurve(curve, what), curveTable(view));
  }
});
