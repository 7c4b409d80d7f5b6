// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the ops of a TPC kernel are written.
#include "KernelSyntax.h"
#include "Gaudi/Kernel/Limits.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gaudi;

/// The number of kernel dimensions is that of the index space, which a position
/// alone does not show: it is parsed with as many as it uses, then extended.
static void setNumDims(Operation *op, AffineMapAttr map, unsigned rank) {
  // The generic form may lack the map or have symbols: the verifier says so.
  if (map && map.getAffineMap().getNumSymbols() == 0 &&
      map.getAffineMap().getNumDims() < rank)
    op->setAttr("map", AffineMapAttr::get(AffineMap::get(
                           rank, 0, map.getAffineMap().getResults(),
                           op->getContext())));
}

ParseResult gaudi::parseKernelBody(OpAsmParser &parser, Region &body,
                                   DenseI64ArrayAttr indexSpace) {
  if (parser.parseRegion(body))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  body.walk([&](Operation *op) {
    if (auto load = dyn_cast<KernelLoadOp>(op))
      setNumDims(load, load.getMapAttr(), indexSpace.size());
    else if (auto store = dyn_cast<KernelStoreOp>(op))
      setNumDims(store, store.getMapAttr(), indexSpace.size());
  });
  return success();
}

void gaudi::printKernelBody(OpAsmPrinter &printer, KernelOp, Region &body,
                            DenseI64ArrayAttr) {
  printer.printRegion(body);
}

/// `[` index, ... `]`: sums of kernel dimensions d0, d1, ... or, if `indices`
/// is given, values.
static ParseResult
parseIndices(OpAsmParser &parser, AffineMapAttr &map,
             SmallVectorImpl<OpAsmParser::UnresolvedOperand> *indices,
             SmallVectorImpl<int64_t> &dynamicDims) {
  static const char *const names[gaudi::kernel::maxKernelDims] = {
      "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"};
  MLIRContext *context = parser.getContext();
  SmallVector<std::pair<StringRef, AffineExpr>> dims;
  for (auto [d, name] : llvm::enumerate(names))
    dims.emplace_back(name, getAffineDimExpr(d, context));
  SmallVector<AffineExpr> position;
  auto parseIndex = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand value;
    OptionalParseResult isValue;
    if (indices)
      isValue = parser.parseOptionalOperand(value);
    if (isValue.has_value()) {
      // The map has 0 where a value gives the index, so that it keeps one
      // result per dimension of the tensor.
      dynamicDims.push_back(position.size());
      position.push_back(getAffineConstantExpr(0, context));
      indices->push_back(value);
      return *isValue;
    }
    return parser.parseAffineExpr(dims, position.emplace_back());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     parseIndex))
    return failure();
  // Only the names of dimensions are known to the parser: no symbols.
  int64_t lastDim = -1, lastSymbol = -1;
  // The space of the kernel is not known yet: the map gets as many dimensions
  // as it names.
  getMaxDimAndSymbol<ArrayRef<AffineExpr>>({position}, lastDim, lastSymbol);
  map = AffineMapAttr::get(AffineMap::get(lastDim + 1, 0, position, context));
  return success();
}

ParseResult
gaudi::parsePosition(OpAsmParser &parser, AffineMapAttr &map,
                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                     DenseI64ArrayAttr &dynamicDims) {
  SmallVector<int64_t> dims;
  if (parseIndices(parser, map, &indices, dims))
    return failure();
  if (!dims.empty())
    dynamicDims = parser.getBuilder().getDenseI64ArrayAttr(dims);
  return success();
}

void gaudi::printPosition(OpAsmPrinter &printer, KernelLoadOp load,
                          AffineMapAttr map, OperandRange, DenseI64ArrayAttr) {
  printer << "[";
  llvm::interleaveComma(llvm::enumerate(map.getAffineMap().getResults()),
                        printer, [&](auto index) {
                          if (Value value = load.getDynamicIndex(index.index()))
                            printer << value;
                          else
                            printer.getStream() << index.value();
                        });
  printer << "]";
}

ParseResult gaudi::parsePosition(OpAsmParser &parser, AffineMapAttr &map) {
  SmallVector<int64_t> none;
  return parseIndices(parser, map, nullptr, none);
}

void gaudi::printPosition(OpAsmPrinter &printer, KernelStoreOp,
                          AffineMapAttr map) {
  printer << "[";
  llvm::interleaveComma(
      map.getAffineMap().getResults(), printer,
      [&](AffineExpr index) { printer.getStream() << index; });
  printer << "]";
}

/// The type of the tensor, from which that of the scalar follows.
ParseResult gaudi::parseTensorOfScalar(OpAsmParser &parser, Type &tensor,
                                       Type &scalar) {
  RankedTensorType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  if (!isDeviceElement(type.getElementType()))
    return parser.emitError(loc, "expected a tensor of an element type of the "
                                 "device but got ")
           << type;
  tensor = type;
  scalar = kernelType(type.getElementType());
  return success();
}

void gaudi::printTensorOfScalar(OpAsmPrinter &printer, Operation *, Type tensor,
                                Type) {
  printer << tensor;
}
