// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers that work on one flat vector of all parameters (optax.flatten).
//
// The states are flat, too, so the step of one parameter would need slices of
// them, and put together what it makes. The flat sum needs the parameters in
// one vector, which such optimizers have for weight decay already.
#include "FlatParameters.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// parameter + slice of the update, or minus it.
struct Slice {
  int64_t first;
  ElementId sum, parameter;
  bool isSubtracted;
};

class Gatherer {
public:
  explicit Gatherer(Block &block) : block(block), algebra(elements) {}

  void run() {
    findSlices();
    for (auto &[update, slices] : updates)
      if (isPartition(update, slices))
        gather(update, slices);
    eraseDead();
  }

private:
  void findSlices() {
    DenseSet<ElementId> seen;
    for (Value result : block.getTerminator()->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type || !isa<FloatType>(type.getElementType()) ||
          type.getNumElements() == 0)
        continue;
      const ElementId sum = elements.of(result);
      const Element &node = elements.at(sum);
      const bool isSum = node.kind == Element::Add || node.kind == Element::Sub;
      if (!seen.insert(sum).second)
        continue;
      if (node.range.isWhole() && !accumulationsOf(algebra, sum).empty())
        states.push_back(sum);
      if (isSum && node.range.isWhole())
        for (unsigned i : {0, 1})
          addSlice(sum, node.operands[i], node.operands[1 - i],
                   node.kind == Element::Sub && i == 0,
                   node.kind == Element::Add || i == 0);
    }
  }

  void addSlice(ElementId sum, ElementId parameter, ElementId update,
                bool isSubtracted, bool isFirst) {
    const ElementRange &whole = elements.at(parameter).range;
    const ElementRange &part = elements.at(update).range;
    // One element may stand for all, which is no part of the update.
    if (part.size != whole.size)
      return;
    if (isFirst && whole.tensor && isa<BlockArgument>(whole.tensor) &&
        whole.isWhole() && part.tensor && !part.isWhole() &&
        isa_and_nonnull<ElementwiseOpInterface>(part.tensor.getDefiningOp()))
      updates[part.tensor].push_back(
          {part.first, sum, parameter, isSubtracted});
  }

  bool isPartition(Value update, SmallVectorImpl<Slice> &slices) {
    llvm::sort(slices, [](const Slice &a, const Slice &b) {
      return a.first < b.first;
    });
    int64_t end = 0;
    for (const Slice &slice : slices) {
      if (slice.first != end ||
          slice.isSubtracted != slices.front().isSubtracted)
        return false;
      end += elements.at(slice.sum).size;
    }
    return end == elementCount(update);
  }

  /// The parameter as a vector.
  Value flat(OpBuilder &builder, Location loc, Value tensor) {
    auto type = RankedTensorType::get({elementCount(tensor)},
                                      getElementTypeOrSelf(tensor));
    if (tensor.getType() == type)
      return tensor;
    for (Operation *user : tensor.getUsers())
      if (isa<ReshapeOp>(user) && user->getResult(0).getType() == type &&
          isBefore(user, builder))
        return user->getResult(0);
    made.push_back(ReshapeOp::create(builder, loc, type, tensor));
    return made.back()->getResult(0);
  }

  bool isBefore(Operation *op, OpBuilder &builder) {
    return op->isBeforeInBlock(&*builder.getInsertionPoint());
  }

  void gather(Value update, ArrayRef<Slice> slices) {
    made.clear();
    Operation *terminator = block.getTerminator();
    OpBuilder builder(terminator);
    const Location loc =
        elements.locOf(slices.front().sum, terminator->getLoc());
    SmallVector<Value> parameters;
    for (const Slice &slice : slices)
      parameters.push_back(
          flat(builder, loc, elements.at(slice.parameter).range.tensor));
    const int64_t count = elementCount(update);
    auto type = RankedTensorType::get({count}, getElementTypeOrSelf(update));
    // All must have the type of the update.
    for (Value parameter : parameters)
      if (getElementTypeOrSelf(parameter) != type.getElementType())
        return undo();
    // Weight decay has made the vector already: it is reused.
    Value whole;
    for (Operation *user : parameters.front().getUsers())
      if (isa<ConcatOp>(user) && user->getResult(0).getType() == type &&
          llvm::equal(user->getOperands(), parameters))
        whole = user->getResult(0);
    if (!whole) {
      made.push_back(ConcatOp::create(builder, loc, type, parameters,
                                      builder.getI64IntegerAttr(0)));
      whole = made.back()->getResult(0);
    }
    if (update.getType() != type) {
      made.push_back(ReshapeOp::create(builder, loc, type, update));
      update = made.back()->getResult(0);
    }
    if (slices.front().isSubtracted)
      made.push_back(SubOp::create(builder, loc, type, whole, update));
    else
      made.push_back(AddOp::create(builder, loc, type, whole, update));
    // Only if the sum on the flat vector is a step that can be fused; else all
    // of it is taken back.
    Value sum = made.back()->getResult(0);
    if (!isStep(elements.of(sum)))
      return undo();
    for (const Slice &slice : slices)
      replace(builder, sum, slice);
  }

  bool isStep(ElementId sum) {
    SmallVector<ElementId> moments;
    for (ElementId id : elements.cone(sum, states))
      if (id != sum && llvm::is_contained(states, id))
        moments.push_back(id);
    Mismatch mismatch;
    bool isCandidate = false;
    return moments.size() >= 2
               ? matchAdamW(algebra, sum, moments, mismatch).has_value()
               : moments.size() == 1 && matchMomentum(algebra, sum, moments[0],
                                                      isCandidate, mismatch)
                                            .has_value();
  }

  void replace(OpBuilder &builder, Value sum, const Slice &slice) {
    Value old = elements.at(slice.sum).range.tensor;
    // The sum is made at the end: other readers of the parameter keep theirs.
    auto type =
        RankedTensorType::get({elementCount(old)}, getElementTypeOrSelf(old));
    Value part =
        SliceOp::create(builder, old.getLoc(), type, sum,
                        ArrayRef<int64_t>{slice.first}, ArrayRef<int64_t>{1});
    if (part.getType() != old.getType())
      part = ReshapeOp::create(builder, old.getLoc(), old.getType(), part);
    const bool isOnlyResult =
        llvm::all_of(old.getUsers(), [&](Operation *user) {
          return user == block.getTerminator();
        });
    old.replaceUsesWithIf(part, [&](OpOperand &use) {
      return use.getOwner() == block.getTerminator();
    });
    if (isOnlyResult)
      dead.push_back(old.getDefiningOp());
  }

  void undo() {
    while (!made.empty())
      made.pop_back_val()->erase();
  }

  /// Sums that the flat one replaced, and what only they read.
  void eraseDead() {
    while (!dead.empty()) {
      Operation *op = dead.pop_back_val();
      if (!op || !op->use_empty() || !isa<AddOp, SubOp, ReshapeOp, SliceOp>(op))
        continue;
      SmallVector<Value> operands(op->getOperands());
      op->erase();
      for (Value operand : operands)
        if (operand.use_empty() && operand.getDefiningOp() &&
            !llvm::is_contained(dead, operand.getDefiningOp()))
          dead.push_back(operand.getDefiningOp());
    }
  }

  Block &block;
  Elements elements;
  Algebra algebra;
  SmallVector<ElementId> states;
  llvm::MapVector<Value, SmallVector<Slice>> updates;
  SmallVector<Operation *> made, dead;
};
} // namespace

void gaudi::fusion::gatherFlatParameters(Block &block) {
  Gatherer(block).run();
}
