// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each line of the model costs.

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
       cell: line => shareCell(line.time, sum, timeByBound(line.commands)[0]?.[0] ?? "overhead")},
      {title: "commands", key: line => line.commands.length,
       cell: line => [...new Set(line.commands.map(command => command.name))].slice(0, 4).join(", ")}
    ];
    if (source) columns.push({title: "source", key: textOf, cell: textOf, class: "code"});
    box.append(el("p", {class: "note"},
      "Time of the commands that a line became. A kernel that several lines fused into has the location of the line that its result comes from; a command of several places counts in equal shares." +
      (source ? "" : " The text of the lines is not here: this page was made from a recipe or from bytecode.")),
      sortableTable(columns, () => lines, {order: 1, limit: 50}).box);
  }
});
