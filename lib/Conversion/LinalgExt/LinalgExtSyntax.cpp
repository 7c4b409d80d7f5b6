// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The assembly of tm_tensor and iree_linalg_ext.
//
// Versions of both differ in the order of the clauses and in how they write
// them (`{dimension_map = array<i64: 0>}`, `dimension_map = [0]`,
// `dimension_map(dense<0> : tensor<1xi64>)`), so all orders and spellings are
// read. What is printed is read by the newest versions.
#include "Detail.h"

using namespace mlir;
using namespace gaudi;

// Names of the clauses, which are those of the attributes.
static constexpr StringLiteral dimension = "dimension", inclusive = "inclusive",
                               uniqueIndices = "unique_indices",
                               dimensionMap = "dimension_map",
                               isSorted = "is_sorted",
                               segments = "operandSegmentSizes";

namespace {
/// Reads the parts of one op after its name.
class ClauseReader {
public:
  ClauseReader(OpAsmParser &parser, OperationState &result)
      : parser(parser), result(result) {}

  ParseResult read();

private:
  using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

  /// Reads one clause, if there is one.
  OptionalParseResult clause();
  /// Adds an attribute, once.
  ParseResult add(StringRef name, Attribute value);
  ParseResult number(StringRef name);
  ParseResult boolean(StringRef name);
  ParseResult dims();
  ParseResult operands(Operands &values, SmallVector<Type> &types);
  ParseResult resultTypes();

  OpAsmParser &parser;
  OperationState &result;
  Operands inputs, outputs;
  SmallVector<Type> inputTypes, outputTypes;
};
} // namespace

ParseResult ClauseReader::add(StringRef name, Attribute value) {
  if (result.attributes.get(name))
    return parser.emitError(parser.getCurrentLocation())
           << "'" << name << "' is given twice";
  result.addAttribute(name, value);
  return success();
}

ParseResult ClauseReader::number(StringRef name) {
  int64_t value = 0;
  if (parser.parseLParen() || parser.parseInteger(value) ||
      parser.parseRParen())
    return failure();
  return add(name, parser.getBuilder().getI64IntegerAttr(value));
}

ParseResult ClauseReader::boolean(StringRef name) {
  BoolAttr value;
  if (parser.parseLParen() || parser.parseAttribute(value) ||
      parser.parseRParen())
    return failure();
  return add(name, value);
}

ParseResult ClauseReader::dims() {
  SmallVector<int64_t> values;
  if (succeeded(parser.parseOptionalEqual())) {
    auto one = [&] { return parser.parseInteger(values.emplace_back()); };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
      return failure();
  } else {
    DenseIntElementsAttr elements;
    if (parser.parseLParen() || parser.parseAttribute(elements) ||
        parser.parseRParen())
      return failure();
    for (const APInt &value : elements)
      values.push_back(value.getSExtValue());
  }
  return add(dimensionMap, parser.getBuilder().getDenseI64ArrayAttr(values));
}

ParseResult ClauseReader::operands(Operands &values, SmallVector<Type> &types) {
  return failure(parser.parseLParen() || parser.parseOperandList(values) ||
                 parser.parseColonTypeList(types) || parser.parseRParen());
}

OptionalParseResult ClauseReader::clause() {
  if (succeeded(parser.parseOptionalKeyword(dimension)))
    return number(dimension);
  if (succeeded(parser.parseOptionalKeyword(inclusive)))
    return boolean(inclusive);
  if (succeeded(parser.parseOptionalKeyword(uniqueIndices)))
    return boolean(uniqueIndices);
  if (succeeded(parser.parseOptionalKeyword(dimensionMap)))
    return dims();
  if (succeeded(parser.parseOptionalKeyword(isSorted)))
    return add(isSorted, parser.getBuilder().getUnitAttr());
  if (inputs.empty() && succeeded(parser.parseOptionalKeyword("ins")))
    return operands(inputs, inputTypes);
  return std::nullopt;
}

ParseResult ClauseReader::resultTypes() {
  if (failed(parser.parseOptionalArrow()) &&
      failed(parser.parseOptionalColon()))
    return success();
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseTypeList(result.types) || parser.parseRParen());
  return parser.parseTypeList(result.types);
}

ParseResult ClauseReader::read() {
  const SMLoc loc = parser.getCurrentLocation();
  while (failed(parser.parseOptionalKeyword("outs"))) {
    const SMLoc at = parser.getCurrentLocation();
    // A brace before the outputs opens attributes, one after them the region.
    if (parser.parseOptionalAttrDict(result.attributes))
      return failure();
    // Neither a clause nor an end: without this the loop would not end.
    OptionalParseResult read = clause();
    if (read.has_value() && failed(*read))
      return failure();
    if (parser.getCurrentLocation() == at)
      return parser.emitError(at, "expected 'outs(' or a clause such as "
                                  "'dimension(0)' before it");
  }
  if (operands(outputs, outputTypes))
    return failure();
  auto region = std::make_unique<Region>();
  OptionalParseResult body = parser.parseOptionalRegion(*region);
  if (body.has_value()) {
    if (failed(*body))
      return failure();
    result.addRegion(std::move(region));
  }
  if (resultTypes() ||
      parser.resolveOperands(inputs, inputTypes, loc, result.operands) ||
      parser.resolveOperands(outputs, outputTypes, loc, result.operands))
    return failure();
  // Segments say where the inputs end, as clauses do.
  const int32_t counts[] = {int32_t(inputs.size()), int32_t(outputs.size())};
  return add(segments, parser.getBuilder().getDenseI32ArrayAttr(counts));
}

ParseResult gaudi::parseLinalgExt(OpAsmParser &parser, OperationState &result) {
  return ClauseReader(parser, result).read();
}

static void printOperands(OpAsmPrinter &p, StringRef name, ValueRange values) {
  if (values.empty())
    return;
  p << ' ' << name << '(' << values << " : ";
  llvm::interleaveComma(values.getTypes(), p);
  p << ')';
}

void gaudi::printLinalgExt(OpAsmPrinter &p, Operation *op) {
  ValueRange inputs = linalgExtInputs(op);
  // torch-mlir has the map in the dictionary.
  const bool hasMapClause =
      isa<linalgext::IreeLinalgExtDialect>(op->getDialect());
  // Attributes that have clauses are not in the dictionary.
  SmallVector<StringRef> elided{dimension, inclusive, uniqueIndices, isSorted,
                                segments};
  if (hasMapClause)
    elided.push_back(dimensionMap);
  p.printOptionalAttrDict(op->getAttrs(), elided);
  if (auto dim = op->getAttrOfType<IntegerAttr>(dimension))
    p << " dimension(" << dim.getInt() << ')';
  if (auto map = op->getAttrOfType<DenseI64ArrayAttr>(dimensionMap);
      map && hasMapClause)
    p << " dimension_map = [" << map.asArrayRef() << ']';
  for (StringRef name : {inclusive, uniqueIndices})
    if (auto value = op->getAttrOfType<BoolAttr>(name))
      p << ' ' << name << '(' << (value.getValue() ? "true" : "false") << ')';
  if (op->hasAttr(isSorted))
    p << ' ' << isSorted;
  printOperands(p, "ins", inputs);
  printOperands(p, "outs", op->getOperands().drop_front(inputs.size()));
  for (Region &region : op->getRegions()) {
    p << ' ';
    p.printRegion(region);
  }
  if (op->getNumResults() != 0) {
    p << " -> ";
    llvm::interleaveComma(op->getResultTypes(), p);
  }
}
