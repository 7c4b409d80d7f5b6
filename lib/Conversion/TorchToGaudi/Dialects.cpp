// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects torch, torch_c, util and stream: types, and the syntax of their
// printers. The syntax is that of torch-mlir's and IREE's ODS.
#include "Gaudi/Conversion/Torch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

#include "Gaudi/Conversion/TorchDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "Gaudi/Conversion/TorchTypes.cpp.inc"

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `[4,?]`, or `*`, before the comma of a tensor type.
static ParseResult parseSizes(DialectAsmParser &parser, bool &hasRank,
                              SmallVector<int64_t> &sizes) {
  if (succeeded(parser.parseOptionalStar()))
    return success();
  hasRank = true;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        int64_t size = ShapedType::kDynamic;
        if (succeeded(parser.parseOptionalQuestion())) {
          sizes.push_back(size);
          return success();
        }
        llvm::SMLoc at = parser.getCurrentLocation();
        if (parser.parseInteger(size))
          return failure();
        if (size < 0)
          return parser.emitError(at) << "a size below 0";
        sizes.push_back(size);
        return success();
      });
}

static Type parseTensorType(DialectAsmParser &parser, bool isValue) {
  MLIRContext *context = parser.getContext();
  bool hasRank = false;
  SmallVector<int64_t> sizes;
  Type dtype;
  if (failed(parser.parseOptionalLess()))
    return TorchTensorType::get(context, isValue, hasRank, sizes, dtype);
  if (parseSizes(parser, hasRank, sizes) || parser.parseComma())
    return {};
  if (failed(parser.parseOptionalKeyword("unk")) && parser.parseType(dtype))
    return {};
  // Sparse tensors have an encoding, which nothing reads.
  if (parser.parseGreater())
    return {};
  return TorchTensorType::get(context, isValue, hasRank, sizes, dtype);
}

/// A type without its prefix: `list<optional<vtensor>>`.
static Type parseTorchType(DialectAsmParser &parser) {
  StringRef name;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return {};
  if (name == "vtensor" || name == "tensor")
    return parseTensorType(parser, name == "vtensor");
  SmallVector<Type> arguments;
  const bool isContainer =
      llvm::StringSwitch<bool>(name)
          .Cases({"list", "optional", "tuple", "union", "dict"}, true)
          .Default(false);
  const bool isKnown =
      isContainer ||
      llvm::StringSwitch<bool>(name)
          .Cases({"int", "float", "bool", "none", "str", "number", "any"}, true)
          .Cases({"Device", "Generator", "LinearParams"}, true)
          .Default(false);
  if (!isKnown) {
    parser.emitError(at) << "unknown type '!torch." << name << "'";
    return {};
  }
  auto parseArgument = [&]() -> ParseResult {
    arguments.push_back(parseTorchType(parser));
    return success(arguments.back() != Type());
  };
  if (isContainer && parser.parseCommaSeparatedList(
                         AsmParser::Delimiter::LessGreater, parseArgument))
    return {};
  return TorchObjectType::get(parser.getContext(), name, arguments);
}

Type TorchDialect::parseType(DialectAsmParser &parser) const {
  return parseTorchType(parser);
}

static void printTorchType(Type type, DialectAsmPrinter &printer) {
  if (auto object = dyn_cast<TorchObjectType>(type)) {
    printer << object.getName();
    if (!object.getArguments().empty()) {
      printer << "<";
      llvm::interleaveComma(object.getArguments(), printer, [&](Type argument) {
        printTorchType(argument, printer);
      });
      printer << ">";
    }
    return;
  }
  auto tensor = cast<TorchTensorType>(type);
  printer << (tensor.getIsValue() ? "vtensor" : "tensor");
  if (!tensor.getHasRank() && !tensor.getDtype())
    return;
  printer << "<";
  if (tensor.getHasRank()) {
    printer << "[";
    llvm::interleave(
        tensor.getSizes(), printer,
        [&](int64_t size) {
          if (ShapedType::isDynamic(size))
            printer << "?";
          else
            printer << size;
        },
        ",");
    printer << "]";
  } else {
    printer << "*";
  }
  printer << ",";
  if (tensor.getDtype())
    printer << tensor.getDtype();
  else
    printer << "unk";
  printer << ">";
}

void TorchDialect::printType(Type type, DialectAsmPrinter &printer) const {
  printTorchType(type, printer);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
/// A constant in the form of torch-mlir's printer: `torch.constant.int 5`.
struct ConstantForm {
  StringRef result; ///< name of the type
  ParseResult (*parse)(OpAsmParser &, Attribute &);
};
} // namespace

static ParseResult parseIntValue(OpAsmParser &parser, Attribute &value) {
  return parser.parseAttribute(value, parser.getBuilder().getI64Type());
}
static ParseResult parseFloatValue(OpAsmParser &parser, Attribute &value) {
  return parser.parseAttribute(value, parser.getBuilder().getF64Type());
}
static ParseResult parseAnyValue(OpAsmParser &parser, Attribute &value) {
  return parser.parseAttribute(value);
}

static std::optional<ConstantForm> constantForm(StringRef name) {
  return llvm::StringSwitch<std::optional<ConstantForm>>(name)
      .Case("torch.constant.int", ConstantForm{"int", parseIntValue})
      .Case("torch.constant.float", ConstantForm{"float", parseFloatValue})
      .Case("torch.constant.bool", ConstantForm{"bool", parseAnyValue})
      .Case("torch.constant.str", ConstantForm{"str", parseAnyValue})
      .Case("torch.constant.device", ConstantForm{"Device", parseAnyValue})
      .Case("torch.constant.none", ConstantForm{"none", nullptr})
      .Default(std::nullopt);
}

static ParseResult parseConstant(OpAsmParser &parser, OperationState &result,
                                 const ConstantForm &form) {
  Attribute value;
  if (form.parse && form.parse(parser, value))
    return failure();
  if (value)
    result.addAttribute("value", value);
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addTypes(TorchObjectType::get(parser.getContext(), form.result, {}));
  return success();
}

/// Types after the colon: `T, T -> T`, `(T, T) -> T`, `T to T`, or those of the
/// results alone if there are no operands.
static ParseResult parseTypes(OpAsmParser &parser, bool hasOperands,
                              SmallVectorImpl<Type> &operands,
                              SmallVectorImpl<Type> &results) {
  auto parseInto = [&](SmallVectorImpl<Type> &types) {
    return
        [&]() -> ParseResult { return parser.parseType(types.emplace_back()); };
  };
  if (parser.parseOptionalColon())
    return success();
  if (succeeded(parser.parseOptionalLParen())) {
    if (failed(parser.parseOptionalRParen()) &&
        (parser.parseCommaSeparatedList(parseInto(operands)) ||
         parser.parseRParen()))
      return failure();
  } else if (parser.parseCommaSeparatedList(
                 parseInto(hasOperands ? operands : results))) {
    return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("to")))
    return parser.parseCommaSeparatedList(parseInto(results));
  if (failed(parser.parseOptionalArrow()))
    return success();
  if (failed(parser.parseOptionalLParen()))
    return parser.parseCommaSeparatedList(parseInto(results));
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseCommaSeparatedList(parseInto(results)) ||
                 parser.parseRParen());
}

/// What stands before the attributes: a name, a literal, operands.
static ParseResult
parseArguments(OpAsmParser &parser, OperationState &result,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  StringRef name = result.name.getStringRef();
  std::string text;
  if (succeeded(parser.parseOptionalString(&text)))
    result.addAttribute("name", parser.getBuilder().getStringAttr(text));
  if (name == "torch.vtensor.literal" || name == "torch.tensor.literal") {
    Attribute value;
    if (parser.parseLParen() || parser.parseAttribute(value) ||
        parser.parseRParen())
      return failure();
    result.addAttribute("value", value);
    return success();
  }
  if (name != "torch.bind_symbolic_shape") {
    if (failed(parser.parseOptionalLParen()))
      return parser.parseOperandList(operands);
    return failure(parser.parseOperandList(operands) || parser.parseRParen());
  }
  // %tensor, [%symbol, ...], affine_map<...>
  Attribute map;
  if (parser.parseOperand(operands.emplace_back()) || parser.parseComma() ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Square) ||
      parser.parseComma() || parser.parseAttribute(map))
    return failure();
  result.addAttribute("shape_expressions", map);
  // Only the type of the tensor is written.
  SmallVector<Type> types(operands.size(),
                          TorchObjectType::get(parser.getContext(), "int", {}));
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(types.front()) ||
      parser.resolveOperands(operands, types, parser.getNameLoc(),
                             result.operands))
    return failure();
  operands.clear();
  return success();
}

/// Any op of torch and torch_c.
static ParseResult parseTorchOp(OpAsmParser &parser, OperationState &result) {
  if (auto form = constantForm(result.name.getStringRef()))
    return parseConstant(parser, result, *form);
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes, resultTypes;
  if (parseArguments(parser, result, operands) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parseTypes(parser, !operands.empty(), operandTypes, resultTypes) ||
      parser.resolveOperands(operands, operandTypes, parser.getNameLoc(),
                             result.operands))
    return failure();
  result.addTypes(resultTypes);
  return success();
}

void TorchDialect::initialize() {
  addTypes<TorchTensorType, TorchObjectType>();
  allowUnknownOperations();
  struct InlineAnywhere : public DialectInlinerInterface {
    using DialectInlinerInterface::DialectInlinerInterface;
    bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
      return true;
    }
    bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
      return true;
    }
  };
  addInterfaces<InlineAnywhere>();
}

std::optional<Dialect::ParseOpHook>
TorchDialect::getParseOperationHook(StringRef) const {
  return parseTorchOp;
}

namespace {
/// A dialect of which only the syntax of a few ops is read.
class SyntaxDialect : public Dialect {
protected:
  SyntaxDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
  }
};

/// Conversions between builtin tensors and those of torch.
struct TorchConversionDialect final : public SyntaxDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TorchConversionDialect)
  explicit TorchConversionDialect(MLIRContext *context)
      : SyntaxDialect(getDialectNamespace(), context,
                      TypeID::get<TorchConversionDialect>()) {}
  static constexpr StringLiteral getDialectNamespace() { return "torch_c"; }
  std::optional<ParseOpHook> getParseOperationHook(StringRef) const final {
    return parseTorchOp;
  }
};

/// IREE's globals: `util.global private @w = #stream.parameter.named<...> :
/// tensor<...>` and `util.global.load @w : tensor<...>`.
struct UtilDialect final : public SyntaxDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UtilDialect)
  explicit UtilDialect(MLIRContext *context)
      : SyntaxDialect(getDialectNamespace(), context,
                      TypeID::get<UtilDialect>()) {}
  static constexpr StringLiteral getDialectNamespace() { return "util"; }
  std::optional<ParseOpHook> getParseOperationHook(StringRef name) const final;
};

/// The names of parameters outside the text, which become strings.
struct StreamDialect final : public SyntaxDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StreamDialect)
  explicit StreamDialect(MLIRContext *context)
      : SyntaxDialect(getDialectNamespace(), context,
                      TypeID::get<StreamDialect>()) {}
  static constexpr StringLiteral getDialectNamespace() { return "stream"; }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const final;
};
} // namespace

static ParseResult parseGlobal(OpAsmParser &parser, OperationState &result) {
  StringRef word;
  StringAttr name;
  Attribute value;
  Type type;
  while (succeeded(parser.parseOptionalKeyword(
      &word, {"private", "public", "nested", "mutable"})))
    if (word == "mutable")
      result.addAttribute("is_mutable", parser.getBuilder().getUnitAttr());
  if (parser.parseSymbolName(name) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addAttribute(SymbolTable::getSymbolAttrName(), name);
  if (succeeded(parser.parseOptionalEqual())) {
    if (parser.parseAttribute(value))
      return failure();
    result.addAttribute("initial_value", value);
    // The parser takes a type that follows for the attribute's.
    if (auto typed = dyn_cast<TypedAttr>(value))
      type = typed.getType();
  }
  if ((!type || isa<NoneType>(type)) && parser.parseColonType(type))
    return failure();
  result.addAttribute("type", TypeAttr::get(type));
  return success();
}

static ParseResult parseGlobalLoad(OpAsmParser &parser,
                                   OperationState &result) {
  StringAttr name;
  Type type;
  (void)parser.parseOptionalKeyword("immutable");
  if (parser.parseSymbolName(name) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addAttribute("global", name);
  result.addTypes(type);
  return success();
}

std::optional<Dialect::ParseOpHook>
UtilDialect::getParseOperationHook(StringRef name) const {
  if (name == "util.global")
    return ParseOpHook(parseGlobal);
  if (name == "util.global.load")
    return ParseOpHook(parseGlobalLoad);
  return std::nullopt;
}

Attribute StreamDialect::parseAttribute(DialectAsmParser &parser,
                                        Type type) const {
  StringRef kind;
  std::string scope, key;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&kind))
    return {};
  if (kind != "parameter.named") {
    parser.emitError(at) << "'#stream." << kind
                         << "' is not read; #stream.parameter.named is";
    return {};
  }
  // <"scope"::"key">, or without the scope.
  if (parser.parseLess() || parser.parseString(&key))
    return {};
  if (succeeded(parser.parseOptionalColon()) &&
      (parser.parseColon() || parser.parseString(&key)))
    return {};
  if (parser.parseGreater())
    return {};
  return type ? StringAttr::get(key, type) : StringAttr::get(getContext(), key);
}

void gaudi::registerTorchDialects(DialectRegistry &registry) {
  registry.insert<TorchDialect, TorchConversionDialect, UtilDialect,
                  StreamDialect>();
}
