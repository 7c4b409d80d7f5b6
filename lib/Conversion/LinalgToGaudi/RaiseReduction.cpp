// Reductions: recognising the operator, joining with the initial value, and
// raising to gaudi.tpc.reduce and gaudi.tpc.arg_reduce.
#include "Nest.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

static std::optional<Combiner> combinerOf(Operation *op) {
  bool isBool =
      op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  if (isa<arith::AddFOp>(op))
    return Combiner::Add;
  if (isa<arith::AddIOp>(op))
    return isBool ? Combiner::Xor : Combiner::Add;
  if (isa<arith::MulFOp>(op))
    return Combiner::Mul;
  if (isa<arith::MulIOp>(op))
    return isBool ? Combiner::And : Combiner::Mul;
  if (isa<arith::AndIOp>(op))
    return Combiner::And;
  if (isa<arith::OrIOp>(op))
    return Combiner::Or;
  if (isa<arith::XOrIOp>(op))
    return Combiner::Xor;
  if (isa<arith::MaximumFOp>(op))
    return Combiner::MaxF;
  if (isa<arith::MinimumFOp>(op))
    return Combiner::MinF;
  if (isa<arith::MaxNumFOp>(op))
    return Combiner::MaxNumF;
  if (isa<arith::MinNumFOp>(op))
    return Combiner::MinNumF;
  if (isBool)
    return std::nullopt;
  if (isa<arith::MaxSIOp>(op))
    return Combiner::MaxS;
  if (isa<arith::MinSIOp>(op))
    return Combiner::MinS;
  if (isa<arith::MaxUIOp>(op))
    return Combiner::MaxU;
  if (isa<arith::MinUIOp>(op))
    return Combiner::MinU;
  return std::nullopt;
}

/// True if `value` is computed from `argument`.
static bool dependsOn(Value value, Value argument) {
  if (value == argument)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != argument.getParentBlock())
    return false;
  return llvm::any_of(op->getOperands(),
                      [&](Value v) { return dependsOn(v, argument); });
}

std::optional<Reduction> fromlinalg::matchReduction(Nest &nest, unsigned i) {
  Value running = nest.outputArg(i), result = nest.yielded(i);
  // A combined value that another result reads as well is no plain reduction.
  if (!result.hasOneUse())
    return std::nullopt;
  if (auto narrow = result.getDefiningOp<arith::TruncFOp>()) {
    result = narrow.getIn();
    if (!result.hasOneUse())
      return std::nullopt;
  }
  if (!running.hasOneUse())
    return std::nullopt;
  if (auto wide = dyn_cast<arith::ExtFOp>(*running.getUsers().begin())) {
    running = wide.getResult();
    if (!running.hasOneUse())
      return std::nullopt;
  }
  Operation *op = result.getDefiningOp();
  if (!op || op->getNumOperands() != 2 || op->getBlock() != nest.body)
    return std::nullopt;
  std::optional<Combiner> kind = combinerOf(op);
  if (!kind)
    return std::nullopt;
  for (unsigned side : {0, 1})
    if (op->getOperand(side) == running &&
        !dependsOn(op->getOperand(1 - side), running))
      return Reduction{*kind, op->getOperand(1 - side)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The initial value
//===----------------------------------------------------------------------===//

bool fromlinalg::isIdentity(Combiner kind, TypedAttr fill) {
  if (auto attr = dyn_cast<FloatAttr>(fill)) {
    const APFloat &value = attr.getValue();
    switch (kind) {
    case Combiner::Add:
      return value.isZero();
    case Combiner::Mul:
      return value.isExactlyValue(1.0);
    case Combiner::MaxF:
    case Combiner::MaxNumF:
      return value.isInfinity() && value.isNegative();
    case Combiner::MinF:
    case Combiner::MinNumF:
      return value.isInfinity() && !value.isNegative();
    default:
      return false;
    }
  }
  auto attr = dyn_cast<IntegerAttr>(fill);
  if (!attr)
    return false;
  const APInt &value = attr.getValue();
  switch (kind) {
  case Combiner::Add:
  case Combiner::Or:
  case Combiner::Xor:
  case Combiner::MaxU:
    return value.isZero();
  case Combiner::Mul:
    return value.isOne();
  case Combiner::And:
  case Combiner::MinU:
    return value.isAllOnes();
  case Combiner::MaxS:
    return value.isMinSignedValue();
  case Combiner::MinS:
    return value.isMaxSignedValue();
  default:
    return false;
  }
}

Value fromlinalg::combineWithInit(Conversion &c, Operation *op, Combiner kind,
                                  Value reduced, Value init) {
  init = definedContents(c, op, init);
  if (TypedAttr fill = knownFill(init); fill && isIdentity(kind, fill))
    return reduced;
  Location loc = op->getLoc();
  Type type = reduced.getType();
  OpBuilder &b = c.rewriter;
  switch (kind) {
  case Combiner::Add:
    return AddOp::create(b, loc, type, reduced, init);
  case Combiner::Mul:
    return MulOp::create(b, loc, type, reduced, init);
  case Combiner::MaxF:
  case Combiner::MaxS:
    return MaxOp::create(b, loc, type, reduced, init);
  case Combiner::MinF:
  case Combiner::MinS:
    return MinOp::create(b, loc, type, reduced, init);
  case Combiner::MaxNumF:
    return MaxNumOp::create(b, loc, type, reduced, init);
  case Combiner::MinNumF:
    return MinNumOp::create(b, loc, type, reduced, init);
  case Combiner::And:
    return AndOp::create(b, loc, type, reduced, init);
  case Combiner::Or:
    return OrOp::create(b, loc, type, reduced, init);
  case Combiner::Xor:
    return XorOp::create(b, loc, type, reduced, init);
  case Combiner::MaxU:
  case Combiner::MinU: {
    // The signed view would order values wrongly; read the bits as unsigned.
    auto tensor = cast<RankedTensorType>(type);
    Type unsignedType = tensor.clone(
        IntegerType::get(b.getContext(), tensor.getElementTypeBitWidth(),
                         IntegerType::Unsigned));
    Value lhs = BitcastOp::create(b, loc, unsignedType, reduced);
    Value rhs = BitcastOp::create(b, loc, unsignedType, init);
    Value joined =
        kind == Combiner::MaxU
            ? MaxOp::create(b, loc, unsignedType, lhs, rhs).getResult()
            : MinOp::create(b, loc, unsignedType, lhs, rhs).getResult();
    return BitcastOp::create(b, loc, type, joined);
  }
  }
  llvm_unreachable("all combiners are handled");
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

static std::optional<ReduceKind> reduceKindOf(Combiner kind, Type type) {
  bool isBool = type.isInteger(1);
  switch (kind) {
  case Combiner::Add:
    return ReduceKind::Sum;
  case Combiner::Mul:
    return ReduceKind::Prod;
  case Combiner::MaxF:
  case Combiner::MaxS:
    return ReduceKind::Max;
  case Combiner::MinF:
  case Combiner::MinS:
    return ReduceKind::Min;
  case Combiner::And:
    return isBool ? std::optional(ReduceKind::All) : std::nullopt;
  case Combiner::Or:
    return isBool ? std::optional(ReduceKind::Any) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Where the reduced dimensions stand in the operand and what is left.
struct ReductionShape {
  SmallVector<int64_t> dims; ///< Dimensions of the tensor that are reduced.
  DimList left;              ///< Loop dimensions of the result, in order.
  SmallVector<int64_t> leftShape;
};

static std::optional<ReductionShape> shapeOfReduction(Nest &nest, Value tensor,
                                                      ArrayRef<int64_t> dims,
                                                      ArrayRef<int64_t> out) {
  ReductionShape result;
  SmallVector<bool> read(nest.numLoops(), false);
  auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim != unitDim)
      read[dim] = true;
    if (dim != unitDim && nest.reduction[dim]) {
      result.dims.push_back(i);
    } else {
      result.left.push_back(dim);
      result.leftShape.push_back(shape[i]);
    }
  }
  for (unsigned dim = 0; dim < nest.numLoops(); ++dim) {
    if (nest.isUnit(dim))
      continue;
    bool written = llvm::is_contained(out, int64_t(dim));
    if (!read[dim] || written == nest.reduction[dim])
      return std::nullopt;
  }
  return result;
}

/// max and its index, the form in which frameworks export arg-max:
///   m = max(x, m'); i = x > m' ? index : i'.
static Raised raiseArgReduction(Conversion &c, Nest &nest, std::string &why) {
  why = "two results that are not a maximum and its position";
  if (nest.numOutputs() != 2 || nest.numInputs() != 1)
    return std::nullopt;
  auto best = matchReduction(nest, 0);
  Value running = nest.outputArg(0);
  if (!best) {
    // The running value has two readers here: the join and the comparison.
    Operation *join = nest.yielded(0).getDefiningOp();
    std::optional<Combiner> kind = join ? combinerOf(join) : std::nullopt;
    if (kind && join->getOperand(0) == nest.inputArg(0) &&
        join->getOperand(1) == running)
      best = Reduction{*kind, nest.inputArg(0)};
    else if (kind && join->getOperand(1) == nest.inputArg(0) &&
             join->getOperand(0) == running)
      best = Reduction{*kind, nest.inputArg(0)};
    else if (auto select = dyn_cast_if_present<arith::SelectOp>(join);
             select && select.getTrueValue() == nest.inputArg(0) &&
             select.getFalseValue() == running &&
             isa<FloatType>(running.getType()))
      best = Reduction{Combiner::MaxNumF, nest.inputArg(0)};
  }
  auto pick = nest.yielded(1).getDefiningOp<arith::SelectOp>();
  if (!best || best->value != nest.inputArg(0) || !pick ||
      pick.getFalseValue() != nest.outputArg(1))
    return std::nullopt;
  Value index = pick.getTrueValue();
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    index = cast.getIn();
  auto position = index.getDefiningOp<linalg::IndexOp>();
  if (!position)
    return std::nullopt;

  bool greater = false, ordered = true;
  Value left, right;
  if (auto cmp = pick.getCondition().getDefiningOp<arith::CmpFOp>()) {
    greater = cmp.getPredicate() == arith::CmpFPredicate::OGT;
    ordered = greater || cmp.getPredicate() == arith::CmpFPredicate::OLT;
    left = cmp.getLhs(), right = cmp.getRhs();
  } else if (auto cmp = pick.getCondition().getDefiningOp<arith::CmpIOp>()) {
    greater = cmp.getPredicate() == arith::CmpIPredicate::sgt;
    ordered = greater || cmp.getPredicate() == arith::CmpIPredicate::slt;
    left = cmp.getLhs(), right = cmp.getRhs();
  }
  if (left == running && right == nest.inputArg(0)) {
    std::swap(left, right);
    greater = !greater;
  }
  if (!ordered || left != nest.inputArg(0) || right != running)
    return std::nullopt;
  if (auto select = nest.yielded(0).getDefiningOp<arith::SelectOp>()) {
    if (select.getCondition() != pick.getCondition())
      return std::nullopt;
    best->kind = greater ? Combiner::MaxNumF : Combiner::MinNumF;
  }
  bool isMax = best->kind == Combiner::MaxF || best->kind == Combiner::MaxS ||
               best->kind == Combiner::MaxNumF;
  bool isMin = best->kind == Combiner::MinF || best->kind == Combiner::MinS ||
               best->kind == Combiner::MinNumF;
  if ((!isMax && !isMin) || isMax != greater)
    return std::nullopt;
  bool ignoresNan =
      best->kind == Combiner::MaxNumF || best->kind == Combiner::MinNumF;

  auto in = nest.inputDims(0), out = nest.outputDims(0);
  int64_t axisLoop = position.getDim();
  why = "the running values of the maximum and its position do not start "
        "from the lowest value and 0";
  TypedAttr low = knownFill(nest.init(0)), zero = knownFill(nest.init(1));
  if (!low || !isIdentity(best->kind, low) || !zero ||
      !matchPattern(zero, m_Zero()))
    return std::nullopt;
  why = "the position is not that of the only reduced dimension";
  if (!in || !out || nest.outputDims(1) != out || nest.isUnit(axisLoop))
    return std::nullopt;
  auto shape = shapeOfReduction(nest, nest.input(0), *in, *out);
  if (!shape || shape->dims.size() != 1 ||
      (*in)[shape->dims.front()] != axisLoop)
    return std::nullopt;
  auto indexType = cast<RankedTensorType>(nest.init(1).getType());
  auto valueType = cast<RankedTensorType>(nest.init(0).getType());
  Type indexElement = indexType.getElementType();
  why = "positions are neither i32 nor i64";
  if (!indexElement.isInteger(32) && !indexElement.isInteger(64))
    return std::nullopt;
  if (ignoresNan) {
    // gaudi.tpc.reduce lets NaN win, so the value needs the kernel.
    why = "the maximum skips NaN";
    return std::nullopt;
  }
  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  Value value = ReduceOp::create(b, loc, valueType.clone(shape->leftShape),
                                 isMax ? ReduceKind::Max : ReduceKind::Min,
                                 nest.input(0), shape->dims,
                                 /*keep_dims=*/false);
  Value where = ArgReduceOp::create(b, loc, indexType.clone(shape->leftShape),
                                    nest.input(0), shape->dims.front(), isMax,
                                    /*keep_dims=*/false, /*ignore_nan=*/false);
  value = relayout(b, loc, value, shape->left, *out, nest.extents,
                   valueType.getShape());
  where = relayout(b, loc, where, shape->left, *out, nest.extents,
                   indexType.getShape());
  return SmallVector<Value>{value, where};
}

Raised fromlinalg::raiseReduction(Conversion &c, Nest &nest, std::string &why) {
  if (nest.numOutputs() == 2)
    return raiseArgReduction(c, nest, why);
  why = "";
  if (nest.numOutputs() != 1 || !nest.hasReduction())
    return std::nullopt;
  auto reduction = matchReduction(nest, 0);
  why = "the body does not join each value with the running one by an "
        "operator of gaudi.tpc.reduce";
  if (!reduction)
    return std::nullopt;
  why = "the body computes more than a reduction";
  auto argument = dyn_cast<BlockArgument>(reduction->value);
  if (!argument || argument.getOwner() != nest.body ||
      argument.getArgNumber() >= nest.numInputs())
    return std::nullopt;
  unsigned number = argument.getArgNumber();
  Value operand = nest.input(number), init = nest.init(0);
  auto type = cast<RankedTensorType>(init.getType());
  why = "operand and result have different element types";
  if (getElementTypeOrSelf(operand) != type.getElementType())
    return std::nullopt;
  why = "gaudi.tpc.reduce does not have the operator";
  auto kind = reduceKindOf(reduction->kind, type.getElementType());
  if (!kind || (type.getElementType().isInteger(1) &&
                *kind != ReduceKind::All && *kind != ReduceKind::Any))
    return std::nullopt;
  why = "the operand is not read whole, or the result is not what is left of "
        "it";
  auto in = nest.inputDims(number), out = nest.outputDims(0);
  if (!in || !out || !isa<RankedTensorType>(operand.getType()))
    return std::nullopt;
  auto shape = shapeOfReduction(nest, operand, *in, *out);
  if (!shape)
    return std::nullopt;
  // A second rounding at the addition of the initial value would show.
  why = "a narrow float sum starts from a value other than 0";
  TypedAttr fill = knownFill(init);
  bool isNarrow =
      isa<FloatType>(type.getElementType()) && !type.getElementType().isF32();
  if (isNarrow && !isUndefined(init) &&
      !(fill && isIdentity(reduction->kind, fill)) &&
      (reduction->kind == Combiner::Add || reduction->kind == Combiner::Mul))
    return std::nullopt;

  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  Value result = operand;
  if (!shape->dims.empty())
    result = ReduceOp::create(b, loc, type.clone(shape->leftShape), *kind,
                              operand, shape->dims, /*keep_dims=*/false);
  result = relayout(b, loc, result, shape->left, *out, nest.extents,
                    type.getShape());
  return SmallVector<Value>{
      combineWithInit(c, nest.op, reduction->kind, result, init)};
}
