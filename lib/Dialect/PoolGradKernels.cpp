// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TPC kernels of gaudi.tpc.pool_grad.
#include "Gaudi/Dialect/TrainingOps.h"
#include "PointwiseKernel.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace gaudi;

namespace {
/// A spatial dimension of the pooling. Window q + t holds element
/// q * stride + r as its number r + low - t * stride, t in [first, last].
struct Spatial {
  size_t dim;                  ///< of the tensors
  int64_t size, positions;     ///< of the operand, of the gradient
  int64_t kernel, stride, low; ///< of the windows
  int64_t first, last;         ///< windows around an element
  int64_t blocks() const { return llvm::divideCeil(size, stride); }
  /// The smallest number, inside a window or not, of an element in a window
  /// around it, and how many numbers there are.
  int64_t firstNumber() const { return low - last * stride; }
  int64_t numbers() const { return (last - first + 1) * stride; }
};

/// The kernels visit the elements as blocks of stride elements: each point
/// loads what it needs of the windows around its block once, then stores the
/// block. So no index is divided, and all loads are affine.
///
/// Elements of a window have a code: their numbers in the row-major order of D,
/// H, W, whichever way the tensors are stored, counted in a box that holds
/// those of all windows around a block, so that an element outside a window has
/// the code of no element inside.
class PoolGradKernels {
public:
  PoolGradKernels(PoolGradOp op, OpBuilder &builder)
      : op(op), builder(builder), element(op.getType().getElementType()),
        i32(builder.getI32Type()), i64(builder.getI64Type()) {
    StringRef letters = spatialLetters(op.getKernel().size());
    for (auto [d, letter] : llvm::enumerate(letters)) {
      const size_t dim = op.getLayout().find(letter);
      auto [first, last] = op.getWindowsAround(d);
      spatial.push_back({dim, op.getType().getDimSize(dim),
                         tensorType(op.getGradient()).getDimSize(dim),
                         op.getKernel()[d], op.getStrides()[d],
                         op.getPadLow()[d], first, last});
    }
  }

  Operation *build() {
    const bool selects = bool(op.getOperand());
    const bool isOneWindow = llvm::all_of(
        spatial, [](const Spatial &s) { return s.first == 0 && s.last == 0; });
    SmallVector<Value> inputs{op.getGradient()};
    if (selects)
      inputs.push_back(isOneWindow ? op.getOperand() : buildSelection());
    return buildSum(inputs, selects && isOneWindow);
  }

private:
  int64_t rank() { return op.getType().getRank(); }

  /// The indices of a box of `sizes`, in row-major order.
  static SmallVector<SmallVector<int64_t>> boxOf(ArrayRef<int64_t> sizes) {
    SmallVector<SmallVector<int64_t>> box;
    const SmallVector<int64_t> strides = computeStrides(sizes);
    for (int64_t i = 0; i < computeProduct(sizes); ++i)
      box.push_back(delinearize(i, strides));
    return box;
  }

  /// The code of the numbers; `each` gives that of one dimension, or nothing.
  int64_t codeOf(llvm::function_ref<int64_t(size_t)> number) const {
    int64_t code = 0;
    for (auto [d, s] : llvm::enumerate(spatial))
      code = code * s.numbers() + number(d) - s.firstNumber();
    return code;
  }

  /// The type in which codes are stored: -1 stands for none.
  Type codeType() const {
    int64_t codes = 1;
    for (const Spatial &s : spatial)
      codes *= s.numbers();
    return codes <= std::numeric_limits<int8_t>::max() ? builder.getI8Type()
                                                       : i32;
  }

  /// For each window, the code of the element that it selects.
  Value buildSelection() {
    RankedTensorType windows = tensorType(op.getGradient());
    RankedTensorType codes = windows.clone(codeType());
    KernelBuilder k(builder, op.getLoc(), codes, op.getOperand(),
                    windows.getShape(), SmallVector<bool>(rank(), true),
                    "tpc.pool_select");
    Value code = selectedCode(k, /*input=*/0, windows.getShape());
    k.setElementType(i32);
    k.store(k.cast(code, codes.getElementType(), RoundingMode::TowardZero), 0,
            k.dims(rank()));
    return k.finish().getResult(0);
  }

  /// Whether number `number` of the windows of dimension `s`, which are
  /// `extent`, can be outside the operand, and for the window at the point a
  /// value that says so. Null if it never is.
  Value isOutside(KernelBuilder &k, const Spatial &s, int64_t extent,
                  int64_t number) {
    const int64_t start = number - s.low;
    const bool before = start < 0;
    const bool after = (extent - 1) * s.stride + start >= s.size;
    if (!before && !after)
      return {};
    k.setElementType(i64);
    Value at = k.binary<arith::AddIOp>(
        k.binary<arith::MulIOp>(k.index(s.dim), k.intConstant(s.stride, i64)),
        k.intConstant(start, i64));
    Value outside;
    if (before)
      outside = k.compare(ComparePredicate::LT, at, k.intConstant(0, i64));
    if (after) {
      Value beyond =
          k.compare(ComparePredicate::GE, at, k.intConstant(s.size, i64));
      outside = outside ? k.binary<arith::OrIOp>(outside, beyond) : beyond;
    }
    return outside;
  }

  /// The code, an i32, of the element that the window at the point selects. The
  /// windows of the kernel are `extents`; those beyond the gradient's may give
  /// anything.
  Value selectedCode(KernelBuilder &k, unsigned input,
                     ArrayRef<int64_t> extents) {
    const bool isMax = op.getKind() == PoolKind::Max;
    const double last = isMax ? -std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::infinity();
    SmallVector<SmallVector<Value>> outside;
    // Per dimension and number once: the box below combines them.
    for (const Spatial &s : spatial) {
      SmallVector<Value> &numbers = outside.emplace_back();
      for (int64_t number = 0; number < s.kernel; ++number)
        numbers.push_back(isOutside(k, s, extents[s.dim], number));
    }
    // NaN is never kept: the first element inside replaces it.
    Value best = k.floatConstant(std::numeric_limits<double>::quiet_NaN());
    Value code = k.intConstant(-1, i32);
    SmallVector<int64_t> kernel;
    for (const Spatial &s : spatial)
      kernel.push_back(s.kernel);
    // In row-major order of D, H, W, whichever way tensors are stored: it
    // decides which of equal elements is selected.
    for (ArrayRef<int64_t> number : boxOf(kernel)) {
      SmallVector<AffineExpr> position = k.dims(rank());
      SmallVector<Boundary> boundary(rank(), Boundary::Inside);
      SmallVector<Value> reasons;
      for (auto [d, s] : llvm::enumerate(spatial)) {
        position[s.dim] = k.dim(s.dim) * s.stride + (number[d] - s.low);
        if (Value reason = outside[d][number[d]]) {
          boundary[s.dim] = Boundary::Pad;
          reasons.push_back(reason);
        }
      }
      TypedAttr pad =
          reasons.empty() ? TypedAttr() : builder.getF32FloatAttr(last);
      Value value = k.load(input, position, boundary, pad);
      k.setElementType(element);
      Value keeps = k.compare(
          isMax ? ComparePredicate::GE : ComparePredicate::LE, best, value);
      // Padding is a candidate only under select_padding.
      if (!op.getSelectPadding())
        for (Value reason : reasons)
          keeps = k.binary<arith::OrIOp>(keeps, reason);
      best = k.select(keeps, best, value);
      code = k.select(
          keeps, code,
          k.intConstant(codeOf([&](size_t d) { return number[d]; }), i32));
    }
    return code;
  }

  /// What a point reads of one window around its block.
  struct Around {
    SmallVector<int64_t> offset; ///< from the block, by spatial dimension
    Value gradient, code;        ///< code: null for a sum
  };

  Around readWindow(KernelBuilder &k, ArrayRef<int64_t> box, Value code,
                    Type codes) {
    Around window;
    SmallVector<AffineExpr> position = k.dims(rank());
    SmallVector<Boundary> boundary(rank(), Boundary::Inside);
    bool leaves = false;
    for (auto [d, s] : llvm::enumerate(spatial)) {
      const int64_t offset = s.first + box[d];
      window.offset.push_back(offset);
      position[s.dim] = k.dim(s.dim) + offset;
      // The first and last blocks may lack windows: a missing one has a
      // gradient of 0 and the code of no element.
      if (offset < 0 || s.blocks() + offset > s.positions) {
        boundary[s.dim] = Boundary::Pad;
        leaves = true;
      }
    }
    window.gradient = k.load(0, position, boundary,
                             leaves ? builder.getF32FloatAttr(0) : TypedAttr());
    window.code = code;
    if (codes) {
      k.setElementType(codes);
      window.code = k.cast(
          k.load(1, position, boundary,
                 leaves ? builder.getIntegerAttr(codes, -1) : TypedAttr()),
          i32, RoundingMode::TowardZero);
    }
    return window;
  }

  /// Each element adds the gradients of the windows that pass it on. `inputs`:
  /// the gradient, and for max and min the codes, or the operand if an element
  /// has one window (`selectsHere`).
  Operation *buildSum(ArrayRef<Value> inputs, bool selectsHere) {
    // The result of the kernel has whole blocks; what exceeds is cut below.
    SmallVector<int64_t> sizes(op.getType().getShape()), padded(sizes);
    for (const Spatial &s : spatial) {
      sizes[s.dim] = s.blocks();
      padded[s.dim] = s.blocks() * s.stride;
    }
    SmallVector<bool> parallel(rank(), true);
    SmallVector<int64_t> withinDims; // of the position within the block, or -1
    const SmallVector<int64_t> extents = sizes;
    // A stride of 1 has one element per block: no loop is needed within it.
    for (const Spatial &s : spatial) {
      withinDims.push_back(s.stride > 1 ? int64_t(sizes.size()) : -1);
      if (s.stride > 1) {
        sizes.push_back(s.stride);
        parallel.push_back(false);
      }
    }
    RankedTensorType whole = op.getType().clone(padded);
    KernelBuilder k(builder, op.getLoc(), whole, inputs, sizes, parallel,
                    op->getName().stripDialect());
    // With one window per element its selection is computed here, not stored.
    Value code = selectsHere ? selectedCode(k, 1, extents) : Value();
    Type codes = inputs.size() > 1 && !selectsHere ? codeType() : Type();
    SmallVector<int64_t> counts;
    for (const Spatial &s : spatial)
      counts.push_back(s.last - s.first + 1);
    SmallVector<Around> windows;
    for (ArrayRef<int64_t> box : boxOf(counts))
      windows.push_back(readWindow(k, box, code, codes));
    k.forEachPoint(sizes.size(), [&] {
      SmallVector<AffineExpr> position = k.dims(rank());
      for (auto [s, within] : llvm::zip_equal(spatial, withinDims))
        if (within >= 0)
          position[s.dim] = k.dim(s.dim) * s.stride + k.dim(within);
      k.store(elementSum(k, windows, withinDims), 0, position);
    });
    Value result = k.finish().getResult(0);
    if (padded == op.getType().getShape())
      return result.getDefiningOp();
    // The last block was not whole.
    return SliceOp::create(builder, op.getLoc(), op.getType(), result,
                           SmallVector<int64_t>(rank(), 0),
                           SmallVector<int64_t>(rank(), 1));
  }

  /// The sum for the element at position `withinDims` of the block.
  Value elementSum(KernelBuilder &k, ArrayRef<Around> windows,
                   ArrayRef<int64_t> withinDims) {
    SmallVector<Value> within; // null where blocks have one element
    for (int64_t dim : withinDims) {
      k.setElementType(i64);
      within.push_back(
          dim < 0 ? Value()
                  : k.cast(k.index(dim), i32, RoundingMode::TowardZero));
    }
    Value sum, none = k.floatConstant(0);
    for (const Around &window : windows) {
      Value hits = window.code ? isSelected(k, window, within)
                               : isContained(k, window, within);
      Value part =
          hits ? k.select(hits, window.gradient, none) : window.gradient;
      k.setElementType(element);
      sum = sum ? k.add(sum, part) : part;
    }
    return sum;
  }

  /// True if the window selects the element: its code is the window's.
  Value isSelected(KernelBuilder &k, const Around &window,
                   ArrayRef<Value> within) {
    Value code = k.intConstant(codeOf([&](size_t d) {
                                 const Spatial &s = spatial[d];
                                 return s.low - window.offset[d] * s.stride;
                               }),
                               i32);
    int64_t pitch = 1;
    for (size_t d = spatial.size(); d-- > 0; pitch *= spatial[d].numbers())
      if (within[d])
        code = k.binary<arith::AddIOp>(
            code,
            k.binary<arith::MulIOp>(within[d], k.intConstant(pitch, i32)));
    k.setElementType(i32);
    return k.compare(ComparePredicate::EQ, code, window.code);
  }

  /// True if the window contains the element; null if it always does.
  Value isContained(KernelBuilder &k, const Around &window,
                    ArrayRef<Value> within) {
    Value inside;
    auto require = [&](ComparePredicate predicate, Value number,
                       int64_t bound) {
      k.setElementType(i32);
      Value holds = k.compare(predicate, number, k.intConstant(bound, i32));
      inside = inside ? k.binary<arith::AndIOp>(inside, holds) : holds;
    };
    for (auto [d, s] : llvm::enumerate(spatial)) {
      const int64_t start = s.low - window.offset[d] * s.stride;
      // A block of one element has only windows that contain it.
      assert((within[d] || (start >= 0 && start < s.kernel)) &&
             "windows around an element contain it");
      if (start < 0)
        require(ComparePredicate::GE, within[d], -start);
      if (start + s.stride > s.kernel)
        require(ComparePredicate::LT, within[d], s.kernel - start);
    }
    return inside;
  }

  PoolGradOp op;
  OpBuilder &builder;
  Type element, i32, i64;
  SmallVector<Spatial> spatial;
};
} // namespace

FailureOr<Operation *> PoolGradOp::buildKernel(OpBuilder &builder) {
  if (elementCount(getGradient()) == 0)
    return buildPointwise(*this, builder, {},
                          [](KernelBuilder &k) { return k.floatConstant(0); });
  return PoolGradKernels(*this, builder).build();
}
