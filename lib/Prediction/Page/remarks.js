// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes of the compiler did or did not do.

sections.push({
  id: "remarks",
  title: "Remarks of the compiler",
  render(box, view) {
    const remarks = data.remarks[view.device];
    if (!remarks) {
      box.append(el("p", {class: "note"}, "A recipe has no remarks: they are made when the model is compiled. Give gaudi-run the .mlir file."));
      return;
    }
    const find = el("input", {type: "search", placeholder: "pass, location, text", "aria-label": "Filter remarks"});
    const kinds = [...new Set(remarks.map(remark => remark.kind))];
    const kind = el("select", {"aria-label": "Kind"}, ["all kinds", ...kinds].map(name => el("option", null, name)));
    const list = el("div"), count = el("span", {class: "note", role: "status"});
    const draw = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean), passes = new Map();
      for (const remark of remarks) {
        const text = `${remark.pass} ${remark.kind} ${remark.location} ${remark.text}`.toLowerCase();
        if ((kind.selectedIndex > 0 && remark.kind !== kind.value) || !words.every(word => text.includes(word))) continue;
        if (!passes.has(remark.pass)) passes.set(remark.pass, []);
        passes.get(remark.pass).push(remark);
      }
      const number = [...passes.values()].reduce((sum, list) => sum + list.length, 0);
      count.textContent = `${number} of ${remarks.length} in ${passes.size} ${passes.size === 1 ? "pass" : "passes"}`;
      list.replaceChildren(...[...passes].map(([pass, those]) => passBox(pass, those, words.length > 0)));
    };
    for (const control of [find, kind]) control.addEventListener("input", draw);
    draw();
    box.append(el("div", {class: "tools"}, find, kind, count), list);
  }
});

function passBox(pass, remarks, open) {
  const box = el("details", {open}, el("summary", null, `${pass} (${remarks.length})`));
  const fill = () => {
    if (box.childElementCount > 1) return;
    box.append(el("table", null, el("tbody", null, remarks.slice(0, 2000).map(remark => el("tr", null,
      el("td", null, el("span", {class: "kind " + remark.kind}, remark.kind)),
      el("td", {class: "where"}, remark.location), el("td", null, remark.text))))));
    if (remarks.length > 2000) box.append(el("p", {class: "note"}, `${remarks.length - 2000} more; filter to see them`));
  };
  // Filled when opened: a model has thousands of remarks.
  box.addEventListener("toggle", fill);
  addEventListener("beforeprint", fill);
  if (open) fill();
  return box;
}
