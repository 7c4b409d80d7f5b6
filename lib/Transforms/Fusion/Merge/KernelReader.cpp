// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From gaudi.tpc.kernel to the graph of its values.
//
// One pass in program order, where operands come before their users. What has
// no form in the graph (ops with several results, a position that is no sum, a
// store that reads an accumulator) leaves the kernel unfused.
#include "KernelReader.h"
#include "Gaudi/Dialect/ScalarBuilder.h"
#include "Views.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// The attributes of an op; null for plain arithmetic, which is most of it.
static DictionaryAttr attrsOf(Operation &op) {
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op)) {
    arith::FastMathFlagsAttr flags = fast.getFastMathFlagsAttr();
    if (flags && flags.getValue() == arith::FastMathFlags::none &&
        !isa<arith::CmpFOp, arith::TruncFOp, arith::SelectOp>(op))
      return {};
  }
  DictionaryAttr attrs = op.getAttrDictionary();
  return attrs.empty() ? DictionaryAttr() : attrs;
}

/// Adds the values of a scalar op whose operands have the nodes `ids`. False
/// for an op that has no form in the graph.
static bool readScalar(Operation &op, KernelDag &dag,
                       DenseMap<Value, NodeId> &ids) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    ids[constant] = dag.constant(constant.getValue());
    return true;
  }
  // A node has one type: two results of one type, or one result.
  if (op.getNumResults() != 1 &&
      !isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op))
    return false;
  SmallVector<NodeId, 3> operands;
  for (Value operand : op.getOperands())
    operands.push_back(ids.lookup(operand));
  DictionaryAttr attrs = attrsOf(op);
  for (OpResult result : op.getResults())
    ids[result] = dag.scalar(op.getName(), attrs, operands, result.getType(),
                             result.getResultNumber());
  return true;
}

// The op's scalar code is written into a block of its own, read, and dropped.
std::optional<NodeId> gaudi::fusion::readElementwise(ElementwiseOpInterface op,
                                                     ArrayRef<NodeId> operands,
                                                     KernelDag &dag) {
  Block scratch;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  DenseMap<Value, NodeId> ids;
  SmallVector<Value> in;
  for (auto [operand, id] : llvm::zip_equal(op->getOperands(), operands)) {
    in.push_back(scratch.addArgument(kernelType(getElementTypeOrSelf(operand)),
                                     op->getLoc()));
    ids[in.back()] = id;
  }
  ScalarBuilder scalars(builder, op->getLoc());
  const Value made = op.buildScalar(scalars, in);
  bool isRead = true;
  for (Operation &scalar : scratch)
    isRead &= readScalar(scalar, dag, ids);
  const NodeId value = ids.lookup(made);
  while (!scratch.empty())
    scratch.back().erase();
  return isRead ? std::optional(value) : std::nullopt;
}

/// An attribute of an element type in the type it has in kernels.
static TypedAttr scalarOf(TypedAttr value, Type type) {
  auto number = dyn_cast<FloatAttr>(value);
  if (!number)
    return IntegerAttr::get(type, cast<IntegerAttr>(value).getValue());
  APFloat converted = number.getValue();
  bool inexact = false;
  converted.convert(cast<FloatType>(type).getFloatSemantics(),
                    APFloat::rmNearestTiesToEven, &inexact);
  return FloatAttr::get(type, converted);
}

TypedAttr gaudi::fusion::loadedSplat(Value tensor, Type type) {
  Operation *root = rootOf(tensor).getDefiningOp();
  if (auto fill = dyn_cast_or_null<FillOp>(root))
    return scalarOf(fill.getValue(), type);
  auto constant = dyn_cast_or_null<ConstantOp>(root);
  if (!constant)
    return {};
  auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
  if (!splat)
    return {};
  if (isa<FloatType>(splat.getElementType()))
    return scalarOf(
        FloatAttr::get(splat.getElementType(), splat.getSplatValue<APFloat>()),
        type);
  return IntegerAttr::get(type, splat.getSplatValue<APInt>());
}

namespace {
class Reader {
public:
  explicit Reader(KernelOp kernel) : kernel(kernel) {}

  FailureOr<KernelDag> run() {
    size_t count = llvm::range_size(kernel.getBody().front());
    dag.reserve(count, count);
    readDims();
    dag.parts.push_back(kernel.getLabel().value_or("tpc.kernel"));
    for (Operation &op : kernel.getBody().front()) {
      auto loop = dyn_cast<KernelLoopOp>(op);
      if (failed(loop ? readLoop(loop) : read(op)))
        return failure();
    }
    // In the order of the results, which that of the stores need not be: equal
    // kernels have equal graphs.
    DenseMap<Value, unsigned> order;
    for (OpResult result : kernel->getResults())
      order[result] = result.getResultNumber();
    llvm::sort(dag.stores, [&](const Store &a, const Store &b) {
      return order[a.result] < order[b.result];
    });
    return std::move(dag);
  }

private:
  /// Dimensions of size 1 have index 0 and disappear, unless a loop that
  /// reduces walks nothing else.
  void readDims() {
    auto space = kernel.getIndexSpace();
    SmallVector<bool> kept;
    for (int64_t size : space)
      kept.push_back(size != 1);
    for (auto loop : kernel.getBody().getOps<KernelLoopOp>())
      if (!loop.getReduce().empty() &&
          llvm::none_of(loop.getDims(), [&](int64_t d) { return kept[d]; }))
        kept[loop.getDims()[0]] = true;
    for (auto [d, size] : llvm::enumerate(space))
      dims.push_back(
          kept[d] ? Affine::dim(dag.addDim(size, kernel.getParallel()[d]))
                  : Affine());
  }

  LogicalResult readPosition(AffineMap map, SmallVectorImpl<Affine> &position) {
    for (AffineExpr expr : map.getResults()) {
      FailureOr<Affine> form = affineOf(expr);
      if (failed(form))
        return failure();
      position.push_back(form->substitute(dims));
    }
    return success();
  }

  LogicalResult readLoop(KernelLoopOp op) {
    Block &block = op.getBody().front();
    // A loop that only stores is not in the graph: the positions of its stores
    // say which dimensions it walks.
    if (op.getReduce().empty()) {
      for (Operation &inner : block.without_terminator())
        if (failed(read(inner)))
          return failure();
      return success();
    }
    unsigned number = dag.loops.size();
    Loop &loop = dag.loops.emplace_back();
    for (int64_t d : op.getDims())
      if (auto dim = dims[d].singleDim())
        loop.dims.push_back(*dim);
    const uint64_t walked = maskOf(loop.dims);
    for (BlockArgument running : block.getArguments())
      if (!running.use_empty())
        ids[running] = dag.carry(number, running.getArgNumber(),
                                 running.getType(), walked);
    for (Operation &inner : block.without_terminator())
      if (failed(read(inner)))
        return failure();
    // The reductions' values come last: the loop's body is in the graph now.
    ValueRange yielded = cast<KernelYieldOp>(block.getTerminator()).getValues();
    size_t next = 0;
    for (auto [r, init] : llvm::enumerate(op.getInits())) {
      Reduction reduction{op.getReduceKind(r), ids.lookup(init),
                          ids.lookup(yielded[next++]), std::nullopt};
      if (hasPosition(reduction.kind))
        reduction.position = ids.lookup(yielded[next++]);
      dag.loops[number].reductions.push_back(reduction);
    }
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      ids[result] = dag.result(number, i, result.getType());
    return success();
  }

  LogicalResult read(Operation &op) {
    if (auto load = dyn_cast<KernelLoadOp>(op))
      return readLoad(load);
    if (auto index = dyn_cast<KernelIndexOp>(op)) {
      ids[index] = dag.linear(dims[index.getDim()], op.getContext());
      return success();
    }
    if (auto store = dyn_cast<KernelStoreOp>(op)) {
      Store made{kernel.getResult(store.getOutputNumber()),
                 {},
                 ids.lookup(store.getValue())};
      if (failed(readPosition(store.getMap(), made.position)))
        return failure();
      // A store may move to another loop, where an accumulator has no value.
      if (readsCarry(made.value))
        return failure();
      dag.stores.push_back(std::move(made));
      return success();
    }
    return success(readScalar(op, dag, ids));
  }

  /// True if the value depends on an accumulator of the loop around it.
  /// Visits a node once: by its uses, a hash has more paths than any limit.
  bool readsCarry(NodeId id) const {
    SmallVector<NodeId> pending = {id};
    llvm::SmallDenseSet<NodeId> seen = {id};
    while (!pending.empty()) {
      const Node &node = dag.nodes[pending.pop_back_val()];
      if (node.kind == Node::Carry)
        return true;
      for (NodeId operand : node.operands)
        if (seen.insert(operand).second)
          pending.push_back(operand);
    }
    return false;
  }

  LogicalResult readLoad(KernelLoadOp load) {
    Access access;
    access.tensor = kernel.getInputs()[load.getInputNumber()];
    if (failed(readPosition(load.getMap(), access.position)))
      return failure();
    SmallVector<NodeId, 2> dynamic;
    if (auto dynamicDims = load.getDynamicDims())
      for (auto [dim, index] : llvm::zip(*dynamicDims, load.getIndices())) {
        access.dynamicDims.push_back(dim);
        dynamic.push_back(ids.lookup(index));
      }
    if (auto rules = load.getBoundary())
      if (!llvm::all_of(*rules, [](Attribute rule) {
            return cast<BoundaryAttr>(rule).getValue() == Boundary::Inside;
          }))
        for (Attribute rule : *rules)
          access.boundary.push_back(cast<BoundaryAttr>(rule).getValue());
    access.pad = load.getPadAttr();
    // A splat has one value at every position inside it. Where the load may be
    // outside, the rule decides.
    if (access.isInside())
      if (TypedAttr value = loadedSplat(access.tensor, load.getType())) {
        ids[load] = dag.constant(value);
        return success();
      }
    ids[load] = dag.load(std::move(access), dynamic, load.getType());
    return success();
  }

  KernelOp kernel;
  KernelDag dag;
  SmallVector<Affine, 6> dims;
  DenseMap<Value, NodeId> ids;
};
} // namespace

FailureOr<KernelDag> gaudi::fusion::readKernel(KernelOp kernel) {
  return Reader(kernel).run();
}
