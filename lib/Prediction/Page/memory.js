// The memory map: each buffer of the workspace as a rectangle, time by address.

class MemoryMap {
  constructor(view, axis) {
    this.axis = axis;
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
    tip.show(event, buffer.name || "buffer of tensor " + buffer.tensor,
             `${format.bytes(buffer.bytes)} at offset ${buffer.offset}`,
             `alive from ${format.time(buffer.from_us)} to ${format.time(buffer.to_us)}`, buffer.location);
  }

  pick() {}
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
      el("details", null, el("summary", null, "Buffers as a table"), sortableTable([
        {title: "buffer", key: buffer => buffer.name, cell: buffer => buffer.name || "tensor " + buffer.tensor, class: "name"},
        {title: "bytes", n: true, key: buffer => buffer.bytes, cell: buffer => format.bytes(buffer.bytes)},
        {title: "offset", n: true, key: buffer => buffer.offset, cell: buffer => buffer.offset},
        {title: "from", n: true, key: buffer => buffer.from_us, cell: buffer => format.time(buffer.from_us)},
        {title: "to", n: true, key: buffer => buffer.to_us, cell: buffer => format.time(buffer.to_us)},
        {title: "location", key: buffer => buffer.location, cell: buffer => buffer.location, class: "where"}
      ], () => buffers, {order: 1, row: (buffer, cells) => el("tr", null, cells)}).box));
  }
});
