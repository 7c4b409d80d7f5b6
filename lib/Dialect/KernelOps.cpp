// Verifiers and syntax of the generic TPC kernel and its body.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::gaudi;

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state,
                     TypeRange outputs, ValueRange inputs,
                     ArrayRef<int64_t> indexSpace, ArrayRef<bool> parallel,
                     StringRef label) {
  state.addOperands(inputs);
  state.addTypes(outputs);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.index_space = builder.getDenseI64ArrayAttr(indexSpace);
  properties.parallel = builder.getDenseBoolArrayAttr(parallel);
  if (!label.empty())
    properties.label = builder.getStringAttr(label);
  state.addRegion()->emplaceBlock();
}

Engine KernelOp::getEngine() { return Engine::TPC; }

int64_t KernelOp::getArithmeticOps() {
  int64_t points = 1;
  for (auto [size, parallel] : llvm::zip(getIndexSpace(), getParallel()))
    if (parallel)
      points *= size;
  int64_t perPoint = 0;
  auto isWork = [](Operation &op) {
    return !isa<KernelLoadOp, KernelStoreOp, KernelIndexOp, KernelYieldOp,
                KernelLoopOp, arith::ConstantOp>(op);
  };
  for (Operation &op : getBody().front()) {
    auto loop = dyn_cast<KernelLoopOp>(op);
    if (!loop) {
      perPoint += isWork(op);
      continue;
    }
    int64_t steps = 1;
    for (int64_t dim : loop.getDims())
      steps *= getIndexSpace()[dim];
    perPoint += steps * (llvm::count_if(loop.getBody().front(), isWork) +
                         int64_t(loop.getReduce().size()));
  }
  return points * perPoint;
}

LogicalResult KernelOp::verify() {
  auto space = getIndexSpace();
  if (space.size() != getParallel().size())
    return emitOpError("has ") << space.size() << " index space dimensions but "
                               << getParallel().size() << " in 'parallel'";
  if (space.size() > maxKernelDims)
    return emitOpError("has ")
           << space.size() << " dimensions; a kernel has at most "
           << maxKernelDims;
  unsigned parallel = llvm::count(getParallel(), true);
  if (parallel > maxParallelDims)
    return emitOpError("has ") << parallel
                               << " parallel dimensions; the index space of a "
                                  "TPC kernel has at most "
                               << maxParallelDims;
  for (auto [i, size] : llvm::enumerate(space))
    if (size < 1)
      return emitOpError("index space dimension ")
             << i << " has size " << size << "; expected 1 or more";
  if (getNumResults() == 0)
    return emitOpError("must have a result");
  for (Type type : getOperation()->getOperandTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return emitOpError("operand type ")
             << type << " must have a static shape";
  for (Type type : getResultTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return emitOpError("result type ") << type << " must have a static shape";
  return success();
}

/// True if `op` may stand in a kernel body, at either level.
static bool isScalarOp(Operation *op) {
  Dialect *dialect = op->getDialect();
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(dialect);
}

LogicalResult KernelOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != 0)
    return emitOpError("body takes no block arguments");
  SmallVector<unsigned> stores(getNumResults(), 0);
  WalkResult walked = getBody().walk([&](Operation *op) {
    if (isa<KernelLoopOp, KernelYieldOp, KernelLoadOp, KernelIndexOp>(op))
      return WalkResult::advance();
    if (auto store = dyn_cast<KernelStoreOp>(op)) {
      if (store.getOutput() < stores.size())
        ++stores[store.getOutput()];
      return WalkResult::advance();
    }
    if (isScalarOp(op))
      return WalkResult::advance();
    InFlightDiagnostic diag =
        op->emitOpError("cannot stand in a TPC kernel; expected gaudi.kernel, "
                        "arith or math ops");
    diag.attachNote(getLoc()) << "in this kernel";
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto [i, count] : llvm::enumerate(stores))
    if (count != 1)
      return emitOpError("has ")
             << count << " stores of result " << i << "; expected one";
  return success();
}

//===----------------------------------------------------------------------===//
// Body ops
//===----------------------------------------------------------------------===//

/// Checks that the op stands in a kernel and returns it.
static FailureOr<KernelOp> kernelOf(Operation *op) {
  if (auto kernel = op->getParentOfType<KernelOp>())
    return kernel;
  op->emitOpError("must stand inside of gaudi.tpc.kernel");
  return failure();
}

/// Checks that kernel dimension `dim` has an index at `op`: it is parallel or
/// walked by the loop around `op`.
static LogicalResult verifyDimVisible(Operation *op, KernelOp kernel,
                                      int64_t dim) {
  int64_t rank = kernel.getIndexSpace().size();
  if (dim < 0 || dim >= rank)
    return op->emitOpError("uses kernel dimension ")
           << dim << " but the index space has " << rank << " dimensions";
  if (kernel.getParallel()[dim])
    return success();
  if (auto loop = op->getParentOfType<KernelLoopOp>())
    if (llvm::is_contained(loop.getDims(), dim))
      return success();
  return op->emitOpError("uses sequential kernel dimension ")
         << dim << " outside of a loop over it";
}

/// Range of an affine expression over the index space.
static std::pair<int64_t, int64_t> rangeOf(AffineExpr expr,
                                           ArrayRef<int64_t> space) {
  SmallVector<int64_t> flat;
  (void)getFlattenedAffineExpr(expr, space.size(), 0, &flat);
  int64_t low = flat.back(), high = flat.back();
  for (auto [coefficient, size] :
       llvm::zip(ArrayRef(flat).drop_back(), space)) {
    int64_t &end = coefficient < 0 ? low : high;
    end = lastPosition(end, size, coefficient);
  }
  return {low, high};
}

/// Checks one position map against the tensor it addresses. `isFree(d)` says
/// that tensor dimension d need not be proven inside.
static LogicalResult verifyPosition(Operation *op, KernelOp kernel,
                                    AffineMap map, RankedTensorType type,
                                    StringRef what,
                                    llvm::function_ref<bool(unsigned)> isFree) {
  auto space = kernel.getIndexSpace();
  if (map.getNumDims() != space.size() || map.getNumSymbols() != 0)
    return op->emitOpError("map has ")
           << map.getNumDims() << " dimensions and " << map.getNumSymbols()
           << " symbols; expected the " << space.size()
           << " dimensions of the index space and no symbols";
  if (map.getNumResults() != type.getRank())
    return op->emitOpError("map has ") << map.getNumResults() << " results but "
                                       << what << " has type " << type;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    SmallVector<int64_t> flat;
    if (failed(getFlattenedAffineExpr(expr, space.size(), 0, &flat)) ||
        flat.size() != space.size() + 1)
      return op->emitOpError("map result ")
             << i << " must be a constant plus dimensions times constants";
    for (size_t d = 0; d < space.size(); ++d)
      if (flat[d] != 0 && failed(verifyDimVisible(op, kernel, d)))
        return failure();
    if (isFree(i))
      continue;
    auto [low, high] = rangeOf(expr, space);
    if (low < 0 || high >= type.getDimSize(i))
      return op->emitOpError("index ")
             << i << " of " << what << " runs from " << low << " to " << high
             << ", outside of [0, " << type.getDimSize(i) << ")";
  }
  return success();
}

LogicalResult KernelIndexOp::verify() {
  FailureOr<KernelOp> kernel = kernelOf(*this);
  if (failed(kernel))
    return failure();
  return verifyDimVisible(*this, *kernel, getDim());
}

Boundary KernelLoadOp::getBoundaryOf(unsigned tensorDim) {
  if (auto rules = getBoundary())
    return cast<BoundaryAttr>((*rules)[tensorDim]).getValue();
  return Boundary::Inside;
}

Value KernelLoadOp::getDynamicIndex(unsigned tensorDim) {
  if (auto dims = getDynamicDims())
    for (auto [dim, index] : llvm::zip(*dims, getIndices()))
      if (dim == int64_t(tensorDim))
        return index;
  return {};
}

LogicalResult KernelLoadOp::verify() {
  FailureOr<KernelOp> kernel = kernelOf(*this);
  if (failed(kernel))
    return failure();
  int64_t inputs = kernel->getInputs().size();
  int64_t number = getOperand();
  if (number < 0 || number >= inputs)
    return emitOpError("reads operand ")
           << number << " but the kernel has " << inputs;
  auto type =
      cast<RankedTensorType>(kernel->getInputs()[getOperand()].getType());
  if (getType() != kernelType(type.getElementType()))
    return emitOpError("gives ")
           << getType() << " but elements of " << type << " load as "
           << kernelType(type.getElementType());
  ArrayRef<int64_t> dynamicDims;
  if (auto dims = getDynamicDimsAttr())
    dynamicDims = dims.asArrayRef();
  if (dynamicDims.size() != getIndices().size())
    return emitOpError("has ") << getIndices().size() << " indices but "
                               << dynamicDims.size() << " dynamic dimensions";
  if (auto rules = getBoundary();
      rules && int64_t(rules->size()) != type.getRank())
    return emitOpError("has ") << rules->size()
                               << " boundary rules; expected one per dimension "
                                  "of "
                               << type;
  bool pads = false;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    pads |= getBoundaryOf(i) == Boundary::Pad;
    if (getBoundaryOf(i) == Boundary::Clamp && type.getDimSize(i) == 0)
      return emitOpError("clamps dimension ")
             << i << " of " << type << ", which has no elements";
    if (getDynamicIndex(i) && getBoundaryOf(i) == Boundary::Inside)
      return emitOpError("dynamic dimension ")
             << i << " must have boundary rule clamp, pad or checked";
  }
  for (auto [i, dim] : llvm::enumerate(dynamicDims)) {
    if (dim < 0 || dim >= type.getRank())
      return emitOpError("dynamic dimension ")
             << dim << " does not exist in " << type;
    if (llvm::is_contained(dynamicDims.take_front(i), dim))
      return emitOpError("dynamic dimension ") << dim << " has two indices";
  }
  if (pads && (!getPadAttr() || getPadAttr().getType() != getType()))
    return emitOpError("with boundary rule pad needs a pad value of type ")
           << getType();
  return verifyPosition(
      *this, *kernel, getMap(), type, "the operand",
      [&](unsigned dim) { return getBoundaryOf(dim) != Boundary::Inside; });
}

LogicalResult KernelStoreOp::verify() {
  FailureOr<KernelOp> kernel = kernelOf(*this);
  if (failed(kernel))
    return failure();
  int64_t outputs = kernel->getNumResults();
  int64_t number = getOutput();
  if (number < 0 || number >= outputs)
    return emitOpError("writes result ")
           << number << " but the kernel has " << outputs;
  auto type = cast<RankedTensorType>(kernel->getResult(getOutput()).getType());
  if (getValue().getType() != kernelType(type.getElementType()))
    return emitOpError("stores ")
           << getValue().getType() << " but elements of " << type
           << " are stored from " << kernelType(type.getElementType());
  return verifyPosition(*this, *kernel, getMap(), type, "the result",
                        [](unsigned) { return false; });
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

static bool hasPosition(KernelReduce kind) {
  return kind == KernelReduce::ArgMax || kind == KernelReduce::ArgMin;
}

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
  if (inits.size() != properties.reduce.size())
    return parser.emitError(parser.getCurrentLocation(), "expected ")
           << properties.reduce.size() << " initial values but got "
           << inits.size();
  if (succeeded(parser.parseOptionalColon()) &&
      parser.parseTypeList(state.types))
    return failure();
  // The types are those of the results; positions have no operand.
  SmallVector<Type> initTypes;
  size_t next = 0;
  for (Attribute kind : properties.reduce) {
    auto reduce = dyn_cast<KernelReduceAttr>(kind);
    if (!reduce || next >= state.types.size())
      return parser.emitError(parser.getCurrentLocation(),
                              "expected one result type per reduction, two for "
                              "argmax and argmin");
    initTypes.push_back(state.types[next]);
    next += hasPosition(reduce.getValue()) ? 2 : 1;
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

LogicalResult KernelLoopOp::verify() {
  FailureOr<KernelOp> kernel = kernelOf(*this);
  if (failed(kernel))
    return failure();
  if ((*this)->getParentOfType<KernelLoopOp>())
    return emitOpError("must not stand inside of another loop");
  SmallVector<int64_t> seen;
  for (int64_t dim : getDims()) {
    if (dim < 0 || dim >= int64_t(kernel->getIndexSpace().size()))
      return emitOpError("walks dimension ")
             << dim << " but the index space has "
             << kernel->getIndexSpace().size() << " dimensions";
    if (kernel->getParallel()[dim])
      return emitOpError("walks dimension ") << dim << ", which is parallel";
    if (llvm::is_contained(seen, dim))
      return emitOpError("walks dimension ") << dim << " twice";
    seen.push_back(dim);
  }
  if (getDims().empty())
    return emitOpError("must walk a dimension");
  if (getReduce().size() != getInits().size())
    return emitOpError("has ") << getReduce().size() << " reductions but "
                               << getInits().size() << " initial values";
  auto yield = dyn_cast<KernelYieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("must end in gaudi.kernel.yield");
  SmallVector<Type> expected;
  for (auto [i, init] : llvm::enumerate(getInits())) {
    KernelReduce kind = getReduceKind(i);
    expected.push_back(init.getType());
    if (hasPosition(kind))
      expected.push_back(IntegerType::get(getContext(), 64));
    bool isFloat = init.getType().isF32();
    bool needsFloat =
        kind == KernelReduce::MaxNum || kind == KernelReduce::MinNum;
    bool needsInt = kind == KernelReduce::MaxU || kind == KernelReduce::MinU ||
                    kind == KernelReduce::And || kind == KernelReduce::Or ||
                    kind == KernelReduce::Xor;
    if ((needsFloat && !isFloat) || (needsInt && isFloat))
      return emitOpError("reduction ") << stringifyKernelReduce(kind)
                                       << " does not take " << init.getType();
  }
  auto check = [&](TypeRange types, StringRef what) -> LogicalResult {
    if (types == TypeRange(expected))
      return success();
    InFlightDiagnostic diag = emitOpError("has ") << what << " types (";
    llvm::interleaveComma(types, diag);
    diag << "); expected (";
    llvm::interleaveComma(expected, diag);
    return diag << ")";
  };
  if (failed(check(yield.getValues().getTypes(), "yielded")) ||
      failed(check(getResultTypes(), "result")))
    return failure();
  if (getBody().front().getArgumentTypes() != TypeRange(getInits()))
    return emitOpError("block arguments must have the types of the initial "
                       "values");
  for (auto [i, argument] : llvm::enumerate(getBody().getArguments()))
    if (!argument.use_empty() && getReduceKind(i) != KernelReduce::Custom)
      return emitOpError("reads the running value of reduction ")
             << i << ", which only a custom reduction may";
  return success();
}
