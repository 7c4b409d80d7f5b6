// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summary: time, shares of the engines, what bounds, memory against the card.

const card = (name, value, ...below) => el("div", {class: "card"}, el("span", {class: "name"}, name), el("b", null, value),
                                           ...below);

/** Durations of commands by bound, the largest first. */
function timeByBound(commands) {
  const times = new Map();
  for (const command of commands)
    times.set(command.bound, (times.get(command.bound) || 0) + command.end_us - command.start_us);
  return [...times].filter(([, time]) => time > 0).sort((a, b) => b[1] - a[1]);
}

function shareBar(parts, total) {
  return [
    el("div", {class: "bar"}, parts.map(([name, value]) =>
      el("i", {style: `width:${100 * value / total}%;background:${boundColour(name)}`, title: name}))),
    el("div", {class: "legend"}, parts.map(([name, value]) =>
      el("span", null, el("i", {style: "background:" + boundColour(name)}), name + " " + format.share(value / total))))
  ];
}

function engineTable(view) {
  const names = Object.keys(view.prediction.engines).filter(name => view.prediction.engines[name].commands);
  const cell = (name, key, form) => el("td", {class: "n"}, shown(view, `engines.${name}.${key}`, form));
  return el("div", {class: "scroll"}, el("table", {id: "engines"},
    el("thead", null, el("tr", null, ["engine", "engines", "commands", "busy", "share of the launch", "exposed", "idle, waiting for"]
      .map((title, index) => el("th", {scope: "col", class: index && index < 6 ? "n" : null}, title)))),
    el("tbody", null, names.map(name => {
      const idle = Object.entries(view.prediction.engines[name].idle_us_for).sort((a, b) => b[1] - a[1]);
      return el("tr", null, el("td", {class: "name"}, name), cell(name, "engines", "count"), cell(name, "commands", "count"),
                cell(name, "busy_us", "time"), cell(name, "share", "share"), cell(name, "exposed_us", "time"),
                el("td", null, idle.map(([other, time]) =>
                  (other === "end" ? "end of the launch " : other + " ") + format.time(time)).join(", ")));
    }))));
}

function deviceTable() {
  const rows = [["time", "time_us", "time"], ["MME utilisation", "mme_utilization", "share"],
                ["MME busy", "engines.MME.busy_us", "time"], ["TPC busy", "engines.TPC.busy_us", "time"],
                ["DMA exposed", "engines.DMA.exposed_us", "time"], ["HBM traffic", "hbm_bytes", "bytes"],
                ["memory needed", "memory.needed", "bytes"], ["memory of the card", "memory.capacity", "bytes"]];
  return el("div", {class: "scroll"}, el("table", {id: "side-by-side"},
    el("thead", null, el("tr", null, el("th", {scope: "col"}, "predicted"),
      data.predictions.map(prediction => el("th", {class: "n", scope: "col"}, prediction.device)))),
    el("tbody", null, rows.map(([title, path, form]) => el("tr", null, el("td", {class: "name"}, title),
      data.predictions.map((prediction, device) =>
        el("td", {class: "n", "data-device": device}, shown({prediction}, path, form))))))));
}

function memoryBar(view) {
  const memory = view.prediction.memory, total = Math.max(memory.capacity, memory.needed, 1);
  const parts = [["persistent", "array"], ["const", "vector"], ["workspace", "read"]];
  return [
    el("h3", null, "Device memory"),
    el("div", {class: "bar"}, parts.map(([name, tint]) =>
      el("i", {style: `width:${100 * memory[name] / total}%;background:var(--${tint})`, title: name}))),
    el("div", {class: "legend"}, parts.map(([name, tint]) =>
      el("span", null, el("i", {style: `background:var(--${tint})`}), name + " ", shown(view, "memory." + name, "bytes"))),
      el("span", null, "card ", shown(view, "memory.capacity", "bytes")))
  ];
}

const splitTints = {start: "faint", MME: "array", TPC: "vector", DMA: "dma", NIC: "port", host: "special", idle: "overhead"};
const splitWords = {start: "start of the launch", idle: "idle: no engine works, results are on their way"};

/** Where the time of the launch goes; its parts add up to it. */
function splitBar(view) {
  const split = view.prediction.time_split_us, total = view.prediction.time_us || 1;
  const parts = Object.keys(split).filter(key => split[key] > 0);
  const below = {MME: "MME works", TPC: "TPC works, no MME", DMA: "only DMA works", NIC: "only NIC works", host: "the host decides"};
  const word = key => splitWords[key] ?? below[key];
  return [el("h3", null, "Where the time of the launch goes"),
    el("div", {class: "bar", id: "split"}, parts.map(key =>
      el("i", {class: key, style: `width:${100 * split[key] / total}%;background-color:var(--${splitTints[key]})`, title: word(key)}))),
    el("div", {class: "legend"}, parts.map(key => el("span", null,
      el("i", {class: key, style: `background-color:var(--${splitTints[key]})`}), word(key) + " ",
      shown(view, "time_split_us." + key, "time"), `, ${format.share(split[key] / total)}`)))];
}

/** Times by name as a bar, those that take most apart. */
function nameBar(title, times) {
  const sorted = [...times].sort((a, b) => b[1] - a[1]), most = isNarrow() ? 6 : 12;
  if (sorted.length < 2) return [];
  const total = sorted.reduce((sum, [, time]) => sum + time, 0) || 1;
  const parts = sorted.slice(0, most).map(([name, time], index) => [name, time, layerTints[index % layerTints.length]]);
  const rest = sorted.slice(most).reduce((sum, [, time]) => sum + time, 0);
  if (rest) parts.push([`${sorted.length - most} more`, rest, "overhead"]);
  return [el("h3", null, title + ", by their time"),
    el("div", {class: "bar"}, parts.map(([name, time, tint]) =>
      el("i", {style: `width:${100 * time / total}%;background:var(--${tint})`, title: name}))),
    el("div", {class: "legend"}, parts.map(([name, time, tint]) =>
      el("span", null, el("i", {style: `background:var(--${tint})`}), `${name} ${format.time(time)}`)))];
}

/** Bars of the layers, blocks of one kind together, and of the commands by name. */
function layerBars(view) {
  const {kind, layers} = layersOf(view.prediction), names = new Map(), groups = new Map();
  for (const command of view.prediction.commands) names.set(command.name, (names.get(command.name) ?? 0) + duration(command));
  for (const layer of layers) {
    const name = layer.name.replace(/^block (.*?)\d+ of (\d+)$/, (_, letter, count) => `${count} blocks ${letter}`.trim());
    groups.set(name, (groups.get(name) ?? 0) + layer.time);
  }
  return [...(kind === "names" ? [] : nameBar(kind === "modules" ? "Modules" : "Blocks", groups)), ...nameBar("Commands of one name", names)];
}

/** The advice that gains most, in short. */
function firstAdvice(view) {
  const advice = view.prediction.advice?.[0];
  if (!advice) return el("span", {class: "note", id: "first-advice"}, "Nothing found that would save 1 % or more.");
  return el("span", {id: "first-advice"}, "To do first: ", el("a", {href: "#advice"}, advice.title), " ",
    advice.gain_us > 0 ? el("span", {class: "good"}, "saves ", shown(view, "advice.0.gain_us", "time"), " (",
                            shown(view, "advice.0.share", "share"), ")") : null);
}

/** With a histogram, what a launch takes on average, whose sizes may be others than those below. */
function averageCard(view) {
  const buckets = view.prediction.buckets;
  if (!buckets?.launches || !buckets.device_us) return null;
  const served = buckets.launches - buckets.misses;
  return served > 0 ? card("average launch", format.time(buckets.device_us / served),
    el("span", {class: "note"}, `over the ${served} that the histogram has`)) : null;
}

sections.push({
  id: "summary",
  title: "Summary",
  render(box, view) {
    const prediction = view.prediction, bounds = timeByBound(prediction.commands);
    const onPath = timeByBound(prediction.commands.filter(command => command.critical));
    const memory = prediction.memory;
    box.append(el("div", {class: "cards"},
      el("div", {class: "card wide"}, el("span", {class: "name"}, "predicted time of a launch"), el("b", null, shown(view, "time_us", "time")),
         firstAdvice(view)),
      averageCard(view),
      card("MME utilisation", shown(view, "mme_utilization", "share"), el("span", {class: "note"}, "of its peak, over the launch")),
      card("bounded most by", onPath.length ? onPath[0][0] : bounds.length ? bounds[0][0] : "nothing",
           el("span", {class: "note"}, "on the critical path")),
      card("work", shown(view, "flops", "flops"),
           el("span", {class: "note"}, shown(view, "hbm_bytes", "bytes"), " of HBM traffic, ",
              shown(view, "flops_per_byte", "ratio"), " flop per byte")),
      card("memory", shown(view, "memory.needed", "bytes"),
           el("span", {class: memory.fits ? "good" : "bad"}, memory.fits ? "fits " : "does not fit "),
           el("span", {class: "note"}, "the card's ", shown(view, "memory.capacity", "bytes"))),
      data.measured ? card("measured on this host", format.time(data.measured.host_ms * 1e3),
                           el("span", {class: "note"}, "emulation on " + counted(data.measured.threads, "thread") +
                                                       "; says nothing about a device")) : null));
    if (data.predictions.length > 1)
      box.append(el("h3", null, "Devices compared"), deviceTable(),
                 el("ul", {class: "fusions", id: "slower"}, data.slower.map(text => el("li", null, text))));
    box.append(...splitBar(view));
    box.append(el("h3", null, "Engines"), engineTable(view));
    const total = list => list.reduce((sum, [, time]) => sum + time, 0);
    if (bounds.length)
      box.append(...layerBars(view), el("h3", null, "What bounds the commands, by their time"), ...shareBar(bounds, total(bounds)));
    if (onPath.length)
      box.append(el("h3", null, "What bounds those on the critical path"), ...shareBar(onPath, total(onPath)));
    box.append(...memoryBar(view));
    for (const {device, error} of data.refused) box.append(el("p", {class: "bad"}, `${device} cannot run it: ${error}`));
    for (const note of prediction.notes) box.append(el("p", {class: "note"}, "Not in the number: " + note));
  }
});
