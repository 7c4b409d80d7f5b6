// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roofline: work per second of commands over their work per byte, below what the device can do.

/** Points: commands of equal work together, those that compute and read. */
function rooflinePoints(view) {
  const points = new Map();
  view.prediction.commands.forEach((command, index) => {
    const bytes = command.hbm_bytes || command.bytes, time = duration(command);
    if (!command.flops || !bytes || !time) return;
    const key = command.name + " " + command.work;
    if (!points.has(key)) points.set(key, {command, first: index, count: 0, time: 0, flops: 0, bytes: 0});
    const point = points.get(key);
    ++point.count;
    point.time += time;
    point.flops += command.flops;
    point.bytes += bytes;
  });
  return [...points.values()].map(point => ({...point, x: point.flops / point.bytes, y: point.flops / point.time * 1e6}))
    .sort((a, b) => b.time - a.time).slice(0, 400);
}

/** What the engine of a point can reach at its x: [work per second, what limits it]. */
function roofAt(view, point) {
  const {hbm_bytes_per_second: hbm, mme_flops_per_second: mme, tpc_flops_per_second: tpc} = view.prediction.peaks;
  const isNarrow = /bf16|f16|f8/.test(point.command.operands.join());
  const [peak, name] = point.command.engine === "MME"
    ? isNarrow || !mme.f32 ? [mme.bf16, "MME bf16"] : [mme.f32, "MME f32"] : [tpc, "TPC"];
  return point.x * hbm < peak ? [point.x * hbm, "HBM bandwidth"] : [peak, name];
}

const rate = value => format.quantity(value) + (/[kMGTPE]$/.test(format.quantity(value)) ? "flop/s" : " flop/s");

function drawRoofline(view, points) {
  const {hbm_bytes_per_second: hbm, mme_flops_per_second: mme, tpc_flops_per_second: tpc} = view.prediction.peaks;
  const ceilings = [...Object.entries(mme).map(([type, value]) => [`MME ${type}`, value, "array"]), ["TPC", tpc, "vector"]]
    .filter(([, value]) => value > 0);
  const width = 760, height = 360, left = 84, right = 14, top = 12, bottom = 40;
  const tallest = Math.max(...ceilings.map(([, value]) => value));
  const range = (values, most) => [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values, most)))];
  const [x0, x1] = range(points.map(point => point.x), tallest / hbm * 2);
  const [y0, y1] = range([...points.map(point => point.y), tpc / 100], tallest);
  const x = value => left + (width - left - right) * (Math.log10(value) - x0) / (x1 - x0);
  const y = value => top + (height - top - bottom) * (1 - (Math.log10(value) - y0) / (y1 - y0));
  const drawing = mark("svg", {class: "curve roofline", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": "Roofline: work per second of commands over their work per byte of HBM traffic"});
  for (let power = x0; power <= x1; ++power)
    drawing.append(mark("line", {class: "grid", x1: x(10 ** power), x2: x(10 ** power), y1: top, y2: height - bottom}),
      mark("text", {x: x(10 ** power), y: height - bottom + 15, "text-anchor": "middle"}, format.ratio(10 ** power)));
  for (let power = y0; power <= y1; ++power)
    drawing.append(mark("line", {class: "grid", x1: left, x2: width - right, y1: y(10 ** power), y2: y(10 ** power)}),
      mark("text", {x: left - 6, y: y(10 ** power) + 4, "text-anchor": "end"}, rate(10 ** power)));
  drawing.append(mark("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, "flop per byte of HBM traffic"));
  // The bandwidth's line goes up to the highest ceiling; each ceiling begins at that line.
  const begin = Math.max(10 ** x0, 10 ** y0 / hbm);
  drawing.append(mark("line", {class: "roof", x1: x(begin), y1: y(begin * hbm), x2: x(tallest / hbm), y2: y(tallest),
                               style: "stroke:var(--read)"}));
  for (const [name, value, tint] of ceilings)
    drawing.append(mark("line", {class: "roof", x1: x(Math.max(value / hbm, 10 ** x0)), x2: width - right, y1: y(value), y2: y(value),
                                 style: `stroke:var(--${tint})`}),
      mark("text", {x: width - right, y: y(value) - 4, "text-anchor": "end"}, `${name} ${rate(value)}`));
  const longest = points[0]?.time || 1;
  for (const point of points) {
    const [roof, limit] = roofAt(view, point);
    const lines = [`${counted(point.count, "command")}, ${format.time(point.time)}`,
      `${rate(point.y)}, ${format.share(point.y / roof)} of the roof (${limit})`, `${format.ratio(point.x)} flop per byte, bound by ${point.command.bound}`,
      point.command.location];
    drawing.append(mark("circle", {cx: x(point.x), cy: y(point.y), r: 3 + 9 * Math.sqrt(point.time / longest), "data-first": point.first,
      style: `fill:var(--${point.command.engine === "MME" ? "array" : "vector"})`,
      mousemove: event => tip.show(event, point.command.name, ...lines), mouseleave: () => tip.hide(),
      click: () => {
        selection.choose(point.first);
        document.getElementById("timeline").scrollIntoView();
      }}));
  }
  return drawing;
}

sections.push({
  id: "roofline",
  title: "Roofline",
  applies: view => view.prediction.peaks && rooflinePoints(view).length > 0,
  render(box, view) {
    const points = rooflinePoints(view), time = points.reduce((sum, point) => sum + point.time, 0);
    const near = points.filter(point => point.y > 0.5 * roofAt(view, point)[0]).reduce((sum, point) => sum + point.time, 0);
    const left = points.filter(point => roofAt(view, point)[1] === "HBM bandwidth").reduce((sum, point) => sum + point.time, 0);
    box.append(el("p", {class: "note"}, `A circle is the commands of equal work, larger the longer they take. Below the slope, HBM bandwidth limits (` +
      `${format.share(left / time)} of their time); below a ceiling, the engine does. ${format.share(near / time)} of their time ` +
      `reaches half of its roof or more; what is far below waits for starts, latencies or dependencies.`),
      el("div", {class: "scroll"}, drawRoofline(view, points)),
      el("div", {class: "legend"}, [["MME", "array"], ["TPC", "vector"], ["HBM bandwidth", "read"]].map(([name, tint]) =>
        el("span", null, el("i", {style: `background:var(--${tint})`}), name))));
  }
});
