// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that the device overlaps in slices, and those that it does not.

sections.push({
  id: "pipelines",
  title: "Pipelines",
  applies: view => view.prediction.pipelines?.length > 0,
  render(box, view) {
    const commands = view.prediction.commands, pipelines = view.prediction.pipelines.map((pipeline, index) =>
      ({...pipeline, index, names: commands.slice(pipeline.first, pipeline.first + pipeline.commands).map(one => one.name)}));
    const saved = pipelines.reduce((sum, one) => sum + (one.saved_us || 0), 0);
    box.append(el("p", {class: "note"}, `A product and the kernels that read it can overlap in slices, which go through the on-chip ` +
      `memory. ${counted(pipelines.filter(one => one.slices).length, "pipeline")} of ${pipelines.length} candidates ` +
      `${saved ? "save " + format.time(saved) + " together" : "are taken"}.`),
      sortableTable([
        {title: "first command", n: true, key: one => one.first, cell: one => "#" + one.first},
        {title: "commands", key: one => one.names.join(), cell: one => one.names.join(", "), class: "name"},
        {title: "slices", n: true, key: one => one.slices || 0, cell: one => one.slices ?? ""},
        {title: "saves", n: true, key: one => one.saved_us || 0,
         cell: one => one.slices ? shown(view, `pipelines.${one.index}.saved_us`, "time") : ""},
        {title: "why not", key: one => one.refused || "", cell: one => one.refused || ""}
      ], () => pipelines, {order: 3, limit: 20, pick: one => selection.choose(one.first)}).box);
  }
});
