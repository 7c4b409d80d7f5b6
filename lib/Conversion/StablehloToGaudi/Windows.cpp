// stablehlo.reduce_window as pooling or a kernel, and select_and_scatter, the
// gradient of a pooling, as two kernels.
#include "Converter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// One dimension of a window.
struct WindowDim {
  int64_t size, stride, dilation, low, high, baseDilation = 1;

  bool isTrivial() const {
    return size == 1 && stride == 1 && low == 0 && high == 0 &&
           baseDilation == 1;
  }
  int64_t reach() const { return (size - 1) * dilation + 1; }
};
using Window = SmallVector<WindowDim>;
} // namespace

/// The window of `op` on a tensor of `shape`; `positions` is the shape of its
/// positions.
static FailureOr<Window> readWindow(HloMatcher &m, ArrayRef<int64_t> shape,
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

/// The extents of the loops over the elements of a window: dimensions of one
/// element have none.
static SmallVector<int64_t> loopSizes(const Window &window) {
  SmallVector<int64_t> sizes;
  for (const WindowDim &dim : window)
    if (dim.size > 1)
      sizes.push_back(dim.size);
  return sizes;
}

/// The dimensions of those loops in a kernel: they follow the positions.
static SmallVector<int64_t> loopDims(const Window &window) {
  const int64_t rank = window.size();
  return llvm::to_vector(
      llvm::seq(rank, rank + int64_t(loopSizes(window).size())));
}

/// Which element of the tensor is the current one of the window.
static SmallVector<AffineExpr> elementPosition(KernelBuilder &k,
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

static Value createPool(Operation *op, Value value, Operation *step,
                        PoolKind kind, const Window &window,
                        const std::string &layout, HloBuilder &b) {
  Location loc = op->getLoc();
  RankedTensorType type = tensorType(op->getResult(0));
  Value init = op->getOperand(1);
  auto withOnes = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> all(layout.size() - shape.size(), 1);
    all.append(shape.begin(), shape.end());
    return all;
  };
  SmallVector<int64_t> sizes, strides, dilations, low, high;
  const size_t added = layout.size() - window.size();
  for (size_t i = added; i < layout.size(); ++i) {
    if (layout[i] == 'N' || layout[i] == 'C')
      continue;
    const WindowDim &dim = window[i - added];
    sizes.push_back(dim.size);
    strides.push_back(dim.stride);
    dilations.push_back(dim.dilation);
    low.push_back(dim.low);
    high.push_back(dim.high);
  }
  value = b.reshape(loc, value, withOnes(tensorType(value).getShape()));
  Value pooled = PoolOp::create(
      b.builder, loc, type.clone(withOnes(type.getShape())), kind, value,
      layout, sizes, strides, dilations, low, high, /*count_include_pad=*/false,
      /*ignore_nan=*/false);
  pooled = b.reshape(loc, pooled, type.getShape());
  // Padding is the initial value, which joins each window in any case.
  if (isReduceIdentity(step, splatConstant(init)))
    return pooled;
  return combineTensors(step, loc, pooled,
                        b.withRank(loc, init, type.getRank()), b);
}

/// Any region: the values of the window, and the initial value for padding.
static Value createWindowKernel(Operation *op, Value value,
                                const Window &window, TypedAttr pad,
                                HloBuilder &b) {
  RankedTensorType type = tensorType(op->getResult(0));
  return b.pointKernel(
      op, type, {value, op->getOperand(1)}, loopSizes(window),
      [&](KernelBuilder &k) -> Value {
        SmallVector<AffineExpr> position = elementPosition(k, window);
        SmallVector<int64_t> loops = loopDims(window);
        SmallVector<Boundary> boundary(window.size(), Boundary::Pad);
        auto step = [&](ValueRange state) {
          Value element = k.load(0, position, boundary, pad);
          return emitScalarRegion(k, op->getRegion(0), {state[0], element});
        };
        Value init = k.load(1, {});
        if (loops.empty())
          return step(init).front();
        return k.loop(loops, KernelReduce::Custom, init, step).front();
      });
}

/// The operand with the initial value between its elements and, as far as the
/// window has positive padding, around them. Takes both out of the window.
static Value spreadOperand(Operation *op, Window &window, HloBuilder &b) {
  Value value = op->getOperand(0);
  SmallVector<int64_t> sizes, offsets, steps;
  for (auto [dim, size] :
       llvm::zip_equal(window, tensorType(value).getShape())) {
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
  Value filled = b.broadcast(op->getLoc(), op->getOperand(1), sizes, {});
  b.remarkWrittenOut(op, filled, value);
  return InsertSliceOp::create(b.builder, op->getLoc(), filled.getType(), value,
                               filled, offsets, steps);
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

/// How a checked reduce_window is computed.
static Value createReduceWindow(Operation *op, Window window, HloBuilder &b) {
  Value value = op->getOperand(0);
  Operation *step = combiner(op->getRegion(0));
  TypedAttr init = splatConstant(op->getOperand(1));
  const bool isIdentity = isReduceIdentity(step, init);
  bool isReverse = false;
  if (auto axis =
          cumulativeAxis(window, tensorType(value).getShape(), isReverse);
      axis && isa_and_nonnull<AddOp>(step) && isIdentity)
    return CumulativeSumOp::create(b.builder, op->getLoc(),
                                   op->getResult(0).getType(), value, *axis,
                                   /*exclusive=*/false, isReverse);
  auto any = [&](llvm::function_ref<bool(const WindowDim &)> isOne) {
    return llvm::any_of(window, isOne);
  };
  auto isPadded = [](const WindowDim &d) { return d.low > 0 || d.high > 0; };
  if (any([](const WindowDim &d) { return d.baseDilation > 1; }) ||
      (any(isPadded) && !init))
    value = spreadOperand(op, window, b);
  if (isIdentity &&
      llvm::all_of(window, [](const WindowDim &d) { return d.isTrivial(); }))
    return value;
  const bool isNegative =
      any([](const WindowDim &d) { return d.low < 0 || d.high < 0; });
  // A sum counts its initial value once for each element of padding.
  const bool canPool =
      isIdentity || !any(isPadded) || !isa_and_nonnull<AddOp>(step);
  auto kind = poolKind(step);
  std::string layout = poolLayout(window);
  if (kind && canPool && !isNegative && !layout.empty() &&
      !getElementTypeOrSelf(value).isInteger(1))
    return createPool(op, value, step, *kind, window, layout, b);
  const Type element = kernelType(getElementTypeOrSelf(value));
  if (!init)
    init = b.builder.getZeroAttr(element);
  else if (auto number = dyn_cast<IntegerAttr>(init))
    init = IntegerAttr::get(element, number.getValue());
  b.remarkKernel(op, kind ? "no pooling of the device has this window"
                          : "no pooling of the device has this region");
  return createWindowKernel(op, value, window, init, b);
}

static HloMatch matchReduceWindow(Operation *op, HloMatcher &m) {
  if (failed(m.checkOperands(2)))
    return failure();
  if (op->getNumRegions() != 1)
    return m.refuse("expected one region");
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  RankedTensorType scalar = from.clone(ArrayRef<int64_t>{});
  auto window = readWindow(m, from.getShape(), to.getShape());
  Region &region = op->getRegion(0);
  if (failed(window) || failed(checkScalarRegion(region, m)))
    return failure();
  if (op->getOperand(1).getType() != scalar ||
      region.getArgumentTypes() != TypeRange({scalar, scalar}) ||
      region.front().back().getOperandTypes() != TypeRange(scalar) ||
      to.getElementType() != from.getElementType())
    return m.refuse("operand, initial value, region and result must agree in "
                    "element type");
  const size_t loops = loopSizes(*window).size();
  if (failed(m.checkKernelDims(to.getShape(), loops)))
    return failure();
  return build([op, window = *window](HloBuilder &b) {
    return createReduceWindow(op, window, b);
  });
}

//===----------------------------------------------------------------------===//
// select_and_scatter
//===----------------------------------------------------------------------===//

/// The step, in row-major order of the window, whose element is selected at
/// each window position: i32, -1 if the whole window is padding. `select(a, b)`
/// keeps the earlier element a if it is true.
static Value createSelection(Operation *op, const Window &window,
                             HloBuilder &b) {
  RankedTensorType data = tensorType(op->getOperand(0));
  RankedTensorType source = tensorType(op->getOperand(1));
  Type i32 = b.builder.getI32Type(), i64 = b.builder.getI64Type();
  const int64_t rank = data.getRank();
  return b.pointKernel(
      op, source.clone(i32), {op->getOperand(0)}, loopSizes(window),
      [&](KernelBuilder &k) -> Value {
        SmallVector<AffineExpr> position = elementPosition(k, window);
        SmallVector<int64_t> loops = loopDims(window);
        auto body = [&](ValueRange state) {
          k.setElementType(i64);
          // The number of this step, and whether it is inside the tensor.
          Value step = k.intConstant(0, i64), inside;
          int64_t loop = 0;
          for (auto [i, dim] : llvm::enumerate(window)) {
            Value at = k.binary<arith::SubIOp>(
                k.binary<arith::MulIOp>(k.index(i),
                                        k.intConstant(dim.stride, i64)),
                k.intConstant(dim.low, i64));
            if (dim.size > 1) {
              Value offset = k.index(loops[loop++]);
              at = k.binary<arith::AddIOp>(at, offset);
              step = k.binary<arith::AddIOp>(
                  k.binary<arith::MulIOp>(step, k.intConstant(dim.size, i64)),
                  offset);
            }
            Value within = k.binary<arith::AndIOp>(
                k.compare(ComparePredicate::GE, at, k.intConstant(0, i64)),
                k.compare(ComparePredicate::LT, at,
                          k.intConstant(data.getDimSize(i), i64)));
            inside = inside ? k.binary<arith::AndIOp>(inside, within) : within;
          }
          SmallVector<Boundary> boundary(rank, Boundary::Clamp);
          Value element = k.load(0, position, boundary);
          Value keeps =
              emitScalarRegion(k, op->getRegion(0), {state[0], element})
                  .front();
          k.setElementType(i64);
          Value isFirst =
              k.compare(ComparePredicate::LT, state[1], k.intConstant(0, i64));
          // Taken if inside and the first one, or not beaten.
          Value isBetter = k.binary<arith::OrIOp>(
              isFirst, k.binary<arith::XOrIOp>(
                           keeps, k.intConstant(1, keeps.getType())));
          Value take = k.binary<arith::AndIOp>(inside, isBetter);
          return SmallVector<Value>{k.select(take, element, state[0]),
                                    k.select(take, step, state[1])};
        };
        Value nothing = k.constant(
            b.builder.getZeroAttr(kernelType(data.getElementType())));
        SmallVector<Value> state{nothing, k.intConstant(-1, i64)};
        if (loops.empty())
          state = body(state);
        else
          state = k.loop(loops, {KernelReduce::Custom, KernelReduce::Custom},
                         state, body);
        k.setElementType(i64);
        return k.cast(state[1], i32, RoundingMode::TowardZero);
      });
}

/// Each element adds up the source of those windows that selected it. Windows
/// are visited by their step, so the order of the sum is fixed.
static Value createScatter(Operation *op, const Window &window, Value selection,
                           HloBuilder &b) {
  RankedTensorType data = tensorType(op->getOperand(0));
  RankedTensorType source = tensorType(op->getOperand(1));
  Type i64 = b.builder.getI64Type();
  const int64_t rank = data.getRank();
  return b.pointKernel(
      op, data, {op->getOperand(1), selection, op->getOperand(2)},
      loopSizes(window), [&](KernelBuilder &k) -> Value {
        SmallVector<int64_t> loops = loopDims(window);
        auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
        auto body = [&](ValueRange) {
          k.setElementType(i64);
          Value zero = k.intConstant(0, i64), step = zero, hits;
          auto require = [&](Value condition) {
            hits = hits ? k.binary<arith::AndIOp>(hits, condition) : condition;
          };
          SmallVector<Value> indices;
          int64_t loop = 0;
          for (auto [i, dim] : llvm::enumerate(window)) {
            // The position p of the window: p * stride - low + offset == index.
            Value at = k.binary<arith::AddIOp>(k.index(i),
                                               k.intConstant(dim.low, i64));
            if (dim.size > 1) {
              Value offset = k.index(loops[loop++]);
              at = k.binary<arith::SubIOp>(at, offset);
              step = k.binary<arith::AddIOp>(
                  k.binary<arith::MulIOp>(step, k.intConstant(dim.size, i64)),
                  offset);
            }
            Value index = at;
            require(k.compare(ComparePredicate::GE, at, zero));
            if (dim.stride > 1) {
              Value stride = k.intConstant(dim.stride, i64);
              index = k.binary<arith::DivSIOp>(at, stride);
              require(k.compare(ComparePredicate::EQ,
                                k.binary<arith::RemSIOp>(at, stride), zero));
            }
            require(k.compare(ComparePredicate::LT, index,
                              k.intConstant(source.getDimSize(i), i64)));
            indices.push_back(index);
          }
          SmallVector<AffineExpr> nowhere(rank, k.cst(0));
          SmallVector<Boundary> boundary(rank, Boundary::Clamp);
          Value selected = k.loadAt(1, nowhere, dims, indices, boundary);
          k.setElementType(b.builder.getI32Type());
          Value chosen = k.cast(selected, i64, RoundingMode::TowardZero);
          k.setElementType(i64);
          require(k.compare(ComparePredicate::EQ, chosen, step));
          Value value = k.loadAt(0, nowhere, dims, indices, boundary);
          Value none = k.constant(b.builder.getZeroAttr(value.getType()));
          return SmallVector<Value>{k.select(hits, value, none)};
        };
        Value init = k.load(2, {});
        if (loops.empty()) {
          k.setElementType(data.getElementType());
          Value only = body({}).front();
          k.setElementType(data.getElementType());
          return k.add(init, only);
        }
        return k.loop(loops, KernelReduce::Add, init, body).front();
      });
}

static HloMatch matchSelectAndScatter(Operation *op, HloMatcher &m) {
  if (failed(m.checkOperands(3)))
    return failure();
  if (op->getNumRegions() != 2)
    return m.refuse("expected the regions 'select' and 'scatter'");
  RankedTensorType data = tensorType(op->getOperand(0));
  RankedTensorType source = tensorType(op->getOperand(1));
  RankedTensorType scalar = data.clone(ArrayRef<int64_t>{});
  Type boolean =
      RankedTensorType::get({}, Builder(op->getContext()).getI1Type());
  auto window = readWindow(m, data.getShape(), source.getShape());
  Region &select = op->getRegion(0), &scatter = op->getRegion(1);
  if (failed(window) || failed(checkScalarRegion(select, m)) ||
      failed(checkScalarRegion(scatter, m)))
    return failure();
  if (select.getArgumentTypes() != TypeRange({scalar, scalar}) ||
      select.front().back().getOperandTypes() != TypeRange(boolean) ||
      source.getElementType() != data.getElementType() ||
      op->getOperand(2).getType() != scalar ||
      op->getResult(0).getType() != data)
    return m.refuse("operands, regions and result must agree in element type");
  if (llvm::any_of(*window, [](const WindowDim &d) {
        return d.dilation != 1 || d.baseDilation != 1;
      }))
    return m.refuse("its window has no dilations");
  if (!isa_and_nonnull<AddOp>(combiner(scatter)))
    return m.refuse("only additions can be scattered", scatter.getLoc(),
                    "the region");
  const size_t loops = loopSizes(*window).size();
  if (failed(m.checkKernelDims(data.getShape(), loops)) ||
      failed(m.checkKernelDims(source.getShape(), loops)))
    return failure();
  // The window of a scalar is the scalar.
  if (data.getRank() == 0)
    return build([op](HloBuilder &b) {
      return AddOp::create(b.builder, op->getLoc(), op->getResult(0).getType(),
                           op->getOperand(1), op->getOperand(2));
    });
  return build([op, window = *window](HloBuilder &b) {
    return createScatter(op, window, createSelection(op, window, b), b);
  });
}

void mlir::gaudi::addWindowPatterns(HloPatterns &p) {
  p.add("reduce_window", matchReduceWindow);
  p.add("select_and_scatter", matchSelectAndScatter);
}
