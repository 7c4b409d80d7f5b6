// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps of the ops of the vector cores, by name, and of optimizers.
#include "DimMaps.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/TrainingOps.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Operands have the rank of the result and are broadcast along dimensions of
/// size 1.
struct ElementwiseMap
    : DimMapOpInterface::ExternalModel<ElementwiseMap, DimMapOpInterface> {
  DimMap getDimMap(Operation *op) const {
    const unsigned operands = op->getNumOperands();
    const Names names = numbered(tensorType(op->getResult(0)).getRank());
    DimMapBuilder map(op);
    for (unsigned operand = 0; operand < operands; ++operand)
      map.name(operand, names, /*repeating=*/names.size());
    map.name(operands, names);
    return map.take();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// One axis or several
//===----------------------------------------------------------------------===//

/// The names of a reduction's result.
static Names keptNames(int64_t rank, ArrayRef<int64_t> dims, bool keepsDims) {
  Names names;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      names.push_back(dim);
    else if (keepsDims)
      names.push_back(noName);
  return names;
}

static DimMap mapReduce(ReduceOp op) {
  const int64_t rank = tensorType(op.getOperand()).getRank();
  DimMapBuilder map(op);
  map.name(0, numbered(rank));
  map.name(1, keptNames(rank, op.getDims(), op.getKeepDims()));
  if (op.getKeepDims())
    for (int64_t dim : op.getDims()) {
      map.setSame(1, dim, 0, dim);
      map.dim(1, dim).terms.front().stride = 0;
    }
  return map.take();
}

/// The result counts positions of the axis.
static DimMap mapArgReduce(ArgReduceOp op) {
  const int64_t rank = tensorType(op.getOperand()).getRank(),
                axis = op.getAxis();
  Names names = numbered(rank);
  names[axis] = noName;
  DimMapBuilder map(op);
  map.name(0, names);
  map.name(1, keptNames(rank, axis, op.getKeepDims()));
  map.dim(0, axis).isWhole = true;
  return map.take();
}

/// All of a line along the axis decides what the results have in it.
template <typename Op> static DimMap mapLines(Op op) {
  const int64_t rank = tensorType(op.getOperand()).getRank(),
                axis = op.getAxis();
  Names names = numbered(rank);
  DimMapBuilder map(op);
  for (unsigned result = 1; result <= op->getNumResults(); ++result)
    map.name(result, names);
  names[axis] = noName;
  map.name(0, names);
  map.setSame(0, axis, 1, axis);
  map.dim(0, axis).isWhole = true;
  return map.take();
}

static DimMap mapReverse(ReverseOp op) {
  DimMapBuilder map(op);
  const Names names = numbered(op.getType().getRank());
  map.nameAll(names);
  for (int64_t reversed : op.getDims()) {
    DimMap::Dim &dim = map.dim(0, reversed);
    dim.terms.front().stride = -1;
    dim.offset = op.getType().getDimSize(reversed) - 1;
  }
  return map.take();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// `data` has the dimensions b.., o.., axis, r.., `indices` b.., i.., and the
/// result b.., o.., i.., r..
static DimMap mapGather(GatherOp op) {
  const int64_t axis = op.getAxis(), batch = op.getBatchDims(),
                rank = tensorType(op.getData()).getRank(),
                own = tensorType(op.getIndices()).getRank() - batch;
  Names data = numbered(rank), indices = numbered(batch), result;
  data[axis] = noName;
  llvm::append_range(indices, numbered(own, rank));
  llvm::append_range(result, numbered(axis));
  llvm::append_range(result, numbered(own, rank));
  llvm::append_range(result, numbered(rank - axis - 1, axis + 1));
  DimMapBuilder map(op);
  map.name(0, data);
  map.name(1, indices);
  map.name(2, result);
  map.dim(0, axis).isWhole = true;
  return map.take();
}

/// Lines of the data may be longer than those that are read, but for the axis.
static DimMap mapGatherElements(GatherElementsOp op) {
  const int64_t rank = op.getType().getRank();
  DimMapBuilder map(op);
  for (unsigned tensor : {1, 2})
    map.name(tensor, numbered(rank));
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim == int64_t(op.getAxis()))
      map.dim(0, dim).isWhole = true;
    else
      map.setSame(0, dim, 2, dim);
  return map.take();
}

static DimMap mapScatterElements(ScatterElementsOp op) {
  const int64_t rank = op.getType().getRank(), axis = op.getAxis();
  const Names names = numbered(rank);
  Names updated(rank, noName);
  updated[axis] = rank;
  DimMapBuilder map(op);
  map.name(0, names);
  map.name(1, updated);
  map.name(2, updated);
  map.name(3, names);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != axis)
      for (unsigned tensor : {1, 2})
        map.setSame(tensor, dim, 0, dim);
  return map.take();
}

/// data [N, K, C], indices [N, W], updates [N, W, C].
template <typename Op> static DimMap mapScatterRows(Op op) {
  DimMapBuilder map(op);
  map.name(0, lettered("NKC"));
  map.name(1, lettered("NW"));
  map.name(2, lettered("NWC"));
  map.name(3, lettered("NKC"));
  return map.take();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Edges repeat the element next to them.
static DimMap mapPad(PadOp op) {
  DimMapBuilder map(op);
  const int64_t rank = op.getType().getRank();
  map.name(1, numbered(rank));
  for (int64_t dim = 0; dim < rank; ++dim) {
    const int64_t low = op.getLow()[dim], high = op.getHigh()[dim];
    map.setSame(0, dim, 1, dim);
    map.dim(0, dim).offset = -low;
    map.dim(0, dim).isWhole =
        op.getMode() != PadMode::Constant && (low != 0 || high != 0);
  }
  return map.take();
}

/// Windows on tensor `whole`, of which tensor `windows` has one element each.
/// Names of window dimensions are those of the layout in lower case.
template <typename Op>
static void addWindows(DimMapBuilder &map, Op op, unsigned whole,
                       unsigned windows, ArrayRef<int64_t> dilations) {
  for (auto [s, letter] :
       llvm::enumerate(spatialLetters(op.getKernel().size()))) {
    const size_t at = op.getLayout().find(letter);
    DimMap::Dim &dim = map.dim(whole, at);
    dim.terms = {
        {map.dim(windows, at).terms.front().factor, op.getStrides()[s]}};
    if (op.getKernel()[s] != 1)
      dim.terms.push_back({map.factor(llvm::toLower(letter), op.getKernel()[s]),
                           dilations.empty() ? 1 : dilations[s]});
    dim.offset = -op.getPadLow()[s];
  }
}

/// The layout's letters, or those of N and C only.
static Names windowNames(StringRef layout, bool isSpatial) {
  std::string letters = layout.str();
  for (char &letter : letters)
    if (!isSpatial && letter != 'N' && letter != 'C')
      letter = '.';
  return lettered(letters);
}

static DimMap mapPool(PoolOp op) {
  DimMapBuilder map(op);
  map.name(0, windowNames(op.getLayout(), false));
  map.name(1, windowNames(op.getLayout(), true));
  addWindows(map, op, 0, 1, op.getDilations());
  return map.take();
}

/// The operand, if there is one, is read by windows that cover the position.
static DimMap mapPoolGrad(PoolGradOp op) {
  DimMapBuilder map(op);
  const unsigned result = op->getNumOperands();
  map.name(0, windowNames(op.getLayout(), true));
  for (unsigned tensor = 1; tensor <= result; ++tensor)
    map.name(tensor, windowNames(op.getLayout(), false));
  for (unsigned tensor = 1; tensor <= result; ++tensor)
    addWindows(map, op, tensor, 0, {});
  return map.take();
}

static DimMap mapResize(ResizeOp op) {
  DimMapBuilder map(op);
  map.nameAll(lettered("N..C"));
  map.name(1, lettered("NHWC"));
  for (int64_t dim : {1, 2}) {
    map.setSame(0, dim, 1, dim);
    map.dim(0, dim).isWhole = true;
  }
  return map.take();
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

// The lists of operands with one tensor per entry. They come first, and so do
// the lists of results.
static unsigned listsOf(FusedAdamWOp) { return 4; }
static unsigned listsOf(FusedSGDOp op) {
  return op.getMomentumBuffers().empty() ? 2 : 3;
}
static unsigned listsOf(FusedAdagradOp) { return 3; }
static unsigned listsOf(FusedLambOp) { return 4; }
static unsigned listsOf(FusedEmaOp) { return 2; }
static unsigned listsOf(FusedClipNormOp) { return 1; }

// Steps that depend on norms of whole tensors.
template <typename Op> static bool addsElements(Op) { return false; }
static bool addsElements(FusedLambOp op) {
  return op.getMaxGradNorm() || op.scalesByRatio();
}
static bool addsElements(FusedClipNormOp) { return true; }

// Results that are not of lists.
template <typename Op> static unsigned scalarsOf(Op) { return 0; }
static unsigned scalarsOf(FusedClipNormOp) { return 2; }

/// The tensors of an entry have one shape, and elements at the same positions.
template <typename Op> static DimMap mapOptimizer(Op op) {
  const unsigned count = op.getEntries().size(), listed = count * listsOf(op),
                 results = op->getNumOperands(),
                 end = results + op->getNumResults() - scalarsOf(op);
  DimMapBuilder map(op);
  SmallVector<Names> names;
  unsigned first = 0;
  for (unsigned entry = 0; entry < count; ++entry) {
    names.push_back(numbered(typeOfTensor(op, entry).getRank(), first));
    first += names.back().size();
  }
  for (unsigned tensor = 0; tensor < listed; ++tensor)
    map.name(tensor, names[tensor % count]);
  for (unsigned tensor = results; tensor < end; ++tensor)
    map.name(tensor, names[(tensor - results) % count]);
  for (unsigned tensor = 0; addsElements(op) && tensor < listed; ++tensor)
    map.readAlso(tensor, llvm::to_vector(llvm::seq<int64_t>(
                             0, typeOfTensor(op, tensor).getRank())));
  return map.take();
}

template <typename... Ops>
static void attachOptimizerMaps(MLIRContext &context) {
  (attachMap<Ops, mapOptimizer<Ops>>(context), ...);
}

void gaudi::attachVectorMaps(MLIRContext &context) {
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ElementwiseOpInterface>())
      name.attachInterface<ElementwiseMap>();
  attachMap<ReduceOp, mapReduce>(context);
  attachMap<ArgReduceOp, mapArgReduce>(context);
  attachMap<CumulativeSumOp, mapLines<CumulativeSumOp>>(context);
  attachMap<SortOp, mapLines<SortOp>>(context);
  attachMap<TopKOp, mapLines<TopKOp>>(context);
  attachMap<ReverseOp, mapReverse>(context);
  attachMap<GatherOp, mapGather>(context);
  attachMap<GatherElementsOp, mapGatherElements>(context);
  attachMap<ScatterOp, mapScatterRows<ScatterOp>>(context);
  attachMap<ScatterRowsOp, mapScatterRows<ScatterRowsOp>>(context);
  attachMap<ScatterElementsOp, mapScatterElements>(context);
  attachMap<PadOp, mapPad>(context);
  attachMap<PoolOp, mapPool>(context);
  attachMap<PoolGradOp, mapPoolGrad>(context);
  attachMap<ResizeOp, mapResize>(context);
  attachOptimizerMaps<FusedAdamWOp, FusedSGDOp, FusedAdagradOp, FusedLambOp,
                      FusedEmaOp, FusedClipNormOp>(context);
}
