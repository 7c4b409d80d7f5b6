// The memory map: each buffer of the workspace as a rectangle, time by address.

class MemoryMap {
  constructor(view, axis) {
    this.axis = axis;
    this.peak = view.prediction.memory.peak;
    this.buffers = view.prediction.memory.buffers;
    this.top = this.buffers.reduce((most, buffer) => Math.max(most, buffer.offset + buffer.bytes), 1);
    this.height = 300;
    this.label = "Memory map of " + counted(this.buffers.length, "buffer") + ": time by address. The table below has the same numbers.";
    this.order = this.buffers.map((_, index) => index).sort((a, b) => this.buffers[b].bytes - this.buffers[a].bytes);
    this.rank = [];
    this.order.forEach((buffer, place) => { this.rank[buffer] = place; });
  }

  y(offset) { return axisHeight + (1 - offset / this.top) * (this.height - axisHeight - 4); }

  draw(context, width) {
    const {axis} = this, tints = ["array", "vector", "read", "port", "latency", "store", "dma", "special"].map(colour);
    drawAxis(context, axis, width, this.height);
    context.textAlign = "left";
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = colour("faint");
    for (let share = 0; share <= 1; share += 0.25)
      context.fillText(format.bytes(this.top * share), 4, this.y(this.top * share) + (share === 1 ? 9 : share ? 3 : -1));
    this.drawPeak(context, width);
    context.save();
    context.beginPath();
    context.rect(axis.left, axisHeight, width - axis.left, this.height);
    context.clip();
    for (let index = 0; index < this.buffers.length; ++index) {
      const buffer = this.buffers[index];
      if (buffer.to_us < axis.from || buffer.from_us > axis.to) continue;
      const x = axis.x(buffer.from_us, width), size = Math.max(axis.x(buffer.to_us, width) - x, 1);
      const y = this.y(buffer.offset + buffer.bytes), height = Math.max(this.y(buffer.offset) - y, 1);
      context.fillStyle = tints[this.rank[index] % tints.length];
      context.globalAlpha = 0.8;
      context.fillRect(x, y, size, height);
      context.globalAlpha = 1;
      if (size > 4 && height > 3) {
        context.strokeStyle = colour("back");
        context.lineWidth = 0.6;
        context.strokeRect(x, y, size, height);
      }
    }
    context.restore();
  }

  /** The command at which most is alive, as a band behind the buffers. */
  drawPeak(context, width) {
    const {axis, peak} = this;
    if (!peak || peak.to_us < axis.from || peak.from_us > axis.to) return;
    const from = Math.max(axis.x(peak.from_us, width), axis.left), to = Math.min(axis.x(peak.to_us, width), width);
    context.fillStyle = colour("mark");
    context.fillRect(from, axisHeight, Math.max(to - from, 2), this.height - axisHeight);
    context.fillStyle = colour("bad");
    context.fillRect(from, axisHeight - 3, Math.max(to - from, 2), 3);
  }

  hit(x, y, width) {
    if (x < this.axis.left) return null;
    const time = this.axis.time(x, width), slack = (this.axis.to - this.axis.from) / (width - this.axis.left);
    const inside = index => {
      const buffer = this.buffers[index];
      return time >= buffer.from_us - slack && time <= buffer.to_us + slack &&
             y >= this.y(buffer.offset + buffer.bytes) - 1 && y <= this.y(buffer.offset) + 1;
    };
    // The smallest one, where a buffer reuses a part of another one's bytes.
    for (let place = this.order.length - 1; place >= 0; --place)
      if (inside(this.order[place])) return {buffer: this.buffers[this.order[place]]};
    return null;
  }

  hover({buffer}, event) {
    tip.show(event, buffer.op || buffer.name || "buffer of tensor " + buffer.tensor, buffer.op && buffer.name !== buffer.op ? buffer.name : "",
             `${format.bytes(buffer.bytes)} at offset ${buffer.offset}`,
             `alive from ${format.time(buffer.from_us)} to ${format.time(buffer.to_us)}`, buffer.location);
  }

  pick() {}
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
  applies: view => view.prediction.memory.buffers.length > 0,
  render(box, view) {
    const map = new MemoryMap(view, view.axis), buffers = map.buffers;
    box.append(
      el("p", {class: "note"}, counted(buffers.length, "buffer") + " of the workspace, ",
         shown(view, "memory.workspace", "bytes"), ". The time is that of the timeline: both zoom together."),
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
      ], () => buffers, {order: 2, row: (buffer, cells) => el("tr", null, cells)}).box));
    const {plans, remedies} = view.prediction.memory;
    for (const plan of plans) box.append(...planTables(plan).filter(Boolean));
    if (remedies.length)
      box.append(el("p", null, "What would lower the peak:"),
                 el("ul", null, remedies.map(remedy => el("li", null, `${remedy.text}: ${format.bytes(remedy.peak)} live`,
                                                         remedy.cost_us ? `, costs ${format.time(remedy.cost_us)}` : ""))));
  }
});
