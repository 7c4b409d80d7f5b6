// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dialects without ops for what XLA's exporters write. The syntax of attributes
// is that of the StableHLO specification and of the printers of openxla.
#include "Gaudi/Conversion/Stablehlo.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

static constexpr char stablehloName[] = "stablehlo", mhloName[] = "mhlo",
                      chloName[] = "chlo", sdyName[] = "sdy";

namespace {

/// Ops of these dialects may move wherever a call of their function was.
struct InlineAnywhere : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

/// Reads the fields between the brackets of one attribute.
class FieldReader {
public:
  explicit FieldReader(DialectAsmParser &parser)
      : parser(parser), builder(parser.getContext()) {}

  /// `name = value, ...>`; a comma may stand before the end.
  ParseResult fields(NamedAttrList &attributes);
  /// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`.
  ParseResult convolution(NamedAttrList &attributes);

private:
  ParseResult value(Attribute &result);
  ParseResult dimensions(StringRef prefix, char first, StringRef firstName,
                         char second, StringRef secondName,
                         NamedAttrList &attributes);

  DialectAsmParser &parser;
  Builder builder;
};

/// What all dialects share.
class HloDialect : public Dialect {
public:
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const final;
  Type parseType(DialectAsmParser &parser) const final;

protected:
  HloDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    addInterfaces<InlineAnywhere>();
  }
};

template <const char *dialectName>
struct NamedDialect final : public HloDialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NamedDialect)
  explicit NamedDialect(MLIRContext *context)
      : HloDialect(dialectName, context, TypeID::get<NamedDialect>()) {}
  static constexpr StringRef getDialectNamespace() { return dialectName; }
};
} // namespace

ParseResult FieldReader::value(Attribute &result) {
  int64_t number = 0;
  StringRef word;
  // What the printers write without a type: lists of integers, integers, words.
  // All else is an attribute of MLIR.
  if (succeeded(parser.parseOptionalLSquare())) {
    SmallVector<int64_t> numbers;
    auto parseNumber = [&] {
      return parser.parseInteger(numbers.emplace_back());
    };
    if (failed(parser.parseOptionalRSquare()) &&
        (parser.parseCommaSeparatedList(parseNumber) || parser.parseRSquare()))
      return failure();
    result = builder.getDenseI64ArrayAttr(numbers);
    return success();
  }
  if (OptionalParseResult parsed = parser.parseOptionalInteger(number);
      parsed.has_value()) {
    result = builder.getI64IntegerAttr(number);
    return *parsed;
  }
  Type type;
  if (OptionalParseResult parsed = parser.parseOptionalType(type);
      parsed.has_value()) {
    if (succeeded(*parsed))
      result = TypeAttr::get(type);
    return *parsed;
  }
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    result = builder.getStringAttr(word);
    return success();
  }
  return parser.parseAttribute(result);
}

ParseResult FieldReader::fields(NamedAttrList &attributes) {
  while (failed(parser.parseOptionalGreater())) {
    StringRef name;
    Attribute field;
    llvm::SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual() || value(field))
      return failure();
    if (attributes.set(name, field))
      return parser.emitError(at) << "field '" << name << "' is given twice";
    if (succeeded(parser.parseOptionalComma()))
      continue;
    return parser.parseGreater();
  }
  return success();
}

ParseResult FieldReader::dimensions(StringRef prefix, char first,
                                    StringRef firstName, char second,
                                    StringRef secondName,
                                    NamedAttrList &attributes) {
  SmallVector<int64_t> spatial;
  int64_t position = 0;
  auto parseDimension = [&]() -> ParseResult {
    int64_t number = 0;
    StringRef word;
    llvm::SMLoc at = parser.getCurrentLocation();
    if (OptionalParseResult parsed = parser.parseOptionalInteger(number);
        parsed.has_value()) {
      // The text decides how much memory the list takes.
      constexpr int64_t maxDimensions = 64;
      if (*parsed)
        return failure();
      if (number < 0 || number >= maxDimensions)
        return parser.emitError(at) << "spatial dimension " << number;
      // Dimensions may come in any order; -1 is one that has not come yet.
      if (number >= int64_t(spatial.size()))
        spatial.resize(number + 1, -1);
      spatial[number] = position++;
      return success();
    }
    if (parser.parseKeyword(&word))
      return failure();
    if (word != StringRef(&first, 1) && word != StringRef(&second, 1))
      return parser.emitError(at) << "expected '" << first << "', '" << second
                                  << "' or a spatial dimension";
    const bool isFirst = word == StringRef(&first, 1);
    attributes.set((prefix + (isFirst ? firstName : secondName)).str(),
                   builder.getI64IntegerAttr(position++));
    return success();
  };
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseDimension))
    return failure();
  if (llvm::is_contained(spatial, -1))
    return parser.emitError(at) << "a spatial dimension is missing";
  attributes.set((prefix + "spatial_dimensions").str(),
                 builder.getDenseI64ArrayAttr(spatial));
  return success();
}

ParseResult FieldReader::convolution(NamedAttrList &attributes) {
  if (dimensions("input_", 'b', "batch_dimension", 'f', "feature_dimension",
                 attributes) ||
      parser.parseKeyword("x") ||
      dimensions("kernel_", 'i', "input_feature_dimension", 'o',
                 "output_feature_dimension", attributes) ||
      parser.parseArrow() ||
      dimensions("output_", 'b', "batch_dimension", 'f', "feature_dimension",
                 attributes))
    return failure();
  return parser.parseGreater();
}

/// Attributes of one word: `#mhlo.rng_distribution<UNIFORM>`. Later versions
/// write `#mhlo<rng_distribution UNIFORM>`.
static bool isEnumeration(StringRef mnemonic) {
  static const llvm::StringSet<> names = {"comparison_direction",
                                          "comparison_type",
                                          "custom_call_api_version",
                                          "fft_type",
                                          "precision",
                                          "rng_algorithm",
                                          "rng_distribution",
                                          "transpose"};
  return mnemonic.ends_with("_mode") || names.contains(mnemonic);
}

/// Shardy says where tensors lie among devices. There is one, so its attributes
/// are read over, up to their ends: each is a unit attribute.
static Attribute parseSharding(DialectAsmParser &parser) {
  const char *end = parser.getFullSymbolSpec().end();
  while (parser.getCurrentLocation().getPointer() < end) {
    std::string text;
    APInt number;
    StringAttr symbol;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      if (failed(*parsed))
        return {};
      continue;
    }
    const bool isToken =
        succeeded(parser.parseOptionalKeywordOrString(&text)) ||
        succeeded(parser.parseOptionalSymbolName(symbol)) ||
        succeeded(parser.parseOptionalLess()) ||
        succeeded(parser.parseOptionalGreater()) ||
        succeeded(parser.parseOptionalLSquare()) ||
        succeeded(parser.parseOptionalRSquare()) ||
        succeeded(parser.parseOptionalLBrace()) ||
        succeeded(parser.parseOptionalRBrace()) ||
        succeeded(parser.parseOptionalLParen()) ||
        succeeded(parser.parseOptionalRParen()) ||
        succeeded(parser.parseOptionalComma()) ||
        succeeded(parser.parseOptionalColon()) ||
        succeeded(parser.parseOptionalEqual()) ||
        succeeded(parser.parseOptionalArrow()) ||
        succeeded(parser.parseOptionalQuestion()) ||
        succeeded(parser.parseOptionalStar()) ||
        succeeded(parser.parseOptionalPlus());
    if (!isToken) {
      parser.emitError(parser.getCurrentLocation())
          << "expected a name, a number or punctuation";
      return {};
    }
  }
  return UnitAttr::get(parser.getContext());
}

Attribute HloDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  if (getNamespace() == sdyName)
    return parseSharding(parser);
  StringRef mnemonic, word;
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (failed(parser.parseOptionalLess())) {
    // `#stablehlo<comparison_direction EQ>`.
    if (parser.parseKeyword(&word))
      return {};
    return StringAttr::get(getContext(), word);
  }
  NamedAttrList attributes;
  FieldReader fields(parser);
  // The two forms of a convolution differ in their first character.
  if (mnemonic == "conv" && failed(parser.parseOptionalKeyword("raw"))) {
    if (fields.convolution(attributes))
      return {};
  } else if (isEnumeration(mnemonic)) {
    if (parser.parseKeyword(&word) || parser.parseGreater())
      return {};
    return StringAttr::get(getContext(), word);
  } else if (fields.fields(attributes)) {
    return {};
  }
  return attributes.getDictionary(getContext());
}

Type HloDialect::parseType(DialectAsmParser &parser) const {
  StringRef mnemonic;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (mnemonic == "token")
    return NoneType::get(getContext());
  parser.emitError(at) << "type '" << getNamespace() << "." << mnemonic
                       << "' is not supported; tensors and tokens are";
  return {};
}

void gaudi::registerStablehloDialects(DialectRegistry &registry) {
  registry.insert<NamedDialect<stablehloName>, NamedDialect<mhloName>,
                  NamedDialect<chloName>, NamedDialect<sdyName>>();
}

bool gaudi::isStablehlo(OperationName name) {
  return isa_and_nonnull<NamedDialect<stablehloName>, NamedDialect<mhloName>,
                         NamedDialect<chloName>, NamedDialect<sdyName>>(
      name.getDialect());
}
