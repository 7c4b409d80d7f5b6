// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stablehlo.reduce: one known op as gaudi.tpc.reduce, any other region as a
// TPC kernel that carries the values through a loop.
#include "Converter.h"
#include "Gaudi/Dialect/NeutralElements.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;

/// The reduction whose step is `op`, if the device has it.
static std::optional<ReduceKind> reduceKind(Operation *op, Type element) {
  if (!op)
    return std::nullopt;
  if (isa<AddOp>(op))
    return ReduceKind::Sum;
  if (isa<MulOp>(op))
    return ReduceKind::Prod;
  if (isa<MaxOp>(op))
    return ReduceKind::Max;
  if (isa<MinOp>(op))
    return ReduceKind::Min;
  if (isa<AndOp>(op) && element.isInteger(1))
    return ReduceKind::All;
  if (isa<OrOp>(op) && element.isInteger(1))
    return ReduceKind::Any;
  return std::nullopt;
}

bool gaudi::isReduceIdentity(ReduceKind kind, TypedAttr value) {
  return isNeutral(kind, value);
}

bool gaudi::isReduceIdentity(Operation *step, TypedAttr value) {
  auto kind = value ? reduceKind(step, value.getType()) : std::nullopt;
  return kind && isNeutral(*kind, value);
}

Value gaudi::combineTensors(Operation *op, Value a, Value b,
                            HloBuilder &builder) {
  Operation *combined =
      builder.create(builder.getLoc(), op->getName().getIdentifier(),
                     ValueRange{a, b}, a.getType());
  return combined->getResult(0);
}

static Value createReduce(Operation *op, Operation *step, ReduceKind kind,
                          ArrayRef<int64_t> dims, HloBuilder &b) {
  RankedTensorType type = tensorType(op->getResult(0));
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted);
  Value value = op->getOperand(0), init = op->getOperand(1);
  if (!sorted.empty())
    value = ReduceOp::create(b, type, kind, value, sorted,
                             /*keep_dims=*/false);
  if (isReduceIdentity(step, splatConstant(init)))
    return value;
  return combineTensors(step, value, b.withRank(init, type.getRank()), b);
}

/// The general form. Inputs of the kernel: the operands, then their initial
/// values; one loop over all reduced dimensions, in row-major order.
static SmallVector<Value> createReduceKernel(Operation *op,
                                             ArrayRef<int64_t> dims,
                                             StringRef why, HloBuilder &b) {
  Region &region = op->getRegion(0);
  const size_t count = op->getNumResults();
  RankedTensorType from = tensorType(op->getOperand(0));
  // In ascending order, so that the loop goes row by row, whatever the list
  // says.
  SmallVector<int64_t> sorted(dims), sizes;
  llvm::sort(sorted);
  for (int64_t dim : sorted)
    sizes.push_back(from.getDimSize(dim));
  const int64_t kept = from.getRank() - int64_t(sorted.size());
  b.remarkKernel(op, "no reduction of the device has this region" +
                         (why.empty() ? Twine() : ": " + why));
  return b.pointKernel(
      op, op->getResultTypes(), op->getOperands(), sizes,
      [&](KernelBuilder &k) {
        // Kept dimensions are parallel and come first.
        SmallVector<AffineExpr> position;
        SmallVector<int64_t> loops;
        for (int64_t dim = 0, left = 0; dim < from.getRank(); ++dim) {
          if (llvm::is_contained(sorted, dim)) {
            loops.push_back(kept + int64_t(loops.size()));
            position.push_back(k.dim(loops.back()));
          } else {
            position.push_back(k.dim(left++));
          }
        }
        SmallVector<Value> inits;
        for (size_t i = 0; i < count; ++i)
          inits.push_back(k.load(count + i, {}));
        auto step = [&](ValueRange state) {
          SmallVector<Value> arguments(state);
          for (size_t i = 0; i < count; ++i)
            arguments.push_back(k.load(i, position));
          return emitScalarRegion(k, region, arguments);
        };
        SmallVector<KernelReduce> custom(count, KernelReduce::Custom);
        return k.loop(loops, custom, inits, step);
      });
}

LogicalResult gaudi::checkReduction(Operation *op, HloMatcher &m,
                                    ArrayRef<int64_t> shape) {
  const size_t count = op->getNumResults();
  Region &region = op->getRegion(0);
  if (failed(checkScalarRegion(region, m)))
    return failure();
  if (region.getNumArguments() != 2 * count ||
      region.front().back().getNumOperands() != count)
    return m.refuse("its region must take two scalars per result and return "
                    "one");
  for (size_t i = 0; i < count; ++i) {
    RankedTensorType result = tensorType(op->getResult(i));
    RankedTensorType operand = tensorType(op->getOperand(i));
    RankedTensorType scalar = operand.clone(ArrayRef<int64_t>{});
    if (operand.getShape() != tensorType(op->getOperand(0)).getShape() ||
        result.getShape() != shape ||
        op->getOperand(count + i).getType() != scalar ||
        region.getArgument(i).getType() != scalar ||
        region.getArgument(count + i).getType() != scalar ||
        region.front().back().getOperand(i).getType() != scalar ||
        result.getElementType() != operand.getElementType())
      return m.refuse("operand, initial value, region and result " + Twine(i) +
                      " must agree in element type and shape");
  }
  return success();
}

LogicalResult gaudi::checkReduced(Operation *op, HloMatcher &m) {
  const size_t count = op->getNumResults();
  if (count == 0 || op->getNumOperands() != 2 * count ||
      op->getNumRegions() != 1)
    return m.refuse("expected one operand and one initial value per result, "
                    "and one region");
  return success();
}

HloMatch gaudi::matchReduce(Operation *op, HloMatcher &m) {
  if (failed(checkReduced(op, m)))
    return failure();
  const size_t count = op->getNumResults();
  RankedTensorType from = tensorType(op->getOperand(0));
  auto dims = m.dims("dimensions", from.getRank());
  if (failed(dims))
    return failure();
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (!llvm::is_contained(*dims, dim))
      kept.push_back(from.getDimSize(dim));
  if (failed(checkReduction(op, m, kept)))
    return failure();
  // From the cheapest form to the most general one.
  Operation *step = count == 1 ? combiner(op->getRegion(0)) : nullptr;
  if (auto kind = reduceKind(step, from.getElementType());
      kind && from.getNumElements() > 0)
    return build([op, step, kind = *kind, dims = *dims](HloBuilder &b) {
      return createReduce(op, step, kind, dims, b);
    });
  // Of no elements, the initial values are left.
  if (from.getNumElements() == 0)
    return build([op, count](HloBuilder &b) {
      SmallVector<Value> values;
      for (size_t i = 0; i < count; ++i)
        values.push_back(b.broadcast(op->getOperand(count + i),
                                     tensorType(op->getResult(i)).getShape(),
                                     /*dims=*/{}));
      return values;
    });
  if (failed(m.checkKernelDims(kept, dims->size())))
    return failure();
  // Two values along one dimension may be a value and its position.
  StringRef why;
  if (count == 2 && dims->size() == 1)
    if (auto found = matchArgReduction(op, dims->front(), why))
      return build([op, found = *found](HloBuilder &b) {
        return createArgReduction(op, found, b);
      });
  return build([op, why, dims = *dims](HloBuilder &b) {
    return createReduceKernel(op, dims, why, b);
  });
}
