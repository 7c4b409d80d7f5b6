// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The candidates for fusions: how many of each kind were fused, and each with its reason.

sections.push({
  id: "fusions",
  title: "Fusions",
  applies: view => view.prediction.fusions.candidates.length > 0,
  render(box, view) {
    const {counts, candidates} = view.prediction.fusions;
    box.append(el("ul", {class: "fusions"}, counts.map(count =>
      el("li", {class: count.fused === count.candidates ? "good" : "bad"}, count.line))));
    const find = el("input", {type: "search", placeholder: "kind, location, text", "aria-label": "Filter candidates"});
    const outcome = el("select", {"aria-label": "Outcome"}, ["all outcomes", "fused", "missed"].map(name => el("option", null, name)));
    const kind = el("select", {"aria-label": "Kind of fusion"}, ["all kinds", ...counts.map(count => count.kind)].map(name => el("option", null, name)));
    const number = el("span", {class: "note", id: "fusions-count", role: "status"});
    const outcomeOf = fusion => fusion.fused ? "fused" : "missed";
    const rows = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      return candidates.filter(fusion => (kind.selectedIndex <= 0 || fusion.kind === kind.value) &&
        (outcome.selectedIndex <= 0 || outcomeOf(fusion) === outcome.value) &&
        words.every(word => `${fusion.kind} ${fusion.location} ${fusion.text}`.toLowerCase().includes(word)));
    };
    const signed = (value, form) => value === 0 ? "" : (value < 0 ? "-" : "") + format[form](Math.abs(value));
    const table = sortableTable([
      {title: "outcome", key: outcomeOf, cell: fusion => el("span", {class: fusion.fused ? "good" : "bad"}, outcomeOf(fusion))},
      {title: "kind", key: fusion => fusion.kind, cell: fusion => fusion.kind},
      {title: "members", key: fusion => fusion.members, cell: fusion => fusion.members ? String(fusion.members) : "", n: true},
      {title: "saved time", key: fusion => fusion.saved_us, cell: fusion => signed(fusion.saved_us, "time"), n: true},
      {title: "saved traffic", key: fusion => fusion.bytes_saved, cell: fusion => signed(fusion.bytes_saved, "bytes"), n: true},
      {title: "location", key: fusion => fusion.location, cell: fusion => fusion.location, class: "where"},
      {title: "what happened", key: fusion => fusion.text, cell: fusion => fusion.text}
    ], rows, {
      drawn: all => { number.textContent = `${all.length} of ${candidates.length}`; }
    });
    for (const control of [find, outcome, kind]) control.addEventListener("input", () => table.draw());
    box.append(el("div", {class: "tools"}, find, outcome, kind, number), table.box);
  }
});
