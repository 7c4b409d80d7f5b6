// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would make the launch faster, the largest gain first.

sections.push({
  id: "advice",
  title: "Advice",
  applies: view => view.prediction.advice !== undefined,
  render(box, view) {
    const list = view.prediction.advice;
    if (!list.length) box.append(el("p", {class: "note"}, "Nothing found that would save 1 % of the launch or more."));
    else box.append(el("p", {class: "note"}, "Each gain is predicted by playing the launch again without the problem. Gains do not add up."));
    list.forEach((advice, index) => {
      const link = command => el("button", {click: () => {
        selection.choose(command);
        document.getElementById("timeline").scrollIntoView();
      }}, view.prediction.commands[command].name + " #" + command);
      const locations = advice.locations.slice(0, 6), rest = advice.locations.length - locations.length;
      box.append(el("details", {class: "card advice", open: index < 2},
        el("summary", null, el("b", null, advice.title), advice.gain_us > 0 ? el("span", null, "saves ",
           shown(view, `advice.${index}.gain_us`, "time"), ", ", shown(view, `advice.${index}.share`, "share"), " of the launch") : null),
        el("p", null, advice.text),
        locations.length ? el("p", {class: "note"}, "at " + locations.join(", ") + (rest > 0 ? ` and ${rest} more` : "")) : null,
        el("div", {class: "tools"}, advice.commands.slice(0, 8).map(link),
           advice.commands.length > 8 ? ` and ${advice.commands.length - 8} more commands` : null)));
    });
  }
});
