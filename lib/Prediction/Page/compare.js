// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of an earlier prediction: --compare-with.

const numberWords = {
  time_us: ["time of a launch", "time"], mme_busy_us: ["MME busy", "time"], tpc_busy_us: ["TPC busy", "time"],
  dma_busy_us: ["DMA busy", "time"], mme_utilization: ["MME utilisation", "share"], flops: ["work", "flops"],
  hbm_bytes: ["HBM traffic", "bytes"], needed_bytes: ["memory needed", "bytes"], workspace_bytes: ["workspace", "bytes"],
  commands: ["commands", "count"]
};

const better = {mme_utilization: "more", flops: "", commands: ""};

/** "+12.3 %" in the colour of what it means. */
function changeText(before, after, better) {
  if (Math.abs(after - before) < 5e-4 * Math.abs(before) || before === after)
    return el("span", {class: "note"}, before === after ? "same" : "about the same");
  const text = before ? (after > before ? "+" : "-") + (Math.abs(after - before) / Math.abs(before) * 100).toFixed(1) + " %" : "new";
  return el("span", {class: better && ((after < before) === (better === "less") ? "good" : "bad")}, text);
}

/** Bars to the left for less and to the right for more. */
function changeBar(change, most) {
  const width = 60 * Math.abs(change) / (most || 1);
  return el("span", {class: "change"}, el("i", {class: change < 0 ? "less" : "more",
    style: `width:${width}px;margin-left:${change < 0 ? 60 - width : 60}px`}));
}

const signed = us => (us < 0 ? "-" : "+") + format.time(Math.abs(us));

sections.push({
  id: "compare",
  title: "Compared with before",
  applies: view => data.comparison?.devices.some(one => one.device === view.prediction.device),
  render(box, view) {
    const comparison = data.comparison.devices.find(one => one.device === view.prediction.device);
    const rows = Object.entries(comparison.numbers);
    box.append(el("p", null, el("b", {id: "compare-line"}, comparison.line)), el("p", {class: "note"}, "Before: " + data.comparison.with),
      el("div", {class: "scroll"}, el("table", {id: "compare-numbers"},
        el("thead", null, el("tr", null, ["", "before", "now", "change"].map((title, index) =>
          el("th", {scope: "col", class: index ? "n" : null}, title)))),
        el("tbody", null, rows.map(([key, {before, after}]) => {
          const [title, form] = numberWords[key] ?? [key, "count"];
          return el("tr", null, el("td", {class: "name"}, title), el("td", {class: "n"}, format[form](before)),
                    el("td", {class: "n"}, format[form](after)),
                    el("td", {class: "n"}, changeText(before, after, better[key] ?? "less")));
        })))));
    const groups = comparison.commands, most = Math.max(...groups.map(group => Math.abs(group.change_us)), 0);
    if (!groups.length) return box.append(el("p", {class: "note"}, "No command changed."));
    const flat = groups.flatMap(group => [group, ...group.operands.map(one => ({...one, name: group.name, of: group}))]);
    let details = false;
    const table = sortableTable([
      {title: "commands that changed", key: row => row.name, class: "name",
       cell: row => row.of ? el("span", {class: "note"}, row.operands) : row.name},
      {title: "before", n: true, key: row => row.before.commands, cell: row => row.before.commands},
      {title: "now", n: true, key: row => row.after.commands, cell: row => row.after.commands},
      {title: "time before", n: true, key: row => row.before.time_us, cell: row => format.time(row.before.time_us)},
      {title: "time now", n: true, key: row => row.after.time_us, cell: row => format.time(row.after.time_us)},
      {title: "change", n: true, key: row => Math.abs(row.change_us), cell: row => signed(row.change_us)},
      {title: "less or more", key: row => row.change_us, cell: row => changeBar(row.change_us, most)}
    ], () => details ? flat : groups, {order: 5, limit: 30});
    const switching = el("input", {type: "checkbox", input: () => { details = switching.checked; table.draw(); }});
    box.append(el("h3", null, "Commands, those of one name together"),
      el("div", {class: "tools"}, el("label", null, switching, " by the types of their operands, too")), table.box);
  }
});
