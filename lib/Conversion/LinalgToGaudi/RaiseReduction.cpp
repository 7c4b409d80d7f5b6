// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions: recognising the operator, combining with the initial value, and
// raising to gaudi.tpc.reduce and gaudi.tpc.arg_reduce.
#include "../Common/Table.h"
#include "Nest.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

/// The operator that the op combines two values with. Arithmetic of single bits
/// is logic; their order has no operator.
static std::optional<KernelReduce> combinerOf(Operation *op) {
  using Kind = KernelReduce;
  const bool isBool =
      op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  auto number = [&](Kind kind) {
    return isBool ? std::nullopt : std::optional(kind);
  };
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case([](arith::AddFOp) { return Kind::Add; })
      .Case([&](arith::AddIOp) { return isBool ? Kind::Xor : Kind::Add; })
      .Case([](arith::MulFOp) { return Kind::Mul; })
      .Case([&](arith::MulIOp) { return isBool ? Kind::And : Kind::Mul; })
      .Case([](arith::AndIOp) { return Kind::And; })
      .Case([](arith::OrIOp) { return Kind::Or; })
      .Case([](arith::XOrIOp) { return Kind::Xor; })
      .Case([](arith::MaximumFOp) { return Kind::Max; })
      .Case([](arith::MinimumFOp) { return Kind::Min; })
      .Case([](arith::MaxNumFOp) { return Kind::MaxNum; })
      .Case([](arith::MinNumFOp) { return Kind::MinNum; })
      .Case([&](arith::MaxSIOp) { return number(Kind::Max); })
      .Case([&](arith::MinSIOp) { return number(Kind::Min); })
      .Case([&](arith::MaxUIOp) { return number(Kind::MaxU); })
      .Case([&](arith::MinUIOp) { return number(Kind::MinU); })
      .Default(std::nullopt);
}

std::optional<Reduction> fromlinalg::matchReduction(Nest &nest, unsigned i) {
  Value accumulator = nest.outputArg(i), result = nest.yielded(i);
  // A combined value that another result reads as well is no plain reduction:
  // that result would see every step.
  if (!result.hasOneUse())
    return std::nullopt;
  if (auto narrow = result.getDefiningOp<arith::TruncFOp>()) {
    result = narrow.getIn();
    if (!result.hasOneUse())
      return std::nullopt;
  }
  if (!accumulator.hasOneUse())
    return std::nullopt;
  if (auto wide = dyn_cast<arith::ExtFOp>(*accumulator.getUsers().begin())) {
    accumulator = wide.getResult();
    if (!accumulator.hasOneUse())
      return std::nullopt;
  }
  Operation *op = result.getDefiningOp();
  if (!op || op->getNumOperands() != 2 || op->getBlock() != nest.body)
    return std::nullopt;
  std::optional<KernelReduce> kind = combinerOf(op);
  if (!kind)
    return std::nullopt;
  // The accumulator has one use, so the other operand cannot depend on it.
  for (unsigned side : {0, 1})
    if (op->getOperand(side) == accumulator)
      return Reduction{*kind, op->getOperand(1 - side)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The initial value
//===----------------------------------------------------------------------===//

/// The gaudi op that combines two tensors of type `type` by the operator.
static Value combine(OpBuilder &b, Location loc, KernelReduce kind, Type type,
                     Value lhs, Value rhs) {
  static const std::pair<KernelReduce, StringLiteral> table[] = {
      {KernelReduce::Add, AddOp::getOperationName()},
      {KernelReduce::Mul, MulOp::getOperationName()},
      {KernelReduce::Max, MaxOp::getOperationName()},
      {KernelReduce::MaxU, MaxOp::getOperationName()},
      {KernelReduce::Min, MinOp::getOperationName()},
      {KernelReduce::MinU, MinOp::getOperationName()},
      {KernelReduce::MaxNum, MaxNumOp::getOperationName()},
      {KernelReduce::MinNum, MinNumOp::getOperationName()},
      {KernelReduce::And, AndOp::getOperationName()},
      {KernelReduce::Or, OrOp::getOperationName()},
      {KernelReduce::Xor, XorOp::getOperationName()}};
  const auto name = lookup(table, kind);
  assert(name && "combinerOf gives operators of two values");
  OperationState state(loc, *name, {lhs, rhs}, type, {});
  return b.create(state)->getResult(0);
}

Value fromlinalg::combineWithInit(Conversion &c, Operation *op,
                                  KernelReduce kind, Value reduced,
                                  Value init) {
  init = definedContents(c, op, init);
  if (TypedAttr fill = knownFill(init); fill && isNeutral(kind, fill))
    return reduced;
  Location loc = op->getLoc();
  auto type = tensorType(reduced);
  OpBuilder &b = c.rewriter;
  if (kind != KernelReduce::MaxU && kind != KernelReduce::MinU)
    return combine(b, loc, kind, type, reduced, init);
  // Tensors of signless integers compare as signed: read the bits as unsigned.
  Type bits = type.clone(IntegerType::get(
      b.getContext(), type.getElementTypeBitWidth(), IntegerType::Unsigned));
  Value lhs = BitcastOp::create(b, loc, bits, reduced);
  Value rhs = BitcastOp::create(b, loc, bits, init);
  return BitcastOp::create(b, loc, type, combine(b, loc, kind, bits, lhs, rhs));
}

//===----------------------------------------------------------------------===//
// Raising
//===----------------------------------------------------------------------===//

static std::optional<ReduceKind> reduceKindOf(KernelReduce kind, Type type) {
  bool isBool = type.isInteger(1);
  switch (kind) {
  case KernelReduce::Add:
    return ReduceKind::Sum;
  case KernelReduce::Mul:
    return ReduceKind::Prod;
  case KernelReduce::Max:
    return ReduceKind::Max;
  case KernelReduce::Min:
    return ReduceKind::Min;
  case KernelReduce::And:
    return isBool ? std::optional(ReduceKind::All) : std::nullopt;
  case KernelReduce::Or:
    return isBool ? std::optional(ReduceKind::Any) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The reduced dimensions of the operand and what is left of it.
struct ReductionShape {
  SmallVector<int64_t> dims; ///< Dimensions of the tensor that are reduced.
  DimList left;              ///< Loop dimensions of the result, in order.
  SmallVector<int64_t> leftShape;
};

/// None unless the operand varies with every loop, and each of them is either
/// reduced or written: then every element of the result reduces one slice of
/// the operand, whole and without repetition.
static std::optional<ReductionShape> shapeOfReduction(Nest &nest, Value tensor,
                                                      ArrayRef<int64_t> dims,
                                                      ArrayRef<int64_t> out) {
  ReductionShape result;
  SmallVector<bool> read(nest.numLoops(), false);
  auto shape = tensorType(tensor).getShape();
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

// An extremum and its position, in the form in which frameworks export arg-max:
//   m = max(x, m'); i = x > m' ? index : i'.

/// The operator of result 0, whose accumulator has two readers: the join and
/// the comparison.
static std::optional<KernelReduce> matchExtremum(Nest &nest, bool &bySelect) {
  Value x = nest.inputArg(0), accumulator = nest.outputArg(0);
  bySelect = false;
  if (auto plain = matchReduction(nest, 0))
    return plain->value == x ? std::optional(plain->kind) : std::nullopt;
  Operation *join = nest.yielded(0).getDefiningOp();
  if (!join)
    return std::nullopt;
  if (std::optional<KernelReduce> kind = combinerOf(join)) {
    bool joins =
        (join->getOperand(0) == x && join->getOperand(1) == accumulator) ||
        (join->getOperand(1) == x && join->getOperand(0) == accumulator);
    return joins ? kind : std::nullopt;
  }
  // x > m' ? x : m', an ordered comparison: a NaN x is skipped.
  auto select = dyn_cast<arith::SelectOp>(join);
  bySelect = select && select.getTrueValue() == x &&
             select.getFalseValue() == accumulator &&
             isa<FloatType>(accumulator.getType());
  return bySelect ? std::optional(KernelReduce::MaxNum) : std::nullopt;
}

/// A strict, ordered comparison of the input with the accumulator, in either
/// order: true for `x > m'`, false for `x < m'`. Strict, so that the first of
/// equal extremes keeps its position; ordered, so that a NaN does not win.
static std::optional<bool> matchImprovement(Nest &nest, Value condition) {
  bool greater = false, ordered = false;
  Value left, right;
  if (auto cmp = condition.getDefiningOp<arith::CmpFOp>()) {
    greater = cmp.getPredicate() == arith::CmpFPredicate::OGT;
    ordered = greater || cmp.getPredicate() == arith::CmpFPredicate::OLT;
    left = cmp.getLhs(), right = cmp.getRhs();
  } else if (auto cmp = condition.getDefiningOp<arith::CmpIOp>()) {
    greater = cmp.getPredicate() == arith::CmpIPredicate::sgt;
    ordered = greater || cmp.getPredicate() == arith::CmpIPredicate::slt;
    left = cmp.getLhs(), right = cmp.getRhs();
  }
  if (left == nest.outputArg(0) && right == nest.inputArg(0)) {
    std::swap(left, right);
    greater = !greater;
  }
  if (!ordered || left != nest.inputArg(0) || right != nest.outputArg(0))
    return std::nullopt;
  return greater;
}

/// The body of an arg-max or arg-min: its operator and the loop dimension
/// whose index is selected.
static std::optional<std::pair<KernelReduce, int64_t>>
matchArgBody(Nest &nest) {
  bool bySelect = false;
  std::optional<KernelReduce> kind = matchExtremum(nest, bySelect);
  auto pick = nest.yielded(1).getDefiningOp<arith::SelectOp>();
  if (!kind || !pick || pick.getFalseValue() != nest.outputArg(1))
    return std::nullopt;
  Value index = pick.getTrueValue();
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    index = cast.getIn();
  auto position = index.getDefiningOp<linalg::IndexOp>();
  std::optional<bool> greater = matchImprovement(nest, pick.getCondition());
  if (!position || !greater)
    return std::nullopt;
  // One comparison decides both, or the position could be of another value.
  if (bySelect) {
    auto select = nest.yielded(0).getDefiningOp<arith::SelectOp>();
    if (select.getCondition() != pick.getCondition())
      return std::nullopt;
    kind = *greater ? KernelReduce::MaxNum : KernelReduce::MinNum;
  }
  bool isMax = *kind == KernelReduce::Max || *kind == KernelReduce::MaxNum;
  bool isMin = *kind == KernelReduce::Min || *kind == KernelReduce::MinNum;
  if ((!isMax && !isMin) || isMax != *greater)
    return std::nullopt;
  return std::make_pair(*kind, int64_t(position.getDim()));
}

static LinalgMatch raiseArgReduction(Nest &nest, Matcher &m) {
  // Two results that are combined together: a value and its position.
  auto body = nest.numInputs() == 1 ? matchArgBody(nest) : std::nullopt;
  if (!body)
    return m.refuse("two results that are not a maximum and its position");
  auto [kind, axisLoop] = *body;
  TypedAttr low = knownFill(nest.init(0)), zero = knownFill(nest.init(1));
  if (!low || !isNeutral(kind, low) || !zero || !matchPattern(zero, m_Zero()))
    return m.refuse("the accumulators of the maximum and its position do not "
                    "start from the lowest value and 0");
  // Both results in the same order, over the loop that counts positions.
  auto in = nest.inputDims(0), out = nest.outputDims(0);
  std::optional<ReductionShape> shape;
  if (in && out && nest.outputDims(1) == out && !nest.isUnit(axisLoop))
    shape = shapeOfReduction(nest, nest.input(0), *in, *out);
  if (!shape || shape->dims.size() != 1 ||
      (*in)[shape->dims.front()] != axisLoop)
    return m.refuse("the position is not that of the only reduced dimension");
  Type indexElement = getElementTypeOrSelf(nest.init(1));
  if (!indexElement.isInteger(32) && !indexElement.isInteger(64))
    return m.refuse("positions are neither i32 nor i64");
  // gaudi.tpc.reduce propagates NaN, so the value needs the kernel.
  if (kind == KernelReduce::MaxNum || kind == KernelReduce::MinNum)
    return m.refuse("the maximum skips NaN");
  return build([&nest, isMax = kind == KernelReduce::Max, shape = *shape,
                out = *out](Conversion &c) -> SmallVector<Value> {
    OpBuilder &b = c.rewriter;
    Location loc = nest.op.getLoc();
    auto valueType = tensorType(nest.init(0));
    auto indexType = tensorType(nest.init(1));
    // Two ops, which fusion merges into one kernel.
    Value value =
        ReduceOp::create(b, loc, valueType.clone(shape.leftShape),
                         isMax ? ReduceKind::Max : ReduceKind::Min,
                         nest.input(0), shape.dims, /*keep_dims=*/false);
    Value where = ArgReduceOp::create(
        b, loc, indexType.clone(shape.leftShape), nest.input(0),
        shape.dims.front(), isMax, /*keep_dims=*/false, /*ignore_nan=*/false);
    value = relayout(b, loc, value, shape.left, out, nest.extents,
                     valueType.getShape());
    where = relayout(b, loc, where, shape.left, out, nest.extents,
                     indexType.getShape());
    return {value, where};
  });
}

/// The number of the input whose elements are combined as they are.
static std::optional<unsigned> combinedInput(Nest &nest, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != nest.body ||
      argument.getArgNumber() >= nest.numInputs())
    return std::nullopt;
  return argument.getArgNumber();
}

LinalgMatch fromlinalg::raiseReduction(Nest &nest, Matcher &m) {
  if (nest.numOutputs() == 2)
    return raiseArgReduction(nest, m);
  if (nest.numOutputs() != 1 || !nest.hasReduction())
    return failure();
  auto reduction = matchReduction(nest, 0);
  if (!reduction)
    return m.refuse("the body does not combine each value with the accumulator "
                    "by an operator of gaudi.tpc.reduce");
  auto number = combinedInput(nest, reduction->value);
  if (!number)
    return m.refuse("the body computes more than a reduction");
  Value operand = nest.input(*number), init = nest.init(0);
  auto type = tensorType(init);
  Type element = type.getElementType();
  // The op accumulates in the type of its operand; a nest may widen.
  if (getElementTypeOrSelf(operand) != element)
    return m.refuse("operand and result have different element types");
  auto kind = reduceKindOf(reduction->kind, element);
  if (!kind || (element.isInteger(1) && *kind != ReduceKind::All &&
                *kind != ReduceKind::Any))
    return m.refuse("gaudi.tpc.reduce does not have the operator");
  auto in = nest.inputDims(*number), out = nest.outputDims(0);
  std::optional<ReductionShape> shape;
  if (in && out && isa<RankedTensorType>(operand.getType()))
    shape = shapeOfReduction(nest, operand, *in, *out);
  if (!shape)
    return m.refuse("the operand is not read whole, or the result is not what "
                    "is left of it");
  // A second rounding at the addition of the initial value would show.
  TypedAttr fill = knownFill(init);
  bool isNarrow = isa<FloatType>(element) && !element.isF32();
  if (isNarrow && !isUndefined(init) &&
      !(fill && isNeutral(reduction->kind, fill)) &&
      (reduction->kind == KernelReduce::Add ||
       reduction->kind == KernelReduce::Mul))
    return m.refuse("a narrow float sum starts from a value other than 0");
  return build([&nest, operand, type, kind = *kind, shape = *shape, out = *out,
                combiner = reduction->kind](Conversion &c) {
    OpBuilder &b = c.rewriter;
    Location loc = nest.op.getLoc();
    Value result = operand;
    // Loops of one step reduce nothing.
    if (!shape.dims.empty())
      result = ReduceOp::create(b, loc, type.clone(shape.leftShape), kind,
                                operand, shape.dims, /*keep_dims=*/false);
    result = relayout(b, loc, result, shape.left, out, nest.extents,
                      type.getShape());
    // The initial value counts once, after the reduction.
    return combineWithInit(c, nest.op, combiner, result, nest.init(0));
  });
}
