// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stablehlo.select_and_scatter as the gradient of a pooling, or two kernels.
#include "Gaudi/Dialect/TrainingOps.h"
#include "Window.h"

using namespace mlir;
using namespace gaudi;

/// The step, in row-major order of the window, whose element is selected at
/// each window position: i32, -1 if the whole window is padding. `select(a, b)`
/// keeps the earlier element a if it is true.
static Value createSelection(Operation *op, const Window &window,
                             HloBuilder &b) {
  RankedTensorType data = tensorType(op->getOperand(0));
  RankedTensorType source = tensorType(op->getOperand(1));
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
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
          // A load outside is clamped, and not taken.
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
        // -1 is the number of no step.
        Value nothing =
            k.constant(b.getZeroAttr(kernelType(data.getElementType())));
        SmallVector<Value> state{nothing, k.intConstant(-1, i64)};
        // A window of one element needs no loop.
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
  Type i64 = b.getI64Type();
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
            // The window position must be whole and inside.
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
          // Loads outside are clamped; the selection leaves them out.
          SmallVector<AffineExpr> nowhere(rank, k.cst(0));
          SmallVector<Boundary> boundary(rank, Boundary::Clamp);
          Value selected = k.loadAt(1, nowhere, dims, indices, boundary);
          k.setElementType(b.getI32Type());
          Value chosen = k.cast(selected, i64, RoundingMode::TowardZero);
          k.setElementType(i64);
          require(k.compare(ComparePredicate::EQ, chosen, step));
          Value value = k.loadAt(0, nowhere, dims, indices, boundary);
          Value none = k.constant(b.getZeroAttr(value.getType()));
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

/// The pooling of which select_and_scatter is the gradient: `select` keeps the
/// earlier of two elements if it is no smaller (larger).
static std::optional<PoolKind> selectedKind(Region &select) {
  auto compare = dyn_cast_or_null<CompareOp>(combiner(select));
  if (!compare || !isFloatElement(getElementTypeOrSelf(compare.getLhs())))
    return std::nullopt;
  if (compare.getPredicate() == ComparePredicate::GE)
    return PoolKind::Max;
  if (compare.getPredicate() == ComparePredicate::LE)
    return PoolKind::Min;
  return std::nullopt;
}

static Value createPoolGrad(Operation *op, PoolKind kind,
                            const PoolWindow &pool, HloBuilder &b) {
  RankedTensorType type = tensorType(op->getResult(0));
  RankedTensorType from = tensorType(op->getOperand(1));
  b.remarkRaised(op, PoolGradOp::getOperationName(),
                 "it selects the largest or smallest element");
  Value gradient = PoolGradOp::create(
      b, type.clone(pool.withOnes(type.getShape())), kind,
      b.reshape(op->getOperand(1), pool.withOnes(from.getShape())),
      b.reshape(op->getOperand(0), pool.withOnes(type.getShape())), pool.layout,
      pool.sizes, pool.strides, pool.low, pool.high,
      /*select_padding=*/false);
  gradient = b.reshape(gradient, type.getShape());
  // Each element starts from the initial value.
  Operation *add = combiner(op->getRegion(1));
  if (isReduceIdentity(add, splatConstant(op->getOperand(2))))
    return gradient;
  return combineTensors(add, gradient,
                        b.withRank(op->getOperand(2), type.getRank()), b);
}

/// As the device's op, if it has one, else as two kernels.
static Value createSelectAndScatter(Operation *op, const Window &window,
                                    HloBuilder &b) {
  std::optional<PoolKind> kind = selectedKind(op->getRegion(0));
  Window around(window);
  // One position has no next one: its stride is free, and best as large as the
  // operand, so that each element has one window.
  for (auto [i, dim] : llvm::enumerate(around))
    if (tensorType(op->getOperand(1)).getDimSize(i) == 1 && dim.size > 1)
      dim.stride =
          std::max<int64_t>(1, tensorType(op->getResult(0)).getDimSize(i));
  const PoolWindow pool(around);
  std::string why;
  if (!kind)
    why = "the region does not select the first largest or smallest float";
  else if (pool.layout.empty() || pool.isCropped)
    why = "no pooling of the device has this window";
  else if (!PoolGradOp::isUnrollable(*kind, pool.sizes, pool.strides, pool.low))
    why = "the window is too large to be unrolled";
  else
    return createPoolGrad(op, *kind, pool, b);
  b.remarkKernel(op, why);
  return createScatter(op, window, createSelection(op, window, b), b);
}

HloMatch gaudi::matchSelectAndScatter(Operation *op, HloMatcher &m) {
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
      return AddOp::create(b, op->getResult(0).getType(), op->getOperand(1),
                           op->getOperand(2));
    });
  return build([op, window = *window](HloBuilder &b) {
    return createSelectAndScatter(op, window, b);
  });
}
