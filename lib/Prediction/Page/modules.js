// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree of modules that locations name: time and memory of each with all that is in it.

/** Modules of a location, with whether it is their backward: "Net.fc backward at train.py:3:1". The
    model's own file may have ", " and " at " in its name. */
function modulesOf(location) {
  const names = new Map();
  const plain = data.source ? (location || "").replaceAll(data.source.name, "source") : location || "";
  for (const place of plain.split(", ")) {
    const at = place.indexOf(" at "), name = at < 0 ? "" : place.slice(0, at);
    const backward = / ?backward$/.test(name);
    names.set(name, {path: name.replace(/ ?backward$/, ""), backward});
  }
  return [...names.values()];
}

/** The root of the tree; each node has what is its own and that of its children. */
function moduleTree(prediction) {
  const make = (name, path) => ({name, path, children: new Map(), forward: 0, backward: 0, commands: 0, memory: 0});
  const root = make("all", "");
  const add = (path, change) => {
    let node = root;
    change(node);
    for (const part of (path || "(no module)").split(".")) {
      if (!node.children.has(part)) node.children.set(part, make(part, node.path ? node.path + "." + part : part));
      node = node.children.get(part);
      change(node);
    }
  };
  for (const command of prediction.commands) {
    const modules = modulesOf(command.location), time = (command.end_us - command.start_us) / modules.length;
    for (const {path, backward} of modules)
      add(path, node => { node[backward ? "backward" : "forward"] += time; ++node.commands; });
  }
  const peak = prediction.memory.in_use.reduce((most, moment) => moment[1] > most[1] ? moment : most, [0, 0])[0];
  for (const buffer of prediction.memory.buffers)
    if (buffer.from_us <= peak && peak < buffer.to_us)
      for (const {path} of modulesOf(buffer.location))
        add(path, node => { node.memory += buffer.bytes / modulesOf(buffer.location).length; });
  return root;
}

sections.push({
  id: "modules",
  title: "Modules",
  applies: view => view.prediction.commands.some(command => modulesOf(command.location).some(each => each.path)),
  render(box, view) {
    const root = moduleTree(view.prediction), open = new Set(["", ...[...root.children.values()].map(node => node.path)]);
    const total = root.forward + root.backward, body = el("tbody");
    const rows = (node, depth) => {
      const time = node.forward + node.backward, isOpen = open.has(node.path);
      const toggle = node.children.size
        ? el("button", {class: "fold", "aria-expanded": String(isOpen), click: () => {
            isOpen ? open.delete(node.path) : open.add(node.path);
            draw();
          }}, isOpen ? "\u25be" : "\u25b8") : null;
      const row = el("tr", {"data-module": node.path},
        el("td", {class: "name", style: `padding-left:${6 + 16 * depth}px`}, toggle, " " + node.name),
        el("td", {class: "n"}, shareCell(time, total, "array")), el("td", {class: "n"}, format.time(time)),
        el("td", {class: "n"}, format.time(node.forward)), el("td", {class: "n"}, format.time(node.backward)),
        el("td", {class: "n"}, format.count(node.commands)), el("td", {class: "n"}, format.bytes(node.memory)));
      const children = [...node.children.values()].sort((a, b) => b.forward + b.backward - a.forward - a.backward);
      return [row, ...(isOpen ? children.flatMap(child => rows(child, depth + 1)) : [])];
    };
    const draw = () => body.replaceChildren(...rows(root, 0));
    draw();
    const heads = ["module", "of all commands", "time", "forward", "backward", "commands", "memory at the peak"];
    box.append(el("p", {class: "note"},
      "Each row has what its children have. A command of several modules counts in equal shares; a kernel that several ops fused into is of the module that its result comes from. Memory is that of intermediate tensors at the moment when they take most."),
      el("div", {class: "scroll"}, el("table", {id: "module-tree"},
        el("thead", null, el("tr", null, heads.map((title, index) => el("th", {scope: "col", class: index ? "n" : null}, title)))), body)));
  }
});
