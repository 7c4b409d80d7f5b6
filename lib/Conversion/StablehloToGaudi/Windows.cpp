// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stablehlo.reduce_window as pooling or a kernel.
#include "Gaudi/Dialect/TrainingOps.h"
#include "Window.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

FailureOr<Window> gaudi::readWindow(HloMatcher &m, ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> positions) {
  const size_t rank = shape.size();
  auto sizes = m.intsPerDim("window_dimensions", rank, 1);
  auto strides = m.intsPerDim("window_strides", rank, 1);
  auto dilations = m.intsPerDim("window_dilations", rank, 1);
  auto baseDilations = m.intsPerDim("base_dilations", rank, 1);
  auto padding = m.intsPerDim("padding", 2 * rank, 0);
  if (failed(sizes) || failed(strides) || failed(dilations) ||
      failed(baseDilations) || failed(padding))
    return failure();
  if (positions.size() != rank)
    return m.refuse("operand and result must have one rank");
  Window window;
  for (size_t i = 0; i < rank; ++i) {
    WindowDim dim{(*sizes)[i],           (*strides)[i],
                  (*dilations)[i],       (*padding)[2 * i],
                  (*padding)[2 * i + 1], (*baseDilations)[i]};
    // Within limits in which positions cannot overflow.
    constexpr int64_t most = int64_t(1) << 31;
    for (int64_t number :
         {dim.size, dim.stride, dim.dilation, dim.baseDilation})
      if (number < 1 || number > most)
        return m.refuse("window sizes, strides and dilations must be 1 or more "
                        "but one is " +
                        Twine(number));
    if (std::abs(dim.low) > most || std::abs(dim.high) > most)
      return m.refuse("the padding is too large");
    if (failed(m.checkPositions(i, positions[i],
                                {shape[i], dim.baseDilation, dim.low, dim.high,
                                 dim.size, dim.dilation, dim.stride})))
      return failure();
    window.push_back(dim);
  }
  return window;
}

SmallVector<int64_t> gaudi::loopSizes(const Window &window) {
  SmallVector<int64_t> sizes;
  for (const WindowDim &dim : window)
    if (dim.size > 1)
      sizes.push_back(dim.size);
  return sizes;
}

SmallVector<int64_t> gaudi::loopDims(const Window &window) {
  const int64_t rank = window.size();
  return llvm::to_vector(
      llvm::seq(rank, rank + int64_t(loopSizes(window).size())));
}

SmallVector<AffineExpr> gaudi::elementPosition(KernelBuilder &k,
                                               const Window &window) {
  SmallVector<AffineExpr> position;
  int64_t loop = window.size();
  for (auto [i, dim] : llvm::enumerate(window)) {
    AffineExpr at = k.dim(i) * dim.stride - dim.low;
    position.push_back(dim.size > 1 ? at + k.dim(loop++) * dim.dilation : at);
  }
  return position;
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

/// The pooling whose step is `step`.
static std::optional<PoolKind> poolKind(Operation *step) {
  if (isa_and_nonnull<AddOp>(step))
    return PoolKind::Sum;
  if (isa_and_nonnull<MaxOp>(step))
    return PoolKind::Max;
  if (isa_and_nonnull<MinOp>(step))
    return PoolKind::Min;
  return std::nullopt;
}

/// A letter per dimension, of which N and C are not pooled; empty if more than
/// three dimensions would be spatial.
static std::string poolLayout(const Window &window) {
  size_t trivial = llvm::count_if(
      window, [](const WindowDim &dim) { return dim.isTrivial(); });
  if (trivial == window.size())
    return "";
  // Two dimensions that are not pooled may have to be added.
  size_t rank = window.size() + (trivial < 2 ? 2 - trivial : 0);
  if (rank > 5)
    return "";
  size_t others = trivial < 2 ? 2 - trivial : 0;
  std::string layout(StringRef("NC").take_front(others));
  StringRef names = StringRef("NC").drop_front(others);
  StringRef letters = spatialLetters(std::max<size_t>(rank, 3) - 2);
  for (const WindowDim &dim : window) {
    StringRef &next = dim.isTrivial() && !names.empty() ? names : letters;
    layout += next.front();
    next = next.drop_front();
  }
  return layout;
}

PoolWindow::PoolWindow(const Window &window)
    : layout(poolLayout(window)),
      added(std::max(layout.size(), window.size()) - window.size()) {
  for (size_t i = added; i < layout.size(); ++i) {
    if (layout[i] == 'N' || layout[i] == 'C')
      continue;
    const WindowDim &dim = window[i - added];
    sizes.push_back(dim.size);
    strides.push_back(dim.stride);
    dilations.push_back(dim.dilation);
    low.push_back(dim.low);
    high.push_back(dim.high);
    isCropped = isCropped || dim.low < 0 || dim.high < 0;
  }
}

static Value createPool(Operation *op, Value value, Operation *step,
                        PoolKind kind, const PoolWindow &pool, HloBuilder &b) {
  RankedTensorType type = tensorType(op->getResult(0));
  Value init = op->getOperand(1);
  value = b.reshape(value, pool.withOnes(tensorType(value).getShape()));
  Value pooled = PoolOp::create(
      b, type.clone(pool.withOnes(type.getShape())), kind, value, pool.layout,
      pool.sizes, pool.strides, pool.dilations, pool.low, pool.high,
      /*count_include_pad=*/false, /*ignore_nan=*/false);
  pooled = b.reshape(pooled, type.getShape());
  // Padding is the initial value, which joins each window in any case.
  if (isReduceIdentity(step, splatConstant(init)))
    return pooled;
  return combineTensors(step, pooled, b.withRank(init, type.getRank()), b);
}

/// The constant `init` as what a load of a kernel gives for padding; zero if
/// there is none.
static TypedAttr paddingValue(TypedAttr init, Type element, HloBuilder &b) {
  const Type type = kernelType(element);
  if (!init)
    return b.getZeroAttr(type);
  if (auto number = dyn_cast<FloatAttr>(init))
    return FloatAttr::get(type, number.getValueAsDouble());
  return IntegerAttr::get(type, cast<IntegerAttr>(init).getValue());
}

/// Any region: the values of the window, and the initial values for padding.
/// Inputs of the kernel: `values`, then the initial values of the op.
static SmallVector<Value> createWindowKernel(Operation *op, ValueRange values,
                                             const Window &window,
                                             HloBuilder &b) {
  const size_t count = values.size();
  const auto inits = op->getOperands().drop_front(count);
  SmallVector<Value> inputs(values);
  llvm::append_range(inputs, inits);
  return b.pointKernel(
      op, op->getResultTypes(), inputs, loopSizes(window),
      [&](KernelBuilder &k) {
        SmallVector<AffineExpr> position = elementPosition(k, window);
        SmallVector<int64_t> loops = loopDims(window);
        SmallVector<Boundary> boundary(window.size(), Boundary::Pad);
        auto step = [&](ValueRange state) {
          SmallVector<Value> arguments(state);
          for (auto [i, value, init] : llvm::enumerate(values, inits))
            arguments.push_back(
                k.load(i, position, boundary,
                       paddingValue(splatConstant(init),
                                    getElementTypeOrSelf(value), b)));
          return emitScalarRegion(k, op->getRegion(0), arguments);
        };
        SmallVector<Value> starts;
        for (size_t i = 0; i < count; ++i)
          starts.push_back(k.load(count + i, {}));
        // A window of one element has no loop.
        if (loops.empty())
          return step(starts);
        SmallVector<KernelReduce> custom(count, KernelReduce::Custom);
        return k.loop(loops, custom, starts, step);
      });
}

/// The operands with the initial values between their elements and, as far as
/// the window has positive padding, around them. Takes both out of the window.
static SmallVector<Value> spreadOperands(Operation *op, Window &window,
                                         HloBuilder &b) {
  const size_t count = op->getNumResults();
  SmallVector<int64_t> sizes, offsets, steps;
  for (auto [dim, size] :
       llvm::zip_equal(window, tensorType(op->getOperand(0)).getShape())) {
    // Negative padding stays in the window, which cuts.
    const int64_t low = std::max<int64_t>(dim.low, 0);
    const int64_t high = std::max<int64_t>(dim.high, 0);
    offsets.push_back(low);
    steps.push_back(dim.baseDilation);
    const int64_t spread = size > 0 ? (size - 1) * dim.baseDilation + 1 : 0;
    sizes.push_back(low + spread + high);
    dim.baseDilation = 1;
    dim.low -= low;
    dim.high -= high;
  }
  SmallVector<Value> spread;
  for (size_t i = 0; i < count; ++i) {
    Value filled = b.broadcast(op->getOperand(count + i), sizes, {});
    spread.push_back(InsertSliceOp::create(
        b, filled.getType(), op->getOperand(i), filled, offsets, steps));
  }
  return spread;
}

/// True if the window of one dimension covers everything up to each position.
static std::optional<int64_t>
cumulativeAxis(const Window &window, ArrayRef<int64_t> shape, bool &isReverse) {
  std::optional<int64_t> axis;
  for (auto [i, dim] : llvm::enumerate(window)) {
    if (dim.isTrivial())
      continue;
    if (axis || dim.size != shape[i] || dim.stride != 1 || dim.dilation != 1 ||
        dim.baseDilation != 1)
      return std::nullopt;
    isReverse = dim.high == dim.size - 1 && dim.low == 0;
    if (!isReverse && !(dim.low == dim.size - 1 && dim.high == 0))
      return std::nullopt;
    axis = i;
  }
  return axis;
}

/// True if gaudi.tpc.pool_grad has kernels for the gradient that a sum over the
/// spread operand is.
static bool hasGradientKernel(const Window &window) {
  SmallVector<int64_t> kernel, strides, low;
  for (const WindowDim &dim : window) {
    kernel.push_back(dim.size);
    strides.push_back(dim.baseDilation);
    low.push_back(dim.size - 1 - dim.low);
    if (low.back() < 0)
      return false;
  }
  return PoolGradOp::isUnrollable(PoolKind::Sum, kernel, strides, low);
}

static bool isSpread(const WindowDim &dim) { return dim.baseDilation > 1; }
static bool isPadded(const WindowDim &dim) {
  return dim.low > 0 || dim.high > 0;
}

/// How a checked reduce_window of one operand is computed.
static Value createReduceWindow(Operation *op, Window window, HloBuilder &b) {
  Value value = op->getOperand(0);
  Operation *step = combiner(op->getRegion(0));
  TypedAttr init = splatConstant(op->getOperand(1));
  const bool isIdentity = isReduceIdentity(step, init);
  bool isReverse = false;
  if (auto axis =
          cumulativeAxis(window, tensorType(value).getShape(), isReverse);
      axis && isa_and_nonnull<AddOp>(step) && isIdentity)
    return CumulativeSumOp::create(b, op->getResult(0).getType(), value, *axis,
                                   /*exclusive=*/false, isReverse);
  if (llvm::any_of(window, isSpread) ||
      (llvm::any_of(window, isPadded) && !init)) {
    // A sum of floats that canonicalizes to the gradient of a pooling does not
    // write it out.
    const bool isGradient = isIdentity && isa_and_nonnull<AddOp>(step) &&
                            isFloatElement(getElementTypeOrSelf(value)) &&
                            !llvm::any_of(window,
                                          [](const WindowDim &d) {
                                            return d.stride > 1 ||
                                                   d.dilation > 1 ||
                                                   d.low < 0 || d.high < 0;
                                          }) &&
                            hasGradientKernel(window);
    value = spreadOperands(op, window, b).front();
    if (!isGradient)
      b.remarkWrittenOut(op, value, op->getOperand(0));
  }
  if (isIdentity &&
      llvm::all_of(window, [](const WindowDim &d) { return d.isTrivial(); }))
    return value;
  // A sum counts its initial value once for each element of padding.
  const bool canPool = isIdentity || !llvm::any_of(window, isPadded) ||
                       !isa_and_nonnull<AddOp>(step);
  auto kind = poolKind(step);
  const PoolWindow pool(window);
  if (kind && canPool && !pool.isCropped && !pool.layout.empty() &&
      !getElementTypeOrSelf(value).isInteger(1))
    return createPool(op, value, step, *kind, pool, b);
  b.remarkKernel(op, kind ? "no pooling of the device has this window"
                          : "no pooling of the device has this region");
  return createWindowKernel(op, value, window, b).front();
}

/// Of several operands, such as the values and tangents of a maximum.
static SmallVector<Value> createReduceWindows(Operation *op, Window window,
                                              HloBuilder &b) {
  const size_t count = op->getNumResults();
  SmallVector<Value> values(op->getOperands().take_front(count));
  const bool isKnown =
      llvm::all_of(op->getOperands().drop_front(count), splatConstant);
  if (llvm::any_of(window, isSpread) ||
      (llvm::any_of(window, isPadded) && !isKnown)) {
    values = spreadOperands(op, window, b);
    for (auto [value, operand] : llvm::zip(values, op->getOperands()))
      b.remarkWrittenOut(op, value, operand);
  }
  b.remarkKernel(op, "no pooling of the device has several operands");
  return createWindowKernel(op, values, window, b);
}

HloMatch gaudi::matchReduceWindow(Operation *op, HloMatcher &m) {
  if (failed(checkReduced(op, m)))
    return failure();
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  auto window = readWindow(m, from.getShape(), to.getShape());
  if (failed(window) || failed(checkReduction(op, m, to.getShape())))
    return failure();
  const size_t loops = loopSizes(*window).size();
  if (failed(m.checkKernelDims(to.getShape(), loops)))
    return failure();
  if (op->getNumResults() > 1)
    return build([op, window = *window](HloBuilder &b) {
      return createReduceWindows(op, window, b);
    });
  return build([op, window = *window](HloBuilder &b) {
    return createReduceWindow(op, window, b);
  });
}
