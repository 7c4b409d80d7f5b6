// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole recipes in text form.
#include "../Commands/CommandKind.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Support/MemoryPlan.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gaudi::recipe {
namespace {

constexpr uint64_t bytesPerLine = 32;

static_assert(unsigned(MemoryKind::MAX) + 1 == memoryKindCount,
              "the numbers of the schema are those of the names");

/// Describes the records of a recipe, each after the word that it begins with.
class RecipeText {
public:
  RecipeText(TextForm text, RecipeT &recipe) : text(text), recipe(recipe) {}

  void describeNames() {
    text.put(" target");
    text.field(recipe.target);
    text.put(" producer");
    text.field(recipe.producer);
    text.put("\n");
  }

  /// Calls visit(word, list, describe, isApart) for each kind of record in the
  /// order in which they are printed: what a line names by number comes before
  /// it. `isApart`: an empty line before each, not before the first alone.
  template <typename Visit> void forEachKind(Visit &&visit) {
    visit("section", recipe.sections, &RecipeText::describeSection, false);
    visit("tensor", recipe.tensors, &RecipeText::describeTensor, false);
    visit("kernel", recipe.kernels, &RecipeText::describeKernel, true);
    visit("entry", recipe.entries, &RecipeText::describeEntry, true);
    visit("fusion", recipe.fusions, &RecipeText::describeFusion, false);
    visit("region", recipe.permutations, &RecipeText::describeRegion, false);
    visit("memory", recipe.memory, &RecipeText::describeMemory, false);
  }

  /// Records are numbered in order: `number` is the next one.
  void describeNumber(const char *what, size_t number) {
    if (TextWriter *out = text.printed())
      return out->put("{}", number);
    Lexer &in = *text.parsed();
    const Token start = in.peek();
    if (in.number() != number)
      in.error(start, "expected {} {}", what, number);
  }

private:
  TextForm text;
  RecipeT &recipe;

  void describeLocation(uint32_t &location) { text.optional("loc", location); }

  void describeSection(SectionT &section, size_t number) {
    text.put(" @");
    describeNumber("section", number);
    text.field(section.kind, EnumNamesSectionKind(), SectionKind::MAX,
               "kind of section");
    text.field(section.size);
    text.put(" bytes");
    text.optional("align", section.alignment, 4096);
    text.put("\n");
  }

  void describeTensor(TensorT &tensor, size_t number) {
    text.put(" %");
    describeNumber("tensor", number);
    text.field(tensor.name);
    text.field(tensor.tensor_class, EnumNamesTensorClass(), TensorClass::MAX,
               "class of tensor");
    text.put(" @");
    text.value(tensor.section);
    text.put("+");
    text.value(tensor.offset);
    text.field(tensor.type);
    text.values("[", tensor.sizes, "]", ",");
    // Dense strides go without saying.
    const kernel::Dims dense = kernel::denseStrides(tensor.sizes);
    if (text.option("strides", tensor.strides != dense))
      text.values("[", tensor.strides, "]", ",");
    else
      tensor.strides = dense;
    if (text.option("perm", !tensor.permutation.empty()))
      text.values("[", tensor.permutation, "]", ",");
    for (auto [word, other] : {std::pair("alias", &tensor.alias_of),
                               std::pair("initial", &tensor.initial)})
      if (text.option(word, *other >= 0)) {
        text.put(" %");
        text.value(*other);
      }
    describeLocation(tensor.location);
    text.put("\n");
  }

  void describeKernel(KernelT &kernel, size_t number) {
    text.put(" ");
    describeNumber("kernel", number);
    recipe::describeKernel(text, kernel);
  }

  void describeIds(const char *open, std::vector<uint32_t> &ids,
                   const char *close, const char *sigil = "%") {
    text.list(open, ids, close, [&](uint32_t &id) {
      text.put(sigil);
      text.value(id);
    });
  }

  void describeEntry(EntryT &entry, size_t) {
    text.field(entry.name);
    // What only chooses among variants has no commands of its own.
    if (text.option("dispatch", bool(entry.dispatch))) {
      text.put(" {\n");
      if (!entry.dispatch)
        entry.dispatch = std::make_unique<DispatchT>();
      describeDispatch(text, *entry.dispatch);
      return text.put("}\n");
    }
    describeIds(" (", entry.inputs, ")");
    text.put(" ->");
    describeIds(" (", entry.outputs, ")");
    if (text.option("program", !entry.program.empty())) {
      if (text.parsed())
        parseProgram(entry.program);
      else
        printProgram(entry.program);
    }
    text.put(" {\n");
    size_t number = 0;
    text.each("  #", entry.commands, [&](CommandT &command) {
      describeNumber("command", number++);
      describeCommand(command);
    });
    text.put("}\n");
  }

  void printProgram(const std::vector<ProgramStep> &steps) {
    TextWriter &out = *text.printed();
    out.put(" [");
    std::string_view separator;
    for (const ProgramStep &step : steps) {
      switch (step.kind()) {
      case StepKind::Launch:
        out.put("{}launch {}", separator, step.id());
        separator = " ";
        break;
      case StepKind::While:
        out.put("{}while %{} [", separator, step.id());
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

  void parseProgram(std::vector<ProgramStep> &steps) {
    Lexer &in = *text.parsed();
    in.expect("[");
    uint64_t depth = 0;
    while (in.ok()) {
      if (in.accept("launch")) {
        steps.emplace_back(in.id(), StepKind::Launch);
      } else if (in.accept("while")) {
        in.expect("%");
        steps.emplace_back(in.id(), StepKind::While);
        in.expect("[");
        ++depth;
      } else {
        in.expect("]");
        if (depth-- == 0)
          return;
        steps.emplace_back(0, StepKind::End);
      }
    }
  }

  void describeCommand(CommandT &command) {
    text.field(command.engine, EnumNamesEngine(), Engine::MAX, "engine");
    text.field(command.name);
    describeBody(command.body);
    describeIds(" (", command.inputs, ")");
    text.put(" ->");
    describeIds(" (", command.outputs, ")");
    if (text.option("after", !command.dependencies.empty()))
      describeIds(" [", command.dependencies, "]", "#");
    text.optional("flops", command.flops);
    // No clash with the record `bytes @`: an entry holds no records.
    text.optional("bytes", command.bytes);
    describeLocation(command.location);
    text.put("\n");
  }

  void describeBody(BodyUnion &body) {
    std::vector<std::string> words;
    for (const CommandKind *kind : commandKinds()) {
      words.push_back(fmt::format("'{}'", kind->word()));
      if (text.option(kind->word(), kind->body == body.type))
        return kind->describe(text, body);
    }
    assert(text.parsed() && "the verifier refuses commands of no known kind");
    const std::string last = words.back();
    words.pop_back();
    text.parsed()->expected(
        fmt::format("{} or {}", fmt::join(words, ", "), last));
  }

  void describeFusion(FusionT &fusion, size_t) {
    text.field(fusion.kind);
    text.choice("fused", "missed", fusion.fused);
    text.field(fusion.text);
    text.optional("members", fusion.members);
    text.optional("bytes_saved", fusion.bytes_saved);
    text.optional("picoseconds_saved", fusion.picoseconds_saved);
    describeLocation(fusion.location);
    text.put("\n");
  }

  void describeRegion(PermutationRegionT &region, size_t) {
    text.field(region.entry);
    text.change("transposes", region.transposes_before,
                region.transposes_after);
    text.change("bytes", region.bytes_before, region.bytes_after);
    text.change("picoseconds", region.picoseconds_before,
                region.picoseconds_after);
    text.named("bound", region.lower_bound);
    text.named("ops", region.ops_in_all);
    region.complete = !text.option("incomplete", !region.complete);
    describeLocation(region.location);
    text.put(" {\n");
    text.each("  transpose", region.transposes, [&](PlacedTransposeT &move) {
      text.choice("kept", "removed", move.remains);
      text.field(move.text);
      text.optional("bytes", move.bytes);
      text.optional("picoseconds", move.picoseconds);
      describeLocation(move.location);
      text.put("\n");
    });
    text.each("  op", region.ops, [&](PlacedOpT &op) {
      text.field(op.name);
      text.optional("order", op.order);
      describeLocation(op.location);
      text.put("\n");
    });
    // Edges name ops by number, so they come last.
    text.each("  edge", region.edges, [&](PlacedEdge &edge) {
      uint32_t from = edge.from(), to = edge.to();
      int32_t transpose = edge.transpose();
      text.field(from);
      text.put(" ->");
      text.field(to);
      text.optional("transpose", transpose, -1);
      text.put("\n");
      edge = PlacedEdge(from, to, transpose);
    });
    text.put("}\n");
  }

  void describeKind(MemoryKind &kind) {
    if (TextWriter *out = text.printed())
      return out->put(nameOf(gaudi::MemoryKind(kind)));
    Lexer &in = *text.parsed();
    const Token start = in.peek();
    const std::string_view word = in.word("a kind of memory record");
    const auto known = parseMemoryKind(word);
    if (!known)
      in.error(start, "unknown kind of memory record '{}'", word);
    kind = MemoryKind(known.value_or(gaudi::MemoryKind::View));
  }

  void describeMemory(MemoryPlanT &plan, size_t) {
    text.field(plan.entry);
    // Numbers that are not known are left out.
    text.optional("program_order", plan.program_order, -1);
    text.optional("order", plan.order, -1);
    text.optional("order_bound", plan.order_bound, -1);
    text.optional("planned", plan.planned, -1);
    text.optional("planned_bound", plan.planned_bound, -1);
    text.optional("budget", plan.budget, -1);
    text.put(" {\n");
    text.each("  sum", plan.sums, [&](MemorySum &sum) {
      MemoryKind kind = sum.kind();
      uint64_t count = sum.count();
      int64_t bytes = sum.bytes(), picoseconds = sum.picoseconds();
      text.put(" ");
      describeKind(kind);
      text.named("count", count);
      text.named("bytes", bytes);
      text.named("picoseconds", picoseconds);
      text.put("\n");
      sum = MemorySum(count, bytes, picoseconds, kind);
    });
    for (const auto &entry : plan.entries) {
      text.put("  ");
      describeMemoryEntry(*entry);
    }
    while (text.parsed() && text.parsed()->ok() && !text.parsed()->at("}"))
      describeMemoryEntry(TextForm::appended(plan.entries));
    text.put("}\n");
  }

  void describeMemoryEntry(MemoryEntryT &entry) {
    describeKind(entry.kind);
    text.field(entry.name);
    text.optional("bytes", entry.bytes);
    text.optional("picoseconds", entry.picoseconds);
    text.optional("reader", entry.reader);
    text.optional("reader_loc", entry.reader_location);
    text.optional("reason", entry.reason);
    text.optional("remedy", entry.remedy);
    describeLocation(entry.location);
    text.put("\n");
  }
};

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

class Parser {
public:
  explicit Parser(std::string_view text) : lexer(text) {}

  Result<ParsedRecipe> parse() {
    parseVersion();
    records.describeNames();
    recipe.locations.emplace_back();
    while (!lexer.atEnd())
      parseRecord();
    GAUDI_TRY(lexer.status());
    parsed.sectionBytes.resize(recipe.sections.size());
    for (size_t i = 0; i < recipe.sections.size(); ++i)
      if (recipe.sections[i]->kind == SectionKind::Const &&
          recipe.sections[i]->size != parsed.sectionBytes[i].size())
        return fail("const section @{} has {} bytes but the text gives {}", i,
                    recipe.sections[i]->size, parsed.sectionBytes[i].size());
    return std::move(parsed);
  }

private:
  Lexer lexer;
  ParsedRecipe parsed;
  RecipeT &recipe = parsed.recipe;
  RecipeText records{TextForm(lexer), recipe};

  void parseVersion() {
    lexer.expect("recipe");
    const Token version = lexer.peek();
    if (version.kind != Token::Number) {
      lexer.expected("a version");
      return;
    }
    // The writer derives the minor version from the content.
    std::vector<std::string> known;
    for (unsigned minor = 0; minor <= formatMinor(); ++minor)
      known.push_back(fmt::format("{}.{}", formatMajor, minor));
    if (std::find(known.begin(), known.end(), version.text) == known.end())
      lexer.error(version, "version is {} but this build reads {} to {}",
                  version.text, known.front(), known.back());
    lexer.take();
  }

  void parseRecord() {
    bool isKnown = false;
    records.forEachKind([&](const char *word, auto &list, auto describe, bool) {
      if (isKnown || !lexer.accept(word))
        return;
      isKnown = true;
      const size_t number = list.size();
      (records.*describe)(TextForm::appended(list), number);
    });
    if (isKnown)
      return;
    if (lexer.accept("location")) {
      records.describeNumber("location", recipe.locations.size());
      recipe.locations.push_back(lexer.string());
    } else if (lexer.accept("bytes")) {
      parseBytes();
    } else {
      lexer.expected("'location', 'section', 'tensor', 'kernel', 'entry', "
                     "'fusion', 'region', 'memory' or 'bytes'");
    }
  }

  void parseBytes() {
    lexer.expect("@");
    const Token start = lexer.peek();
    const uint32_t section = lexer.id();
    if (!lexer.ok())
      return;
    if (section >= recipe.sections.size() ||
        recipe.sections[section]->kind != SectionKind::Const) {
      lexer.error(start, "@{} is no const section", section);
      return;
    }
    parsed.sectionBytes.resize(recipe.sections.size());
    std::vector<uint8_t> &bytes = parsed.sectionBytes[section];
    if (!bytes.empty())
      lexer.error(start, "the bytes of section @{} are given twice", section);
    lexer.expect("{");
    // Elided bytes cannot be parsed: the text says so, rather than filling in
    // zeros.
    if (lexer.at("<")) {
      lexer.error(lexer.peek(),
                  "the bytes of section @{} are elided; print the recipe with "
                  "all its constants to parse it",
                  section);
      return;
    }
    while (lexer.peek().kind == Token::Number)
      appendHex(bytes, lexer.take());
    lexer.expect("}");
  }

  void appendHex(std::vector<uint8_t> &bytes, const Token &token) {
    std::string_view digits = token.text;
    bool valid = digits.substr(0, 2) == "0x" && digits.size() % 2 == 0;
    for (size_t i = 2; valid && i < digits.size(); i += 2) {
      const int high = hexDigit(digits[i]), low = hexDigit(digits[i + 1]);
      valid = high >= 0 && low >= 0;
      if (valid)
        bytes.push_back(uint8_t(high * 16 + low));
    }
    if (!valid)
      lexer.error(token, "expected bytes in hexadecimal, two digits each, "
                         "after 0x");
  }
};

} // namespace

void printRecipe(std::ostream &stream, const RecipeFile &file,
                 const PrintOptions &options) {
  TextWriter out(stream);
  const std::unique_ptr<RecipeT> recipe(file.recipe().UnPack());
  RecipeText records(TextForm(out), *recipe);
  out.put("recipe {}.{}", formatMajor,
          minorOf(file.recipe(), file.header().features));
  records.describeNames();
  // Location 0 is always "".
  for (uint32_t i = 1; i < recipe->locations.size(); ++i)
    out.put("{}location {} {}\n", i == 1 ? "\n" : "", i,
            gaudi::recipe::quoted(recipe->locations[i]));
  records.forEachKind(
      [&](const char *word, auto &list, auto describe, bool isApart) {
        for (size_t i = 0; i < list.size(); ++i) {
          out.put("{}{}", i == 0 || isApart ? "\n" : "", word);
          (records.*describe)(*list[i], i);
        }
      });
  for (uint32_t i = 0; i < recipe->sections.size(); ++i)
    if (ByteSpan bytes = file.constBytes(i); bytes.size)
      printBytes(out, bytes, i, options);
}

std::vector<ConstData> ParsedRecipe::constants() const {
  std::vector<ConstData> result;
  for (size_t i = 0; i < sectionBytes.size(); ++i)
    if (!sectionBytes[i].empty())
      result.push_back(
          {uint32_t(i), {{0, sectionBytes[i].data(), sectionBytes[i].size()}}});
  return result;
}

Result<ParsedRecipe> parseRecipeText(std::string_view text) {
  return Parser(text).parse();
}

} // namespace gaudi::recipe
