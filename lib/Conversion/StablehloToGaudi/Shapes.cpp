// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO ops that change shapes and orders, and those that are the identity.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

HloMatch gaudi::matchReshape(Operation *op, HloMatcher &m) {
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  if (from.getNumElements() != to.getNumElements())
    return m.refuse("a tensor of " + Twine(from.getNumElements()) +
                    " elements cannot become one of " +
                    Twine(to.getNumElements()));
  return build([op, to](HloBuilder &b) {
    return b.reshape(op->getOperand(0), to.getShape());
  });
}

HloMatch gaudi::matchTranspose(Operation *op, HloMatcher &m) {
  size_t rank = tensorType(op->getOperand(0)).getRank();
  auto permutation = m.dims("permutation", rank);
  if (failed(permutation))
    return failure();
  if (permutation->size() != rank)
    return m.refuse("attribute 'permutation' must name all " + Twine(rank) +
                    " dimensions");
  return build([op, permutation = *permutation](HloBuilder &b) {
    return b.transpose(op->getOperand(0), permutation);
  });
}

/// Dimension i of the operand is dimension dims[i] of the result.
HloMatch gaudi::matchBroadcast(Operation *op, HloMatcher &m) {
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  auto dims = m.dims("broadcast_dimensions", to.getRank());
  if (failed(dims))
    return failure();
  if (int64_t(dims->size()) != from.getRank())
    return m.refuse("attribute 'broadcast_dimensions' has " +
                    Twine(dims->size()) + " entries for an operand of rank " +
                    Twine(from.getRank()));
  for (auto [i, dim] : llvm::enumerate(*dims))
    if (from.getDimSize(i) != 1 && from.getDimSize(i) != to.getDimSize(dim))
      return m.refuse("operand dimension " + Twine(i) + " of size " +
                      Twine(from.getDimSize(i)) + " cannot become dimension " +
                      Twine(dim) + " of size " + Twine(to.getDimSize(dim)));
  return build([op, to, dims = *dims](HloBuilder &b) {
    return b.broadcast(op->getOperand(0), to.getShape(), dims);
  });
}

/// The older form: new dimensions come first.
HloMatch gaudi::matchLeadingBroadcast(Operation *op, HloMatcher &m) {
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  if (from.getShape() != to.getShape().take_back(from.getRank()) ||
      from.getRank() > to.getRank())
    return m.refuse("the result's last dimensions must be the operand's");
  return build([op, from, to](HloBuilder &b) {
    SmallVector<int64_t> dims;
    for (int64_t i = 0; i < from.getRank(); ++i)
      dims.push_back(to.getRank() - from.getRank() + i);
    return b.broadcast(op->getOperand(0), to.getShape(), dims);
  });
}

HloMatch gaudi::matchConcatenate(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() == 0 || failed(m.checkResults(1)))
    return m.refuse("expected at least one operand and one result");
  RankedTensorType to = tensorType(op->getResult(0));
  auto axis = m.integer("dimension", 0, to.getRank());
  if (failed(axis))
    return failure();
  return build([op, to, axis = *axis](HloBuilder &b) -> Value {
    if (op->getNumOperands() == 1)
      return op->getOperand(0);
    return ConcatOp::create(b, to, op->getOperands(), axis);
  });
}

HloMatch gaudi::matchReverse(Operation *op, HloMatcher &m) {
  auto dims = m.dims("dimensions", tensorType(op->getOperand(0)).getRank());
  if (failed(dims))
    return failure();
  return build([op, dims = *dims](HloBuilder &b) {
    return b.reverse(op->getOperand(0), dims);
  });
}

HloMatch gaudi::matchIota(Operation *op, HloMatcher &m) {
  RankedTensorType type = tensorType(op->getResult(0));
  auto dim = m.integer("iota_dimension", 0, type.getRank());
  if (failed(dim))
    return failure();
  if (type.getElementType().isInteger(1))
    return m.refuse("it is not defined for element type 'i1'");
  return build([type, dim = *dim](HloBuilder &b) {
    return IotaOp::create(b, type, dim);
  });
}

HloMatch gaudi::matchIdentity(Operation *op, HloMatcher &m) {
  if (failed(m.checkResults(op->getNumOperands())))
    return failure();
  return build(
      [op](HloBuilder &) { return SmallVector<Value>(op->getOperands()); });
}

/// The devices of a Shardy module.
HloMatch gaudi::matchMesh(Operation *op, HloMatcher &m) {
  if (failed(m.checkResults(0)))
    return failure();
  return build([](HloBuilder &) { return SmallVector<Value>(); });
}

HloMatch gaudi::matchDimensionSize(Operation *op, HloMatcher &m) {
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  auto dim = m.integer("dimension", 0, from.getRank());
  if (failed(dim))
    return failure();
  if (to.getRank() != 0 || !isa<IntegerType>(to.getElementType()))
    return m.refuse("expected an integer scalar as result");
  return build([to, size = from.getDimSize(*dim)](HloBuilder &b) {
    return b.splat(to, b.getIntegerAttr(to.getElementType(), size));
  });
}
