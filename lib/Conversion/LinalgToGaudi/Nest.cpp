// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop-nest view of structured ops, operand layout and initial values.
#include "Nest.h"
#include "../Common/Elements.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

//===----------------------------------------------------------------------===//
// Types and remarks
//===----------------------------------------------------------------------===//

std::string fromlinalg::whyUnsupported(Type type) {
  if (isa<BaseMemRefType>(type))
    return "has type '" + spelled(type) +
           "'; expected a tensor (bufferize after this conversion, not before)";
  if (isa<UnrankedTensorType>(type))
    return ("has type '" + spelled(type) + "': " + needsStaticShape).str();
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (!tensor.hasStaticShape())
      return ("has type '" + spelled(type) + "': " + needsStaticShape).str();
    element = tensor.getElementType();
  } else if (!type.isIntOrIndexOrFloat()) {
    return "has type '" + spelled(type) + "'; expected a tensor";
  }
  if (!element.isIndex() && !isDeviceElement(element))
    return "has element type '" + spelled(element) + "', " +
           whyNoElement(element);
  return "";
}

std::string fromlinalg::whyUnsupported(TypeRange types, StringRef what) {
  for (auto [i, type] : llvm::enumerate(types))
    if (std::string why = whyUnsupported(type); !why.empty())
      return (what + " " + Twine(i) + " " + why).str();
  return "";
}

std::string fromlinalg::whyUnsupported(Operation *op) {
  std::string why = whyUnsupported(op->getOperandTypes(), "operand");
  return why.empty() ? whyUnsupported(op->getResultTypes(), "result") : why;
}

static remark::RemarkOpts options(StringRef name) {
  return remark::RemarkOpts::name(name).category("convert-linalg-to-gaudi");
}
void fromlinalg::remarkPassed(Operation *op, StringRef name,
                              const llvm::Twine &text) {
  remark::passed(op->getLoc(), options(name)) << text.str();
}
void fromlinalg::remarkMissed(Operation *op, StringRef name,
                              const llvm::Twine &text) {
  remark::missed(op->getLoc(), options(name)) << text.str();
}
void fromlinalg::remarkAnalysis(Operation *op, StringRef name,
                                const llvm::Twine &text) {
  remark::analysis(op->getLoc(), options(name)) << text.str();
}

//===----------------------------------------------------------------------===//
// Nest
//===----------------------------------------------------------------------===//

Nest::Nest(linalg::LinalgOp op)
    : op(op), extents(op.getStaticLoopRanges()), body(op.getBlock()) {
  for (utils::IteratorType type : op.getIteratorTypesArray())
    reduction.push_back(type == utils::IteratorType::reduction);
}

int64_t Nest::extentOf(ArrayRef<int64_t> dims) const {
  int64_t extent = 1;
  for (int64_t dim : dims)
    extent *= extents[dim];
  return extent;
}

AffineMap Nest::inputMap(unsigned i) {
  return op.getMatchingIndexingMap(op.getDpsInputOperand(i));
}

AffineMap Nest::outputMap(unsigned i) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(i));
}

AffineMap Nest::withoutUnits(AffineMap map) const {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims;
  for (unsigned i = 0; i < numLoops(); ++i)
    dims.push_back(isUnit(i) ? getAffineConstantExpr(0, context)
                             : getAffineDimExpr(i, context));
  return simplifyAffineMap(map.replaceDimsAndSymbols(dims, {}, numLoops(), 0));
}

// A loop of one step has index 0 wherever it is used, so that it may be dropped
// from the maps, and two accesses that differ in such loops are equal.
std::optional<DimList> Nest::dimsOf(AffineMap map, Value tensor) const {
  if (!isa<RankedTensorType>(tensor.getType()))
    return map.getNumResults() == 0 ? std::optional<DimList>(DimList())
                                    : std::nullopt;
  auto shape = tensorType(tensor).getShape();
  DimList dims;
  for (auto [expr, size] :
       llvm::zip_equal(withoutUnits(map).getResults(), shape)) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      // The access is whole if the loop has as many steps as the dimension.
      if (extents[dim.getPosition()] != size ||
          llvm::is_contained(dims, int64_t(dim.getPosition())))
        return std::nullopt;
      dims.push_back(dim.getPosition());
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant || constant.getValue() != 0 || size != 1)
      return std::nullopt;
    dims.push_back(unitDim);
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

// Fills, splats and undefined tensors take the new shape themselves: patterns
// after this one ask what a tensor is filled with and do not look through
// views.
Value fromlinalg::reshapeTo(OpBuilder &b, Location loc, Value value,
                            ArrayRef<int64_t> shape) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  if (tensorType(value).getShape() == shape)
    return value;
  if (auto fill = value.getDefiningOp<FillOp>())
    return FillOp::create(b, loc, tensorType(value).clone(shape),
                          fill.getValue());
  if (auto constant = value.getDefiningOp<ConstantOp>())
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
        dense && dense.isSplat())
      return ConstantOp::create(
          b, loc, tensorType(value).clone(shape),
          dense.resizeSplat(tensorType(value).clone(shape)));
  if (value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(b, loc, shape, getElementTypeOrSelf(value));
  return ReshapeOp::create(b, loc, tensorType(value).clone(shape), value);
}

// Unit dimensions do not affect the order of the elements. Without them, the
// change is a permutation of `source`; before and after it, reshapes add and
// drop the unit ones.
Value fromlinalg::relayout(OpBuilder &b, Location loc, Value value,
                           ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                           ArrayRef<int64_t> extents, ArrayRef<int64_t> shape) {
  // Dimensions that are there and have more than one step.
  auto present = [&](ArrayRef<int64_t> dims) {
    DimList result;
    for (int64_t dim : dims)
      if (dim != unitDim && extents[dim] != 1)
        result.push_back(dim);
    return result;
  };
  DimList source = present(from), target = present(to);
  // The same order: only unit dimensions differ.
  if (source == target)
    return reshapeTo(b, loc, value, shape);
  SmallVector<int64_t> flat, permuted, permutation;
  for (int64_t dim : source)
    flat.push_back(extents[dim]);
  for (int64_t dim : target) {
    permutation.push_back(llvm::find(source, dim) - source.begin());
    permuted.push_back(extents[dim]);
  }
  auto withoutOnes = [](ArrayRef<int64_t> sizes) {
    return llvm::to_vector(
        llvm::make_filter_range(sizes, [](int64_t size) { return size != 1; }));
  };
  ArrayRef<int64_t> stored = tensorType(value).getShape();
  if (stored.size() == shape.size() && withoutOnes(stored) == flat &&
      withoutOnes(shape) == permuted) {
    // Transposing the dimensions of size 1 as well saves two reshapes. Any
    // assignment of theirs serves: they are interchangeable.
    SmallVector<int64_t> ones, others, full;
    for (auto [i, size] : llvm::enumerate(stored))
      (size == 1 ? ones : others).push_back(i);
    size_t nextOne = 0, nextOther = 0;
    for (int64_t size : shape)
      full.push_back(size == 1 ? ones[nextOne++]
                               : others[permutation[nextOther++]]);
    return TransposeOp::create(b, loc, tensorType(value).clone(shape), value,
                               full);
  }
  value = reshapeTo(b, loc, value, flat);
  value = TransposeOp::create(b, loc, tensorType(value).clone(permuted), value,
                              permutation);
  return reshapeTo(b, loc, value, shape);
}

Value fromlinalg::broadcastTo(OpBuilder &b, Location loc, Value value,
                              ArrayRef<int64_t> shape) {
  if (tensorType(value).getShape() == shape)
    return value;
  if (TypedAttr fill = knownFill(value))
    return FillOp::create(b, loc, tensorType(value).clone(shape), fill);
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(shape.size())));
  return BroadcastOp::create(b, loc, tensorType(value).clone(shape), value,
                             dims);
}

Value fromlinalg::castTo(OpBuilder &b, Location loc, Value value,
                         Type elementType) {
  if (getElementTypeOrSelf(value) == elementType)
    return value;
  return CastOp::create(b, loc, tensorType(value).clone(elementType), value);
}

Value fromlinalg::splat(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
                        TypedAttr value) {
  auto type = RankedTensorType::get(shape, value.getType());
  return ConstantOp::create(b, loc, type,
                            DenseElementsAttr::get(type, Attribute(value)));
}

Value fromlinalg::withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

FloatAttr fromlinalg::roundedTo(FloatAttr number, Type type, bool *isExact) {
  APFloat value = number.getValue();
  bool losesInfo = false;
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &losesInfo);
  if (isExact)
    *isExact = !losesInfo;
  return FloatAttr::get(type, value);
}

std::optional<TypedAttr> fromlinalg::constantOf(Value scalar) {
  TypedAttr attr;
  if (matchPattern(scalar, m_Constant(&attr)))
    return attr;
  auto truncation = scalar.getDefiningOp<arith::TruncFOp>();
  FloatAttr wide;
  if (!truncation || truncation.getRoundingmode() ||
      !matchPattern(truncation.getIn(), m_Constant(&wide)))
    return std::nullopt;
  // Upstream folds a truncation only when it is exact.
  return TypedAttr(roundedTo(wide, scalar.getType()));
}

//===----------------------------------------------------------------------===//
// Initial values
//===----------------------------------------------------------------------===//

TypedAttr fromlinalg::knownFill(Value tensor) {
  if (auto fill = tensor.getDefiningOp<FillOp>())
    return fill.getValue();
  DenseElementsAttr dense;
  if (auto constant = tensor.getDefiningOp<ConstantOp>())
    dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  else if (auto constant = tensor.getDefiningOp<arith::ConstantOp>())
    dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (dense && dense.isSplat())
    return dense.getSplatValue<TypedAttr>();
  return {};
}

bool fromlinalg::isUndefined(Value tensor) {
  return tensor.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

Value fromlinalg::definedContents(Conversion &c, Operation *user,
                                  Value tensor) {
  if (!isUndefined(tensor))
    return tensor;
  remarkAnalysis(user, "fill-undefined",
                 "reads a tensor with undefined contents (tensor.empty); "
                 "filled with zeros");
  return FillOp::create(c.rewriter, user->getLoc(), tensor.getType(),
                        zeroOf(getElementTypeOrSelf(tensor)));
}

// The engine rounds the f32 sum once to the result's type. With an initial
// value the sum stays f32 until that has been added: two roundings would differ
// from the loop nest, which adds in its accumulator.
SumInit::SumInit(Conversion &c, Operation *op, Value init)
    : value(definedContents(c, op, init)), element(getElementTypeOrSelf(init)) {
  TypedAttr fill = knownFill(value);
  isZero = fill && isNeutral(KernelReduce::Add, fill);
}

Type SumInit::sumElement() const {
  return isZero ? element : Type(Float32Type::get(element.getContext()));
}

Value SumInit::addTo(Conversion &c, Location loc, Value sum) const {
  assert(getElementTypeOrSelf(sum) == sumElement() && "made by sumElement");
  if (isZero)
    return sum;
  OpBuilder &b = c.rewriter;
  Value wide = castTo(b, loc, value, b.getF32Type());
  sum = AddOp::create(b, loc, sum.getType(), sum, wide);
  return castTo(b, loc, sum, element);
}
