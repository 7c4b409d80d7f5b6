// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects in the bodies of kernels.
#include "KernelEdits.h"
#include "Gaudi/Dialect/ScalarBuilder.h"

using namespace mlir;
using namespace gaudi;

/// The argument of the body for an input; a new one if there is none.
static Value inputArgument(KernelOp kernel, Value input) {
  for (auto [own, argument] :
       llvm::zip_equal(kernel.getInputs(), kernel.getInputArguments()))
    if (own == input)
      return argument;
  assert(tensorType(input).getRank() == 0 && "an extent");
  const unsigned number = kernel.getInputs().size();
  kernel.getInputsMutable().append(input);
  return kernel.getBody().front().insertArgument(number, input.getType(),
                                                 kernel.getLoc());
}

/// The extent as an i64, before `before`.
static Value loadExtent(KernelOp kernel, PaddingEditor &editor,
                        Operation *before, AffineExpr extent) {
  OpBuilder builder(before);
  const Location loc = before->getLoc();
  const auto origin =
      AffineMap::get(kernel.getIndexSpace().size(), 0, ArrayRef<AffineExpr>(),
                     kernel.getContext());
  const Value number = KernelLoadOp::create(
      builder, loc, builder.getI32Type(),
      inputArgument(kernel, editor.extent(extent)), origin, ValueRange(),
      DenseI64ArrayAttr(), ArrayAttr(), TypedAttr());
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), number);
}

/// Whether a point is padding, as a value before `before`.
static Value isPadding(KernelOp kernel, PaddingEditor &editor,
                       Operation *before, ArrayRef<Condition> conditions) {
  OpBuilder builder(before);
  const Location loc = before->getLoc();
  ScalarBuilder scalars(builder, loc);
  const Type i64 = builder.getI64Type();
  Value padding;
  for (const Condition &condition : conditions) {
    Value index = KernelIndexOp::create(builder, loc, i64, condition.dim);
    const int64_t size = kernel.getIndexSpace()[condition.dim];
    if (condition.divisor != 1)
      index = scalars.binary<arith::DivSIOp>(
          index, scalars.intConstant(condition.divisor, i64));
    if (condition.modulus < size / condition.divisor)
      index = scalars.binary<arith::RemSIOp>(
          index, scalars.intConstant(condition.modulus, i64));
    const Value past = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, index,
        loadExtent(kernel, editor, before, condition.extent));
    padding = padding ? scalars.binary<arith::OrIOp>(padding, past) : past;
  }
  return padding;
}

static void bound(KernelOp kernel, PaddingEditor &editor,
                  ArrayRef<Bounded> bounds) {
  for (const Bounded &bounded : bounds) {
    KernelLoadOp load = bounded.load;
    OpBuilder builder(load);
    const Location loc = load.getLoc();
    ScalarBuilder scalars(builder, loc);
    const Type i64 = builder.getI64Type();
    const Value extent = loadExtent(kernel, editor, load, bounded.extent);
    const Value index = load.getDynamicIndex(bounded.dim);
    Value result;
    // The last real element takes the place of the tensor's last one.
    if (load.getBoundaryOf(bounded.dim) == Boundary::Clamp) {
      result = scalars.binary<arith::MinSIOp>(
          index,
          scalars.binary<arith::SubIOp>(extent, scalars.intConstant(1, i64)));
    } else {
      // In the padding means outside: the size is no index, so that the load's
      // own rule applies.
      const int64_t size = tensorType(load.getInput()).getDimSize(bounded.dim);
      const Value isReal = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::slt, index, extent);
      result = arith::SelectOp::create(builder, loc, isReal, index,
                                       scalars.intConstant(size, i64));
    }
    const auto place = llvm::find(*load.getDynamicDims(), bounded.dim);
    const size_t number = place - load.getDynamicDims()->begin();
    load.getIndicesMutable()[number].set(result);
  }
}

/// The value of a sum of multiples of indices.
static Value positionOf(OpBuilder &builder, Location loc, AffineExpr expr) {
  ScalarBuilder scalars(builder, loc);
  const Type i64 = builder.getI64Type();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return scalars.intConstant(constant.getValue(), i64);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return KernelIndexOp::create(builder, loc, i64, dim.getPosition());
  auto both = cast<AffineBinaryOpExpr>(expr);
  const Value lhs = positionOf(builder, loc, both.getLHS()),
              rhs = positionOf(builder, loc, both.getRHS());
  if (expr.getKind() == AffineExprKind::Add)
    return scalars.binary<arith::AddIOp>(lhs, rhs);
  assert(expr.getKind() == AffineExprKind::Mul && "positions are sums");
  return scalars.binary<arith::MulIOp>(lhs, rhs);
}

static void padWindows(KernelOp kernel, PaddingEditor &editor,
                       ArrayRef<Windowed> windows) {
  for (Windowed window : windows) {
    KernelLoadOp load = window.load;
    const Value extent = loadExtent(kernel, editor, load, window.extent);
    OpBuilder builder(load->getContext());
    builder.setInsertionPointAfter(load);
    const Location loc = load.getLoc();
    const Value position =
        positionOf(builder, loc, load.getMap().getResult(window.dim));
    const Value isReal = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, position, extent);
    const Value pad =
        arith::ConstantOp::create(builder, loc, asScalar(load.getPadAttr()));
    const Value value =
        arith::SelectOp::create(builder, loc, isReal, load.getResult(), pad);
    load.getResult().replaceAllUsesExcept(value, value.getDefiningOp());
  }
}

static void mask(KernelOp kernel, PaddingEditor &editor,
                 ArrayRef<Yielded> yields, ArrayRef<Indexed> indices) {
  for (Yielded yielded : yields) {
    Block &body = yielded.loop.getBody().front();
    OpOperand &operand = body.getTerminator()->getOpOperand(yielded.operand);
    const Value padding =
        isPadding(kernel, editor, body.getTerminator(), yielded.conditions);
    OpBuilder builder(body.getTerminator());
    const TypedAttr neutral = neutralOf(
        yielded.loop.getReduceKind(yielded.reduction), operand.get().getType());
    // A custom reduction has no neutral element: its accumulator stays.
    const Value instead =
        neutral ? arith::ConstantOp::create(builder, kernel.getLoc(), neutral)
                      .getResult()
                : body.getArgument(yielded.reduction);
    operand.set(arith::SelectOp::create(builder, kernel.getLoc(), padding,
                                        instead, operand.get()));
  }
  // What is computed from padding can be any index. 0 is inside.
  for (Indexed indexed : indices) {
    const Value padding =
        isPadding(kernel, editor, indexed.load, indexed.conditions);
    OpBuilder builder(indexed.load);
    const Value zero = arith::ConstantOp::create(builder, kernel.getLoc(),
                                                 builder.getI64IntegerAttr(0));
    for (OpOperand &index : indexed.load.getIndicesMutable())
      index.set(arith::SelectOp::create(builder, kernel.getLoc(), padding, zero,
                                        index.get()));
  }
}

void KernelEdits::apply(KernelOp kernel, PaddingEditor &editor) const {
  // Padding has the index 0 even of a table without elements.
  bound(kernel, editor, bounds);
  padWindows(kernel, editor, windows);
  mask(kernel, editor, yields, indices);
}
