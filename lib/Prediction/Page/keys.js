// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys that work wherever the focus is, and the list of them.

const keyWords = [
  ["/", "search in the timeline; Enter and Shift+Enter go to the next and the previous one"],
  ["n, p", "next and previous command"], ["+, -", "zoom the timeline"], ["left, right", "pan it (with the focus on a chart)"],
  ["0", "whole launch"], ["Shift and drag", "zoom to a range of the timeline"], ["up, down", "in a table: row by row; Enter chooses"],
  ["arrows", "in the graph: node by node; Enter opens a layer or chooses a command"],
  ["1 to 9", "go to a section"], ["Esc", "choose nothing; close this list"], ["[, ]", "previous and next pass of the compiler"], ["?", "this list"]
];

const keyHelp = el("dialog", {id: "keys", "aria-label": "Keys"}, el("h3", null, "Keys"),
  el("dl", null, keyWords.flatMap(([keys, meaning]) => [el("dt", null, keys), el("dd", null, meaning)])),
  el("form", {method: "dialog"}, el("button", null, "close")));
document.body.append(keyHelp);
document.getElementById("keys-button").addEventListener("click", () => keyHelp.showModal());

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || keyHelp.open) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.key !== "Escape") return;
  const {axis, timeline, passes} = shownView ?? {};
  const go = section => {
    document.querySelectorAll("main > section")[section]?.scrollIntoView();
    document.querySelectorAll("#nav a")[section]?.focus({preventScroll: true});
  };
  const actions = {
    "?": () => keyHelp.showModal(), "/": () => timeline && document.getElementById("search").focus(),
    n: () => timeline?.step(1), p: () => timeline?.step(-1), "0": () => axis?.set(0, axis.end),
    "+": () => axis?.zoom(0.6), "=": () => axis?.zoom(0.6), "-": () => axis?.zoom(1 / 0.6),
    "[": () => passes?.step(-1), "]": () => passes?.step(1),
    Escape: () => { event.target.blur?.(); selection.choose(-1); }
  };
  const action = actions[event.key] ?? (/^[1-9]$/.test(event.key) ? () => go(Number(event.key) - 1) : null);
  if (!action) return;
  event.preventDefault();
  action();
});
