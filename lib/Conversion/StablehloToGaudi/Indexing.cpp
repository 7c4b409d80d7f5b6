// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stablehlo.gather and scatter in their general form.
#include "Converter.h"
#include "Gaudi/Dialect/PaddedIndices.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The dimension numbers that gather and scatter share. For a scatter, the
/// operand is what is written and `window` are the update's window dimensions.
struct IndexDims {
  SmallVector<int64_t> window;       ///< of the result or update
  SmallVector<int64_t> collapsed;    ///< of the operand, not in the result
  SmallVector<int64_t> operandBatch; ///< of the operand, paired with
  SmallVector<int64_t> indicesBatch; ///< those of the indices
  SmallVector<int64_t> indexed;      ///< operand dimension of each component
  int64_t vectorDim = 0;             ///< of the indices: the components

  SmallVector<int64_t> batch;         ///< of the result or update: the others
  SmallVector<int64_t> operandWindow; ///< of the operand, in order of `window`

  /// The dimension of the result or update that dimension `dim` of the indices
  /// becomes.
  int64_t batchOf(int64_t dim) const {
    return batch[dim > vectorDim ? dim - 1 : dim];
  }
};

struct IndexNames {
  StringRef numbers, window, collapsed, operandBatch, indicesBatch, indexed;
  StringRef result; ///< what has the window dimensions
};
} // namespace

static constexpr IndexNames gatherNames{"dimension_numbers",
                                        "offset_dims",
                                        "collapsed_slice_dims",
                                        "operand_batching_dims",
                                        "start_indices_batching_dims",
                                        "start_index_map",
                                        "result"};
static constexpr IndexNames scatterNames{"scatter_dimension_numbers",
                                         "update_window_dims",
                                         "inserted_window_dims",
                                         "input_batching_dims",
                                         "scatter_indices_batching_dims",
                                         "scatter_dims_to_operand_dims",
                                         "update"};

/// Reads and checks the numbers for an operand, indices and a result (the
/// update of a scatter) of these ranks.
static FailureOr<IndexDims> readDims(HloMatcher &m, const IndexNames &names,
                                     RankedTensorType operand,
                                     RankedTensorType indices,
                                     RankedTensorType result) {
  auto numbers = m.fields(names.numbers);
  if (failed(numbers))
    return failure();
  const int64_t rank = operand.getRank(), indexRank = indices.getRank();
  auto window = numbers->dims(names.window, result.getRank());
  auto collapsed = numbers->dims(names.collapsed, rank);
  auto operandBatch = numbers->dims(names.operandBatch, rank);
  auto indicesBatch = numbers->dims(names.indicesBatch, indexRank);
  auto indexed = numbers->dims(names.indexed, rank);
  auto vectorDim =
      numbers->integer("index_vector_dim", 0, indexRank + 1, int64_t(0));
  if (failed(window) || failed(collapsed) || failed(operandBatch) ||
      failed(indicesBatch) || failed(indexed) || failed(vectorDim))
    return m.refuseAs(*numbers);
  IndexDims dims{
      *window, *collapsed, *operandBatch, *indicesBatch, *indexed, *vectorDim,
      {},      {}};
  // Of the result, dimensions are of the window or of the indices; of the
  // operand, of the window, collapsed or batching.
  llvm::sort(dims.window);
  for (int64_t dim = 0; dim < result.getRank(); ++dim)
    if (!llvm::is_contained(dims.window, dim))
      dims.batch.push_back(dim);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims.collapsed, dim) &&
        !llvm::is_contained(dims.operandBatch, dim))
      dims.operandWindow.push_back(dim);
  // Without a dimension of index vectors, each index is a vector of one.
  const int64_t components =
      dims.vectorDim < indexRank ? indices.getDimSize(dims.vectorDim) : 1;
  const int64_t positions =
      dims.vectorDim < indexRank ? indexRank - 1 : indexRank;
  if (components != int64_t(dims.indexed.size()))
    return m.refuse("the indices have " + Twine(components) +
                    " components but '" + names.indexed + "' names " +
                    Twine(dims.indexed.size()));
  if (int64_t(dims.batch.size()) != positions ||
      dims.window.size() != dims.operandWindow.size() ||
      dims.operandBatch.size() != dims.indicesBatch.size())
    return m.refuse("the ranks of operand, indices and '" + names.window +
                    "' do not fit together");
  for (int64_t dim : dims.operandBatch)
    if (llvm::is_contained(dims.indexed, dim) ||
        llvm::is_contained(dims.collapsed, dim))
      return m.refuse("dimension " + Twine(dim) +
                      " is batching, and also indexed or collapsed");
  // Result dimension by result dimension, the sizes of the indices.
  for (int64_t dim = 0, next = 0; dim < indexRank; ++dim) {
    if (dim == dims.vectorDim)
      continue;
    if (indices.getDimSize(dim) != result.getDimSize(dims.batch[next]))
      return m.refuse("dimension " + Twine(dim) + " of the indices has size " +
                      Twine(indices.getDimSize(dim)) + " but dimension " +
                      Twine(dims.batch[next]) + " of the " + names.result +
                      " has size " +
                      Twine(result.getDimSize(dims.batch[next])));
    ++next;
  }
  Type element = indices.getElementType();
  if (isFloatElement(element) || element.isInteger(1))
    return m.refuse("the indices must be integers");
  for (auto [dim, other] :
       llvm::zip_equal(dims.operandBatch, dims.indicesBatch))
    if (other == dims.vectorDim ||
        operand.getDimSize(dim) != indices.getDimSize(other))
      return m.refuse("batching dimension " + Twine(dim) +
                      " of the operand and dimension " + Twine(other) +
                      " of the indices differ");
  return dims;
}

/// Inside a kernel whose first dimensions are those of the result: component
/// `component` of the index vector, as i64.
static Value loadIndex(KernelBuilder &k, unsigned input,
                       RankedTensorType indices, const IndexDims &dims,
                       size_t component) {
  SmallVector<AffineExpr> position;
  for (int64_t dim = 0, next = 0; dim < indices.getRank(); ++dim)
    position.push_back(dim == dims.vectorDim ? k.cst(component)
                                             : k.dim(dims.batch[next++]));
  Type i64 = k.getBuilder().getI64Type();
  k.setElementType(indices.getElementType());
  Value index = k.cast(k.load(input, position), i64, RoundingMode::TowardZero);
  k.setElementType(i64);
  return index;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static Value createGather(Operation *op, const IndexDims &dims,
                          ArrayRef<int64_t> sizes, HloBuilder &b) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  RankedTensorType indices = tensorType(op->getOperand(1));
  return b.pointKernel(
      op, tensorType(op->getResult(0)), op->getOperands(), {},
      [&](KernelBuilder &k) -> Value {
        const int64_t rank = operand.getRank();
        // The position in the operand: window dimensions move with the result,
        // batch dimensions with the indices, all others start at 0.
        SmallVector<AffineExpr> position(rank, k.cst(0));
        for (auto [from, to] : llvm::zip_equal(dims.operandWindow, dims.window))
          position[from] = k.dim(to);
        for (auto [from, at] :
             llvm::zip_equal(dims.operandBatch, dims.indicesBatch))
          position[from] = k.dim(dims.batchOf(at));
        // A start index is clamped so that the slice is inside.
        SmallVector<Value> starts(rank);
        Type i64 = k.getBuilder().getI64Type();
        for (auto [component, dim] : llvm::enumerate(dims.indexed)) {
          const int64_t last = operand.getDimSize(dim) - sizes[dim];
          // Only one start is possible.
          if (last == 0)
            continue;
          Value index = loadIndex(k, 1, indices, dims, component);
          index = k.max(k.min(index, k.intConstant(last, i64)),
                        k.intConstant(0, i64));
          for (auto [from, to] :
               llvm::zip_equal(dims.operandWindow, dims.window))
            if (from == int64_t(dim) && sizes[dim] != 1)
              index = k.binary<arith::AddIOp>(index, k.index(to));
          starts[dim] = index;
        }
        SmallVector<int64_t> dynamicDims;
        SmallVector<Value> values;
        // Clamped already; the rule tells the device that no index faults.
        SmallVector<Boundary> boundary(rank, Boundary::Inside);
        for (int64_t dim = 0; dim < rank; ++dim)
          if (starts[dim]) {
            position[dim] = k.cst(0);
            boundary[dim] = Boundary::Clamp;
            dynamicDims.push_back(dim);
            values.push_back(starts[dim]);
          }
        return k.loadAt(0, position, dynamicDims, values, boundary);
      });
}

/// The window of a gather that has one index vector, known when compiling.
static std::optional<SmallVector<int64_t>>
constantWindow(Operation *op, const IndexDims &dims, ArrayRef<int64_t> sizes) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  auto starts = constantIntegers(op->getOperand(1));
  if (!starts || starts->size() != dims.indexed.size() ||
      llvm::is_contained(sizes, 0))
    return std::nullopt;
  for (int64_t dim : dims.operandBatch)
    if (operand.getDimSize(dim) != 1)
      return std::nullopt;
  SmallVector<int64_t> offsets(operand.getRank(), 0);
  for (auto [start, dim] : llvm::zip_equal(*starts, dims.indexed))
    offsets[dim] =
        std::clamp<int64_t>(start, 0, operand.getDimSize(dim) - sizes[dim]);
  return offsets;
}

/// Such a gather as a view.
static Value createWindow(Operation *op, ArrayRef<int64_t> offsets,
                          ArrayRef<int64_t> sizes, HloBuilder &b) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  Value window =
      SliceOp::create(b, operand.clone(sizes), op->getOperand(0), offsets,
                      SmallVector<int64_t>(offsets.size(), 1));
  // Dimensions of size 1 come and go; the others keep their order.
  return b.reshape(window, tensorType(op->getResult(0)).getShape());
}

HloMatch gaudi::matchGather(Operation *op, HloMatcher &m) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  RankedTensorType indices = tensorType(op->getOperand(1));
  RankedTensorType result = tensorType(op->getResult(0));
  auto dims = readDims(m, gatherNames, operand, indices, result);
  auto sizes = m.intsPerDim("slice_sizes", operand.getRank(), 0);
  if (failed(dims) || failed(sizes))
    return failure();
  // A dimension that is no window has one element per index.
  for (int64_t dim = 0; dim < operand.getRank(); ++dim) {
    const int64_t size = (*sizes)[dim];
    const bool isWindow = llvm::is_contained(dims->operandWindow, dim);
    if (size < 0 || size > operand.getDimSize(dim) || (!isWindow && size != 1))
      return m.refuse("slice size " + Twine(size) + " of dimension " +
                      Twine(dim) + " does not fit");
  }
  for (auto [from, to] : llvm::zip_equal(dims->operandWindow, dims->window))
    if ((*sizes)[from] != result.getDimSize(to))
      return m.refuse("dimension " + Twine(to) + " of the result has size " +
                      Twine(result.getDimSize(to)) + "; expected " +
                      Twine((*sizes)[from]));
  if (operand.getElementType() != result.getElementType())
    return m.refuse("operand and result must have one element type");
  // Constant indices are a slice.
  if (auto offsets = constantWindow(op, *dims, *sizes))
    return build([op, offsets = *offsets, sizes = *sizes](HloBuilder &b) {
      return createWindow(op, offsets, sizes, b);
    });
  return build([op, dims = *dims, sizes = *sizes](HloBuilder &b) {
    return createGather(op, dims, sizes, b);
  });
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// How many of the operand's last dimensions the updates have whole, as their
/// own last dimensions in the same order: they make up the rows that move.
static int64_t rowRank(RankedTensorType operand, RankedTensorType update,
                       const IndexDims &dims) {
  int64_t rank = 0;
  const int64_t most = dims.window.size();
  for (; rank < most; ++rank) {
    const int64_t from = update.getRank() - 1 - rank;
    const int64_t to = operand.getRank() - 1 - rank;
    if (dims.window[most - 1 - rank] != from ||
        dims.operandWindow[most - 1 - rank] != to ||
        llvm::is_contained(dims.indexed, to) ||
        update.getDimSize(from) != operand.getDimSize(to))
      break;
  }
  return rank;
}

/// How many of the operand's first dimensions the updates have whole, as their
/// own first dimensions: they are scattered one by one. `rowDims` dimensions
/// at the end are not counted.
static int64_t batchRank(RankedTensorType operand, RankedTensorType update,
                         const IndexDims &dims, int64_t rowDims) {
  const int64_t most = std::min(operand.getRank(), update.getRank()) - rowDims;
  int64_t rank = 0;
  for (; rank < most; ++rank) {
    bool isSame = false;
    for (auto [to, from] : llvm::zip_equal(dims.operandWindow, dims.window))
      isSame |=
          to == rank && from == rank && !llvm::is_contained(dims.indexed, to);
    for (auto [to, from] :
         llvm::zip_equal(dims.operandBatch, dims.indicesBatch))
      isSame |= to == rank && dims.batchOf(from) == rank;
    if (!isSame || update.getDimSize(rank) != operand.getDimSize(rank))
      break;
  }
  return rank;
}

/// For each row of the update, which has `rowDims` dimensions, where it goes
/// among the rows of the operand, of one element of the first `batchDims`.
/// Their number stands for "nowhere". Of `shape`: [batch, rows] if there is a
/// batch.
static Value createTargets(Operation *op, IndexDims dims, int64_t batchDims,
                           int64_t rowDims, ArrayRef<int64_t> shape,
                           HloBuilder &b) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  RankedTensorType indices = tensorType(op->getOperand(1));
  RankedTensorType update = tensorType(op->getOperand(2));
  Type i64 = b.getI64Type();
  ArrayRef<int64_t> all = operand.getShape().drop_back(rowDims),
                    rows = all.drop_front(batchDims);
  // The same for all of a batch that the indices do not have: found once.
  const bool isUniform = dims.operandBatch.empty();
  const int64_t first = isUniform ? batchDims : 0;
  if (isUniform) {
    dims.window.erase(dims.window.begin(), dims.window.begin() + batchDims);
    dims.operandWindow.erase(dims.operandWindow.begin(),
                             dims.operandWindow.begin() + batchDims);
    for (int64_t &dim : dims.window)
      dim -= batchDims;
    for (int64_t &dim : dims.batch)
      dim -= batchDims;
  }
  const ArrayRef<int64_t> counts =
      update.getShape().drop_back(rowDims).drop_front(first);
  auto targets = RankedTensorType::get(counts, i64);
  Value result = b.pointKernel(
      op, targets, {op->getOperand(1)}, {}, [&](KernelBuilder &k) -> Value {
        SmallVector<Value> at(all.size());
        auto windowSize = [&](int64_t dim) -> int64_t {
          auto *it = llvm::find(dims.operandWindow, dim);
          return it == dims.operandWindow.end()
                     ? 1
                     : update.getDimSize(
                           first +
                           dims.window[it - dims.operandWindow.begin()]);
        };
        for (auto [to, from] : llvm::zip_equal(dims.operandWindow, dims.window))
          if (size_t(to) < all.size())
            at[to] = k.index(from);
        for (auto [to, from] :
             llvm::zip_equal(dims.operandBatch, dims.indicesBatch))
          at[to] = k.index(dims.batchOf(from));
        Value inside;
        for (auto [component, dim] : llvm::enumerate(dims.indexed)) {
          Value start = loadIndex(k, 0, indices, dims, component);
          // A window that leaves the operand is left out as a whole.
          Value within = k.binary<arith::AndIOp>(
              k.compare(ComparePredicate::GE, start, k.intConstant(0, i64)),
              k.compare(ComparePredicate::LE, start,
                        k.intConstant(operand.getDimSize(dim) - windowSize(dim),
                                      i64)));
          inside = inside ? k.binary<arith::AndIOp>(inside, within) : within;
          at[dim] = at[dim] ? k.binary<arith::AddIOp>(start, at[dim]) : start;
        }
        // The number of the row, row-major over the rows of one batch.
        Value flat = k.intConstant(0, i64);
        for (auto [dim, size] : llvm::enumerate(rows)) {
          flat = k.binary<arith::MulIOp>(flat, k.intConstant(size, i64));
          if (Value position = at[batchDims + dim])
            flat = k.binary<arith::AddIOp>(flat, position);
        }
        // Not indexed: always inside.
        if (!inside)
          return flat;
        return k.select(inside, flat, k.intConstant(computeProduct(rows), i64));
      });
  if (first == 0)
    return b.reshape(result, shape);
  result = b.reshape(result, {shape.back()});
  return b.broadcast(result, shape, {1});
}

static Value createScatter(Operation *op, const IndexDims &dims,
                           bool accumulate, HloBuilder &b) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  // The last dimensions that indices do not touch are a row, the first a batch:
  // the library moves whole rows.
  RankedTensorType update = tensorType(op->getOperand(2));
  const int64_t rowDims = rowRank(operand, update, dims);
  const int64_t batchDims = batchRank(operand, update, dims, rowDims);
  auto inner = [&](RankedTensorType type) {
    return computeProduct(
        type.getShape().drop_back(rowDims).drop_front(batchDims));
  };
  const int64_t batch =
      computeProduct(operand.getShape().take_front(batchDims));
  const int64_t row = computeProduct(operand.getShape().take_back(rowDims));
  const int64_t rows = inner(operand), count = inner(update);
  if (update.getNumElements() == 0)
    return op->getOperand(0); // nothing is written
  Value targets =
      createTargets(op, dims, batchDims, rowDims, {batch, count}, b);
  Value updates = b.reshape(op->getOperand(2), {batch, count, row});
  Value data = b.reshape(op->getOperand(0), {batch, rows, row});
  auto result = ScatterRowsOp::create(b, data.getType(), data, targets, updates,
                                      accumulate, /*drop_outside=*/true);
  // Of what is no batch, positions are computed.
  const int64_t outer = operand.getRank() - rowDims;
  SmallVector<int64_t> counted;
  auto addCounted = [&](int64_t from) {
    if (from >= batchDims)
      counted.push_back(from);
  };
  for (auto [to, from] : llvm::zip_equal(dims.operandWindow, dims.window))
    if (to < outer)
      addCounted(from);
  for (int64_t from : dims.indicesBatch)
    addCounted(dims.batchOf(from));
  setPaddedIndices(result, operand.getShape(),
                   llvm::to_vector(llvm::seq<int64_t>(batchDims, outer)),
                   update.getShape(), counted);
  return b.reshape(result, operand.getShape());
}

/// Any region: each element visits all updates and takes those that go there,
/// in their order. Updates times elements, which no network has many of.
static Value createScatterKernel(Operation *op, const IndexDims &dims,
                                 HloBuilder &b) {
  RankedTensorType operand = tensorType(op->getOperand(0));
  const int64_t size = operand.getNumElements();
  const int64_t count = tensorType(op->getOperand(2)).getNumElements();
  Value targets =
      createTargets(op, dims, /*batchDims=*/0, /*rowDims=*/0, {count}, b);
  Value updates = b.reshape(op->getOperand(2), {count});
  Value data = b.reshape(op->getOperand(0), {size});
  Type i64 = b.getI64Type();
  b.remarkKernel(op, "the region neither adds nor replaces, so that each of " +
                         Twine(size) + " elements visits all " + Twine(count) +
                         " updates");
  Value result = b.pointKernel(
      op, operand.clone(ArrayRef<int64_t>{size}), {data, targets, updates},
      {count}, [&](KernelBuilder &k) -> Value {
        auto step = [&](ValueRange state) {
          Value update = k.load(2, {k.dim(1)});
          Value combined =
              emitScalarRegion(k, op->getRegion(0), {state[0], update}).front();
          // Indices are compared as i64, elements are combined in their own
          // type.
          k.setElementType(i64);
          Value hits = k.compare(ComparePredicate::EQ, k.load(1, {k.dim(1)}),
                                 k.index(0));
          k.setElementType(operand.getElementType());
          return SmallVector<Value>{k.select(hits, combined, state[0])};
        };
        return k.loop({1}, KernelReduce::Custom, k.load(0, {k.dim(0)}), step)
            .front();
      });
  setPaddedIndices(result.getDefiningOp());
  return b.reshape(result, operand.getShape());
}

/// True if the region returns its second argument, the update.
static bool returnsUpdate(Region &region) {
  return region.hasOneBlock() && region.getNumArguments() == 2 &&
         llvm::hasSingleElement(region.front()) &&
         region.front().back().getNumOperands() == 1 &&
         region.front().back().getOperand(0) == region.getArgument(1);
}

HloMatch gaudi::matchScatter(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() != 3 || op->getNumResults() != 1)
    return m.refuse("only one operand can be scattered into at a time");
  if (op->getNumRegions() != 1)
    return m.refuse("expected one region");
  RankedTensorType operand = tensorType(op->getOperand(0));
  RankedTensorType indices = tensorType(op->getOperand(1));
  RankedTensorType update = tensorType(op->getOperand(2));
  auto dims = readDims(m, scatterNames, operand, indices, update);
  if (failed(dims))
    return failure();
  if (op->getResult(0).getType() != operand ||
      update.getElementType() != operand.getElementType())
    return m.refuse("operand, update and result must have one element type");
  for (auto [to, from] : llvm::zip_equal(dims->operandWindow, dims->window))
    if (update.getDimSize(from) > operand.getDimSize(to))
      return m.refuse("the update is larger than the operand in dimension " +
                      Twine(to));
  Region &region = op->getRegion(0);
  RankedTensorType scalar = operand.clone(ArrayRef<int64_t>{});
  if (failed(checkScalarRegion(region, m)))
    return failure();
  if (region.getArgumentTypes() != TypeRange({scalar, scalar}) ||
      region.front().back().getOperandTypes() != TypeRange(scalar))
    return m.refuse("its region must take two scalars of the element type and "
                    "return one");
  // A known region is the library's: adding, or the update as it is.
  const bool accumulate = isa_and_nonnull<AddOp>(combiner(region));
  // The library kernel adds numbers.
  const bool isLibrary = accumulate ? !operand.getElementType().isInteger(1)
                                    : returnsUpdate(region);
  return build([op, accumulate, isLibrary, dims = *dims](HloBuilder &b) {
    return isLibrary ? createScatter(op, dims, accumulate, b)
                     : createScatterKernel(op, dims, b);
  });
}
