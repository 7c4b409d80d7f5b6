// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses whole recipes from their text form.
#include "../Commands/CommandKind.h"
#include "DispatchText.h"
#include "Format.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Support/MemoryPlan.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : lexer(text) {}

  Result<ParsedRecipe> parse() {
    parseHead();
    recipe.locations.emplace_back();
    while (!lexer.atEnd())
      parseRecord();
    GAUDI_TRY(lexer.status());
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

  void parseHead() {
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
    lexer.expect("target");
    recipe.target = lexer.string();
    lexer.expect("producer");
    recipe.producer = lexer.string();
  }

  void parseRecord() {
    if (lexer.accept("location"))
      parseLocation();
    else if (lexer.accept("section"))
      parseSection();
    else if (lexer.accept("tensor"))
      parseTensor();
    else if (lexer.accept("kernel"))
      parseKernelRecord();
    else if (lexer.accept("entry"))
      parseEntry();
    else if (lexer.accept("fusion"))
      parseFusion();
    else if (lexer.accept("region"))
      parseRegion();
    else if (lexer.accept("memory"))
      parseMemoryPlan();
    else if (lexer.accept("bytes"))
      parseBytes();
    else
      lexer.expected("'location', 'section', 'tensor', 'kernel', 'entry', "
                     "'fusion', 'region', 'memory' or 'bytes'");
  }

  /// Records are numbered in order.
  void expectNumber(const char *what, size_t next) {
    const Token start = lexer.peek();
    if (lexer.number() != next)
      lexer.error(start, "expected {} {}", what, next);
  }

  void parseLocation() {
    expectNumber("location", recipe.locations.size());
    recipe.locations.push_back(lexer.string());
  }

  void parseSection() {
    lexer.expect("@");
    expectNumber("section", recipe.sections.size());
    auto section = std::make_unique<SectionT>();
    section->kind = lexer.enumerator(EnumNamesSectionKind(), SectionKind::MAX,
                                     "kind of section");
    section->size = lexer.number();
    lexer.expect("bytes");
    if (lexer.accept("align"))
      section->alignment = lexer.id();
    recipe.sections.push_back(std::move(section));
    parsed.sectionBytes.emplace_back();
  }

  void parseTensor() {
    lexer.expect("%");
    expectNumber("tensor", recipe.tensors.size());
    auto tensor = std::make_unique<TensorT>();
    tensor->name = lexer.string();
    tensor->tensor_class = lexer.enumerator(
        EnumNamesTensorClass(), TensorClass::MAX, "class of tensor");
    lexer.expect("@");
    tensor->section = lexer.id();
    lexer.expect("+");
    tensor->offset = lexer.number();
    tensor->type = parseElementType(lexer);
    tensor->sizes = lexer.integers();
    // Printed only if they are not the dense ones.
    tensor->strides = lexer.accept("strides")
                          ? lexer.integers()
                          : kernel::denseStrides(tensor->sizes);
    if (lexer.accept("perm"))
      lexer.list("[", "]", [&] {
        tensor->permutation.push_back(uint8_t(lexer.number(UINT8_MAX)));
      });
    if (lexer.accept("alias")) {
      lexer.expect("%");
      tensor->alias_of = int32_t(lexer.number(INT32_MAX));
    }
    if (lexer.accept("initial")) {
      lexer.expect("%");
      tensor->initial = int32_t(lexer.number(INT32_MAX));
    }
    if (lexer.accept("loc"))
      tensor->location = lexer.id();
    recipe.tensors.push_back(std::move(tensor));
  }

  void parseKernelRecord() {
    expectNumber("kernel", recipe.kernels.size());
    recipe.kernels.push_back(std::make_unique<KernelT>());
    parseKernel(lexer, *recipe.kernels.back());
  }

  std::vector<uint32_t> parseIds(std::string_view sigil, std::string_view open,
                                 std::string_view close) {
    std::vector<uint32_t> ids;
    lexer.list(open, close, [&] {
      lexer.expect(sigil);
      ids.push_back(lexer.id());
    });
    return ids;
  }

  void parseEntry() {
    auto entry = std::make_unique<EntryT>();
    entry->name = lexer.string();
    // What only chooses among variants has no commands of its own.
    if (lexer.accept("dispatch")) {
      lexer.expect("{");
      entry->dispatch = parseDispatch(lexer);
      lexer.expect("}");
      recipe.entries.push_back(std::move(entry));
      return;
    }
    entry->inputs = parseIds("%", "(", ")");
    lexer.expect("->");
    entry->outputs = parseIds("%", "(", ")");
    if (lexer.accept("program"))
      parseProgram(entry->program);
    lexer.expect("{");
    while (lexer.accept("#")) {
      expectNumber("command", entry->commands.size());
      entry->commands.push_back(std::make_unique<CommandT>());
      parseCommand(*entry->commands.back());
    }
    lexer.expect("}");
    recipe.entries.push_back(std::move(entry));
  }

  void parseProgram(std::vector<ProgramStep> &steps) {
    lexer.expect("[");
    uint64_t depth = 0;
    while (lexer.ok()) {
      if (lexer.accept("launch")) {
        steps.emplace_back(lexer.id(), StepKind::Launch);
      } else if (lexer.accept("while")) {
        lexer.expect("%");
        steps.emplace_back(lexer.id(), StepKind::While);
        lexer.expect("[");
        ++depth;
      } else {
        lexer.expect("]");
        if (depth-- == 0)
          return;
        steps.emplace_back(0, StepKind::End);
      }
    }
  }

  void parseCommand(CommandT &command) {
    command.engine = lexer.enumerator(EnumNamesEngine(), Engine::MAX, "engine");
    command.name = lexer.string();
    parseBody(command.body);
    command.inputs = parseIds("%", "(", ")");
    lexer.expect("->");
    command.outputs = parseIds("%", "(", ")");
    if (lexer.accept("after"))
      command.dependencies = parseIds("#", "[", "]");
    if (lexer.accept("flops"))
      command.flops = lexer.number();
    // No clash with the record `bytes @`: an entry holds no records.
    if (lexer.accept("bytes"))
      command.bytes = lexer.number();
    if (lexer.accept("loc"))
      command.location = lexer.id();
  }

  void parseBody(BodyUnion &body) {
    std::vector<std::string> words;
    for (const CommandKind *kind : commandKinds()) {
      words.push_back(fmt::format("'{}'", kind->word()));
      if (lexer.accept(kind->word()))
        return kind->parse(lexer, body);
    }
    const std::string last = words.back();
    words.pop_back();
    lexer.expected(fmt::format("{} or {}", fmt::join(words, ", "), last));
  }

  void parseFusion() {
    auto fusion = std::make_unique<FusionT>();
    fusion->kind = lexer.string();
    fusion->fused = lexer.accept("fused");
    if (!fusion->fused && !lexer.accept("missed"))
      lexer.expected("'fused' or 'missed'");
    fusion->text = lexer.string();
    if (lexer.accept("members"))
      fusion->members = lexer.id();
    if (lexer.accept("bytes_saved"))
      fusion->bytes_saved = lexer.integer();
    if (lexer.accept("picoseconds_saved"))
      fusion->picoseconds_saved = lexer.integer();
    if (lexer.accept("loc"))
      fusion->location = lexer.id();
    recipe.fusions.push_back(std::move(fusion));
  }

  /// "bytes 4096 -> 0"
  void parseChange(std::string_view word, int64_t &before, int64_t &after) {
    lexer.expect(word);
    before = lexer.integer();
    lexer.expect("->");
    after = lexer.integer();
  }

  void parseRegion() {
    auto region = std::make_unique<PermutationRegionT>();
    region->entry = lexer.string();
    lexer.expect("transposes");
    region->transposes_before = lexer.id();
    lexer.expect("->");
    region->transposes_after = lexer.id();
    parseChange("bytes", region->bytes_before, region->bytes_after);
    parseChange("picoseconds", region->picoseconds_before,
                region->picoseconds_after);
    lexer.expect("bound");
    region->lower_bound = lexer.integer();
    lexer.expect("ops");
    region->ops_in_all = lexer.id();
    region->complete = !lexer.accept("incomplete");
    if (lexer.accept("loc"))
      region->location = lexer.id();
    lexer.expect("{");
    // Edges name ops by number, so they come last.
    while (lexer.accept("transpose"))
      region->transposes.push_back(parsePlacedTranspose());
    while (lexer.accept("op"))
      region->ops.push_back(parsePlacedOp());
    while (lexer.accept("edge")) {
      const uint32_t from = lexer.id();
      lexer.expect("->");
      const uint32_t to = lexer.id();
      region->edges.emplace_back(
          from, to, lexer.accept("transpose") ? int32_t(lexer.id()) : -1);
    }
    lexer.expect("}");
    recipe.permutations.push_back(std::move(region));
  }

  std::unique_ptr<PlacedTransposeT> parsePlacedTranspose() {
    auto transpose = std::make_unique<PlacedTransposeT>();
    transpose->remains = lexer.accept("kept");
    if (!transpose->remains && !lexer.accept("removed"))
      lexer.expected("'kept' or 'removed'");
    transpose->text = lexer.string();
    if (lexer.accept("bytes"))
      transpose->bytes = lexer.integer();
    if (lexer.accept("picoseconds"))
      transpose->picoseconds = lexer.integer();
    if (lexer.accept("loc"))
      transpose->location = lexer.id();
    return transpose;
  }

  std::unique_ptr<PlacedOpT> parsePlacedOp() {
    auto op = std::make_unique<PlacedOpT>();
    op->name = lexer.string();
    if (lexer.accept("order"))
      lexer.list("[", "]",
                 [&] { op->order.push_back(lexer.number(UINT8_MAX)); });
    if (lexer.accept("loc"))
      op->location = lexer.id();
    return op;
  }

  MemoryKind parseKind() {
    const Token start = lexer.peek();
    const std::string_view word = lexer.word("a kind of memory record");
    const auto kind = parseMemoryKind(word);
    if (!kind)
      lexer.error(start, "unknown kind of memory record '{}'", word);
    return MemoryKind(kind.value_or(gaudi::MemoryKind::View));
  }

  void parseMemoryPlan() {
    auto plan = std::make_unique<MemoryPlanT>();
    plan->entry = lexer.string();
    // Numbers that are not known are left out.
    for (auto [word, bytes] : {std::pair("program_order", &plan->program_order),
                               std::pair("order", &plan->order),
                               std::pair("order_bound", &plan->order_bound),
                               std::pair("planned", &plan->planned),
                               std::pair("planned_bound", &plan->planned_bound),
                               std::pair("budget", &plan->budget)})
      if (lexer.accept(word))
        *bytes = lexer.integer();
    lexer.expect("{");
    while (lexer.accept("sum")) {
      const MemoryKind kind = parseKind();
      lexer.expect("count");
      const uint64_t count = lexer.number();
      lexer.expect("bytes");
      const int64_t bytes = lexer.integer();
      lexer.expect("picoseconds");
      plan->sums.emplace_back(count, bytes, lexer.integer(), kind);
    }
    while (lexer.ok() && !lexer.at("}"))
      plan->entries.push_back(parseMemoryEntry());
    lexer.expect("}");
    recipe.memory.push_back(std::move(plan));
  }

  std::unique_ptr<MemoryEntryT> parseMemoryEntry() {
    auto entry = std::make_unique<MemoryEntryT>();
    entry->kind = parseKind();
    entry->name = lexer.string();
    if (lexer.accept("bytes"))
      entry->bytes = lexer.integer();
    if (lexer.accept("picoseconds"))
      entry->picoseconds = lexer.integer();
    if (lexer.accept("reader"))
      entry->reader = lexer.string();
    if (lexer.accept("reader_loc"))
      entry->reader_location = lexer.id();
    if (lexer.accept("reason"))
      entry->reason = lexer.string();
    if (lexer.accept("remedy"))
      entry->remedy = lexer.string();
    if (lexer.accept("loc"))
      entry->location = lexer.id();
    return entry;
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
