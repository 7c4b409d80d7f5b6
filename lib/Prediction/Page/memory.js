// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory map: each tensor with a buffer as a rectangle, time by address. One
// lane for the workspace, one for each section that keeps its bytes.

const laneHeights = {workspace: 300, resident: 80};

class MemoryMap {
  constructor(view, axis) {
    const {buffers, resident} = view.prediction.memory;
    this.axis = axis;
    this.peak = view.prediction.memory.peak;
    this.lanes = [];
    this.height = 0;
    if (buffers.length) this.addLane("workspace", buffers.map(buffer => ({buffer, from: buffer.from_us, to: buffer.to_us})));
    for (const section of new Set(resident.map(tensor => tensor.section))) {
      const inside = resident.filter(tensor => tensor.section === section && tensor.bytes);
      if (inside.length)
        this.addLane(inside[0].class === "const" ? "constants" : "persistent",
                     inside.map(buffer => ({buffer, from: 0, to: axis.end, used: buffer.used_us || [0, 0]})));
    }
    this.label = "Memory map of " + counted(buffers.length, "buffer") + " and " + counted(resident.length, "tensor") +
                 " that keep their bytes: time by address. The tables below have the same numbers.";
  }

  /** Items by size, the largest first: smaller ones are drawn over them. */
  addLane(title, items) {
    const isFirst = !this.lanes.length, height = laneHeights[title === "workspace" ? title : "resident"];
    const begin = isFirst ? axisHeight : this.height + 6;
    this.height += height;
    this.lanes.push({title, begin, end: this.height - 4,
                     bytes: items.reduce((most, {buffer}) => Math.max(most, buffer.offset + buffer.bytes), 1),
                     items: items.sort((a, b) => b.buffer.bytes - a.buffer.bytes)});
  }

  y(lane, offset) { return lane.begin + (1 - offset / lane.bytes) * (lane.end - lane.begin); }

  draw(context, width) {
    drawAxis(context, this.axis, width, this.height);
    for (const lane of this.lanes) this.drawLane(context, width, lane);
  }

  drawLane(context, width, lane) {
    const {axis} = this, tints = ["array", "vector", "read", "port", "latency", "store", "dma", "special"].map(colour);
    context.textAlign = "left";
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = colour("faint");
    if (lane.title === "workspace") {
      for (let share = 0; share <= 1; share += 0.25)
        context.fillText(format.bytes(lane.bytes * share), 4, this.y(lane, lane.bytes * share) + (share === 1 ? 9 : share ? 3 : -1));
      this.drawPeak(context, width, lane);
    } else {
      context.fillText(lane.title, 4, lane.begin + 10);
      context.fillText(format.bytes(lane.bytes), 4, lane.begin + 22);
    }
    context.save();
    context.beginPath();
    context.rect(axis.left, lane.begin, width - axis.left, lane.end - lane.begin);
    context.clip();
    lane.items.forEach((item, rank) => {
      context.fillStyle = tints[rank % tints.length];
      if (item.used) {
        this.fill(context, width, lane, item.buffer, item.from, item.to, 0.3);
        if (item.used[0] !== item.used[1]) this.fill(context, width, lane, item.buffer, ...item.used, 0.8);
      } else {
        this.fill(context, width, lane, item.buffer, item.from, item.to, 0.8);
      }
    });
    context.restore();
  }

  fill(context, width, lane, buffer, from, to, alpha) {
    const {axis} = this;
    if (to < axis.from || from > axis.to) return;
    const x = axis.x(from, width), size = Math.max(axis.x(to, width) - x, 1);
    const y = this.y(lane, buffer.offset + buffer.bytes), height = Math.max(this.y(lane, buffer.offset) - y, 1);
    context.globalAlpha = alpha;
    context.fillRect(x, y, size, height);
    context.globalAlpha = 1;
    if (size > 4 && height > 3) {
      context.strokeStyle = colour("back");
      context.lineWidth = 0.6;
      context.strokeRect(x, y, size, height);
    }
  }

  /** The command at which most is alive, as a band behind the buffers. */
  drawPeak(context, width, lane) {
    const {axis, peak} = this;
    if (!peak || peak.to_us < axis.from || peak.from_us > axis.to) return;
    const from = Math.max(axis.x(peak.from_us, width), axis.left), to = Math.min(axis.x(peak.to_us, width), width);
    context.fillStyle = colour("mark");
    context.fillRect(from, lane.begin, Math.max(to - from, 2), lane.end - lane.begin);
    context.fillStyle = colour("bad");
    context.fillRect(from, lane.begin - 3, Math.max(to - from, 2), 3);
  }

  hit(x, y, width) {
    if (x < this.axis.left) return null;
    const time = this.axis.time(x, width), slack = (this.axis.to - this.axis.from) / (width - this.axis.left);
    const lane = this.lanes.find(({begin, end}) => y >= begin - 1 && y <= end + 1);
    // The smallest one, where a buffer reuses a part of another one's bytes.
    for (let i = lane ? lane.items.length : 0; i-- > 0;) {
      const {buffer, from, to} = lane.items[i];
      if (time >= from - slack && time <= to + slack &&
          y >= this.y(lane, buffer.offset + buffer.bytes) - 1 && y <= this.y(lane, buffer.offset) + 1)
        return lane.items[i];
    }
    return null;
  }

  hover({buffer, used}, event) {
    const place = `${format.bytes(buffer.bytes)} at offset ${buffer.offset}`;
    if (used)
      tip.show(event, buffer.name || "tensor " + buffer.tensor, `${buffer.class} ${buffer.type}`, place,
               "keeps its bytes between launches; " + (used[0] === used[1] ? "not used by this entry"
                 : `used from ${format.time(used[0])} to ${format.time(used[1])}`), buffer.location);
    else
      tip.show(event, buffer.op || buffer.name || "buffer of tensor " + buffer.tensor, buffer.op && buffer.name !== buffer.op ? buffer.name : "",
               place, `alive from ${format.time(buffer.from_us)} to ${format.time(buffer.to_us)}`, buffer.location);
  }

  pick() {}
}

/** Inputs, outputs, states and constants. */
function residentTable(tensors) {
  return el("details", null, el("summary", null, "Inputs, outputs, states and constants as a table"), sortableTable([
    {title: "tensor", key: tensor => tensor.name, cell: tensor => tensor.name || "tensor " + tensor.tensor, class: "name"},
    {title: "class", key: tensor => tensor.class, cell: tensor => tensor.class},
    {title: "type", key: tensor => tensor.type, cell: tensor => tensor.type},
    {title: "bytes", n: true, key: tensor => tensor.bytes, cell: tensor => format.bytes(tensor.bytes)},
    {title: "offset", n: true, key: tensor => tensor.offset, cell: tensor => tensor.offset},
    {title: "used", n: true, key: tensor => tensor.used_us ? tensor.used_us[0] : -1,
     cell: tensor => tensor.used_us ? tensor.used_us.map(format.time).join(" to ") : "not by this entry"},
    {title: "location", key: tensor => tensor.location, cell: tensor => tensor.location, class: "where"}
  ], () => tensors, {order: 3, limit: 100, row: (tensor, cells) => el("tr", null, cells)}).box);
}

/** What is alive where most is. */
function peakTable(view) {
  const {peak} = view.prediction.memory;
  return el("details", {open: true}, el("summary", null, "Alive at the peak: ", shown(view, "memory.peak.workspace", "bytes"),
      ` of workspace at #${peak.command} ${peak.op}${peak.location ? " at " + peak.location : ""}`),
    sortableTable([
      {title: "op", key: buffer => buffer.op, cell: buffer => buffer.op, class: "name"},
      {title: "tensor", key: buffer => buffer.name, cell: buffer => buffer.name},
      {title: "class", key: buffer => buffer.class, cell: buffer => buffer.class},
      {title: "type", key: buffer => buffer.type, cell: buffer => buffer.type},
      {title: "bytes", n: true, key: buffer => buffer.bytes, cell: buffer => format.bytes(buffer.bytes)},
      {title: "location", key: buffer => buffer.location, cell: buffer => buffer.location, class: "where"}
    ], () => peak.buffers, {order: 4, limit: 10, row: (buffer, cells) => el("tr", null, cells)}).box);
}

/** Aliases, copies that remain, ops that run again. */
function planTables(plan) {
  const copies = plan.entries.filter(entry => entry.kind === "copy"), others = plan.entries.filter(entry => entry.kind !== "copy");
  const columns = [
    {title: "kind", key: entry => entry.kind, cell: entry => entry.kind.replace(/_/g, " ")},
    {title: "op", key: entry => entry.op, cell: entry => entry.op, class: "name"},
    {title: "bytes", n: true, key: entry => entry.bytes, cell: entry => format.bytes(entry.bytes)},
    {title: "time", n: true, key: entry => entry.time_us, cell: entry => format.time(entry.time_us)},
    {title: "location", key: entry => entry.location, cell: entry => entry.location, class: "where"}
  ];
  const why = [
    {title: "reader", key: entry => entry.reader || "",
     cell: entry => (entry.reader || "") + (entry.reader_location ? " at " + entry.reader_location : ""), class: "where"},
    {title: "why", key: entry => entry.reason || "",
     cell: entry => [entry.reason, entry.remedy].filter(Boolean).join("; "), class: "where"}
  ];
  const table = (title, list, more) => list.length ? el("details", null, el("summary", null, title),
    sortableTable([...columns, ...more], () => list, {order: 2, row: (entry, cells) => el("tr", null, cells)}).box) : null;
  return [el("p", null, `Plan of ${plan.entry}: ` + (plan.line || "no numbers")),
          el("ul", null, plan.sums.map(sum => el("li", null, sum.line))),
          table("Copies that remain", copies, why), table("Aliases", others, [])];
}

sections.push({
  id: "memory",
  title: "Memory over time",
  applies: view => view.prediction.commands.length > 0 && view.prediction.memory.persistent + view.prediction.memory.const > 0,
  render(box, view) {
    const map = new MemoryMap(view, view.axis), {buffers, resident} = view.prediction.memory;
    box.append(
      el("p", {class: "note"}, counted(buffers.length, "buffer") + " of the workspace, ",
         shown(view, "memory.workspace", "bytes"), ". Lower part: inputs, outputs and states (",
         shown(view, "memory.persistent", "bytes"), ") and constants (", shown(view, "memory.const", "bytes"),
         "), which stay allocated; dark = between first and last use. The time is that of the timeline: both zoom together."),
      chartCanvas(view.axis, map),
      ...(view.prediction.memory.peak ? [peakTable(view)] : []),
      el("details", null, el("summary", null, "Buffers as a table"), sortableTable([
        {title: "buffer", key: buffer => buffer.name, cell: buffer => buffer.name || "tensor " + buffer.tensor, class: "name"},
        {title: "op", key: buffer => buffer.op, cell: buffer => buffer.op},
        {title: "bytes", n: true, key: buffer => buffer.bytes, cell: buffer => format.bytes(buffer.bytes)},
        {title: "offset", n: true, key: buffer => buffer.offset, cell: buffer => buffer.offset},
        {title: "from", n: true, key: buffer => buffer.from_us, cell: buffer => format.time(buffer.from_us)},
        {title: "to", n: true, key: buffer => buffer.to_us, cell: buffer => format.time(buffer.to_us)},
        {title: "location", key: buffer => buffer.location, cell: buffer => buffer.location, class: "where"}
      ], () => buffers, {order: 2, row: (buffer, cells) => el("tr", null, cells)}).box),
      residentTable(resident));
    const {plans, remedies} = view.prediction.memory;
    for (const plan of plans) box.append(...planTables(plan).filter(Boolean));
    if (remedies.length)
      box.append(el("p", null, "What would lower the peak:"),
                 el("ul", null, remedies.map(remedy => el("li", null, `${remedy.text}: ${format.bytes(remedy.peak)} live`,
                                                         remedy.cost_us ? `, costs ${format.time(remedy.cost_us)}` : ""))));
  }
});
