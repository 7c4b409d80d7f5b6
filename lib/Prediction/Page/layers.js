// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands by layer, for models of any length: modules where locations name them, else blocks of commands that
// repeat, else the names of the commands.

const layerTints = ["array", "vector", "read", "latency", "port", "special", "load", "write", "dma", "roll-up", "store",
                    "scalar"];

/** The longest part of numbers[from, to) that repeats: {first, period, count}, or null. Of equal cover the shortest
    period. O(n) for each period, of which there are 400 at most. */
function longestRepeat(numbers, from, to) {
  let best = null;
  for (let period = 2; period <= Math.min(400, (to - from) >> 1); ++period)
    for (let i = from, run = 0; i + period <= to; ++i) {
      if (i + period < to && numbers[i] === numbers[i + period]) {
        ++run;
        continue;
      }
      const count = Math.floor(run / period) + 1, cover = count * period;
      if (count > 1 && cover > (best?.cover ?? 0)) best = {first: i - run, period, count, cover};
      run = 0;
    }
  return best;
}

/** A name for each command: blocks that repeat, and what is between them. Null if too little repeats. */
function blockNames(commands) {
  const known = new Map(), names = new Array(commands.length).fill("");
  const numbers = commands.map(command => {
    const text = command.name + " " + command.operands.join();
    if (!known.has(text)) known.set(text, known.size);
    return known.get(text);
  });
  let covered = 0;
  const found = [];
  const search = (from, to) => {
    const repeat = to - from < 8 ? null : longestRepeat(numbers, from, to);
    if (!repeat || repeat.cover < 6) return;
    covered += repeat.cover;
    search(from, repeat.first);
    found.push(repeat);
    search(repeat.first + repeat.cover, to);
  };
  search(0, commands.length);
  if (covered < 0.4 * commands.length) return null;
  found.forEach(({first, period, count}, index) => {
    const letter = found.length > 1 ? String.fromCharCode(65 + index % 26) + " " : "";
    for (let k = 0; k < count * period; ++k)
      names[first + k] = `block ${letter}${Math.floor(k / period) + 1} of ${count}`;
  });
  const end = found.at(-1).first + found.at(-1).cover;
  for (let i = 0, part = 0; i < names.length; ++i)
    if (!names[i]) {
      if (i >= found[0].first && names[i - 1].startsWith("block")) ++part;
      names[i] = i < found[0].first ? "before the blocks" : i >= end ? "after the blocks" : `between blocks, part ${part}`;
    }
  return names;
}

/** A name for each command: its module, cut to the depth at which there are some of them. */
function moduleNames(commands) {
  const paths = commands.map(command => modulesOf(command.location)[0]);
  if (paths.filter(path => path.path).length < commands.length / 2) return null;
  const cut = depth => paths.map(({path, backward}) =>
    path ? path.split(".").slice(0, depth).join(".") + (backward ? " backward" : "") : "(no module)");
  let names = cut(1);
  for (let depth = 2; depth <= 6 && new Set(names).size < 6; ++depth) names = cut(depth);
  return names;
}

/** {kind, layers, of}: what the layers are ("modules", "blocks", "names"), each with its commands and sums, in the
    order of their first commands, and the layer's number of each command. */
const layersOf = (() => {
  const known = new WeakMap();
  return prediction => {
    if (known.has(prediction)) return known.get(prediction);
    const commands = prediction.commands;
    let kind = "modules", names = moduleNames(commands);
    if (!names) [kind, names] = ["blocks", blockNames(commands)];
    if (!names) [kind, names] = ["names", commands.map(command => command.name)];
    const layers = [], numbers = new Map();
    const of = names.map((name, index) => {
      if (!numbers.has(name)) {
        numbers.set(name, layers.length);
        layers.push({name, commands: [], time: 0, bytes: 0, flops: 0, from: Infinity, to: 0});
      }
      const layer = layers[numbers.get(name)], command = commands[index];
      layer.commands.push(index);
      layer.time += duration(command);
      layer.bytes += command.hbm_bytes;
      layer.flops += command.flops;
      layer.from = Math.min(layer.from, command.start_us);
      layer.to = Math.max(layer.to, command.end_us);
      return numbers.get(name);
    });
    layers.forEach((layer, index) => {
      layer.tint = layerTints[index % layerTints.length];
      layer.bound = timeByBound(layer.commands.map(number => commands[number]))[0]?.[0] ?? "";
    });
    const result = {kind, layers, of};
    known.set(prediction, result);
    return result;
  };
})();

const layerWords = {
  modules: "Modules that locations name",
  blocks: "Blocks of commands that repeat, since locations name no modules",
  names: "Commands of one name, since locations name no modules and no block of commands repeats"
};

sections.push({
  id: "layers",
  title: "Layers",
  applies: view => layersOf(view.prediction).layers.length > 1,
  render(box, view) {
    const {kind, layers} = layersOf(view.prediction);
    const total = layers.reduce((sum, layer) => sum + layer.time, 0);
    const pick = layer => {
      view.axis.set(layer.from, layer.to);
      document.getElementById("timeline").scrollIntoView();
    };
    box.append(el("p", {class: "note"}, layerWords[kind] + "; a row shows its part of the timeline. Times are sums of commands, which overlap."),
      sortableTable([
        {title: "layer", key: layer => layers.indexOf(layer), class: "name",
         cell: layer => [el("i", {class: "swatch", style: `background:var(--${layer.tint})`}), layer.name]},
        {title: "commands", n: true, key: layer => layer.commands.length, cell: layer => layer.commands.length},
        {title: "time", n: true, key: layer => layer.time, cell: layer => format.time(layer.time)},
        {title: "of all commands", n: true, key: layer => layer.time,
         cell: layer => shareCell(layer.time, total, layer.bound)},
        {title: "bound most by", key: layer => layer.bound, cell: layer => layer.bound},
        {title: "from", n: true, key: layer => layer.from, cell: layer => format.time(layer.from)},
        {title: "to", n: true, key: layer => layer.to, cell: layer => format.time(layer.to)},
        {title: "HBM", n: true, key: layer => layer.bytes, cell: layer => format.bytes(layer.bytes)},
        {title: "work", n: true, key: layer => layer.flops, cell: layer => format.flops(layer.flops)}
      ], () => layers, {order: 2, limit: 30, pick}).box);
  }
});
