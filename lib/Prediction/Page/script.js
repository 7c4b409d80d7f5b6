// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the script ran whose graph the page shows: steps, cuts, recompiles, what costs time.

sections.push({
  id: "script",
  title: "The script",
  applies: () => Boolean(data.script),
  render(box) {
    const script = data.script, nowhere = "no line of the script";
    const time = us => us === null || us === undefined ? "unknown" : format.time(us);
    box.append(el("div", {class: "cards"},
      card("steps", String(script.steps), script.steps ? (script.launches / script.steps).toFixed(1) + " graphs a step" : "no mark_step"),
      card("graphs compiled", String(script.graphs), format.time(script.compile_seconds * 1e6)),
      card("launches of a step", time(script.predicted_us_per_step), "predicted"),
      card("step by the card's clock", time(script.clock_us_per_step),
           script.host_share === null ? "" : format.share(script.host_share) + " without a command"),
      card("step on this host", script.seconds_per_step === null ? "unknown" : format.time(script.seconds_per_step * 1e6), "emulated"),
      card("peak memory", format.bytes(script.peak_memory))));
    const table = (id, title, heads, rows) => [
      el("h3", null, `${title} (${rows.length})`),
      rows.length ? el("div", {class: "scroll"}, el("table", {id},
        el("thead", null, el("tr", null, heads.map(head => el("th", {scope: "col"}, head)))),
        el("tbody", null, rows.map(row => el("tr", null, row.map(cell => el("td", null, cell))))))) : null
    ].filter(Boolean);
    box.append(
      ...table("causes", "What costs time", ["what", "line", "times", "found", "next step"],
               script.causes.map(cause => [cause.kind, cause.where || nowhere, String(cause.count), cause.text, cause.advice])),
      ...table("cuts", "What cut graphs", ["why", "line", "times"],
               script.cuts.map(([reason, where, count]) => [reason, where || nowhere, String(count)])),
      ...table("recompiles", "Compiled again", ["graph", "in step", "cut at", "because"],
               script.recompiles.map(([graph, step, where, cause]) => [String(graph), String(step), where || nowhere, cause])));
  }
});
