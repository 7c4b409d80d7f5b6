// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the launch that charts show: one axis of time for all of them.

class TimeAxis {
  constructor(end) {
    this.end = end > 0 ? end : 1;
    this.from = 0;
    this.to = this.end;
    this.left = 78; // pixels for the names of rows
    this.marked = null;
    this.selects = false; // dragging zooms to a range
    this.listeners = [];
  }
  set(from, to) {
    const width = Math.min(Math.max(to - from, this.end * 1e-7), this.end);
    this.from = Math.min(Math.max(from, 0), this.end - width);
    this.to = this.from + width;
    for (const listener of this.listeners) listener();
  }
  zoom(factor, at = (this.from + this.to) / 2) {
    this.set(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }
  pan(share) {
    const step = (this.to - this.from) * share;
    this.set(this.from + step, this.to + step);
  }
  /** The range that is being chosen, in either direction. */
  mark(from, to) {
    this.marked = [Math.min(from, to), Math.max(from, to)];
    for (const listener of this.listeners) listener();
  }
  zoomToMark() {
    const [from, to] = this.marked;
    this.marked = null;
    this.set(from, to);
  }
  /** Shows [from, to] unless it is in view already. */
  reveal(from, to) {
    const width = this.to - this.from;
    if (from >= this.from && to <= this.to && to - from > width / 400) return;
    const wanted = Math.max((to - from) * 12, this.end / 5000);
    this.set((from + to) / 2 - wanted / 2, (from + to) / 2 + wanted / 2);
  }
  x(time, width) { return this.left + (time - this.from) / (this.to - this.from) * (width - this.left); }
  time(x, width) { return this.from + (x - this.left) / (width - this.left) * (this.to - this.from); }
}

/** A canvas that is drawn again whenever axis, size, colours or selection change.
    chart: {height, label, draw(context, width), hit(x, y, width), hover(found, event), pick(found)} */
function chartCanvas(axis, chart) {
  const canvas = el("canvas", {tabindex: 0, role: "img", "aria-label": chart.label, style: `height:${chart.height}px`});
  let waiting = false;
  const draw = () => {
    waiting = false;
    const width = canvas.clientWidth, scale = devicePixelRatio || 1;
    if (!width) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(chart.height * scale);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.clearRect(0, 0, width, chart.height);
    chart.draw(context, width);
    if (!axis.marked) return;
    const [from, to] = axis.marked.map(time => Math.max(axis.x(time, width), axis.left));
    context.fillStyle = colour("accent");
    context.globalAlpha = 0.2;
    context.fillRect(from, 0, to - from, chart.height);
  };
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  axis.listeners.push(redraw);
  selection.listeners.push(redraw);
  new ResizeObserver(redraw).observe(canvas);
  addEventListener("beforeprint", draw);
  navigate(canvas, axis, chart);
  return canvas;
}

/** Wheel with Ctrl (or when the chart has the focus) zooms, dragging pans, with Shift it zooms to a range; keys do
    what they do on the whole page, and arrows pan. */
function navigate(canvas, axis, chart) {
  const width = () => canvas.clientWidth;
  let drag = null;
  canvas.addEventListener("wheel", event => {
    if (!event.ctrlKey && document.activeElement !== canvas) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) axis.pan(event.deltaX / width());
    else axis.zoom(Math.exp(event.deltaY * 0.0015), axis.time(event.offsetX, width()));
  }, {passive: false});
  canvas.addEventListener("pointerdown", event => {
    const x = event.offsetX, isRange = event.shiftKey || axis.selects;
    drag = {x: event.clientX, from: axis.from, to: axis.to, moved: false, at: x, isRange};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", event => {
    if (drag) {
      const step = (drag.x - event.clientX) / (width() - axis.left) * (drag.to - drag.from);
      drag.moved ||= Math.abs(event.clientX - drag.x) > 3;
      if (drag.moved && drag.isRange) axis.mark(axis.time(drag.at, width()), axis.time(event.offsetX, width()));
      else if (drag.moved) axis.set(drag.from + step, drag.to + step);
    }
    const found = drag?.moved ? null : chart.hit(event.offsetX, event.offsetY, width());
    if (found) chart.hover(found, event);
    else tip.hide();
  });
  canvas.addEventListener("pointerup", event => {
    if (drag && !drag.moved) {
      const found = chart.hit(event.offsetX, event.offsetY, width());
      if (found) chart.pick(found);
    }
    if (drag?.moved && drag.isRange) axis.zoomToMark();
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => { drag = axis.marked = null; });
  canvas.addEventListener("pointerleave", () => tip.hide());
  canvas.addEventListener("dblclick", event => axis.zoom(0.4, axis.time(event.offsetX, width())));
  canvas.addEventListener("keydown", event => {
    const actions = {
      ArrowLeft: () => axis.pan(-0.15), ArrowRight: () => axis.pan(0.15), Home: () => axis.set(0, axis.end)
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? null : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Lines and times of the axis at the top. */
function drawAxis(context, axis, width, height) {
  const span = axis.to - axis.from, most = Math.max(2, Math.floor((width - axis.left) / 110));
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => span / size <= most);
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  for (let i = Math.ceil(axis.from / step); i * step <= axis.to; ++i) {
    const x = axis.x(i * step, width);
    context.fillStyle = colour("grid");
    context.fillRect(x, 0, 1, height);
    context.fillStyle = colour("faint");
    context.fillText(format.time(Number((i * step).toPrecision(12))), x + 3, 11);
  }
}

function drawRowName(context, name, below, y) {
  context.fillStyle = colour("text");
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "left";
  context.fillText(name, 6, y);
  context.fillStyle = colour("faint");
  context.font = "10px system-ui, sans-serif";
  context.fillText(below, 6, y + 12);
}

function axisButtons(axis) {
  const range = el("button", {"aria-pressed": "false", click: () => {
    axis.selects = !axis.selects;
    range.setAttribute("aria-pressed", String(axis.selects));
  }}, "select a range");
  return [...[["zoom in", () => axis.zoom(0.5)], ["zoom out", () => axis.zoom(2)], ["whole launch", () => axis.set(0, axis.end)]]
    .map(([title, click]) => el("button", {click}, title)), range];
}
