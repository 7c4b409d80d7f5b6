// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of commands: each one, or those of one name together.

/** What fused into a kernel: "tpc.batch_norm+add" has two parts. */
function partsOf(command) {
  const dot = command.name.indexOf(".");
  return command.name.slice(dot + 1).split("+");
}

/** What a search looks in. */
const commandText = command =>
  [command.name, command.engine, command.location, command.bound, ...command.operands].join(" ").toLowerCase();

const duration = command => command.end_us - command.start_us;

function shareCell(time, total, bound) {
  const share = total ? time / total : 0;
  return [format.share(share), el("span", {class: "share", style: `width:${Math.min(80, 160 * share)}px;background:${boundColour(bound)}`})];
}

function commandColumns(view) {
  const total = view.prediction.time_us;
  return [
    {title: "#", n: true, key: row => row.index, cell: row => row.index},
    {title: "command", key: row => row.command.name, class: "name",
     cell: row => [el("i", {class: "swatch", style: "background:" + boundColour(row.command.bound)}), row.command.name]},
    {title: "engine", key: row => row.command.engine, cell: row => row.command.engine},
    {title: "start", n: true, key: row => row.command.start_us, cell: row => format.time(row.command.start_us)},
    {title: "time", n: true, key: row => duration(row.command), cell: row => el("span",
      {"data-path": `commands.${row.index}`, "data-value": duration(row.command)}, format.time(duration(row.command)))},
    {title: "of the launch", n: true, key: row => duration(row.command),
     cell: row => shareCell(duration(row.command), total, row.command.bound)},
    {title: "bound by", key: row => row.command.bound, cell: row => row.command.bound},
    {title: "ops in it", n: true, key: row => partsOf(row.command).length, cell: row => partsOf(row.command).length},
    {title: "HBM", n: true, key: row => row.command.hbm_bytes, cell: row => format.bytes(row.command.hbm_bytes)},
    {title: "work", n: true, key: row => row.command.flops, cell: row => format.flops(row.command.flops)},
    {title: "location", key: row => row.command.location, cell: row => row.command.location, class: "where"}
  ];
}

const groupColumns = total => [
  {title: "commands", n: true, key: group => group.count, cell: group => group.count},
  {title: "name", key: group => group.name, cell: group => group.name, class: "name"},
  {title: "engine", key: group => group.engine, cell: group => group.engine},
  {title: "time", n: true, key: group => group.time, cell: group => format.time(group.time)},
  {title: "of the launch", n: true, key: group => group.time, cell: group => shareCell(group.time, total, group.bound)},
  {title: "bound most by", key: group => group.bound, cell: group => group.bound},
  {title: "ops in it", key: group => group.parts.length, cell: group => group.parts.length > 1 ? group.parts.join(", ") : ""},
  {title: "HBM", n: true, key: group => group.bytes, cell: group => format.bytes(group.bytes)},
  {title: "work", n: true, key: group => group.flops, cell: group => format.flops(group.flops)}
];

function groupsOf(rows) {
  const groups = new Map();
  for (const {command} of rows) {
    const key = command.engine + " " + command.name;
    if (!groups.has(key))
      groups.set(key, {name: command.name, engine: command.engine, parts: partsOf(command), count: 0, time: 0, bytes: 0,
                       flops: 0, list: []});
    const group = groups.get(key);
    ++group.count;
    group.time += duration(command);
    group.bytes += command.hbm_bytes;
    group.flops += command.flops;
    group.list.push(command);
  }
  for (const group of groups.values()) group.bound = timeByBound(group.list)[0]?.[0] ?? group.list[0].bound;
  return [...groups.values()];
}

sections.push({
  id: "commands",
  title: "Commands and kernels",
  applies: view => view.prediction.commands.length > 0,
  render(box, view) {
    const all = view.prediction.commands.map((command, index) => ({command, index, text: commandText(command)}));
    const find = el("input", {type: "search", placeholder: "name, location, shape, bound", "aria-label": "Filter commands"});
    const engine = el("select", {"aria-label": "Engine"}, ["all engines", ...new Set(all.map(row => row.command.engine))]
      .map(name => el("option", null, name)));
    const critical = el("input", {type: "checkbox"}), together = el("input", {type: "checkbox"});
    const count = el("span", {class: "note", role: "status", id: "commands-count"});
    const filtered = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const rows = all.filter(row => (!critical.checked || row.command.critical) &&
        (engine.selectedIndex < 1 || row.command.engine === engine.value) && words.every(word => row.text.includes(word)));
      count.textContent = `${rows.length} of ${all.length}, ` +
        format.time(rows.reduce((sum, row) => sum + duration(row.command), 0));
      return rows;
    };
    const pick = row => {
      selection.choose(row.index);
      document.getElementById("timeline").scrollIntoView();
    };
    const single = sortableTable(commandColumns(view), filtered, {order: 4, row: (row, cells) =>
      el("tr", {class: "pick" + (row.index === selection.command ? " chosen" : ""), title: view.explanation(row.index),
                click: () => pick(row), keydown: event => { if (event.key === "Enter") pick(row); }}, cells)});
    const grouped = sortableTable(groupColumns(view.prediction.time_us), () => groupsOf(filtered()),
                                  {order: 3});
    const update = () => {
      single.box.hidden = together.checked;
      grouped.box.hidden = !together.checked;
      (together.checked ? grouped : single).draw();
    };
    for (const control of [find, engine, critical, together]) control.addEventListener("input", update);
    update();
    box.append(el("div", {class: "tools"}, find, engine, el("label", null, critical, " on the critical path"),
                  el("label", null, together, " those of one name together"), count), single.box, grouped.box);
  }
});
