// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine timeline: one row per queue, in which each engine has a
// lane; below, traffic and memory over the same time.

const layerHeight = 20;
const rowHeights = {MME: 34, TPC: 92, DMA: 30, NIC: 22, host: 22};
const stripHeight = 54, rowGap = 8, axisHeight = 18;

class Timeline {
  constructor(view, axis) {
    this.commands = view.prediction.commands;
    this.view = view;
    this.axis = axis;
    this.rows = [];
    let y = axisHeight;
    this.layers = layersOf(view.prediction);
    this.runs = layerRuns(view.prediction, this.layers);
    this.layersAt = y;
    if (this.runs.length) y += layerHeight + rowGap;
    for (const [name, engine] of Object.entries(view.prediction.engines)) {
      if (!engine.commands) continue;
      this.rows.push({name, engines: engine.engines, y, height: rowHeights[name] || 22, pieces: []});
      y += this.rows.at(-1).height + rowGap;
    }
    const rowOf = new Map(this.rows.map(row => [row.name, row]));
    for (const [task, start, end, first, engines, engine] of view.extra.pieces)
      rowOf.get(engine)?.pieces.push({task, start, end, first, engines});
    this.strips = [];
    const addStrip = (name, unit, series) => {
      if (!series[0].points.length) return;
      const largest = Math.max(...series.map(one => one.points.reduce((most, point) => Math.max(most, point[1]), 0)));
      this.strips.push({name, unit, series, largest, y, height: stripHeight});
      y += stripHeight + rowGap;
    };
    addStrip("HBM", format.rate, [
      {name: "read", tint: "read", points: view.extra.bandwidth.map(([time, read]) => [time, read])},
      {name: "written", tint: "write", points: view.extra.bandwidth.map(([time, , written]) => [time, written])}]);
    addStrip("workspace", format.bytes, [{name: "in use", tint: "array", points: view.prediction.memory.in_use}]);
    this.height = y;
    this.label = "Engine timeline of " + counted(this.commands.length, "command") + ". The table below has the same numbers.";
    this.order = this.commands.map((_, index) => index)
      .sort((a, b) => this.commands[a].start_us - this.commands[b].start_us || a - b);
  }

  draw(context, width) {
    drawAxis(context, this.axis, width, this.height);
    if (this.runs.length) this.drawLayers(context, width);
    for (const row of this.rows) this.drawRow(context, row, width);
    this.drawStart(context, width);
    for (const strip of this.strips) this.drawStrip(context, strip, width);
    if (selection.command >= 0) this.drawArrows(context, width);
  }

  /** The layers, each from the start of its first to the end of its last command in a row. */
  drawLayers(context, width) {
    const {axis} = this, y = this.layersAt;
    drawRowName(context, "layers", "", y + 13);
    let last = -1;
    context.save();
    context.beginPath();
    context.rect(axis.left, y, width - axis.left, layerHeight);
    context.clip();
    context.font = "11px system-ui, sans-serif";
    for (const run of this.runs) {
      if (run.to < axis.from || run.from > axis.to) continue;
      const x = axis.x(run.from, width), size = Math.max(axis.x(run.to, width) - x, 1);
      if (size <= 1 && Math.round(x) === last) continue;
      last = Math.round(x);
      context.fillStyle = colour(this.layers.layers[run.layer].tint);
      context.fillRect(x, y, size > 3 ? size - 0.6 : size, layerHeight);
      if (size < 30) continue;
      context.fillStyle = "#fff";
      const from = Math.max(x, axis.left);
      context.save();
      context.beginPath();
      context.rect(from, y, x + size - from - 3, layerHeight);
      context.clip();
      context.fillText(this.layers.layers[run.layer].name, from + 3, y + 14);
      context.restore();
    }
    context.restore();
  }

  /** The time before the first command, over all rows. */
  drawStart(context, width) {
    const {axis} = this, end = axis.x(this.view.prediction.launch_us, width), last = this.rows.at(-1);
    if (!last || end <= axis.left) return;
    const top = this.rows[0].y, height = last.y + last.height - top, begin = Math.max(axis.x(0, width), axis.left);
    context.save();
    context.beginPath();
    context.rect(begin, top, end - begin, height);
    context.clip();
    context.strokeStyle = colour("faint");
    context.globalAlpha = 0.5;
    for (let x = begin - height; x < end; x += 7) {
      context.beginPath();
      context.moveTo(x, top + height);
      context.lineTo(x + height, top);
      context.stroke();
    }
    context.restore();
    if (end - begin < 40) return;
    context.fillStyle = colour("text");
    context.font = "11px system-ui, sans-serif";
    context.fillText("start", begin + 4, top + 12);
  }

  /** Place of a piece in its row: engines from top to bottom. One that goes
      past the last engine goes on at the first, which a second box shows. */
  boxes(row, piece) {
    const height = row.height / row.engines, first = piece.first % row.engines;
    const below = Math.min(piece.engines, row.engines - first), rest = Math.min(piece.engines - below, first);
    const list = [[row.y + first * height, below * height]];
    if (rest > 0) list.push([row.y, rest * height]);
    return list;
  }

  drawRow(context, row, width) {
    const {axis, commands} = this;
    drawRowName(context, row.name, row.engines > 1 ? row.engines + " engines" : "", row.y + 13);
    context.fillStyle = colour("grid");
    context.fillRect(axis.left, row.y, width - axis.left, row.height);
    context.save();
    context.beginPath();
    context.rect(axis.left, row.y - 1, width - axis.left, row.height + 2);
    context.clip();
    const tints = {}, drawn = new Map();
    context.font = "11px system-ui, sans-serif";
    for (const piece of row.pieces) {
      if (piece.end < axis.from || piece.start > axis.to) continue;
      const x = axis.x(piece.start, width), size = Math.max(axis.x(piece.end, width) - x, 1), pixel = Math.round(x);
      // One pixel shows one piece: thousands of short ones cost no more.
      if (size <= 1 && drawn.get(piece.first) === pixel) continue;
      drawn.set(piece.first, pixel);
      const command = commands[piece.task];
      tints[command.bound] ??= colour(boundColours[command.bound] || "overhead");
      for (const [y, height] of this.boxes(row, piece)) {
        context.fillStyle = tints[command.bound];
        context.globalAlpha = this.found && !this.found.has(piece.task) ? 0.15 : 1;
        context.fillRect(x, y, size > 3 ? size - 0.6 : size, Math.max(height - (height > 6 ? 1 : 0), 1));
        if (size > 34 && height > 10) {
          context.fillStyle = "#fff";
          const from = Math.max(x, axis.left);
          context.save();
          context.beginPath();
          context.rect(from, y, x + size - from - 3, height);
          context.clip();
          context.fillText(command.name, from + 3, y + Math.min(height / 2 + 4, 14));
          context.restore();
        }
        if (piece.task === selection.command) {
          context.strokeStyle = colour("text");
          context.lineWidth = 2;
          context.strokeRect(x, y, size, height);
        }
      }
    }
    context.globalAlpha = 1;
    context.restore();
  }

  drawStrip(context, strip, width) {
    const {axis} = this;
    drawRowName(context, strip.name, strip.unit(strip.largest), strip.y + 13);
    context.fillStyle = colour("grid");
    context.fillRect(axis.left, strip.y, width - axis.left, strip.height);
    if (!strip.largest) return;
    context.save();
    context.beginPath();
    context.rect(axis.left, strip.y, width - axis.left, strip.height);
    context.clip();
    const bottom = strip.y + strip.height;
    for (const {tint, points} of strip.series) {
      context.beginPath();
      context.moveTo(axis.left, bottom);
      let y = bottom, pixel = -1, top = bottom;
      for (const [time, value] of points) {
        const x = Math.min(Math.max(axis.x(time, width), axis.left - 1), width + 1), before = y;
        y = bottom - value / strip.largest * (strip.height - 4);
        // Of the points of one pixel the highest and the last are drawn.
        if (Math.round(x) === pixel) {
          top = Math.min(top, y);
        } else {
          context.lineTo(pixel, top);
          context.lineTo(pixel, before);
          context.lineTo(x, before);
          context.lineTo(x, y);
          pixel = Math.round(x);
          top = y;
        }
        if (time > axis.to) break;
      }
      context.lineTo(pixel, top);
      context.lineTo(pixel, y);
      context.lineTo(width, y);
      context.lineTo(width, bottom);
      context.strokeStyle = context.fillStyle = colour(tint);
      context.globalAlpha = 0.25;
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
    }
    context.restore();
  }

  middle(task) {
    const row = this.rows.find(one => one.name === this.commands[task].engine);
    return row ? row.y + row.height / 2 : 0;
  }

  drawArrows(context, width) {
    const {axis, commands} = this, chosen = selection.command;
    const arrow = (from, to) => {
      const x0 = axis.x(commands[from].end_us, width), x1 = axis.x(commands[to].start_us, width);
      if (Math.max(x0, x1) < axis.left || Math.min(x0, x1) > width) return;
      const y0 = this.middle(from), y1 = this.middle(to), bend = Math.max(Math.abs(x1 - x0) / 2, 14);
      context.beginPath();
      context.moveTo(x0, y0);
      context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
      context.stroke();
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x1 - 7, y1 - 4);
      context.lineTo(x1 - 7, y1 + 4);
      context.fill();
    };
    context.save();
    context.beginPath();
    context.rect(axis.left, 0, width - axis.left, this.height);
    context.clip();
    context.strokeStyle = context.fillStyle = colour("text");
    context.lineWidth = 1.3;
    for (const from of commands[chosen].dependencies) arrow(from, chosen);
    for (const to of this.usersOf(chosen)) arrow(chosen, to);
    context.restore();
  }

  usersOf(task) {
    if (!this.users) {
      this.users = this.commands.map(() => []);
      this.commands.forEach((command, index) => command.dependencies.forEach(from => this.users[from].push(index)));
    }
    return this.users[task];
  }

  /** Commands whose texts have all the words; none: nothing is searched. */
  search(words) {
    const texts = this.texts ??= this.commands.map((command, index) => commandText(command) + " " +
      this.layers.layers[this.layers.of[index]].name.toLowerCase());
    const list = words.length ? this.order.filter(index => words.every(word => texts[index].includes(word))) : null;
    this.found = list && new Set(list);
    for (const listener of this.axis.listeners) listener();
    return list;
  }

  hit(x, y, width) {
    if (this.runs.length && y >= this.layersAt && y < this.layersAt + layerHeight && x >= this.axis.left) {
      const time = this.axis.time(x, width), run = this.runs.find(one => time >= one.from && time <= one.to);
      return run ? {run} : null;
    }
    const row = this.rows.find(one => y >= one.y && y < one.y + one.height);
    if (!row || x < this.axis.left) return null;
    const time = this.axis.time(x, width), slack = (this.axis.to - this.axis.from) / (width - this.axis.left) * 2;
    let best = null;
    for (const piece of row.pieces) {
      if (piece.start > time + slack) break;
      if (piece.end < time - slack) continue;
      if (!this.boxes(row, piece).some(([top, height]) => y >= top && y <= top + Math.max(height, 3))) continue;
      const distance = Math.max(piece.start - time, time - piece.end, 0);
      if (!best || distance <= best.distance) best = {task: piece.task, distance};
    }
    return best;
  }

  hover({task, run}, event) {
    if (run) {
      const layer = this.layers.layers[run.layer];
      tip.show(event, layer.name, `${counted(run.count, "command")}, ${format.time(run.to - run.from)} from ${format.time(run.from)}`,
               `all of the layer: ${counted(layer.commands.length, "command")}, ${format.time(layer.time)}, bound most by ${layer.bound}`,
               "a click zooms to it");
      return;
    }
    const command = this.commands[task];
    tip.show(event, command.name, `${format.time(command.end_us - command.start_us)}, from ${format.time(command.start_us)}, ` +
             `bound by ${command.bound}`, command.location, this.view.explanation(task), command.operands.join(", "));
  }

  pick({task, run}) {
    if (run) this.axis.set(run.from, run.to);
    else selection.choose(task);
  }

  step(by) {
    const order = this.found?.size ? this.order.filter(index => this.found.has(index)) : this.order, place = order.indexOf(selection.command);
    const next = order[Math.min(Math.max(place + by, 0), order.length - 1)];
    if (next !== undefined) selection.choose(next);
  }
}

/** Commands of one layer in a row, in time order: {layer, from, to, count}. None where layers are names only. */
function layerRuns(prediction, {kind, layers, of}) {
  const runs = [];
  if (layers.length < 2 || kind === "names") return runs;
  prediction.commands.map((_, index) => index).sort((a, b) => prediction.commands[a].start_us - prediction.commands[b].start_us || a - b)
    .forEach(index => {
      const {start_us: from, end_us: to} = prediction.commands[index], last = runs.at(-1);
      if (last?.layer === of[index]) {
        last.to = Math.max(last.to, to);
        ++last.count;
      } else {
        if (last) last.to = Math.min(last.to, Math.max(from, last.from));
        runs.push({layer: of[index], from, to, count: 1});
      }
    });
  return runs;
}

/** The box that searches the timeline. */
function searchBox(timeline) {
  const count = el("span", {class: "note", role: "status", id: "search-count"});
  const find = el("input", {type: "search", id: "search", placeholder: "search: name, layer, place, shape", "aria-label": "Search the timeline",
    input: () => {
      const list = timeline.search(find.value.toLowerCase().split(/\s+/).filter(Boolean));
      count.textContent = list ? `${counted(list.length, "command")}, ` +
        format.time(list.reduce((sum, index) => sum + duration(timeline.commands[index]), 0)) : "";
    },
    keydown: event => {
      if (event.key !== "Enter" || !timeline.found?.size) return;
      event.preventDefault();
      timeline.step(event.shiftKey ? -1 : 1);
    }});
  return [find, count];
}

/** All there is to say about one command. */
function commandDetails(view, task) {
  const command = view.prediction.commands[task], list = el("dl");
  const add = (name, ...values) => list.append(el("dt", null, name), el("dd", null, ...values));
  const link = other => el("button", {click: () => selection.choose(other)}, view.prediction.commands[other].name + " #" + other);
  add("time", `${format.time(command.end_us - command.start_us)}, from ${format.time(command.start_us)} to ` +
              format.time(command.end_us) + (command.critical ? ", on the critical path" : ""));
  add("bound", command.bound);
  add("engine", `${command.engine} ` + (command.engines > 1 ? `(${command.engines} of its engines)` : ""));
  if (view.explanation(task)) add("why", el("ul", {class: "why"}, view.explanation(task).split("; ").map(part => el("li", null, part))));
  const parts = partsOf(command);
  if (parts.length > 1) add("fused of", parts.join(", "));
  add("operands", command.operands.join(", ") || "none");
  if (command.location) add("location", command.location);
  add("work", `${format.flops(command.flops)}, ${format.bytes(command.hbm_bytes)} of HBM traffic`);
  if (command.waited_us > 0)
    add("engine idle before", `${format.time(command.waited_us)}, ${command.wait} `,
        command.waited_for === undefined ? null : link(command.waited_for));
  if (command.dependencies.length) add("reads after", ...command.dependencies.slice(0, 20).map(link));
  const remarks = (data.remarks[view.device] || []).filter(remark => remark.location && remark.location === command.location);
  if (remarks.length)
    add("remarks", el("table", null, el("tbody", null, remarks.slice(0, 12).map(remark =>
      el("tr", null, el("td", null, remark.pass), el("td", null, remark.text))))));
  return el("div", {class: "details"}, el("b", null, command.name + " #" + task), list);
}

sections.push({
  id: "timeline",
  title: "Engine timeline",
  applies: view => view.prediction.commands.length > 0,
  render(box, view) {
    const axis = view.axis = new TimeAxis(view.prediction.time_us), timeline = view.timeline = new Timeline(view, axis);
    const details = el("div", {"aria-live": "polite"}), canvas = chartCanvas(axis, timeline);
    canvas.dataset.layers = timeline.runs.length ? layerHeight + rowGap : 0;
    const bounds = [...new Set(view.prediction.commands.map(command => command.bound))];
    selection.listeners.push(task => {
      details.replaceChildren(...(task < 0 ? [] : [commandDetails(view, task)]));
      if (task >= 0) axis.reveal(view.prediction.commands[task].start_us, view.prediction.commands[task].end_us);
    });
    box.append(
      el("div", {class: "tools"}, axisButtons(axis), searchBox(timeline), el("span", {class: "note"},
        "Drag to pan, with Shift to zoom to a range; Ctrl and wheel zoom; ? lists the keys.")),
      canvas,
      el("div", {class: "legend"}, "bound by", bounds.map(bound =>
        el("span", null, el("i", {style: "background:" + boundColour(bound)}), bound))),
      details);
  }
});
