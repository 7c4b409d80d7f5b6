// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop of a TPC kernel: syntax and verifier.
#include "Gaudi/Dialect/KernelLanguage.h"
#include "KernelVerify.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gaudi;

void KernelLoopOp::build(OpBuilder &builder, OperationState &state,
                         ArrayRef<int64_t> dims, ArrayRef<KernelReduce> reduce,
                         ValueRange inits) {
  state.addOperands(inits);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.dims = builder.getDenseI64ArrayAttr(dims);
  SmallVector<Attribute> kinds;
  for (KernelReduce kind : reduce)
    kinds.push_back(KernelReduceAttr::get(builder.getContext(), kind));
  properties.reduce = builder.getArrayAttr(kinds);
  Block &block = state.addRegion()->emplaceBlock();
  for (auto [kind, init] : llvm::zip(reduce, inits)) {
    state.addTypes(init.getType());
    if (hasPosition(kind))
      state.addTypes(builder.getI64Type());
    block.addArgument(init.getType(), state.location);
  }
}

void KernelYieldOp::build(OpBuilder &, OperationState &) {}

// loop [dims] (reduce [kinds] init(values))? (: types)? attr-dict region
ParseResult KernelLoopOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  auto &properties = state.getOrAddProperties<Properties>();
  SmallVector<int64_t> dims;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(dims.emplace_back());
      }))
    return failure();
  properties.dims = builder.getDenseI64ArrayAttr(dims);
  properties.reduce = builder.getArrayAttr({});
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  if (succeeded(parser.parseOptionalKeyword("reduce"))) {
    if (parser.parseAttribute(properties.reduce) ||
        parser.parseKeyword("init") ||
        parser.parseOperandList(inits, OpAsmParser::Delimiter::Paren))
      return failure();
  }
  // Before the types: the loop below pairs kinds and initial values.
  if (inits.size() != properties.reduce.size())
    return parser.emitError(parser.getCurrentLocation(), "expected ")
           << properties.reduce.size() << " initial values but got "
           << inits.size();
  if (succeeded(parser.parseOptionalColon()) &&
      parser.parseTypeList(state.types))
    return failure();
  // The types are those of the results; positions have no operand. The
  // verifier has not run: kinds and types may be anything.
  SmallVector<Type> initTypes;
  size_t next = 0;
  for (Attribute kind : properties.reduce) {
    auto reduce = dyn_cast<KernelReduceAttr>(kind);
    if (!reduce || next >= state.types.size())
      return parser.emitError(parser.getCurrentLocation(),
                              "expected one result type per reduction, two for "
                              "argmax and argmin");
    initTypes.push_back(state.types[next]);
    next += resultCount(reduce.getValue());
  }
  if (parser.resolveOperands(inits, initTypes, parser.getCurrentLocation(),
                             state.operands) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  Region *body = state.addRegion();
  if (parser.parseRegion(*body))
    return failure();
  return success();
}

void KernelLoopOp::print(OpAsmPrinter &printer) {
  printer << " [";
  llvm::interleaveComma(getDims(), printer);
  printer << "]";
  if (!getReduce().empty())
    printer << " reduce " << getReduce() << " init(" << getInits() << ")";
  if (!getResultTypes().empty())
    printer << " : " << getResultTypes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"dims", "reduce"});
  printer << " ";
  printer.printRegion(getBody());
}

/// Checks that the loop walks sequential dimensions, each once: twice in one
/// loop, a dimension would have two indices at a time.
static LogicalResult verifyDims(KernelLoopOp loop, KernelOp kernel) {
  SmallVector<int64_t> seen;
  for (int64_t dim : loop.getDims()) {
    if (dim < 0 || dim >= int64_t(kernel.getIndexSpace().size()))
      return inKernel(loop.emitOpError("walks dimension ")
                          << dim << " but the index space has "
                          << kernel.getIndexSpace().size() << " dimensions",
                      kernel);
    if (kernel.getParallel()[dim])
      return inKernel(loop.emitOpError("walks dimension ")
                          << dim << ", which is parallel",
                      kernel);
    if (llvm::is_contained(seen, dim))
      return loop.emitOpError("walks dimension ") << dim << " twice";
    seen.push_back(dim);
  }
  if (loop.getDims().empty())
    return loop.emitOpError("must walk a dimension");
  return success();
}

/// True if the kind reduces values of the type. Integers are signless, so the
/// kind says how they are ordered; single bits have logic only.
static bool reduces(KernelReduce kind, Type type) {
  switch (kind) {
  case KernelReduce::Custom:
    return true;
  case KernelReduce::MaxNum:
  case KernelReduce::MinNum:
    return type.isF32();
  case KernelReduce::And:
  case KernelReduce::Or:
  case KernelReduce::Xor:
    return !type.isF32();
  case KernelReduce::MaxU:
  case KernelReduce::MinU:
    return !type.isF32() && !type.isInteger(1);
  default:
    return !type.isInteger(1);
  }
}

LogicalResult KernelLoopOp::verify() {
  FailureOr<KernelOp> kernel = verifyInKernel(*this);
  if (failed(kernel))
    return failure();
  // Loops become stages of a recipe's kernel, which run one after the other.
  if (auto outer = (*this)->getParentOfType<KernelLoopOp>())
    return withNote(emitOpError("must not be inside another loop"),
                    outer.getLoc(), "the outer loop is here");
  if (failed(verifyDims(*this, *kernel)))
    return failure();
  if (getReduce().size() != getInits().size())
    return emitOpError("has ") << getReduce().size() << " reductions but "
                               << getInits().size() << " initial values";
  Operation *last = getBody().front().getTerminator();
  auto yield = dyn_cast<KernelYieldOp>(last);
  if (!yield)
    return withNote(emitOpError("must end in gaudi.kernel.yield"),
                    last->getLoc(), "the last op is here");
  SmallVector<Type> expected;
  for (auto [i, init] : llvm::enumerate(getInits())) {
    KernelReduce kind = getReduceKind(i);
    expected.push_back(init.getType());
    if (hasPosition(kind))
      expected.push_back(IntegerType::get(getContext(), 64));
    if (!reduces(kind, init.getType()))
      return withNote(emitOpError("reduction ")
                          << stringifyKernelReduce(kind) << " does not take "
                          << init.getType(),
                      init.getLoc(), "the initial value is here");
  }
  // The values that are combined, the accumulators and the results have one
  // type; a position is one more value and result, without an accumulator.
  if (yield.getValues().getTypes() != TypeRange(expected))
    return withNote(emitOpError("has yielded types (")
                        << yield.getValues().getTypes() << "); expected ("
                        << expected << ")",
                    yield.getLoc(), "they are yielded here");
  if (getResultTypes() != TypeRange(expected))
    return emitOpError("has result types (")
           << getResultTypes() << "); expected (" << expected << ")";
  if (getBody().front().getArgumentTypes() != TypeRange(getInits()))
    return emitOpError("block arguments must have the types of the initial "
                       "values");
  // Other reductions combine in any order and in partial results, which no
  // step may observe.
  for (auto [i, argument] : llvm::enumerate(getBody().getArguments()))
    if (!argument.use_empty() && getReduceKind(i) != KernelReduce::Custom)
      return withNote(emitOpError("reads the accumulator of reduction ")
                          << i << ", which only a custom reduction may",
                      (*argument.user_begin())->getLoc(), "it is read here");
  return success();
}
