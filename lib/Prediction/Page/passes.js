// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph step by step through the passes of the compiler: what each made and removed, and why.

/** The graph before a pass, with what the pass removed marked. */
function beforePass(graph, removed) {
  const left = new Map();
  for (const op of removed) left.set(op.name + " " + op.place, (left.get(op.name + " " + op.place) ?? 0) + 1);
  return {...graph, nodes: graph.nodes.map(node => {
    const key = node.name + " " + node.place, gone = left.get(key) > 0;
    if (gone) left.set(key, left.get(key) - 1);
    return {...node, new: false, gone};
  })};
}

/** Draws a graph; what a pass made or removed is marked. `focus`: a place whose nodes are marked, too. */
function drawPass(graph, focus) {
  const nodes = graph.nodes.map(node => ({...node, from: new Set()}));
  for (const [from, to] of graph.edges) nodes[to].from.add(from);
  const {ranks, columns} = placeNodes(nodes);
  const x = node => nodeGap + node.column * (nodeWidth + nodeGap), y = node => 8 + node.rank * (nodeHeight + rankGap);
  const drawing = mark("svg", {class: "graph", width: columns * (nodeWidth + nodeGap) + nodeGap, height: ranks * (nodeHeight + rankGap),
    role: "img", "aria-label": `Graph of ${counted(nodes.length, "node")} after the pass`});
  for (const node of nodes)
    for (const other of node.from) {
      const from = nodes[other], [x0, y0, x1, y1] = [x(from) + nodeWidth / 2, y(from) + nodeHeight, x(node) + nodeWidth / 2, y(node)];
      drawing.append(mark("path", {class: "edge", d: `M${x0} ${y0} C${x0} ${y0 + rankGap} ${x1} ${y1 - rankGap} ${x1} ${y1}`}));
    }
  const short = text => text.length > 27 ? text.slice(0, 12) + "\u2026" + text.slice(-14) : text;
  for (const node of nodes)
    drawing.append(mark("g", {class: "node" + (node.new ? " made" : node.gone ? " removed" : "") + (focus && node.place.includes(focus) ? " focus" : ""),
        transform: `translate(${x(node)} ${y(node)})`, mousemove: event => tip.show(event, node.name, node.place, node.type, node.detail),
        mouseleave: () => tip.hide()},
      mark("rect", {width: nodeWidth, height: nodeHeight, rx: 5}),
      mark("text", {x: 7, y: 15}, short(node.name)), mark("text", {class: "faint", x: 7, y: 30}, short(node.type || node.place))));
  return drawing;
}

sections.push({
  id: "passes",
  title: "Passes",
  applies: () => data.passes?.passes.length > 1,
  render(box, view) {
    const passes = data.passes.passes, count = list => list.length ? String(list.length) : "";
    let chosen = 0, isBefore = false;
    const place = el("div", {class: "graph-box", tabindex: 0, role: "region", "aria-label": "Graph after the pass"});
    const title = el("h3", {role: "status"}), note = el("p", {class: "note"}), why = el("div");
    const names = (verb, ops) => {
      const sums = new Map();
      for (const op of ops) sums.set(op.name, (sums.get(op.name) ?? 0) + 1);
      return ops.length ? el("p", {class: verb}, verb + ": " + [...sums].map(([name, number]) => number > 1 ? `${number} ${name}` : name).join(", ")) : null;
    };
    const rows = passes.map((pass, index) => el("tr", {class: "pick", tabindex: index ? -1 : 0, click: () => choose(index),
        keydown: event => { if (event.key === "Enter") choose(index); }},
      el("td", null, pass.pass + (pass.failed ? " (failed)" : "")), el("td", {class: "n"}, `${pass.ops_before}`),
      el("td", {class: "n"}, `${pass.ops_after}`), el("td", {class: "n"}, count(pass.made)), el("td", {class: "n"}, count(pass.removed)),
      el("td", {class: "n"}, count(pass.remarks)), el("td", {class: "n"}, format.time(pass.host_ms * 1000))));
    function draw(focus) {
      const pass = passes[chosen], graphUpTo = end => passes.slice(0, end).reverse().find(one => one.graph)?.graph;
      // A pass that only has remarks leaves the graph of the one before.
      const graph = graphUpTo(isBefore ? chosen : chosen + 1);
      side.textContent = isBefore ? "after the pass" : "before the pass";
      place.replaceChildren(graph ? drawPass(isBefore ? beforePass(graph, pass.removed) : pass.graph ? graph : beforePass(graph, []), focus)
        : el("p", {class: "note"}, "The page has no graph of this pass; --dump-graphs writes all."));
      note.textContent = graph && graph.all > graph.nodes.length
        ? `Of ${counted(graph.all, "node")}, ${graph.nodes.length} are drawn: what changed and what is next to it.` : "";
    }
    function choose(index) {
      chosen = Math.max(0, Math.min(passes.length - 1, index));
      const pass = passes[chosen];
      rows.forEach((row, number) => row.classList.toggle("chosen", number === chosen));
      title.textContent = `${chosen} of ${passes.length - 1}: ${pass.pass}`;
      why.replaceChildren(...[names("made", pass.made), names("removed", pass.removed),
        pass.remarks.length ? el("table", null, el("tbody", null, pass.remarks.slice(0, 500).map(remark => el("tr",
          {class: "pick", click: () => draw(remark.location)},
          el("td", null, el("span", {class: "kind " + remark.kind}, remark.kind)), el("td", {class: "where"}, remark.location),
          el("td", null, remark.text), el("td", null, remark.made.length || remark.removed.length
            ? `${remark.removed.join(", ") || "nothing"} \u2192 ${remark.made.join(", ") || "nothing"}` : ""))))) : null].filter(Boolean));
      draw();
    }
    const side = el("button", {id: "pass-side", click: () => { isBefore = !isBefore; draw(); }});
    view.passes = {step: by => choose(chosen + by)};
    box.append(el("p", {class: "note"}, "What each pass of the compiler did; green is what it made, red and dashed what it removed of the graph before it. [ and ] go through them."),
      el("div", {class: "tools"}, el("button", {id: "pass-before", click: () => choose(chosen - 1)}, "previous"),
        el("button", {id: "pass-after", click: () => choose(chosen + 1)}, "next"), side),
      el("div", {class: "scroll passes"}, el("table", null, el("thead", null, el("tr", null,
        ["pass", "ops before", "after", "made", "removed", "remarks", "time of this host"].map((name, column) => el("th", {class: column ? "n" : null, scope: "col"}, name)))),
        el("tbody", null, rows))), title, why, note, place);
    choose(0);
  }
});
