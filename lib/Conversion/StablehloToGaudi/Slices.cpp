// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO ops that cut windows out of tensors and put them in.
#include "Converter.h"

#include "Gaudi/Dialect/PaddedIndices.h"
#include "Gaudi/Dialect/Signature.h"
#include <numeric>

using namespace mlir;
using namespace gaudi;

HloMatch gaudi::matchSlice(Operation *op, HloMatcher &m) {
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  size_t rank = from.getRank();
  auto start = m.intsPerDim("start_indices", rank, 0);
  auto limit = m.intsPerDim("limit_indices", rank, 0);
  auto strides = m.intsPerDim("strides", rank, 1);
  if (failed(start) || failed(limit) || failed(strides))
    return failure();
  SmallVector<int64_t> sizes;
  for (size_t i = 0; i < rank; ++i) {
    int64_t low = (*start)[i], high = (*limit)[i], step = (*strides)[i];
    if (low < 0 || low > high || high > from.getDimSize(i) || step < 1)
      return m.refuse("dimension " + Twine(i) + " of size " +
                      Twine(from.getDimSize(i)) + " has no slice from " +
                      Twine(low) + " to " + Twine(high) + " by " + Twine(step));
    sizes.push_back(high == low ? 0 : (high - low - 1) / step + 1);
  }
  return build(
      [op, to, sizes, start = *start, strides = *strides](HloBuilder &b) {
        return SliceOp::create(b, to.clone(sizes), op->getOperand(0), start,
                               strides);
      });
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

namespace {
/// One dimension of a pad: elements [first, first + count) of the operand land
/// at `offset` and every `step` elements after it.
struct PadDim {
  int64_t first = 0, count = 0, offset = 0, step = 1;
};
} // namespace

static PadDim padDim(int64_t size, int64_t low, int64_t interior,
                     int64_t result) {
  PadDim dim;
  dim.step = interior + 1;
  // A negative edge cuts off elements and the padding between them.
  dim.first = low >= 0 ? 0 : (-low + interior) / dim.step;
  dim.offset = low + dim.first * dim.step;
  int64_t room = result - dim.offset;
  dim.count = room <= 0 ? 0 : (room + interior) / dim.step;
  dim.count = std::max<int64_t>(0, std::min(dim.count, size - dim.first));
  return dim;
}

static Value createPad(Operation *op, HloBuilder &b, ArrayRef<PadDim> dims) {
  Value operand = op->getOperand(0);
  RankedTensorType from = tensorType(operand);
  RankedTensorType to = tensorType(op->getResult(0));
  SmallVector<int64_t> first, count, offsets, steps, high;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    first.push_back(dim.first);
    count.push_back(dim.count);
    offsets.push_back(dim.offset);
    steps.push_back(dim.step);
    high.push_back(to.getDimSize(i) - dim.offset - dim.count);
  }
  SmallVector<int64_t> ones(dims.size(), 1);
  // No element of the operand is left: the result is padding.
  if (llvm::is_contained(count, 0))
    return b.broadcast(op->getOperand(1), to.getShape(), {});
  if (count != from.getShape())
    operand = SliceOp::create(b, from.clone(count), operand, first, ones);
  // Without elements in between and with a constant value it is a pad; else the
  // operand is inserted into the padding.
  if (llvm::all_of(dims, [](const PadDim &dim) {
        return dim.step == 1 || dim.count == 1;
      })) {
    if (count == to.getShape())
      return operand;
    if (TypedAttr value = splatConstant(op->getOperand(1)))
      return PadOp::create(b, to, PadMode::Constant, operand, offsets, high,
                           value);
    steps = ones;
  }
  Value filled = b.broadcast(op->getOperand(1), to.getShape(), {});
  return InsertSliceOp::create(b, to, operand, filled, offsets, steps);
}

HloMatch gaudi::matchPad(Operation *op, HloMatcher &m) {
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  size_t rank = from.getRank();
  auto low = m.intsPerDim("edge_padding_low", rank, 0);
  auto high = m.intsPerDim("edge_padding_high", rank, 0);
  auto interior = m.intsPerDim("interior_padding", rank, 0);
  if (failed(low) || failed(high) || failed(interior))
    return failure();
  if (op->getOperand(1).getType() != from.clone(ArrayRef<int64_t>{}))
    return m.refuse("operand 1, the padding, must be a scalar of type '" +
                    spelled(from.getElementType()) + "'");
  if (to.getRank() != from.getRank())
    return m.refuse("operand and result must have one rank");
  SmallVector<PadDim> dims;
  for (size_t i = 0; i < rank; ++i) {
    int64_t between = (*interior)[i], size = from.getDimSize(i);
    // Within limits in which the size cannot overflow.
    constexpr int64_t most = int64_t(1) << 32;
    if (between < 0 || between > most || std::abs((*low)[i]) > most ||
        std::abs((*high)[i]) > most)
      return m.refuse("dimension " + Twine(i) + " cannot be padded by " +
                      Twine((*low)[i]) + ", " + Twine((*high)[i]) + " and " +
                      Twine(between) + " between elements");
    int64_t expected = size + std::max<int64_t>(size - 1, 0) * between +
                       (*low)[i] + (*high)[i];
    if (to.getDimSize(i) != std::max<int64_t>(expected, 0))
      return m.refuse("result dimension " + Twine(i) + " has size " +
                      Twine(to.getDimSize(i)) + "; expected " +
                      Twine(expected));
    dims.push_back(padDim(size, (*low)[i], between, to.getDimSize(i)));
  }
  return build([op, dims](HloBuilder &b) { return createPad(op, b, dims); });
}

//===----------------------------------------------------------------------===//
// Windows at run-time offsets
//===----------------------------------------------------------------------===//

/// The start indices, operands from number `first`: one integer scalar per
/// dimension.
static LogicalResult checkStarts(Operation *op, HloMatcher &m, unsigned first,
                                 int64_t rank) {
  if (int64_t(op->getNumOperands()) != first + rank)
    return m.refuse("expected one start index per dimension");
  for (Value start : op->getOperands().drop_front(first)) {
    Type element = getElementTypeOrSelf(start);
    if (tensorType(start).getRank() != 0 || isFloatElement(element) ||
        element.isInteger(1))
      return m.refuse("a start index must be an integer scalar", start.getLoc(),
                      "the index");
  }
  return success();
}

/// The starts as constants, moved so that the window is inside.
static std::optional<SmallVector<int64_t>>
constantStarts(Operation *op, unsigned first, ArrayRef<int64_t> whole,
               ArrayRef<int64_t> window) {
  SmallVector<int64_t> starts;
  for (auto [i, value] : llvm::enumerate(op->getOperands().drop_front(first))) {
    auto number = constantIntegers(value);
    if (!number)
      return std::nullopt;
    starts.push_back(
        std::clamp<int64_t>(number->front(), 0, whole[i] - window[i]));
  }
  return starts;
}

/// Start index of dimension `dim` inside a kernel, clamped so that the window
/// is inside the tensor, as i64.
static Value clampedStart(KernelBuilder &k, Value start, Type element,
                          int64_t last) {
  Type i64 = k.getBuilder().getI64Type();
  k.setElementType(element);
  Value index = k.cast(start, i64, RoundingMode::TowardZero);
  k.setElementType(i64);
  return k.max(k.min(index, k.intConstant(last, i64)), k.intConstant(0, i64));
}

/// The clamped starts of a kernel whose inputs from number `first` they are.
static SmallVector<Value> loadStarts(KernelBuilder &k, Operation *op,
                                     unsigned first, ArrayRef<int64_t> whole,
                                     ArrayRef<int64_t> window) {
  SmallVector<Value> starts;
  for (size_t i = 0; i < whole.size(); ++i)
    starts.push_back(clampedStart(
        k, k.load(first + i, {}),
        getElementTypeOrSelf(op->getOperand(first + i)), whole[i] - window[i]));
  return starts;
}

HloMatch gaudi::matchDynamicSlice(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() == 0 || failed(m.checkResults(1)))
    return m.refuse("expected an operand and one result");
  RankedTensorType from = tensorType(op->getOperand(0));
  RankedTensorType to = tensorType(op->getResult(0));
  if (failed(checkStarts(op, m, 1, from.getRank())))
    return failure();
  auto sizes = m.intsPerDim("slice_sizes", from.getRank(), 0);
  if (failed(sizes))
    return failure();
  for (auto [i, size] : llvm::enumerate(*sizes))
    if (size < 0 || size > from.getDimSize(i))
      return m.refuse("slice size " + Twine(size) + " of dimension " +
                      Twine(i) + " is not within " + Twine(from.getDimSize(i)));
  if (to != from.clone(*sizes))
    return m.refuse("the result must have type '" +
                    spelled(from.clone(*sizes)) + "'");
  return build([op, from, to](HloBuilder &b) -> Value {
    // Known starts are a slice.
    if (auto starts = constantStarts(op, 1, from.getShape(), to.getShape())) {
      SmallVector<int64_t> strides(starts->size(), 1);
      return SliceOp::create(b, to, op->getOperand(0), *starts, strides);
    }
    return b.pointKernel(op, to, op->getOperands(), {}, [&](KernelBuilder &k) {
      SmallVector<Value> starts =
          loadStarts(k, op, 1, from.getShape(), to.getShape());
      SmallVector<AffineExpr> position(from.getRank(), k.cst(0));
      SmallVector<int64_t> dims;
      SmallVector<Value> indices;
      for (int64_t i = 0; i < from.getRank(); ++i) {
        // A whole dimension starts at 0 only.
        if (from.getDimSize(i) == to.getDimSize(i)) {
          position[i] = k.dim(i);
          continue;
        }
        dims.push_back(i);
        indices.push_back(k.binary<arith::AddIOp>(starts[i], k.index(i)));
      }
      // Clamped above: the rule states it, and costs nothing more.
      SmallVector<Boundary> boundary(from.getRank(), Boundary::Inside);
      for (int64_t dim : dims)
        boundary[dim] = Boundary::Clamp;
      return k.loadAt(0, position, dims, indices, boundary);
    });
  });
}

/// Each element of the result is that of the update where it lies inside the
/// window, else the operand's.
static Value createUpdate(Operation *op, HloBuilder &b) {
  RankedTensorType whole = tensorType(op->getOperand(0));
  RankedTensorType window = tensorType(op->getOperand(1));
  return b.pointKernel(
      op, whole, op->getOperands(), {}, [&](KernelBuilder &k) -> Value {
        SmallVector<Value> starts =
            loadStarts(k, op, 2, whole.getShape(), window.getShape());
        Type i64 = k.getBuilder().getI64Type();
        k.setElementType(i64);
        SmallVector<AffineExpr> everywhere, position;
        SmallVector<int64_t> dims;
        SmallVector<Value> indices;
        SmallVector<Boundary> boundary;
        Value isInside;
        for (int64_t i = 0; i < whole.getRank(); ++i) {
          everywhere.push_back(k.dim(i));
          // A whole dimension has no other start than 0.
          if (whole.getDimSize(i) == window.getDimSize(i)) {
            position.push_back(k.dim(i));
            boundary.push_back(Boundary::Inside);
            continue;
          }
          position.push_back(k.cst(0));
          boundary.push_back(Boundary::Clamp);
          dims.push_back(i);
          Value index = k.binary<arith::SubIOp>(k.index(i), starts[i]);
          indices.push_back(index);
          Value within = k.binary<arith::AndIOp>(
              k.compare(ComparePredicate::GE, index, k.intConstant(0, i64)),
              k.compare(ComparePredicate::LT, index,
                        k.intConstant(window.getDimSize(i), i64)));
          isInside =
              isInside ? k.binary<arith::AndIOp>(isInside, within) : within;
        }
        Value old = k.load(0, everywhere);
        // The window is the whole.
        if (!isInside)
          return k.load(1, everywhere);
        return k.select(isInside,
                        k.loadAt(1, position, dims, indices, boundary), old);
      });
}

/// True for an argument that keeps its value from launch to launch.
static bool isState(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && isState(function, argument.getArgNumber());
}

/// True if an update at run-time indices is rather made of rows than of all
/// elements. Rows can be written in place: then the update touches nothing
/// else. Not in place, a copy and two commands take the time of one kernel over
/// all elements, which others can be fused with; small tensors that are no
/// state are left to it, and windows of many short rows.
static bool updatesRows(Value operand, RankedTensorType window) {
  RankedTensorType whole = tensorType(operand);
  constexpr int64_t smallBytes = 64 << 10, shortRow = 32, fewRows = 64;
  const int64_t bytes = elementBytes(whole.getElementType());
  int64_t row = 1; // elements
  for (int64_t i = whole.getRank() - 1;
       i >= 0 && whole.getDimSize(i) == window.getDimSize(i); --i)
    row *= whole.getDimSize(i);
  // The indices have one dimension more than those that number the rows.
  return whole.getRank() < int64_t(gaudi::kernel::maxRank) &&
         (whole.getNumElements() * bytes >= smallBytes || isState(operand)) &&
         window.getNumElements() <= whole.getNumElements() / 4 &&
         (row * bytes >= shortRow || window.getNumElements() / row <= fewRows);
}

/// Rows of the operand, seen as [outer, rows, row], are replaced by those of
/// the update. The dimensions from the first to the last that differ number the
/// rows.
static Value createRowUpdate(Operation *op, HloBuilder &b) {
  RankedTensorType whole = tensorType(op->getOperand(0));
  RankedTensorType window = tensorType(op->getOperand(1));
  auto differs = [&](int64_t i) {
    return whole.getDimSize(i) != window.getDimSize(i);
  };
  // The dimensions between the first and the last that differ are rows; those
  // after are one row.
  auto dims = llvm::seq<int64_t>(0, whole.getRank());
  const int64_t first = *llvm::find_if(dims, differs);
  const int64_t end =
      *llvm::find_if(llvm::reverse(dims), differs) + 1; // past the last
  auto count = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<int64_t>());
  };
  const ArrayRef<int64_t> all = whole.getShape(), part = window.getShape();
  const int64_t outer = count(all.take_front(first)),
                row = count(all.drop_front(end)),
                rows = count(all.slice(first, end - first)),
                updated = count(part.slice(first, end - first));
  Type i64 = b.getI64Type();
  // One index per outer position and updated row.
  SmallVector<int64_t> sizes = {outer};
  llvm::append_range(sizes, part.slice(first, end - first));
  Value indices = b.pointKernel(
      op, RankedTensorType::get(sizes, i64),
      op->getOperands().slice(2 + first, end - first), {},
      [&](KernelBuilder &k) {
        Value index;
        for (int64_t i = first; i < end; ++i) {
          Value at = k.index(1 + i - first);
          if (differs(i)) {
            Value start = clampedStart(
                k, k.load(i - first, {}),
                getElementTypeOrSelf(op->getOperand(2 + i)), all[i] - part[i]);
            at = k.binary<arith::AddIOp>(start, at);
          }
          k.setElementType(i64);
          // Row-major over the rows of the whole.
          index = index ? k.binary<arith::AddIOp>(
                              k.binary<arith::MulIOp>(
                                  index, k.intConstant(all[i], i64)),
                              at)
                        : at;
        }
        return index;
      });
  auto reshaped = [&](Value value, ArrayRef<int64_t> shape) -> Value {
    RankedTensorType type = tensorType(value).clone(shape);
    return ReshapeOp::create(b, type, value);
  };
  Value scattered =
      ScatterOp::create(b, whole.clone({outer, rows, row}),
                        reshaped(op->getOperand(0), {outer, rows, row}),
                        reshaped(indices, {outer, updated}),
                        reshaped(op->getOperand(1), {outer, updated, row}));
  const SmallVector<int64_t> counted =
      llvm::to_vector(llvm::seq<int64_t>(first, end));
  setPaddedIndices(scattered.getDefiningOp(), all, counted, part, counted);
  return reshaped(scattered, all);
}

HloMatch gaudi::matchDynamicUpdateSlice(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() < 2 || failed(m.checkResults(1)))
    return m.refuse("expected an operand, an update and one result");
  RankedTensorType whole = tensorType(op->getOperand(0));
  RankedTensorType window = tensorType(op->getOperand(1));
  if (failed(checkStarts(op, m, 2, whole.getRank())))
    return failure();
  if (window.getRank() != whole.getRank() ||
      window.getElementType() != whole.getElementType() ||
      op->getResult(0).getType() != whole)
    return m.refuse("operand, update and result must have one rank and element "
                    "type");
  for (int64_t i = 0; i < whole.getRank(); ++i)
    if (window.getDimSize(i) > whole.getDimSize(i))
      return m.refuse("the update is larger than the operand in dimension " +
                      Twine(i));
  return build([op, whole, window](HloBuilder &b) -> Value {
    // Starts are clamped: an update of the same shape replaces all.
    if (window == whole)
      return op->getOperand(1);
    if (window.getNumElements() == 0)
      return op->getOperand(0);
    if (auto starts =
            constantStarts(op, 2, whole.getShape(), window.getShape())) {
      SmallVector<int64_t> strides(starts->size(), 1);
      return InsertSliceOp::create(b, whole, op->getOperand(1),
                                   op->getOperand(0), *starts, strides);
    }
    return updatesRows(op->getOperand(0), window) ? createRowUpdate(op, b)
                                                  : createUpdate(op, b);
  });
}
