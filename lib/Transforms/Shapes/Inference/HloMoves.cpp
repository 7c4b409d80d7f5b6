// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of StableHLO ops that move elements.
#include "HloShapes.h"
#include "SizeArithmetic.h"

using namespace mlir;
using namespace gaudi;

LogicalResult HloShapeRule::checkDims(ArrayRef<int64_t> dims, size_t rank) {
  return success(llvm::all_of(
      dims, [&](int64_t dim) { return dim >= 0 && dim < int64_t(rank); }));
}

/// Numbers of an attribute, as many as dimensions.
static SizeList integers(Operation *op, StringRef name, size_t count,
                         const SizeExprs &sizes) {
  SmallVector<int64_t> numbers = numbersOf(op, name);
  // A dense splat may stand for all.
  numbers.resize(count, numbers.size() == 1 ? numbers[0] : 0);
  return llvm::map_to_vector(
      numbers, [&](int64_t number) { return sizes.constant(number); });
}

/// Each result has the shape of the operand with its number.
LogicalResult HloShapeRule::likeOperand() {
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isa<RankedTensorType>(result.getType()) && failed(set(i, shape(i))))
      return failure();
  return success();
}

/// The operand's elements are the sizes of the result.
LogicalResult HloShapeRule::shapeOperand() {
  auto *number = llvm::find_if(op->getOpOperands(), [&](OpOperand &operand) {
    return isShapeOperand(op, operand.getOperandNumber());
  });
  if (number == op->getOpOperands().end() || op->getNumResults() != 1)
    return refuse("expected an operand with the shape of its only result");
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  const SizeList *given = shapes.elements(number->get());
  if (!type || (given && given->size() != size_t(type.getRank())))
    return refuse("its shape operand must have one size per dimension");
  return set(0, given ? *given : SizeList(type.getRank()));
}

LogicalResult HloShapeRule::broadcastInDim() {
  const SizeList *elements =
      op->getNumOperands() == 1 ? shapes.elements(op->getOperand(0)) : nullptr;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!elements || elements->size() != 1 || !type || !type.hasStaticShape() ||
      type.getNumElements() > SymbolicShapes::maxElements)
    return success();
  shapes.setElements(op->getResult(0),
                     SizeList(type.getNumElements(), elements->front()));
  return success();
}

LogicalResult HloShapeRule::dynamicReshape() {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return refuse("expected an operand, its shape and one result");
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  const SizeList *given = shapes.elements(op->getOperand(1));
  if (!type || (given && given->size() != size_t(type.getRank())))
    return refuse("its shape operand must have one size per dimension");
  SizeList dims = given ? *given : SizeList(type.getRank());
  for (auto [i, size] : llvm::enumerate(dims))
    if (!type.isDynamicDim(i))
      size = sizes.constant(type.getDimSize(i));
  if (failed(fillFromCount(dims, shape(0), sizes)))
    return set(0, SizeList(type.getRank()));
  return set(0, dims);
}

LogicalResult HloShapeRule::reshape() {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || op->getNumOperands() != 1)
    return refuse("expected one operand and a ranked result");
  if (!type.hasStaticShape()) {
    SizeList dims = shapes.shape(op->getResult(0));
    if (failed(fillFromCount(dims, shape(0), sizes)))
      dims.assign(type.getRank(), AffineExpr());
    return set(0, dims);
  }
  if (const SizeList *elements = shapes.elements(op->getOperand(0)))
    shapes.setElements(op->getResult(0), *elements);
  return success();
}

LogicalResult HloShapeRule::transpose() {
  const SmallVector<int64_t> order = numbersOf(op, "permutation");
  const SizeList from = shape(0);
  if (order.size() != from.size() || failed(checkDims(order, from.size())))
    return refuse("attribute 'permutation' must name all dimensions");
  return set(
      0, llvm::map_to_vector<6>(order, [&](int64_t dim) { return from[dim]; }));
}

LogicalResult HloShapeRule::concatenate() {
  const SmallVector<int64_t> axis = numbersOf(op, "dimension");
  SizeList dims = shape(0);
  if (axis.size() != 1 || failed(checkDims(axis, dims.size())))
    return refuse("attribute 'dimension' must name a dimension");
  SizeList elements;
  // Along the first dimension that is not 1, elements follow each other.
  bool isFollowed =
      llvm::all_of(ArrayRef(dims).take_front(axis[0]),
                   [&](AffineExpr size) { return size == sizes.constant(1); });
  // Shapes and, if they are sizes, elements.
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    const SizeList other = shapes.shape(operand);
    if (other.size() != dims.size())
      return refuse("its operands must have equal ranks");
    for (size_t i = 0; number && i < dims.size(); ++i) {
      const bool isAxis = int64_t(i) == axis[0];
      if (!isAxis && dims[i] && other[i] && dims[i] != other[i]) {
        (void)shapes.merge(op, dims[i], other[i], op->getOperand(0), operand);
        return failure();
      }
      dims[i] = !isAxis               ? (dims[i] ? dims[i] : other[i])
                : dims[i] && other[i] ? sizes.add(dims[i], other[i])
                                      : AffineExpr();
    }
    const SizeList *list = shapes.elements(operand);
    if (list) {
      llvm::append_range(elements, *list);
      continue;
    }
    // Others may be known: the start of a window in one dimension is data.
    auto type = cast<RankedTensorType>(operand.getType());
    // More elements than are followed, or an unknown number of them: no list.
    isFollowed &= type.hasStaticShape() &&
                  type.getNumElements() <= SymbolicShapes::maxElements;
    if (isFollowed)
      elements.append(type.getNumElements(), AffineExpr());
  }
  if (isFollowed)
    shapes.setElements(op->getResult(0), std::move(elements));
  return set(0, dims);
}

SizeList gaudi::paddingOf(Operation *op, unsigned number,
                          const SymbolicShapes &shapes) {
  const size_t rank = shapes.shape(op->getOperand(0)).size();
  if (isHlo(op, Hlo::DynamicPad)) {
    const SizeList *given = number + 2 < op->getNumOperands()
                                ? shapes.elements(op->getOperand(number + 2))
                                : nullptr;
    SizeList sizes = given ? *given : SizeList();
    sizes.resize(rank);
    return sizes;
  }
  constexpr StringLiteral names[] = {"edge_padding_low", "edge_padding_high",
                                     "interior_padding"};
  return integers(op, names[number], rank, shapes.sizes);
}

LogicalResult HloShapeRule::pad() {
  SizeList dims = shape(0);
  const SizeList low = paddingOf(op, 0, shapes),
                 high = paddingOf(op, 1, shapes),
                 inner = paddingOf(op, 2, shapes);
  for (auto [i, size] : llvm::enumerate(dims))
    size = size && low[i] && high[i] && inner[i]
               ? sizes.normal(size + low[i] + high[i] +
                              inner[i] * sizes.sub(size, sizes.constant(1)))
               : AffineExpr();
  return set(0, dims);
}

/// True if all lists have element `i`.
static bool areKnown(ArrayRef<const SizeList *> lists, size_t i) {
  return llvm::all_of(lists, [&](const SizeList *list) {
    return list && i < list->size() && (*list)[i];
  });
}

LogicalResult HloShapeRule::slice() {
  SizeList dims = shape(0);
  const SmallVector<int64_t> starts = numbersOf(op, "start_indices"),
                             limits = numbersOf(op, "limit_indices");
  SmallVector<int64_t> strides = numbersOf(op, "strides");
  if (strides.empty())
    strides.assign(dims.size(), 1);
  if (starts.size() != dims.size() || limits.size() != dims.size() ||
      strides.size() != dims.size())
    return refuse("expected a start, limit and stride for each dimension");
  for (auto [i, size] : llvm::enumerate(dims)) {
    // A limit beyond the smallest real size has no static form.
    if (size && limits[i] > sizes.range(size).low &&
        !isa<AffineConstantExpr>(size))
      return refuse("its limit " + Twine(limits[i]) + " of dimension " +
                    Twine(i) + " exceeds the least size of the operand, " +
                    sizes.text(size) + " >= " + Twine(sizes.range(size).low));
    size = strides[i] > 0
               ? sizes.constant((std::max<int64_t>(limits[i] - starts[i], 0) +
                                 strides[i] - 1) /
                                strides[i])
               : AffineExpr();
  }
  // Elements that are sizes are sliced as well.
  const SizeList *elements = shapes.elements(op->getOperand(0));
  if (elements && dims.size() == 1 && starts[0] >= 0 && strides[0] > 0) {
    SizeList taken;
    for (int64_t i = starts[0]; i < limits[0] && i < int64_t(elements->size());
         i += strides[0])
      taken.push_back((*elements)[i]);
    shapes.setElements(op->getResult(0), std::move(taken));
  }
  return set(0, dims);
}

LogicalResult HloShapeRule::dynamicSlice() {
  return set(0, integers(op, "slice_sizes", shape(0).size(), sizes));
}

LogicalResult HloShapeRule::realDynamicSlice() {
  SizeList dims = shape(0);
  const SizeList *parts[3] = {};
  for (unsigned i = 0; i < 3 && i + 1 < op->getNumOperands(); ++i)
    parts[i] = shapes.elements(op->getOperand(i + 1));
  for (auto [i, size] : llvm::enumerate(dims)) {
    if (!areKnown(parts, i)) {
      size = {};
      continue;
    }
    const AffineExpr start = (*parts[0])[i], limit = (*parts[1])[i],
                     stride = (*parts[2])[i];
    size = sizes.range(stride).low > 0
               ? sizes.ceilDiv(sizes.sub(limit, start), stride)
               : AffineExpr();
  }
  return set(0, dims);
}

LogicalResult HloShapeRule::setDimensionSize() {
  const SmallVector<int64_t> dim = numbersOf(op, "dimension");
  SizeList dims = shape(0);
  if (op->getNumOperands() != 2 || dim.size() != 1 ||
      failed(checkDims(dim, dims.size())))
    return refuse("attribute 'dimension' must name a dimension of the operand");
  dims[dim[0]] = shapes.element(op->getOperand(1));
  return set(0, dims);
}

/// Dimensions of the result are those of the indices (but the index vector) and
/// of the slices (but collapsed ones), in the order that offset_dims say.
LogicalResult HloShapeRule::gather() {
  if (op->getNumOperands() < 2)
    return refuse("expected an operand and indices");
  const SizeList from = shape(0), indices = shape(1);
  auto field = [&](StringRef name) {
    return numbersOf(op, "dimension_numbers", name);
  };
  // The dynamic form has slice sizes as an operand.
  SizeList slice = integers(op, "slice_sizes", from.size(), sizes);
  if (isHlo(op, Hlo::DynamicGather)) {
    const SizeList *given = op->getNumOperands() == 3
                                ? shapes.elements(op->getOperand(2))
                                : nullptr;
    slice =
        given && given->size() == from.size() ? *given : SizeList(from.size());
  }
  const SmallVector<int64_t> offsets = field("offset_dims"),
                             collapsed = field("collapsed_slice_dims"),
                             paired = field("operand_batching_dims"),
                             vector = field("index_vector_dim");
  const int64_t indexDim = vector.empty() ? 0 : vector[0];
  SizeList inner, outer;
  for (auto [i, size] : llvm::enumerate(slice))
    if (!llvm::is_contained(collapsed, int64_t(i)) &&
        !llvm::is_contained(paired, int64_t(i)))
      inner.push_back(size);
  for (auto [i, size] : llvm::enumerate(indices))
    if (int64_t(i) != indexDim)
      outer.push_back(size);
  SizeList dims(inner.size() + outer.size());
  if (inner.size() != offsets.size() || failed(checkDims(offsets, dims.size())))
    return refuse("its dimension numbers do not fit its operands");
  size_t next = 0, nextOuter = 0;
  // Offset dimensions have the slice's sizes, the others those of the indices,
  // each in order.
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool isInner = llvm::is_contained(offsets, int64_t(i));
    if ((isInner ? next : nextOuter) >= (isInner ? inner : outer).size())
      return refuse("its dimension numbers do not fit its operands");
    dims[i] = isInner ? inner[next++] : outer[nextOuter++];
  }
  return set(0, dims);
}

LogicalResult HloShapeRule::indexSelect() {
  const SmallVector<int64_t> dim = numbersOf(op, "dim"),
                             batch = numbersOf(op, "batch_dims");
  const SizeList from = shape(0), index = shape(1);
  const size_t paired = batch.empty() ? 0 : batch[0];
  if (dim.size() != 1 || failed(checkDims(dim, from.size())) ||
      paired > index.size())
    return refuse("attribute 'dim' must name a dimension of the operand");
  SizeList dims(ArrayRef<AffineExpr>(from).take_front(dim[0]));
  llvm::append_range(dims, ArrayRef<AffineExpr>(index).drop_front(paired));
  llvm::append_range(dims, ArrayRef<AffineExpr>(from).drop_front(dim[0] + 1));
  return set(0, dims);
}
