// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimensions of a function must have equal sizes.
//
// The maps of ops say which dimensions one factor walks. A dimension that is a
// factor grows with it; one that is made of several grows with the outermost; a
// sum of another kind, such as a window's position, fixes what it is made of.
// An op without a map fixes its dimensions.
#include "BatchTies.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Kernel/MatrixKinds.h"

using namespace mlir;
using namespace gaudi;

using Node = BatchTies::Node;

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
  for (Operation &op : block)
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

void BatchTies::tie(Node a, Node b) {
  edges[a].push_back(b);
  edges[b].push_back(a);
}

/// A state and the result that replaces it have one type.
void BatchTies::addStates(func::FuncOp function) {
  Operation *end = function.getBody().front().getTerminator();
  for (BlockArgument argument : function.getArguments())
    if (auto result = stateResult(function, argument.getArgNumber()))
      for (int64_t dim = 0; dim < tensorType(argument).getRank(); ++dim)
        tie(nodeOf(argument, dim), nodeOf(end->getOperand(*result), dim));
}

/// True if the model, not the batch, decides the sizes of the op's tensors: its
/// parameters have them, or a form that was chosen for them.
static bool hasOwnSizes(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return !hasAnySize(constant.getValue());
  if (auto attention = dyn_cast<SdpaOp>(op))
    return bool(attention.getSlice());
  if (auto attention = dyn_cast<SdpaGradOp>(op))
    return bool(attention.getSlice());
  return isa<MultiTensorOpInterface>(op) || !isa<DimMapOpInterface>(op);
}

/// The same of one factor: all of a convolution but the batch, and the heads of
/// attention.
static bool hasOwnSize(Operation *op, unsigned name) {
  const auto kind = gaudi::kernel::matrixKindOf(
      std::string_view(op->getName().getStringRef()));
  if (kind && isConvolution(*kind))
    return name != 'N';
  return isa<SdpaOp, SdpaGradOp>(op) && (name == 'H' || name == 'G');
}

void BatchTies::addOp(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::all_of(op->getOperandTypes(), isTensor) ||
      !llvm::all_of(op->getResultTypes(), isTensor))
    return;
  if (hasOwnSizes(op))
    return fixAll(op);
  const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
  const Node factors = firstOfFactors[op] = add(map.factors.size());
  for (auto [number, factor] : llvm::enumerate(map.factors))
    if (hasOwnSize(op, factor.name))
      fix(factors + number, op);
  for (const DimMap::Access &access : map.accesses)
    for (unsigned dim = 0; dim < access.dims.size(); ++dim)
      addDim(op, map, access, dim);
}

void BatchTies::addDim(Operation *op, const DimMap &map,
                       const DimMap::Access &access, unsigned number) {
  const unsigned operands = op->getNumOperands();
  const bool isResult = access.tensor >= operands;
  const Value value = isResult ? Value(op->getResult(access.tensor - operands))
                               : op->getOperand(access.tensor);
  const int64_t size = tensorType(value).getDimSize(number);
  const DimMap::Dim &dim = access.dims[number];
  const Node node = nodeOf(value, number), factors = firstOfFactors.at(op);
  if (dim.terms.empty()) {
    // Values index it, whatever its size, or it has an element that is there in
    // any size; else the op needs one element.
    if (!dim.isWhole && size == 1)
      fix(node, op);
    return;
  }
  const auto [outermost, stride] = dim.terms.front();
  const bool isOnly = dim.terms.size() == 1 && !dim.isWhole;
  // Consecutive parts of a dimension grow with it.
  const bool isPart = isOnly && stride == 1 && isa<ConcatOp, SplitOp>(op);
  if (isPart || map.isMixedRadix(dim, size)) {
    tie(node, factors + outermost);
    for (const DimMap::Term &term : ArrayRef(dim.terms).drop_front())
      fix(factors + term.factor, op);
    return;
  }
  if (isOnly && stride == 0 && !isResult && map.factors[outermost].size == 1) {
    // If it grows, so does what it would be broadcast along; not the other way
    // round.
    edges[node].push_back(factors + outermost);
    return;
  }
  fix(node, op);
  for (const DimMap::Term &term : dim.terms)
    if (term.stride != 0)
      fix(factors + term.factor, op);
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
