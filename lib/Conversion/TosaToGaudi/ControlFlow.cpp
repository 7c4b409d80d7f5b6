// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tosa.cond_if as a choice between two computed values, and the reasons why
// variables and custom ops have no home on the device.
#include "Converter.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;

/// Both branches will run: fails if one does more than compute values.
static LogicalResult checkBranch(Region &branch, TosaMatcher &m) {
  for (Operation &inner : branch.front()) {
    if (isa<tosa::YieldOp>(inner))
      continue;
    if (m.isRefused(&inner))
      return m.refuse("its branch contains '" + inner.getName().getStringRef() +
                          "', which cannot be converted",
                      inner.getLoc(), "this op");
    bool isConstant = isa<tosa::ConstOp, tosa::ConstShapeOp>(inner);
    // Indices that may be out of bounds are guarded when the branch is inlined.
    bool canRun = isa<IndexedOpInterface>(inner) ? isMemoryEffectFree(&inner)
                                                 : isPure(&inner);
    if (!isConstant && !canRun)
      return m.refuse("both branches would run, but '" +
                          inner.getName().getStringRef() +
                          "' has an effect besides its results",
                      inner.getLoc(), "this op");
  }
  return success();
}

/// Elements of `tensor` where the branch is taken, else zeros: positions that
/// are safe to read though the branch's own may be out of bounds.
static void guardIndices(OpOperand &indices, Value condition, bool isThen,
                         TosaBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  const Location around = b.getLoc();
  b.moveTo(indices.getOwner());
  RankedTensorType type = tensorType(indices.get());
  Value zeros = FillOp::create(b, type, b.getZeroAttr(type.getElementType()));
  Value taken = b.withRank(condition, type.getRank());
  indices.set(SelectOp::create(b, type, taken, isThen ? indices.get() : zeros,
                               isThen ? zeros : indices.get()));
  b.setLoc(around);
}

/// Moves the branch before `op` and returns what it yields.
static SmallVector<Value> inlineBranch(tosa::IfOp op, Region &branch,
                                       Value condition, bool isThen,
                                       TosaBuilder &b) {
  Block &block = branch.front();
  for (auto [argument, value] :
       llvm::zip(block.getArguments(), op.getInputList()))
    argument.replaceAllUsesWith(value);
  for (Operation &inner : block)
    if (auto indexed = dyn_cast<IndexedOpInterface>(inner))
      if (!isSpeculatable(&inner))
        guardIndices(indexed.getIndicesMutable(), condition, isThen, b);
  SmallVector<Value> yielded(block.getTerminator()->getOperands());
  Block *target = op->getBlock();
  target->getOperations().splice(op->getIterator(), block.getOperations(),
                                 block.begin(),
                                 block.getTerminator()->getIterator());
  return yielded;
}

static SmallVector<Value> selectResults(tosa::IfOp op, TosaBuilder &b) {
  Value condition = b.reshape(op.getCondition(), {});
  size_t numOps = op.getThenGraph().front().getOperations().size() +
                  op.getElseGraph().front().getOperations().size() - 2;
  SmallVector<Value> onTrue =
      inlineBranch(op, op.getThenGraph(), condition, true, b);
  SmallVector<Value> onFalse =
      inlineBranch(op, op.getElseGraph(), condition, false, b);
  SmallVector<Value> results;
  // A value from outside that both branches give needs no choice.
  for (auto [result, x, y] : llvm::zip(op.getOutputList(), onTrue, onFalse)) {
    if (x == y) {
      results.push_back(x);
      continue;
    }
    RankedTensorType type = tensorType(result);
    results.push_back(
        SelectOp::create(b, type, b.withRank(condition, type.getRank()), x, y));
  }
  remark::passed(op.getLoc(), remark::RemarkOpts::name("select-branches")
                                  .category("convert-tosa-to-gaudi"))
      << ("evaluated both branches (" + Twine(numOps) +
          " ops); the condition selects the results")
             .str();
  return results;
}

static TosaMatch matchIf(tosa::IfOp op, TosaMatcher &m) {
  if (failed(checkBranch(op.getThenGraph(), m)) ||
      failed(checkBranch(op.getElseGraph(), m)))
    return failure();
  return build([op](TosaBuilder &b) { return selectResults(op, b); });
}

template <typename Tosa>
static void refuse(TosaPatterns &patterns, StringLiteral reason) {
  patterns.refuse<Tosa>([reason](Tosa) { return reason.str(); });
}

void gaudi::addControlFlowPatterns(TosaPatterns &p) {
  p.add<tosa::IfOp>(matchIf);
  p.refuse<tosa::CustomOp>([](tosa::CustomOp op) {
    return ("no meaning is known for custom operator '" + op.getOperatorName() +
            "' of domain '" + op.getDomainName() +
            "'; replace it by ops of a known dialect")
        .str();
  });
  StringLiteral state = "run --convert-variables-to-state first";
  refuse<tosa::VariableOp>(p, state);
  refuse<tosa::VariableReadOp>(p, state);
  refuse<tosa::VariableWriteOp>(p, state);
  StringLiteral blocks = "block-scaled formats are not supported";
  refuse<tosa::MatmulTBlockScaledOp>(p, blocks);
  refuse<tosa::CastFromBlockScaledOp>(p, blocks);
  refuse<tosa::CastToBlockScaledOp>(p, blocks);
}
