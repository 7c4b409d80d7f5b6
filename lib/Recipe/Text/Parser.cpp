// Parses whole recipes from their text form.
#include "Format.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Gaudi/Recipe/Text.h"

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
    if (Status status = lexer.status(); !status)
      return tl::unexpected(status.error());
    for (size_t i = 0; i < recipe.sections.size(); ++i)
      if (recipe.sections[i]->kind == SectionKind::Const &&
          recipe.sections[i]->size != parsed.sectionBytes[i].size())
        return fail("const section @" + std::to_string(i) + " has " +
                    std::to_string(recipe.sections[i]->size) +
                    " bytes but the text gives " +
                    std::to_string(parsed.sectionBytes[i].size()));
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
    const std::string expected =
        std::to_string(formatMajor) + "." + std::to_string(formatMinor);
    if (version.text != expected)
      lexer.error("version is " + std::string(version.text) +
                  " but this build reads " + expected);
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
    else if (lexer.accept("bytes"))
      parseBytes();
    else
      lexer.expected("'location', 'section', 'tensor', 'kernel', 'entry' or "
                     "'bytes'");
  }

  /// Records are numbered in order.
  void expectNumber(const char *what, size_t next) {
    const Token start = lexer.peek();
    if (lexer.number() != next)
      lexer.error(start,
                  "expected " + std::string(what) + " " + std::to_string(next));
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
    tensor->strides = lexer.accept("strides") ? lexer.integers()
                                              : denseStrides(tensor->sizes);
    if (lexer.accept("perm"))
      lexer.list("[", "]", [&] {
        tensor->permutation.push_back(uint8_t(lexer.number(UINT8_MAX)));
      });
    if (lexer.accept("alias")) {
      lexer.expect("%");
      tensor->alias_of = int32_t(lexer.number(INT32_MAX));
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
    entry->inputs = parseIds("%", "(", ")");
    lexer.expect("->");
    entry->outputs = parseIds("%", "(", ")");
    lexer.expect("{");
    while (lexer.accept("#")) {
      expectNumber("command", entry->commands.size());
      entry->commands.push_back(std::make_unique<CommandT>());
      parseCommand(*entry->commands.back());
    }
    lexer.expect("}");
    recipe.entries.push_back(std::move(entry));
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
    // A new record starts with `bytes @`, a field goes on with a number; but
    // records never stand inside an entry.
    if (lexer.accept("bytes"))
      command.bytes = lexer.number();
    if (lexer.accept("loc"))
      command.location = lexer.id();
  }

  void parseBody(BodyUnion &body) {
    if (lexer.accept("launch")) {
      LaunchT launch;
      launch.kernel = lexer.id();
      body.Set(std::move(launch));
    } else if (lexer.accept("gemm")) {
      GemmT gemm;
      gemm.transpose_a = lexer.accept("transpose_a");
      gemm.transpose_b = lexer.accept("transpose_b");
      body.Set(std::move(gemm));
    } else if (lexer.accept("conv")) {
      parseConv(body);
    } else if (lexer.accept("transfer")) {
      body.Set(TransferT());
    } else if (lexer.accept("fill")) {
      FillT fill;
      fill.value = lexer.number();
      body.Set(std::move(fill));
    } else if (lexer.accept("library")) {
      parseLibrary(body);
    } else {
      lexer.expected("'launch', 'gemm', 'conv', 'transfer', 'fill' or "
                     "'library'");
    }
  }

  void parseConv(BodyUnion &body) {
    ConvT conv;
    lexer.expect("x");
    conv.input_layout = lexer.string();
    lexer.expect("w");
    conv.filter_layout = lexer.string();
    lexer.expect("y");
    conv.output_layout = lexer.string();
    lexer.expect("strides");
    conv.strides = lexer.integers();
    lexer.expect("dilations");
    conv.dilations = lexer.integers();
    lexer.expect("pad_low");
    conv.pad_low = lexer.integers();
    lexer.expect("pad_high");
    conv.pad_high = lexer.integers();
    if (lexer.accept("groups"))
      conv.groups = lexer.integer();
    conv.transposed = lexer.accept("transposed");
    body.Set(std::move(conv));
  }

  void parseLibrary(BodyUnion &body) {
    LibraryT library;
    library.name = lexer.string();
    if (lexer.accept("ints"))
      library.ints = lexer.integers();
    if (lexer.accept("floats"))
      lexer.list("[", "]", [&] {
        const uint64_t bits = lexer.float64();
        double number;
        std::memcpy(&number, &bits, sizeof(number));
        library.floats.push_back(number);
      });
    body.Set(std::move(library));
  }

  void parseBytes() {
    lexer.expect("@");
    const Token start = lexer.peek();
    const uint32_t section = lexer.id();
    if (!lexer.ok())
      return;
    if (section >= recipe.sections.size() ||
        recipe.sections[section]->kind != SectionKind::Const) {
      lexer.error(start,
                  "@" + std::to_string(section) + " is no const section");
      return;
    }
    std::vector<uint8_t> &bytes = parsed.sectionBytes[section];
    if (!bytes.empty())
      lexer.error(start, "the bytes of section @" + std::to_string(section) +
                             " are given twice");
    lexer.expect("{");
    if (lexer.at("<")) {
      lexer.error("the bytes of section @" + std::to_string(section) +
                  " are elided; print the recipe with all its constants to "
                  "parse it");
      return;
    }
    while (lexer.peek().kind == Token::Number)
      appendHex(bytes, lexer.take());
    lexer.expect("}");
  }

  void appendHex(std::vector<uint8_t> &bytes, const Token &token) {
    auto digit = [](char c) -> int {
      if (c >= '0' && c <= '9')
        return c - '0';
      if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
      return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    std::string_view digits = token.text;
    bool valid = digits.substr(0, 2) == "0x" && digits.size() % 2 == 0;
    for (size_t i = 2; valid && i < digits.size(); i += 2) {
      const int high = digit(digits[i]), low = digit(digits[i + 1]);
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
