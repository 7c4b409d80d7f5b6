// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static forms of StableHLO windows whose sizes or paddings vary.
#include "../Inference/HloShapes.h"
#include "VariantBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

/// A window of a variant. Where the padding before the first element varies,
/// the variant pads by the maximum; `shift` is the maximum less the actual one.
struct gaudi::StaticWindow {
  int64_t from = 0, to = 0; ///< dimensions of the operand and of the result
  int64_t size = 0, positions = 0, window = 1;
  int64_t stride = 1, dilation = 1, windowDilation = 1;
  int64_t low = 0, high = 0;
  AffineExpr shift;          ///< null: none
  bool shiftsResult = false; ///< else the operand
  int64_t maxShift = 0;
  AffineExpr extent; ///< of the shifted operand or result

  int64_t span() const { return (window - 1) * windowDilation + 1; }
  int64_t dilated() const { return size ? (size - 1) * dilation + 1 : 0; }
  /// Elements that `count` positions read.
  int64_t read(int64_t count) const { return (count - 1) * stride + span(); }
  /// Makes `high` what gives `count` positions. None where that does, so that
  /// nothing is cropped.
  void setHigh(int64_t count) {
    high = read(count) - dilated() - low;
    if (high < 0 && high > -stride)
      high = 0;
  }
};

/// The numbers of a window that must be constants.
static FailureOr<StaticWindow>
constantParts(Operation *op, const HloWindow &window, const SizeExprs &sizes) {
  StaticWindow result;
  result.from = window.from;
  result.to = window.to;
  auto read = [&](AffineExpr expr, StringRef what,
                  int64_t &number) -> LogicalResult {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant)
      return op->emitError("the ")
             << what << " of dimension " << window.from << " is "
             << sizes.text(expr) << "; give the model a constant there";
    number = constant.getValue();
    return success();
  };
  if (failed(read(window.stride, "window stride", result.stride)) ||
      failed(read(window.dilation, "base dilation", result.dilation)) ||
      failed(read(window.windowDilation, "window dilation",
                  result.windowDilation)))
    return failure();
  return result;
}

/// Windows that grow with a symbol are larger in the bucket. What they read
/// more must be padding, which is neutral: before the first element, or after
/// the last real one.
static bool isAnchoredAtEnd(const HloWindow &window, AffineExpr positions,
                            const SizeExprs &sizes) {
  const AffineExpr one = sizes.constant(1);
  const AffineExpr after = sizes.sub(sizes.sub(window.window, one), window.low);
  return isa<AffineConstantExpr>(after) &&
         sizes.isAtLeast(window.low,
                         sizes.mul(sizes.sub(positions, one), window.stride));
}

LogicalResult VariantBuilder::placeWindow(Operation *op,
                                          const HloWindow &window,
                                          AffineExpr positions,
                                          StaticWindow &result) {
  auto parts = constantParts(op, window, sizes);
  if (failed(parts))
    return failure();
  result = *parts;
  result.size = padded(window.size);
  result.positions = padded(positions);
  result.window = padded(window.window);
  auto refuse = [&](const Twine &why) {
    return op->emitError("along dimension ")
           << window.from << ", of size " << sizes.text(window.size)
           << ", its window has the size " << sizes.text(window.window)
           << " and the padding " << sizes.text(window.low) << " before and "
           << sizes.text(window.high) << " after: " << why;
  };
  // The padding of a filter is masked as that of any operand.
  const bool isFilter = !isHlo(op, Hlo::ReduceWindow, Hlo::DynamicReduceWindow);
  const bool isPlain = result.dilation == 1 && result.windowDilation == 1;
  // A window over an operand reduces its padding too; only a window that
  // reaches the rest of the dimension may grow.
  if (isDynamic(window.window) && !isFilter) {
    const bool coversRest =
        isPlain && !isDynamic(window.low) &&
        sizes.isAtLeast(window.window, sizes.add(window.size, window.low));
    if (isPlain && isAnchoredAtEnd(window, positions, sizes))
      result.low =
          result.window - 1 -
          cast<AffineConstantExpr>(sizes.sub(window.window, window.low + 1))
              .getValue();
    else if (coversRest)
      result.low = cast<AffineConstantExpr>(window.low).getValue();
    else
      return refuse("a window that grows must reach the begin or the end of "
                    "the dimension; give the model a constant window");
    result.setHigh(result.positions);
    return success();
  }
  // The largest padding; smaller ones move the operand, see below.
  result.low = padded(window.low);
  if (!isDynamic(window.low)) {
    result.setHigh(result.positions);
    return success();
  }
  // Windows that begin earlier read the same elements of an operand that is
  // moved; with a stride of 1, they are later positions.
  result.shift = sizes.sub(sizes.constant(result.low), window.low);
  result.maxShift = result.low - sizes.range(window.low).low;
  result.shiftsResult = result.stride == 1;
  // With a stride, the operand is moved, which a dilation forbids.
  if (!result.shiftsResult && result.dilation != 1)
    return refuse("a padding that varies needs a stride or a base dilation of "
                  "1; make sizes multiples (NAME=MIN..MAX/MULTIPLE) or give "
                  "the model a constant padding");
  result.extent = sizes.add(result.shiftsResult ? positions : window.size,
                            result.shiftsResult ? result.shift : window.low);
  if (result.shiftsResult)
    result.setHigh(result.positions + result.maxShift);
  return success();
}

/// `value` with `low` elements of `filler` before each dimension, then without
/// the first `shift` of them.
Value VariantBuilder::moveOperand(Value value, Value filler,
                                  MutableArrayRef<StaticWindow> windows) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> low(type.getRank(), 0),
      high = low, none = low, room(type.getShape()), kept = room, marked;
  SmallVector<AffineExpr> starts(type.getRank(), sizes.constant(0)), extents;
  // A shift of the result comes after the op.
  for (StaticWindow &window : windows) {
    if (!window.shift || window.shiftsResult)
      continue;
    const int64_t dim = window.from;
    low[dim] = window.low;
    // What the op reads for the padded positions, but no less than all
    // elements.
    kept[dim] = std::max(window.read(window.positions), padded(window.extent));
    high[dim] = std::max<int64_t>(0, kept[dim] + window.maxShift - low[dim] -
                                         room[dim]);
    room[dim] += low[dim] + high[dim];
    starts[dim] = window.shift;
    marked.push_back(dim);
    extents.push_back(window.extent);
    window.size = kept[dim];
    window.low = 0;
    window.setHigh(window.positions);
  }
  if (marked.empty())
    return value;
  value = writer(value).pad(value, filler, low, high, none, type.clone(room));
  return markDims(sliceAt(value, starts, kept), marked, extents);
}

Value VariantBuilder::sliceAt(Value value, ArrayRef<AffineExpr> starts,
                              ArrayRef<int64_t> kept) {
  SmallVector<Value> operands{value};
  for (AffineExpr start : starts)
    operands.push_back(scalar(start, b.getI32Type()));
  return writer(value).dynamicSlice(operands, kept);
}

/// The positions that the program has.
Value VariantBuilder::moveResult(Value value, const SizeList &dims,
                                 ArrayRef<StaticWindow> windows) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> kept(type.getShape()), shifted, changed;
  SmallVector<AffineExpr> starts(type.getRank(), sizes.constant(0)), extents,
      changedExtents;
  for (const StaticWindow &window : windows) {
    changed.push_back(window.to);
    changedExtents.push_back(dims[window.to]);
    if (!window.shift || !window.shiftsResult)
      continue;
    kept[window.to] = window.positions;
    starts[window.to] = window.shift;
    shifted.push_back(window.to);
    extents.push_back(window.extent);
  }
  if (!shifted.empty())
    value = sliceAt(markDims(value, shifted, extents), starts, kept);
  return markDims(value, changed, changedExtents);
}

/// The attributes of the static op.
SmallVector<NamedAttribute>
VariantBuilder::windowAttributes(Operation *op, bool isReduction,
                                 ArrayRef<StaticWindow> windows) {
  SmallVector<NamedAttribute> result;
  SmallVector<int64_t> padding;
  for (const StaticWindow &window : windows)
    padding.append({window.low, window.high});
  auto pairs =
      RankedTensorType::get({int64_t(windows.size()), 2}, b.getI64Type());
  result.push_back(b.getNamedAttr(
      "padding", DenseIntElementsAttr::get(pairs, ArrayRef<int64_t>(padding))));
  auto add = [&](StringRef name, int64_t StaticWindow::*part) {
    result.push_back(b.getNamedAttr(
        name, b.getDenseI64ArrayAttr(llvm::map_to_vector(
                  windows, [&](const StaticWindow &w) { return w.*part; }))));
  };
  if (isReduction) {
    add("window_dimensions", &StaticWindow::window);
    add("window_strides", &StaticWindow::stride);
    add("base_dilations", &StaticWindow::dilation);
    add("window_dilations", &StaticWindow::windowDilation);
    return result;
  }
  for (NamedAttribute attribute : attributesOf(op))
    if (attribute.getName() != "padding")
      result.push_back(attribute);
  return result;
}

LogicalResult VariantBuilder::cloneWindows(Operation *op) {
  const bool isReduction = isHlo(op, Hlo::DynamicReduceWindow);
  const auto sources = windowsOf(op, shapes);
  auto isKnown = [](const HloWindow &w) {
    return w.size && w.window && w.stride && w.dilation && w.windowDilation &&
           w.low && w.high;
  };
  // Inference has seen the sizes, which a static result type gives as well.
  if (!sources || !llvm::all_of(*sources, isKnown))
    return op->emitError("windows that depend on data have no variant; give "
                         "the model constants for them");
  const SizeList dims = shapes.shape(op->getResult(0));
  SmallVector<StaticWindow> windows;
  for (const HloWindow &source : *sources)
    if (failed(
            placeWindow(op, source, dims[source.to], windows.emplace_back())))
      return failure();
  // All operands of a reduction are moved alike, with their initial values as
  // padding.
  const unsigned numMoved = isReduction ? op->getNumResults() : 1;
  SmallVector<Value> operands;
  SmallVector<StaticWindow> placed;
  for (unsigned i = 0; i < numMoved; ++i) {
    placed = windows;
    Value operand = marked(op->getOperand(i));
    Value filler = isReduction
                       ? data(op->getOperand(numMoved + i))
                       : hloZero(getElementTypeOrSelf(operand.getType()));
    operands.push_back(moveOperand(operand, filler, placed));
  }
  for (unsigned i = numMoved; i < (isReduction ? 2 * numMoved : 2); ++i)
    operands.push_back(isReduction ? data(op->getOperand(i))
                                   : marked(op->getOperand(i)));
  OperationState state(op->getLoc(), isReduction ? "stablehlo.reduce_window"
                                                 : "stablehlo.convolution");
  state.addOperands(operands);
  state.addAttributes(windowAttributes(op, isReduction, placed));
  for (Value result : op->getResults()) {
    FailureOr<Type> type = staticType(result, op);
    if (failed(type))
      return failure();
    // Later positions need room; moveResult() cuts them.
    SmallVector<int64_t> shape(cast<RankedTensorType>(*type).getShape());
    for (const StaticWindow &window : placed)
      if (window.shiftsResult && window.shift)
        shape[window.to] += window.maxShift;
    state.addTypes(cast<RankedTensorType>(*type).clone(shape));
  }
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *clone = b.create(state);
  if (failed(cloneRegions(op, clone)))
    return failure();
  return finish(op, llvm::map_to_vector(clone->getResults(), [&](Value value) {
                  return moveResult(value, dims, placed);
                }));
}
