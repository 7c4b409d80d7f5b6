// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the parser in this project's words.
#include "Gaudi/Compiler/ParserHints.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Spelling.h"
#include "SyntaxHints.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// How a model of a dialect that no front end reads becomes one that is read.
static std::string routeFrom(StringRef dialect) {
  return llvm::StringSwitch<std::string>(dialect)
      .Case("vhlo", "pass the bytecode, not its textual dump, to gaudi-import")
      .Case("onnx", "convert the ONNX file itself, with gaudi-import")
      .Cases({"tf", "tfl"}, "convert the model to tosa, with tf-opt")
      .Default("convert the model to tosa, or to linalg with tensor, arith and "
               "math");
}

/// An op of StableHLO in the form that only its own libraries read.
static std::string prettyForm(StringRef name) {
  return ("'" + name +
          "' is in the pretty form, which StableHLO's own tools read; convert "
          "the file to the generic form with gaudi-import, or in Python by "
          "module.operation.get_asm(print_generic_op_form=True)")
      .str();
}

/// An op of torch-mlir or IREE beyond those that are read.
static std::string unknownExtension(StringRef name) {
  return ("'" + name + "' is not read; of '" + name.split('.').first +
          "', attention, gather, scan, scatter, sort and topk are: replace the "
          "op in the model")
      .str();
}

static std::string noFrontEnd(const Twine &what, StringRef dialect) {
  return (what + " is of the dialect '" + dialect +
          "', which no front end reads; " + routeFrom(dialect))
      .str();
}

/// The name with a dialect (`stablehlo.abs`) at or right before the place of a
/// diagnostic, also in quotes or after `!` or `#`. Empty if there is none.
static StringRef nameAt(Location loc, StringRef source) {
  auto place = dyn_cast<FileLineColLoc>(loc);
  if (!place || place.getLine() == 0 || place.getColumn() == 0)
    return {};
  for (unsigned line = 1; line < place.getLine(); ++line)
    source = source.split('\n').second;
  const StringRef line = source.split('\n').first;
  auto isNamed = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  };
  size_t at = std::min<size_t>(line.size(), place.getColumn() - 1);
  if (size_t next = line.find_first_not_of("\"!#", at);
      next != StringRef::npos && isNamed(line[next]))
    at = next;
  else // past the name
    while (at > 0 && (at == line.size() || !isNamed(line[at])))
      --at;
  size_t begin = at, end = at;
  while (begin > 0 && isNamed(line[begin - 1]))
    --begin;
  while (end < line.size() && isNamed(line[end]))
    ++end;
  StringRef name = line.slice(begin, end);
  return name.contains('.') ? name : StringRef();
}

/// The ops of the dialect of `name` whose last word is nearest by spelling.
static SmallVector<StringRef> nearestOps(MLIRContext *context, StringRef name) {
  const StringRef dialect = name.split('.').first;
  const StringRef verb = name.rsplit('.').second;
  SmallVector<StringRef> nearest;
  // About a third of the letters may differ.
  unsigned best = std::max<unsigned>(1, verb.size() / 3);
  for (RegisteredOperationName op : context->getRegisteredOperations()) {
    if (op.getDialectNamespace() != dialect)
      continue;
    StringRef candidate = op.getStringRef();
    unsigned distance = verb.edit_distance(candidate.rsplit('.').second,
                                           /*AllowReplacements=*/true, best);
    if (distance > best)
      continue;
    // Only the nearest ones stay.
    if (distance < best)
      nearest.clear();
    best = distance;
    nearest.push_back(candidate);
  }
  llvm::sort(nearest);
  if (nearest.size() > 3)
    nearest.resize(3);
  return nearest;
}

/// The ops of gaudi that a user may have meant: those for a name of other
/// frameworks, else the nearest by spelling whatever their engine.
static SmallVector<StringRef> similarOps(MLIRContext *context, StringRef name) {
  StringRef known =
      llvm::StringSwitch<StringRef>(name.rsplit('.').second)
          .Cases({"matmul", "dot", "linear"}, gaudi::GemmOp::getOperationName())
          .Cases({"relu", "relu6"}, gaudi::ClampOp::getOperationName())
          .Cases({"where"}, gaudi::SelectOp::getOperationName())
          .Cases({"softmax", "layer_norm"}, gaudi::ReduceOp::getOperationName())
          .Default(StringRef());
  if (!known.empty())
    return {known};
  return nearestOps(context, name);
}

/// An op that a dialect of MLIR does not have. Empty if none is like it.
static std::string unknownOpOf(MLIRContext *context, StringRef name) {
  SmallVector<StringRef> similar = nearestOps(context, name);
  if (similar.empty())
    return "";
  return ("'" + name + "' is not an op of " + name.split('.').first +
          "; did you mean '" + llvm::join(similar, "' or '") + "'?")
      .str();
}

static std::string unknownOp(MLIRContext *context, StringRef name) {
  std::string text = ("'" + name + "' is not an op of gaudi").str();
  SmallVector<StringRef> similar = similarOps(context, name);
  if (!similar.empty())
    text += "; did you mean '" + llvm::join(similar, "' or '") + "'?";
  return text + (similar.empty() ? "; " : " ") +
         "docs/reference/ops.md lists them";
}

/// A word where an op should be.
static std::string noOp(StringRef word) {
  const bool isPython =
      llvm::is_contained({"import", "from", "def", "class", "print"}, word);
  return ("'" + word + "' is no op; " +
          (isPython ? "a program in Python is no model: export its model with "
                      "gaudi_mlir.torch.export or torch.export"
           : word == "HloModule" || word == "ENTRY"
               ? "this is HLO, the text of XLA; write StableHLO instead: "
                 "jax.export, or jax.jit(f).lower(x).as_text()"
           : word == "graph"
               ? "this is a graph of TorchScript; export the model with "
                 "torch.export, then gaudi-import FILE"
           : word == "func"
               ? "write func.func @NAME"
               : "ops are written with their dialect, as math.tanh, tosa.add "
                 "and gaudi.tpc.mul are"))
      .str();
}

/// The text instead of an error of the parser; "": the error is as it should
/// be.
static std::string explain(const Diagnostic &diagnostic, StringRef source) {
  const std::string text = diagnostic.str();
  const Location loc = diagnostic.getLocation();
  StringRef rest = text;
  auto quoted = [&] { return rest.split('\'').first; };
  // The parser's words say what it found; the hint says what to do.
  for (StringRef prefix : {"custom op '", "unregistered operation '"})
    if (rest.consume_front(prefix)) {
      // The parser names ops that it knows in the same way.
      const bool isUnknown =
          !RegisteredOperationName::lookup(quoted(), loc.getContext());
      if (!isUnknown)
        return gaudi::explainSyntax(text, loc, source);
      if (!quoted().contains('.'))
        return noOp(quoted());
      if (quoted().starts_with("gaudi."))
        return unknownOp(loc.getContext(), quoted());
      const StringRef dialect = quoted().split('.').first;
      if (dialect == "tm_tensor" || dialect == "iree_linalg_ext")
        return unknownExtension(quoted());
      const bool isHlo =
          dialect == "stablehlo" || dialect == "mhlo" || dialect == "chlo";
      return isHlo ? prettyForm(quoted())
                   : unknownOpOf(loc.getContext(), quoted());
    }
  if (rest.consume_front("Dialect `")) {
    StringRef dialect = quoted();
    auto [ignored, op] = rest.split(" not found for custom op '");
    const std::string name = ("'" + op.split('\'').first + "'").str();
    if (op.empty())
      return "";
    // As `return` after a region that was not closed.
    return dialect.empty() ? name + " has no dialect; expected 'dialect.op', "
                                    "or a brace that closes a region before it"
                           : noFrontEnd(name, dialect);
  }
  if (rest.consume_front("dialect '") && rest.contains("' is unknown"))
    return noFrontEnd("the model", quoted());
  rest = text;
  const bool isForeign =
      rest.starts_with("operation being parsed with an unregistered dialect") ||
      rest.contains(" created with unregistered dialect");
  if (!isForeign)
    return gaudi::explainSyntax(text, loc, source);
  if (StringRef name = nameAt(loc, source); !name.empty())
    return noFrontEnd("'" + name + "'", name.split('.').first);
  return "this is of a dialect that no front end reads; " + routeFrom("");
}

bool gaudi::explainParserError(Diagnostic &diagnostic, StringRef source) {
  // What is reported here comes by the same handlers.
  static thread_local bool isReporting = false;
  if (isReporting || diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return false;
  const std::string text = explain(diagnostic, source);
  if (text.empty())
    return false;
  isReporting = true;
  {
    InFlightDiagnostic again = emitError(diagnostic.getLocation(), text);
    // But for the dialects that are linked, which no model has all of.
    for (Diagnostic &note : diagnostic.getNotes())
      if (const std::string words = note.str();
          !StringRef(words).starts_with("Available dialects"))
        again.attachNote(note.getLocation()) << words;
  }
  isReporting = false;
  return true;
}

/// An error in the options of the pipeline, which are in no file.
static bool isPipelineError(const Diagnostic &diagnostic) {
  return StringRef(diagnostic.str()).starts_with("gaudi-compile: ");
}

namespace {
/// Handlers are asked in reverse order of their registration; being registered
/// with the first function, this one comes before that of the tool.
struct ParserHints : public DialectExtension<ParserHints, func::FuncDialect> {
  explicit ParserHints(StringRef source) : source(source) {}

  void apply(MLIRContext *context, func::FuncDialect *) const override {
    context->getDiagEngine().registerHandler(
        [source = source](Diagnostic &diagnostic) {
          if (isa<UnknownLoc>(diagnostic.getLocation()) &&
              isPipelineError(diagnostic)) {
            llvm::errs() << "error: " << diagnostic.str() << "\n";
            return success();
          }
          return success(gaudi::explainParserError(diagnostic, source));
        });
  }

  StringRef source;
};
} // namespace

void gaudi::addParserHints(DialectRegistry &registry, StringRef source) {
  registry.addExtension(TypeID::get<ParserHints>(),
                        std::make_unique<ParserHints>(source));
}

std::string gaudi::whyNotRead(StringRef name) {
  if (name == "-")
    return "";
  if (llvm::sys::fs::is_directory(name))
    return "it is a directory; name a model in it";
  return Descriptor::openToRead(name.str()).isOpen()
             ? ""
             : whyNotOpened(name.str(), "name a model that exists");
}

std::string gaudi::explainFile(StringRef name, StringRef bytes) {
  if (name.ends_with(".onnx"))
    return ("it is an ONNX model; convert it: gaudi-import " + name).str();
  // Bytecode begins with its version (a varint of one byte) and its producer.
  if (!bytes.consume_front("ML\xefR") || bytes.empty())
    return "";
  const StringRef producer = bytes.drop_front().split('\0').first;
  const std::string own = "MLIR" LLVM_VERSION_STRING;
  if (producer == own || producer.size() > 100)
    return "";
  return ("it is bytecode of '" + producer + "', and this is '" + own +
          "'; convert it: gaudi-import " + name + ", or write it as text")
      .str();
}
