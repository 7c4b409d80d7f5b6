// Prints whole recipes.
#include "Format.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Gaudi/Recipe/Text.h"

namespace gaudi::recipe {
namespace {

constexpr uint64_t bytesPerLine = 32;

template <typename Vector>
void printNumbers(std::ostream &out, const Vector *vector,
                  const char *separator) {
  const char *before = "";
  out << "[";
  for (auto number : items(vector)) {
    out << before << +number;
    before = separator;
  }
  out << "]";
}

void printIds(std::ostream &out, const flatbuffers::Vector<uint32_t> *ids,
              const char *sigil, const char *open, const char *close) {
  const char *before = "";
  out << open;
  for (uint32_t id : items(ids)) {
    out << before << sigil << id;
    before = ", ";
  }
  out << close;
}

void printSection(std::ostream &out, const Section &section, uint32_t index) {
  out << "section @" << index << " "
      << wordOf(section.kind(), EnumNamesSectionKind(), SectionKind::MAX) << " "
      << section.size() << " bytes";
  if (section.alignment() != 4096)
    out << " align " << section.alignment();
  out << "\n";
}

void printTensor(std::ostream &out, const Tensor &tensor, uint32_t index) {
  out << "tensor %" << index << " " << quoted(text(tensor.name())) << " "
      << wordOf(tensor.tensor_class(), EnumNamesTensorClass(), TensorClass::MAX)
      << " @" << tensor.section() << "+" << tensor.offset() << " "
      << elementName(tensor.type());
  printNumbers(out, tensor.sizes(), ",");
  if (copyOf(tensor.strides()) != denseStrides(copyOf(tensor.sizes()))) {
    out << " strides";
    printNumbers(out, tensor.strides(), ",");
  }
  if (!items(tensor.permutation()).empty()) {
    out << " perm";
    printNumbers(out, tensor.permutation(), ",");
  }
  if (tensor.alias_of() >= 0)
    out << " alias %" << tensor.alias_of();
  if (tensor.location())
    out << " loc " << tensor.location();
  out << "\n";
}

void printConv(std::ostream &out, const Conv &conv) {
  out << "conv x " << quoted(text(conv.input_layout())) << " w "
      << quoted(text(conv.filter_layout())) << " y "
      << quoted(text(conv.output_layout()));
  auto list = [&](const char *name, const flatbuffers::Vector<int64_t> *list) {
    out << " " << name << " ";
    printNumbers(out, list, ", ");
  };
  list("strides", conv.strides());
  list("dilations", conv.dilations());
  list("pad_low", conv.pad_low());
  list("pad_high", conv.pad_high());
  if (conv.groups() != 1)
    out << " groups " << conv.groups();
  if (conv.transposed())
    out << " transposed";
}

void printLibrary(std::ostream &out, const Library &library) {
  out << "library " << quoted(text(library.name()));
  if (!items(library.ints()).empty()) {
    out << " ints ";
    printNumbers(out, library.ints(), ", ");
  }
  if (items(library.floats()).empty())
    return;
  const char *before = " floats [";
  for (double number : items(library.floats())) {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    out << before << float64Text(bits);
    before = ", ";
  }
  out << "]";
}

void printBody(std::ostream &out, const Command &command) {
  switch (command.body_type()) {
  case Body::Launch:
    out << "launch " << command.body_as_Launch()->kernel();
    break;
  case Body::Gemm:
    out << "gemm"
        << (command.body_as_Gemm()->transpose_a() ? " transpose_a" : "")
        << (command.body_as_Gemm()->transpose_b() ? " transpose_b" : "");
    break;
  case Body::Conv:
    printConv(out, *command.body_as_Conv());
    break;
  case Body::Transfer:
    out << "transfer";
    break;
  case Body::Fill:
    out << "fill " << hexText(command.body_as_Fill()->value());
    break;
  case Body::Library:
    printLibrary(out, *command.body_as_Library());
    break;
  case Body::NONE:
    break; // refused by the verifier
  }
}

void printCommand(std::ostream &out, const Command &command, uint32_t index) {
  out << "  #" << index << " "
      << wordOf(command.engine(), EnumNamesEngine(), Engine::MAX) << " "
      << quoted(text(command.name())) << " ";
  printBody(out, command);
  printIds(out, command.inputs(), "%", " (", ")");
  printIds(out, command.outputs(), "%", " -> (", ")");
  if (!items(command.dependencies()).empty())
    printIds(out, command.dependencies(), "#", " after [", "]");
  if (command.flops())
    out << " flops " << command.flops();
  if (command.bytes())
    out << " bytes " << command.bytes();
  if (command.location())
    out << " loc " << command.location();
  out << "\n";
}

void printEntry(std::ostream &out, const Entry &entry) {
  out << "\nentry " << quoted(text(entry.name()));
  printIds(out, entry.inputs(), "%", " (", ")");
  printIds(out, entry.outputs(), "%", " -> (", ")");
  out << " {\n";
  for (uint32_t i = 0; i < items(entry.commands()).size(); ++i)
    printCommand(out, *items(entry.commands())[i], i);
  out << "}\n";
}

void printBytes(std::ostream &out, ByteSpan bytes, uint32_t section,
                const PrintOptions &options) {
  static const char digits[] = "0123456789abcdef";
  out << "\nbytes @" << section << " {\n";
  if (bytes.size > options.elideConstantsAbove) {
    out << "  <elided " << bytes.size << " bytes>\n}\n";
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
    out << line << "\n";
  }
  out << "}\n";
}

} // namespace

void printRecipe(std::ostream &out, const RecipeFile &file,
                 const PrintOptions &options) {
  const Recipe &recipe = file.recipe();
  out << "recipe " << formatMajor << "." << formatMinor << " target "
      << quoted(text(recipe.target())) << " producer "
      << quoted(text(recipe.producer())) << "\n";
  // Location 0 is always "".
  for (uint32_t i = 1; i < items(recipe.locations()).size(); ++i)
    out << (i == 1 ? "\n" : "") << "location " << i << " "
        << quoted(text(items(recipe.locations())[i])) << "\n";
  for (uint32_t i = 0; i < items(recipe.sections()).size(); ++i) {
    out << (i == 0 ? "\n" : "");
    printSection(out, *items(recipe.sections())[i], i);
  }
  for (uint32_t i = 0; i < items(recipe.tensors()).size(); ++i) {
    out << (i == 0 ? "\n" : "");
    printTensor(out, *items(recipe.tensors())[i], i);
  }
  for (uint32_t i = 0; i < items(recipe.kernels()).size(); ++i) {
    out << "\n";
    printKernel(out, *items(recipe.kernels())[i], i);
  }
  for (const Entry *entry : items(recipe.entries()))
    printEntry(out, *entry);
  for (uint32_t i = 0; i < items(recipe.sections()).size(); ++i)
    if (ByteSpan bytes = file.constBytes(i); bytes.size)
      printBytes(out, bytes, i, options);
}

} // namespace gaudi::recipe
