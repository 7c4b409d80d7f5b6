// Advice, what each line costs, and the remarks of the compiler.

sections.push({
  id: "advice",
  title: "Advice",
  applies: view => view.prediction.advice !== undefined,
  render(box, view) {
    const list = view.prediction.advice;
    if (!list.length) box.append(el("p", {class: "note"}, "Nothing found that would save 1 % of the launch or more."));
    else box.append(el("p", {class: "note"}, "Each gain is predicted by playing the launch again without the problem. Gains do not add up."));
    list.forEach((advice, index) => {
      const link = command => el("button", {click: () => {
        selection.choose(command);
        document.getElementById("timeline").scrollIntoView();
      }}, view.prediction.commands[command].name + " #" + command);
      const locations = advice.locations.slice(0, 6), rest = advice.locations.length - locations.length;
      box.append(el("div", {class: "card advice"}, el("h3", null, advice.title),
        "saves ", shown(view, `advice.${index}.gain_us`, "time"), ", ", shown(view, `advice.${index}.share`, "share"), " of the launch",
        el("p", null, advice.text),
        locations.length ? el("p", {class: "note"}, "at " + locations.join(", ") + (rest > 0 ? ` and ${rest} more` : "")) : null,
        el("div", {class: "tools"}, advice.commands.slice(0, 8).map(link),
           advice.commands.length > 8 ? ` and ${advice.commands.length - 8} more commands` : null)));
    });
  }
});

/** Times of the lines; a command of several places counts in equal shares. */
function linesOf(commands) {
  const lines = new Map();
  for (const command of commands) {
    const places = placesOf(command.location);
    for (const {file, line} of places.length ? places : [{file: command.location || "no location", line: 0}]) {
      const key = file + ":" + line;
      if (!lines.has(key)) lines.set(key, {file, line, time: 0, commands: []});
      lines.get(key).time += (command.end_us - command.start_us) / Math.max(places.length, 1);
      lines.get(key).commands.push(command);
    }
  }
  return [...lines.values()];
}

sections.push({
  id: "lines",
  title: "Cost of each line",
  applies: view => view.prediction.commands.length > 0,
  render(box, view) {
    const lines = linesOf(view.prediction.commands), source = data.source;
    const sum = lines.reduce((total, line) => total + line.time, 0);
    const textOf = line => source && line.line && line.file === source.name ? source.lines[line.line] ?? "" : "";
    const columns = [
      {title: "line", key: line => line.file + ":" + String(line.line).padStart(9, "0"), class: "where",
       cell: line => line.line ? `${line.file}:${line.line}` : line.file},
      {title: "time", n: true, key: line => line.time, cell: line => format.time(line.time)},
      {title: "of all commands", n: true, key: line => line.time,
       cell: line => shareCell(line.time, sum, timeByBound(line.commands)[0]?.[0] ?? "launch")},
      {title: "commands", key: line => line.commands.length,
       cell: line => [...new Set(line.commands.map(command => command.name))].slice(0, 4).join(", ")}
    ];
    if (source) columns.push({title: "source", key: textOf, cell: textOf, class: "code"});
    box.append(el("p", {class: "note"},
      "Time of the commands that a line became. A kernel that several lines fused into has the location of the line that its result comes from." +
      (source ? "" : " The text of the lines is not here: this page was made from a recipe.")),
      sortableTable(columns, () => lines, {order: 1, limit: 50, row: (line, cells) => el("tr", null, cells)}).box);
  }
});

sections.push({
  id: "remarks",
  title: "Remarks of the compiler",
  render(box, view) {
    const remarks = data.remarks[view.device];
    if (!remarks) {
      box.append(el("p", {class: "note"}, "A recipe has no remarks: they are made when the model is compiled. Give gaudi-run the .mlir file."));
      return;
    }
    const find = el("input", {type: "search", placeholder: "pass, location, text", "aria-label": "Filter remarks"});
    const kinds = [...new Set(remarks.map(remark => remark.kind))];
    const kind = el("select", {"aria-label": "Kind"}, ["all kinds", ...kinds].map(name => el("option", null, name)));
    const list = el("div"), count = el("span", {class: "note", role: "status"});
    const draw = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean), passes = new Map();
      for (const remark of remarks) {
        const text = `${remark.pass} ${remark.kind} ${remark.location} ${remark.text}`.toLowerCase();
        if ((kind.selectedIndex > 0 && remark.kind !== kind.value) || !words.every(word => text.includes(word))) continue;
        if (!passes.has(remark.pass)) passes.set(remark.pass, []);
        passes.get(remark.pass).push(remark);
      }
      const number = [...passes.values()].reduce((sum, list) => sum + list.length, 0);
      count.textContent = `${number} of ${remarks.length} in ${passes.size} ${passes.size === 1 ? "pass" : "passes"}`;
      list.replaceChildren(...[...passes].map(([pass, those]) => passBox(pass, those, words.length > 0)));
    };
    for (const control of [find, kind]) control.addEventListener("input", draw);
    draw();
    box.append(el("div", {class: "tools"}, find, kind, count), list);
  }
});

function passBox(pass, remarks, open) {
  const box = el("details", {open}, el("summary", null, `${pass} (${remarks.length})`));
  const fill = () => {
    if (box.childElementCount > 1) return;
    box.append(el("table", null, el("tbody", null, remarks.slice(0, 2000).map(remark => el("tr", null,
      el("td", null, el("span", {class: "kind " + remark.kind}, remark.kind)),
      el("td", {class: "where"}, remark.location), el("td", null, remark.text))))));
    if (remarks.length > 2000) box.append(el("p", {class: "note"}, `${remarks.length - 2000} more; filter to see them`));
  };
  // Filled when opened: a model has thousands of remarks.
  box.addEventListener("toggle", fill);
  addEventListener("beforeprint", fill);
  if (open) fill();
  return box;
}
