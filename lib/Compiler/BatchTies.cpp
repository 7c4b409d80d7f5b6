// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimensions of a function must have equal sizes.
//
// Ops of the vector cores are asked for their kernel: its loads and stores say
// which dimensions of the tensors one dimension of the index space walks. That
// holds for reductions, pools, gathers and for kernels of linalg alike. Matrix
// ops, views, data movement and library kernels have rules of their own here.
// An op without a rule fixes its dimensions.
#include "BatchTies.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gaudi;

using Node = BatchTies::Node;

static int64_t sizeOf(Value value, unsigned dim) {
  return tensorType(value).getDimSize(dim);
}

/// True if the constant has a value in every size: one value for all elements,
/// or no element.
static bool hasAnySize(Attribute value) {
  return isa<SplatElementsAttr>(value) ||
         cast<ElementsAttr>(value).getNumElements() == 0;
}

BatchTies::BatchTies(func::FuncOp function) {
  Block &block = function.getBody().front();
  auto addValue = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    first[value] = add(type ? type.getRank() : 0);
  };
  for (Value argument : block.getArguments())
    addValue(argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      addValue(result);
  addStates(function);
  for (BlockArgument argument : block.getArguments())
    if (auto initial =
            function.getArgAttr(argument.getArgNumber(), initialAttrName))
      if (!hasAnySize(initial))
        fixAll(argument, function);
  // Kernels that are only asked for their accesses come and go after their op.
  for (Operation &op : llvm::make_early_inc_range(block))
    if (!op.hasTrait<OpTrait::IsTerminator>())
      addOp(&op);
}

Node BatchTies::add(unsigned count) {
  const Node node = edges.size();
  edges.resize(edges.size() + count);
  return node;
}

void BatchTies::fix(Node node, Operation *op) { fixed.try_emplace(node, op); }

void BatchTies::fixAll(Value value, Operation *op) {
  for (int64_t dim = 0; dim < tensorType(value).getRank(); ++dim)
    fix(nodeOf(value, dim), op);
}

void BatchTies::fixAll(Operation *op) {
  for (Value operand : op->getOperands())
    fixAll(operand, op);
  for (Value result : op->getResults())
    fixAll(result, op);
}

void BatchTies::tieNodes(Node a, Node b) {
  edges[a].push_back(b);
  edges[b].push_back(a);
}

void BatchTies::tie(Value a, unsigned dimA, Value b, unsigned dimB) {
  if (sizeOf(a, dimA) == sizeOf(b, dimB))
    tieNodes(nodeOf(a, dimA), nodeOf(b, dimB));
}

void BatchTies::tieRepeated(Value operand, unsigned dimOperand, Value result,
                            unsigned dimResult) {
  const int64_t size = sizeOf(operand, dimOperand);
  if (size != sizeOf(result, dimResult))
    return;
  const Node from = nodeOf(operand, dimOperand), to = nodeOf(result, dimResult);
  edges[from].push_back(to);
  if (size != 1)
    edges[to].push_back(from);
}

void BatchTies::tieAll(Value a, Value b, int64_t butDim) {
  assert(tensorType(a).getRank() == tensorType(b).getRank() &&
         "dimension by dimension");
  for (int64_t dim = 0; dim < tensorType(a).getRank(); ++dim)
    if (dim != butDim)
      tie(a, dim, b, dim);
}

/// A state and the result that replaces it have one type.
void BatchTies::addStates(func::FuncOp function) {
  Operation *end = function.getBody().front().getTerminator();
  for (BlockArgument argument : function.getArguments())
    if (auto result = stateResult(function, argument.getArgNumber()))
      tieAll(argument, end->getOperand(*result));
}

/// Nodes for dimensions that the index space lacks: as many as the first result
/// has dimensions.
static unsigned onesOf(KernelOp kernel) {
  return kernel.getOutputs().empty()
             ? 0
             : tensorType(kernel.getOutputs().front()).getRank();
}

void BatchTies::addOp(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::all_of(op->getOperandTypes(), isTensor) ||
      !llvm::all_of(op->getResultTypes(), isTensor))
    return;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (!hasAnySize(constant.getValue()))
      fixAll(op);
  } else if (isa<ReshapeOp>(op)) {
    addReshape(op);
  } else if (isa<ReindexOpInterface>(op)) {
    addReindexed(op);
  } else if (isa<GemmOp>(op)) {
    addProduct(op);
  } else if (auto kernel = dyn_cast<KernelOp>(op)) {
    const Node space = firstOfSpace[op] = add(kernel.getIndexSpace().size());
    const Node ones = firstOfOnes[op] = add(onesOf(kernel));
    addKernel(kernel, op->getOperands(), op->getResults(), space, ones, op);
  } else if (isa<ElementwiseOpInterface>(op)) {
    for (Value operand : op->getOperands())
      for (int64_t dim = 0; dim < tensorType(operand).getRank(); ++dim)
        tieRepeated(operand, dim, op->getResult(0), dim);
  } else if (!addMove(op) && !addConvolution(op) && !addAttention(op) &&
             !addLibrary(op)) {
    addComputed(op);
  }
}

/// Views, transposes and broadcasts: the index map says which dimension of the
/// result walks each one of the source.
void BatchTies::addReindexed(Operation *op) {
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    for (auto [dim, to] : llvm::enumerate(broadcast.getDims()))
      tieRepeated(broadcast.getOperand(), dim, broadcast.getResult(), to);
    return;
  }
  auto reindex = cast<ReindexOpInterface>(op);
  for (OpResult result : op->getResults()) {
    Value source = reindex.getViewSource(result);
    IndexMap map = reindex.getIndexMap(result);
    if (!map)
      return fixAll(op);
    for (auto [dim, index] : llvm::enumerate(*map)) {
      if (index.dim == StridedIndex::none) {
        if (sizeOf(source, dim) != 1)
          fix(nodeOf(source, dim), op);
      } else if (index.stride == 1 && index.offset == 0 &&
                 sizeOf(source, dim) == sizeOf(result, index.dim)) {
        tie(source, dim, result, index.dim);
      } else if (isa<SplitOp>(op)) {
        // Consecutive parts of a dimension grow with it.
        tieNodes(nodeOf(source, dim), nodeOf(result, index.dim));
      } else {
        fix(nodeOf(source, dim), op);
        fix(nodeOf(result, index.dim), op);
      }
    }
  }
}

/// A reshape keeps the row-major order: of a group of dimensions that become
/// other ones with the same product, only the outermost of both can grow.
/// Dimensions of size 1 between groups correspond in their order; one that has
/// no partner is the outermost of the group after it, so that [1, 12] to [12]
/// is [4, 12] to [48].
void BatchTies::addReshape(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  ArrayRef<int64_t> source = tensorType(from).getShape(),
                    target = tensorType(to).getShape();
  if (llvm::is_contained(source, 0))
    return fixAll(op);
  size_t i = 0, j = 0;
  // The first of the ones from `at` on; none if there are none.
  auto takeOnes = [&](Value value, ArrayRef<int64_t> shape, size_t &at) {
    Node outermost = none;
    for (; at < shape.size() && shape[at] == 1; ++at)
      if (outermost == none)
        outermost = nodeOf(value, at);
      else
        fix(nodeOf(value, at), op);
    return outermost;
  };
  while (i < source.size() || j < target.size()) {
    while (i < source.size() && j < target.size() && source[i] == 1 &&
           target[j] == 1)
      tie(from, i++, to, j++);
    Node outerFrom = takeOnes(from, source, i),
         outerTo = takeOnes(to, target, j);
    if (i == source.size() || j == target.size()) {
      for (Node one : {outerFrom, outerTo})
        if (one != none)
          fix(one, op);
      continue;
    }
    for (auto [outer, inner] : {std::pair(&outerFrom, nodeOf(from, i)),
                                std::pair(&outerTo, nodeOf(to, j))})
      if (*outer == none)
        *outer = inner;
      else
        fix(inner, op);
    tieNodes(outerFrom, outerTo);
    int64_t left = source[i++], right = target[j++];
    while (left != right)
      if (left < right) {
        fix(nodeOf(from, i), op);
        left *= source[i++];
      } else {
        fix(nodeOf(to, j), op);
        right *= target[j++];
      }
  }
}

/// Ties the dimensions that one dimension of the index space walks alone.
/// Another index, such as a window's, fixes what it is made of.
void BatchTies::addKernel(KernelOp kernel, ValueRange inputs,
                          ValueRange outputs, Node space, Node ones,
                          Operation *op) {
  ArrayRef<int64_t> extents = kernel.getIndexSpace();
  auto addAccess = [&](Value tensor, AffineMap map, bool isStore, auto isInside,
                       auto isDynamic) {
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (isDynamic(dim))
        continue; // a value indexes it, whatever its size
      auto walked = dyn_cast<AffineDimExpr>(expr);
      if (walked && isInside(dim) &&
          extents[walked.getPosition()] == sizeOf(tensor, dim)) {
        tieNodes(nodeOf(tensor, dim), space + walked.getPosition());
        continue;
      }
      if (isa<AffineConstantExpr>(expr)) {
        if (sizeOf(tensor, dim) != 1)
          continue; // an element that is there in any size
        // If it grows, the result does; if it does not, it is repeated.
        if (auto walked = walkedAlone(kernel, map.getNumResults(), dim))
          edges[nodeOf(tensor, dim)].push_back(space + *walked);
        else if (map.getNumResults() != onesOf(kernel))
          fix(nodeOf(tensor, dim), op);
        else if (isStore)
          tieNodes(nodeOf(tensor, dim), ones + dim);
        else
          edges[nodeOf(tensor, dim)].push_back(ones + dim);
        continue;
      }
      fix(nodeOf(tensor, dim), op);
      for (size_t d = 0; d < extents.size(); ++d)
        if (expr.isFunctionOfDim(d))
          fix(space + d, op);
    }
  };
  kernel.getBody().walk([&](Operation *inner) {
    if (auto load = dyn_cast<KernelLoadOp>(inner))
      addAccess(
          inputs[load.getInputNumber()], load.getMap(), /*isStore=*/false,
          [&](unsigned dim) {
            return load.getBoundaryOf(dim) == Boundary::Inside;
          },
          [&](unsigned dim) { return bool(load.getDynamicIndex(dim)); });
    else if (auto store = dyn_cast<KernelStoreOp>(inner))
      addAccess(
          outputs[store.getOutputNumber()], store.getMap(), /*isStore=*/true,
          [](unsigned) { return true; }, [](unsigned) { return false; });
  });
}

/// An op that has a kernel, which is built, read and erased.
void BatchTies::addComputed(Operation *op) {
  auto body = dyn_cast<KernelBodyOpInterface>(op);
  if (!body)
    return fixAll(op);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  // A form that the kernel lacks is no error here.
  const QuietDiagnostics quiet(op->getContext());
  FailureOr<Operation *> built = body.buildKernel(builder);
  auto kernel = succeeded(built) ? dyn_cast<KernelOp>(*built) : KernelOp();
  if (kernel && kernel->getOperands() == op->getOperands())
    addKernel(kernel, op->getOperands(), op->getResults(),
              add(kernel.getIndexSpace().size()), add(onesOf(kernel)), op);
  else
    fixAll(op);
  if (succeeded(built))
    (*built)->erase();
}

bool BatchTies::addMove(Operation *op) {
  if (isa<FillOp>(op))
    return true; // any size
  if (isa<CopyOp>(op)) {
    tieAll(op->getOperand(0), op->getResult(0));
    return true;
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    Value result = concat.getResult();
    const unsigned axis = concat.getAxis();
    for (Value operand : concat.getOperands()) {
      tieAll(operand, result, axis);
      tieNodes(nodeOf(operand, axis), nodeOf(result, axis));
    }
    return true;
  }
  auto insert = dyn_cast<InsertSliceOp>(op);
  if (!insert)
    return false;
  Value source = insert.getSource(), dest = insert.getDest();
  tieAll(dest, insert.getResult());
  for (int64_t dim = 0; dim < tensorType(dest).getRank(); ++dim)
    if (sizeOf(source, dim) == sizeOf(dest, dim)) {
      tie(source, dim, dest, dim);
    } else {
      fix(nodeOf(source, dim), op);
      fix(nodeOf(dest, dim), op);
    }
  return true;
}

/// Kernels that walk one axis, and scatters. Along the axis nothing grows.
bool BatchTies::addLibrary(Operation *op) {
  if (!isa<LibraryKernelOpInterface>(op))
    return false;
  if (isa<ScatterOp, ScatterRowsOp>(op)) {
    Value data = op->getOperand(0), indices = op->getOperand(1),
          updates = op->getOperand(2);
    tieAll(data, op->getResult(0));
    tie(data, 0, indices, 0);
    tie(data, 0, updates, 0);
    tie(indices, 1, updates, 1);
    tie(data, 2, updates, 2);
    return true;
  }
  auto axis = op->getAttrOfType<IntegerAttr>("axis");
  if (!axis)
    return false;
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values) {
      if (value == op->getOperand(0))
        continue;
      tieAll(op->getOperand(0), value, axis.getInt());
      fix(nodeOf(value, axis.getInt()), op);
    }
  fix(nodeOf(op->getOperand(0), axis.getInt()), op);
  return true;
}

SmallVector<Node, 0> BatchTies::reach(Node seed, Operation *&fixedBy) const {
  fixedBy = nullptr;
  SmallVector<Node, 0> reached = {seed};
  std::vector<bool> seen(edges.size());
  seen[seed] = true;
  for (size_t i = 0; i < reached.size(); ++i) {
    if (auto it = fixed.find(reached[i]); it != fixed.end()) {
      if (!fixedBy)
        fixedBy = it->second;
      continue; // nothing grows because of what cannot
    }
    for (Node next : edges[reached[i]])
      if (!seen[next]) {
        seen[next] = true;
        reached.push_back(next);
      }
  }
  return reached;
}
