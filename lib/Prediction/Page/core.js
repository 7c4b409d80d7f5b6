// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all sections share: the data, elements, texts of numbers, the selection.

const data = JSON.parse(document.getElementById("data").textContent);

/* A section is one entry of this list, in the order of the page:
   id, title; applies(view): whether it has anything to show; render(box, view). */
const sections = [];

/** An element; attributes whose value is null or false are left out. Text is
    always a text node, so that no name can become markup. */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

/** An element of a drawing. */
function mark(tag, attributes, ...children) {
  const space = document.getElementById("drawing").content.firstElementChild.namespaceURI;
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

const boundColours = {
  "array": "array", "roll-up": "roll-up", "port-bound step": "port", "read bandwidth": "read", "write bandwidth": "write",
  "vector issue": "vector", "special functions": "special", "load slot": "load", "store slot": "store",
  "scalar slot": "scalar", "latency": "latency", "command overhead": "overhead", "DMA bandwidth": "dma"
};
const boundColour = bound => "var(--" + (boundColours[bound] || "overhead") + ")";

/** Three digits. */
const trim = value => value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1)
  : value >= 1 || value === 0 ? value.toFixed(2) : value.toPrecision(3);

const format = {
  time(us) {
    if (us === 0) return "0 us";
    if (us >= 999500) return trim(us / 1e6) + " s";
    if (us >= 999.5) return trim(us / 1e3) + " ms";
    return us >= 0.9995 ? trim(us) + " us" : trim(us * 1e3) + " ns";
  },
  bytes(bytes) {
    let unit = 0;
    while (bytes >= 1023.5 && unit < 5) { bytes /= 1024; ++unit; }
    return (unit ? trim(bytes) : bytes.toFixed(0)) + " " + ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][unit];
  },
  quantity(value) {
    let unit = 0;
    while (value >= 999.5 && unit < 6) { value /= 1000; ++unit; }
    return (unit || value % 1 ? trim(value) : value.toFixed(0)) + ["", " k", " M", " G", " T", " P", " E"][unit];
  },
  flops: value => format.quantity(value) + (/[kMGTPE]$/.test(format.quantity(value)) ? "flop" : " flop"),
  rate: value => format.quantity(value * 1e9) + "B/s",
  share: value => (value * 100).toFixed(1) + " %",
  count: value => String(value),
  ratio: value => trim(value)
};

/** A number of the prediction at a path such as "engines.TPC.busy_us". It keeps
    path and value, so that a test can compare what is shown with the JSON. */
function shown(view, path, form, tag = "span") {
  const value = path.split(".").reduce((part, key) => part === undefined ? part : part[key], view.prediction);
  return el(tag, {"data-path": path, "data-value": JSON.stringify(value), "data-form": form},
            value === undefined ? "" : format[form](value));
}

/** Words in the order of the fields of a list. */
const counted = (count, word) => count + " " + word + (count === 1 ? "" : "s");

const tip = {
  box: document.getElementById("tip"),
  show(event, title, ...lines) {
    this.box.replaceChildren(el("b", null, title), ...lines.filter(Boolean).map(line => el("span", null, line)));
    this.box.hidden = false;
    const {width, height} = this.box.getBoundingClientRect();
    this.box.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + "px";
    const below = event.clientY + 16;
    this.box.style.top = Math.max(4, below + height > innerHeight ? event.clientY - height - 10 : below) + "px";
  },
  hide() { this.box.hidden = true; }
};

/** The command that timeline, memory map and tables show as chosen. */
const selection = {
  command: -1,
  listeners: [],
  choose(command) {
    this.command = command;
    for (const listener of this.listeners) listener(command);
  }
};

/** On a narrow screen tables begin with fewer rows. */
const isNarrow = () => innerWidth < 640;

/** A table whose columns sort. Columns: {title, key(row), cell(row), n: numbers};
    rows come as a function, so that a filter can change them. A row is made by
    options.row(row, cells), or is plain; options.pick(row) is its click. */
function sortableTable(columns, rows, options = {}) {
  let order = options.order ?? 0, direction = options.direction ?? -1;
  let limit = Math.min(options.limit ?? 200, isNarrow() ? 12 : Infinity);
  const makeRow = options.row ?? ((row, cells) => options.pick
    ? el("tr", {class: "pick", click: () => options.pick(row), keydown: event => { if (event.key === "Enter") options.pick(row); }}, cells)
    : el("tr", null, cells));
  const body = el("tbody"), more = el("button", {class: "more", click: () => { limit += 1000; draw(); }});
  const heads = columns.map((column, index) => el("th", {class: column.n ? "n" : null, scope: "col"},
    el("button", {click: () => {
      direction = order === index ? -direction : column.n ? -1 : 1;
      order = index;
      draw();
    }}, column.title)));
  function draw() {
    const key = columns[order].key, all = rows().slice();
    all.sort((a, b) => {
      const x = key(a), y = key(b);
      return (x < y ? -1 : x > y ? 1 : 0) * direction;
    });
    heads.forEach((head, index) => head.setAttribute("aria-sort",
      index !== order ? "none" : direction > 0 ? "ascending" : "descending"));
    body.replaceChildren(...all.slice(0, limit).map(row => makeRow(row, columns.map(column =>
      el("td", {class: column.n ? "n" : column.class || null}, column.cell(row))))));
    // One row is in the order of tabs; up and down go to the others.
    const picks = [...body.querySelectorAll("tr.pick")];
    picks.forEach((row, index) => { row.tabIndex = index ? -1 : 0; });
    more.hidden = all.length <= limit;
    more.textContent = "show more of " + all.length;
    options.drawn?.(all);
  }
  body.addEventListener("keydown", event => {
    const row = event.target.closest("tr.pick");
    const next = row && {ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling}[event.key];
    if (!next) return;
    event.preventDefault();
    row.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  draw();
  return {box: el("div", {class: "scroll"}, el("table", null, el("thead", null, el("tr", null, heads)), body), more), draw};
}

/** One place of a location: a file, line and column between ", ", " at " and
    " called at ". The model's own file may have these in its name. */
const place = (() => {
  const source = data.source ? data.source.name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "|" : "";
  return new RegExp("(?:^|, | at )(" + source + "(?:(?!, | at ).)+?):(\\d+):(\\d+)(?=$|, | called at )", "gs");
})();

/** The places of a location: "a.mlir:3:5, b.mlir:7:1" has two. */
const placesOf = location => [...location.matchAll(place)].map(match => ({file: match[1], line: Number(match[2])}));

/** What is in view: keys act on it. */
let shownView = null;

function render(device) {
  const extra = data.extra[device];
  const view = {prediction: data.predictions[device], extra, device,
                explanation: command => data.predictions[device].works[data.predictions[device].commands[command].work]};
  shownView = view;
  selection.listeners = [];
  selection.command = -1;
  tip.hide();
  const main = document.getElementById("main"), nav = document.getElementById("nav");
  main.replaceChildren();
  nav.replaceChildren();
  for (const section of sections) {
    if (section.applies && !section.applies(view)) continue;
    const box = el("section", {id: section.id, "aria-labelledby": section.id + "-title"},
                   el("h2", {id: section.id + "-title"}, section.title));
    main.append(box);
    nav.append(el("a", {href: "#" + section.id}, section.title));
    section.render(box, view);
  }
}

function start() {
  document.title = data.title + " - gaudi-run";
  document.getElementById("title").textContent = data.title;
  const group = document.getElementById("devices");
  const buttons = data.predictions.map((prediction, device) => el("button", {role: "radio", click: () => choose(device)},
                                                                   prediction.device));
  function choose(device) {
    buttons.forEach((button, index) => {
      button.setAttribute("aria-checked", index === device);
      button.tabIndex = index === device ? 0 : -1;
    });
    const {entry, device: name, buckets} = data.predictions[device], row = buckets?.rows.find(one => one.predicted);
    const sizes = row ? " for " + buckets.symbols.map((symbol, index) => `${symbol} ${row.sizes[index]}`).join(", ") : "";
    document.getElementById("subtitle").textContent =
      `entry ${entry}${sizes}, predicted on ${name}: device time by a model of the card, not measured`;
    render(device);
  }
  group.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
  });
  if (buttons.length > 1) group.append(...buttons);
  choose(0);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => selection.choose(selection.command));
}
