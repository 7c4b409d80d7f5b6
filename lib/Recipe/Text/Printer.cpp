// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints whole recipes.
#include "../Commands/CommandKind.h"
#include "DispatchText.h"
#include "Format.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Support/MemoryPlan.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gaudi::recipe {
namespace {

constexpr uint64_t bytesPerLine = 32;

void printIds(TextWriter &out, std::string_view open, char sigil,
              const flatbuffers::Vector<uint32_t> *ids,
              std::string_view close) {
  out.put(open);
  std::string_view separator;
  for (uint32_t id : items(ids)) {
    out.put("{}{}{}", separator, sigil, id);
    separator = ", ";
  }
  out.put(close);
}

void printSection(TextWriter &out, const Section &section, uint32_t index) {
  out.put("section @{} {} {} bytes", index,
          wordOf(section.kind(), EnumNamesSectionKind(), SectionKind::MAX),
          section.size());
  if (section.alignment() != 4096)
    out.put(" align {}", section.alignment());
  out.put("\n");
}

void printTensor(TextWriter &out, const Tensor &tensor, uint32_t index) {
  const kernel::Dims sizes = copyOf(tensor.sizes()),
                     strides = copyOf(tensor.strides());
  out.put(
      "tensor %{} {} {} @{}+{} {}[{}]", index, quoted(text(tensor.name())),
      wordOf(tensor.tensor_class(), EnumNamesTensorClass(), TensorClass::MAX),
      tensor.section(), tensor.offset(), elementName(tensor.type()),
      fmt::join(sizes, ","));
  if (strides != kernel::denseStrides(sizes))
    out.put(" strides[{}]", fmt::join(strides, ","));
  if (!items(tensor.permutation()).empty())
    out.put(" perm[{}]", fmt::join(copyOf(tensor.permutation()), ","));
  if (tensor.alias_of() >= 0)
    out.put(" alias %{}", tensor.alias_of());
  if (tensor.initial() >= 0)
    out.put(" initial %{}", tensor.initial());
  if (tensor.location())
    out.put(" loc {}", tensor.location());
  out.put("\n");
}

void printCommand(TextWriter &out, const Command &command, uint32_t index) {
  const CommandKind *kind = commandKindOf(command);
  assert(kind && "the verifier refuses commands of no known kind");
  out.put("  #{} {} {} {}", index,
          wordOf(command.engine(), EnumNamesEngine(), Engine::MAX),
          quoted(text(command.name())), kind->word());
  if (kind->print)
    kind->print(command, out);
  printIds(out, " (", '%', command.inputs(), ")");
  printIds(out, " -> (", '%', command.outputs(), ")");
  if (!items(command.dependencies()).empty())
    printIds(out, " after [", '#', command.dependencies(), "]");
  if (command.flops())
    out.put(" flops {}", command.flops());
  if (command.bytes())
    out.put(" bytes {}", command.bytes());
  if (command.location())
    out.put(" loc {}", command.location());
  out.put("\n");
}

void printProgram(TextWriter &out, const Entry &entry) {
  const auto steps = items(entry.program());
  if (steps.empty())
    return;
  out.put(" program [");
  std::string_view separator;
  for (const ProgramStep *step : steps) {
    switch (step->kind()) {
    case StepKind::Launch:
      out.put("{}launch {}", separator, step->id());
      separator = " ";
      break;
    case StepKind::While:
      out.put("{}while %{} [", separator, step->id());
      separator = "";
      break;
    case StepKind::End:
      out.put("]");
      separator = " ";
      break;
    }
  }
  out.put("]");
}

void printEntry(TextWriter &out, const Entry &entry) {
  out.put("\nentry {}", quoted(text(entry.name())));
  if (entry.dispatch()) {
    out.put(" dispatch {\n");
    printDispatch(out, *entry.dispatch());
    return out.put("}\n");
  }
  printIds(out, " (", '%', entry.inputs(), ")");
  printIds(out, " -> (", '%', entry.outputs(), ")");
  printProgram(out, entry);
  out.put(" {\n");
  for (uint32_t i = 0; i < items(entry.commands()).size(); ++i)
    printCommand(out, *items(entry.commands())[i], i);
  out.put("}\n");
}

void printFusion(TextWriter &out, const Fusion &fusion) {
  out.put("fusion {} {} {}", quoted(text(fusion.kind())),
          fusion.fused() ? "fused" : "missed", quoted(text(fusion.text())));
  if (fusion.members())
    out.put(" members {}", fusion.members());
  if (fusion.bytes_saved())
    out.put(" bytes_saved {}", fusion.bytes_saved());
  if (fusion.picoseconds_saved())
    out.put(" picoseconds_saved {}", fusion.picoseconds_saved());
  if (fusion.location())
    out.put(" loc {}", fusion.location());
  out.put("\n");
}

void printPlacedTranspose(TextWriter &out, const PlacedTranspose &transpose) {
  out.put("  transpose {} {}", transpose.remains() ? "kept" : "removed",
          quoted(text(transpose.text())));
  if (transpose.bytes())
    out.put(" bytes {}", transpose.bytes());
  if (transpose.picoseconds())
    out.put(" picoseconds {}", transpose.picoseconds());
  if (transpose.location())
    out.put(" loc {}", transpose.location());
  out.put("\n");
}

void printRegion(TextWriter &out, const PermutationRegion &region) {
  out.put("region {} transposes {} -> {} bytes {} -> {} picoseconds {} -> {} "
          "bound {} ops {}",
          quoted(text(region.entry())), region.transposes_before(),
          region.transposes_after(), region.bytes_before(),
          region.bytes_after(), region.picoseconds_before(),
          region.picoseconds_after(), region.lower_bound(),
          region.ops_in_all());
  if (!region.complete())
    out.put(" incomplete");
  if (region.location())
    out.put(" loc {}", region.location());
  out.put(" {\n");
  for (const PlacedTranspose *transpose : items(region.transposes()))
    printPlacedTranspose(out, *transpose);
  for (const PlacedOp *op : items(region.ops())) {
    out.put("  op {}", quoted(text(op->name())));
    if (!items(op->order()).empty())
      out.put(" order [{}]", fmt::join(copyOf(op->order()), ", "));
    if (op->location())
      out.put(" loc {}", op->location());
    out.put("\n");
  }
  for (const PlacedEdge *edge : items(region.edges())) {
    out.put("  edge {} -> {}", edge->from(), edge->to());
    if (edge->transpose() != -1)
      out.put(" transpose {}", edge->transpose());
    out.put("\n");
  }
  out.put("}\n");
}

static_assert(unsigned(MemoryKind::MAX) + 1 == memoryKindCount,
              "the numbers of the schema are those of the names");

void printMemoryEntry(TextWriter &out, const MemoryEntry &entry) {
  out.put("  {} {}", nameOf(gaudi::MemoryKind(entry.kind())),
          quoted(text(entry.name())));
  if (entry.bytes())
    out.put(" bytes {}", entry.bytes());
  if (entry.picoseconds())
    out.put(" picoseconds {}", entry.picoseconds());
  const auto put = [&](const char *word, const flatbuffers::String *value) {
    if (!text(value).empty())
      out.put(" {} {}", word, quoted(text(value)));
  };
  put("reader", entry.reader());
  if (entry.reader_location())
    out.put(" reader_loc {}", entry.reader_location());
  put("reason", entry.reason());
  put("remedy", entry.remedy());
  if (entry.location())
    out.put(" loc {}", entry.location());
  out.put("\n");
}

void printMemoryPlan(TextWriter &out, const MemoryPlan &plan) {
  out.put("memory {}", quoted(text(plan.entry())));
  for (auto [word, bytes] : {std::pair("program_order", plan.program_order()),
                             std::pair("order", plan.order()),
                             std::pair("order_bound", plan.order_bound()),
                             std::pair("planned", plan.planned()),
                             std::pair("planned_bound", plan.planned_bound()),
                             std::pair("budget", plan.budget())})
    if (bytes != -1)
      out.put(" {} {}", word, bytes);
  out.put(" {\n");
  for (const MemorySum *sum : items(plan.sums()))
    out.put("  sum {} count {} bytes {} picoseconds {}\n",
            nameOf(gaudi::MemoryKind(sum->kind())), sum->count(), sum->bytes(),
            sum->picoseconds());
  for (const MemoryEntry *entry : items(plan.entries()))
    printMemoryEntry(out, *entry);
  out.put("}\n");
}

void printBytes(TextWriter &out, ByteSpan bytes, uint32_t section,
                const PrintOptions &options) {
  static const char digits[] = "0123456789abcdef";
  out.put("\nbytes @{} {{\n", section);
  if (bytes.size > options.elideConstantsAbove) {
    out.put("  <elided {} bytes>\n}}\n", bytes.size);
    return;
  }
  std::string line;
  for (uint64_t start = 0; start < bytes.size; start += bytesPerLine) {
    line = "  0x";
    const uint64_t end = std::min<uint64_t>(start + bytesPerLine, bytes.size);
    for (uint64_t i = start; i < end; ++i) {
      line += digits[bytes.data[i] >> 4];
      line += digits[bytes.data[i] & 15];
    }
    line += '\n';
    out.put(line);
  }
  out.put("}\n");
}

} // namespace

void printRecipe(std::ostream &stream, const RecipeFile &file,
                 const PrintOptions &options) {
  TextWriter out(stream);
  const Recipe &recipe = file.recipe();
  const Items sections = items(recipe.sections());
  const Items tensors = items(recipe.tensors());
  const Items kernels = items(recipe.kernels());
  const Items locations = items(recipe.locations());
  // The order of the parser: what a line names by number comes before it.
  out.put("recipe {}.{} target {} producer {}\n", formatMajor,
          minorOf(recipe, file.header().features),
          quoted(text(recipe.target())), quoted(text(recipe.producer())));
  // Location 0 is always "".
  for (uint32_t i = 1; i < locations.size(); ++i)
    out.put("{}location {} {}\n", i == 1 ? "\n" : "", i,
            quoted(text(locations[i])));
  for (uint32_t i = 0; i < sections.size(); ++i) {
    out.put(i == 0 ? "\n" : "");
    printSection(out, *sections[i], i);
  }
  for (uint32_t i = 0; i < tensors.size(); ++i) {
    out.put(i == 0 ? "\n" : "");
    printTensor(out, *tensors[i], i);
  }
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    out.put("\n");
    printKernel(out, *kernels[i], i);
  }
  for (const Entry *entry : items(recipe.entries()))
    printEntry(out, *entry);
  // One empty line before each part that is there.
  std::string_view gap = "\n";
  for (const Fusion *fusion : items(recipe.fusions())) {
    out.put(std::exchange(gap, ""));
    printFusion(out, *fusion);
  }
  gap = "\n";
  for (const PermutationRegion *region : items(recipe.permutations())) {
    out.put(std::exchange(gap, ""));
    printRegion(out, *region);
  }
  gap = "\n";
  for (const MemoryPlan *plan : items(recipe.memory())) {
    out.put(std::exchange(gap, ""));
    printMemoryPlan(out, *plan);
  }
  for (uint32_t i = 0; i < sections.size(); ++i)
    if (ByteSpan bytes = file.constBytes(i); bytes.size)
      printBytes(out, bytes, i, options);
}

void printKernel(std::ostream &stream, const Kernel &kernel, uint32_t index) {
  TextWriter out(stream);
  printKernel(out, kernel, index);
}

} // namespace gaudi::recipe
