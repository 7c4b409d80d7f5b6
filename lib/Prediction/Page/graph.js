// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph of the model: commands with their dependencies, of long models layers that open.

const mostNodes = 300, nodeWidth = 178, nodeHeight = 40, nodeGap = 14, rankGap = 26;

/** Groups of commands to draw: the layers, those of one name cut into parts of the program. */
function graphGroups(prediction) {
  const {kind, layers, of} = layersOf(prediction);
  if (kind !== "names") return {names: layers.map(layer => layer.name), of};
  const size = Math.max(10, Math.ceil(of.length / 60));
  return {of: of.map((_, index) => Math.floor(index / size)),
          names: Array.from({length: Math.ceil(of.length / size)}, (_, part) => `#${part * size} to #${Math.min((part + 1) * size, of.length) - 1}`)};
}

/** Nodes {name, commands, from (nodes), group} in the order of their first commands. */
function graphNodes(prediction, open) {
  const commands = prediction.commands, groups = graphGroups(prediction);
  const isWhole = commands.length <= 120, nodes = [], ofGroup = new Map();
  const node = commands.map((command, index) => {
    const group = groups.of[index];
    if (!isWhole && !open.has(group)) {
      if (!ofGroup.has(group)) {
        ofGroup.set(group, nodes.length);
        nodes.push({name: groups.names[group], commands: [], from: new Set(), group});
      }
      nodes[ofGroup.get(group)].commands.push(index);
      return ofGroup.get(group);
    }
    nodes.push({name: command.name, commands: [index], from: new Set(), group: isWhole ? -1 : group, isCommand: true});
    return nodes.length - 1;
  });
  commands.forEach((command, index) => command.dependencies.forEach(other => {
    if (node[other] !== node[index]) nodes[node[index]].from.add(node[other]);
  }));
  return nodes;
}

/** Ranks: below all that a node reads. Groups may depend on each other both ways; the later one is below. */
function placeNodes(nodes) {
  const ranks = [];
  nodes.forEach((node, index) => {
    node.rank = Math.max(-1, ...[...node.from].filter(other => other < index).map(other => nodes[other].rank)) + 1;
    (ranks[node.rank] ??= []).push(node);
  });
  for (const rank of ranks) {
    const wish = node => {
      const from = [...node.from].map(other => nodes[other]).filter(other => other.rank < node.rank);
      return from.length ? from.reduce((sum, other) => sum + other.column, 0) / from.length : 0;
    };
    rank.map(node => [wish(node), node]).sort((a, b) => a[0] - b[0]).forEach(([, node], column) => { node.column = column; });
  }
  return {ranks: ranks.length, columns: Math.max(...ranks.map(rank => rank.length), 1)};
}

/** The node that an arrow key goes to: in the next rank the nearest, else the next of the rank. */
function nodeBeside(nodes, node, key) {
  const down = {ArrowDown: 1, ArrowUp: -1}[key], right = {ArrowRight: 1, ArrowLeft: -1}[key];
  if (right) return nodes.find(other => other.rank === node.rank && other.column === node.column + right);
  if (!down) return undefined;
  return nodes.filter(other => other.rank === node.rank + down)
    .sort((a, b) => Math.abs(a.column - node.column) - Math.abs(b.column - node.column))[0];
}

function drawGraph(view, open, redraw) {
  const commands = view.prediction.commands, all = graphNodes(view.prediction, open), nodes = all.slice(0, mostNodes);
  nodes.forEach(node => { node.from = new Set([...node.from].filter(other => other < mostNodes)); });
  const {ranks, columns} = placeNodes(nodes), longest = Math.max(...nodes.map(node => node.time =
    node.commands.reduce((sum, index) => sum + duration(commands[index]), 0)));
  const x = node => nodeGap + node.column * (nodeWidth + nodeGap), y = node => 8 + node.rank * (nodeHeight + rankGap);
  const drawing = mark("svg", {class: "graph", width: columns * (nodeWidth + nodeGap) + nodeGap, height: ranks * (nodeHeight + rankGap),
    role: "group", "aria-label": `Graph of ${counted(nodes.length, "node")}. The table of commands has the same.`});
  for (const node of nodes)
    for (const other of node.from) {
      const from = nodes[other], back = from.rank >= node.rank;
      const [x0, y0, x1, y1] = [x(from) + nodeWidth / 2, y(from) + nodeHeight, x(node) + nodeWidth / 2, y(node)];
      drawing.append(mark("path", {class: "edge" + (back ? " back" : ""),
        d: `M${x0} ${y0} C${x0} ${y0 + rankGap} ${x1} ${y1 - rankGap} ${x1} ${y1}`}));
    }
  const short = text => text.length > 25 ? text.slice(0, 11) + "\u2026" + text.slice(-13) : text;
  for (const node of nodes) {
    const first = commands[node.commands[0]], bound = timeByBound(node.commands.map(index => commands[index]))[0]?.[0] ?? first.bound;
    const act = () => {
      if (node.isCommand) {
        selection.choose(node.commands[0]);
        document.getElementById("timeline").scrollIntoView();
      } else {
        open.add(node.group);
        redraw(node.group);
      }
    };
    // One node is in the order of tabs; the arrows go to the others.
    const keys = event => {
      const next = nodeBeside(nodes, node, event.key);
      if (!next && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!next) return act();
      node.box.setAttribute("tabindex", -1);
      next.box.setAttribute("tabindex", 0);
      next.box.focus();
    };
    drawing.append(node.box = mark("g", {class: "node", transform: `translate(${x(node)} ${y(node)})`, click: act, keydown: keys,
        tabindex: node === nodes[0] ? 0 : -1, role: "button",
        "aria-label": `${node.name}, ${format.time(node.time)}` + (node.isCommand ? "" : `, ${counted(node.commands.length, "command")}, opens`),
        mousemove: event => tip.show(event, node.name, node.isCommand ? first.location : counted(node.commands.length, "command") + "; a click opens them",
          `${format.time(node.time)}, bound most by ${bound}`, node.isCommand ? first.operands.join(", ") : null),
        mouseleave: () => tip.hide()},
      mark("rect", {width: nodeWidth, height: nodeHeight, rx: 5, class: node.isCommand ? "command" : "group"}),
      mark("rect", {class: "time", width: Math.max(2, (nodeWidth - 2) * node.time / (longest || 1)), height: 4, x: 1, y: nodeHeight - 5,
                    style: `fill:${boundColour(bound)}`}),
      mark("text", {x: 7, y: 15}, short(node.name)),
      mark("text", {class: "faint", x: 7, y: 30}, format.time(node.time) + (node.isCommand ? "" : ", " + counted(node.commands.length, "command")))));
  }
  return {drawing, nodes, hidden: all.length - nodes.length};
}

sections.push({
  id: "graph",
  title: "Graph",
  applies: view => view.prediction.commands.length > 1,
  render(box, view) {
    const open = new Set(), place = el("div", {class: "graph-box", tabindex: 0, role: "region", "aria-label": "Graph of the model"});
    const note = el("p", {class: "note"}), closing = el("button", {click: () => { open.clear(); draw(); }}, "close all layers");
    /** `opened`: the layer whose first command gets the focus. */
    function draw(opened = -1) {
      const {drawing, nodes, hidden} = drawGraph(view, open, draw), focused = place.contains(document.activeElement);
      place.replaceChildren(drawing);
      if (focused) (nodes.find(node => node.group === opened) ?? nodes[0]).box.focus();
      closing.hidden = !open.size;
      note.textContent = (view.prediction.commands.length <= 120 ? "Commands, each below what it reads; a click chooses one."
        : "Layers, each below what it reads; a click opens a layer into its commands.") + " The bar is the time, in the colour of what bounds it." +
        (hidden ? ` The last ${hidden} nodes are not drawn.` : "");
    }
    draw();
    box.append(note, el("div", {class: "tools"}, closing), place);
  }
});
