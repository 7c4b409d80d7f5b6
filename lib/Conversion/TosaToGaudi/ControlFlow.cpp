// tosa.cond_if as a choice between two computed values, and the reasons why
// loops, variables and custom ops have no home on the device.
#include "Converter.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::gaudi;

/// Both branches will run: fails if one does more than compute values.
static LogicalResult checkBranch(tosa::IfOp op, Region &branch,
                                 TosaConverter &c) {
  for (Operation &inner : branch.front()) {
    if (isa<tosa::YieldOp>(inner))
      continue;
    if (c.hasFailed(&inner))
      return c.fail(op, "its branch contains '" +
                            inner.getName().getStringRef() +
                            "', which cannot be converted");
    bool isConstant = isa<tosa::ConstOp, tosa::ConstShapeOp>(inner);
    // Indices that may be out of bounds are guarded when the branch is inlined.
    bool canRun = isa<IndexedOpInterface>(inner) ? isMemoryEffectFree(&inner)
                                                 : isPure(&inner);
    if (!isConstant && !canRun)
      return c.fail(op, "both branches would run, but '" +
                            inner.getName().getStringRef() +
                            "' has an effect besides its results");
  }
  return success();
}

/// Elements of `tensor` where the branch is taken, else zeros: positions that
/// are safe to read though the branch's own may be out of bounds.
static void guardIndices(OpOperand &indices, Value condition, bool isThen,
                         TosaConverter &c) {
  OpBuilder::InsertionGuard guard(c.builder);
  c.builder.setInsertionPoint(indices.getOwner());
  Location loc = indices.getOwner()->getLoc();
  RankedTensorType type = tensorType(indices.get());
  Value zeros = FillOp::create(c.builder, loc, type,
                               c.builder.getZeroAttr(type.getElementType()));
  Value taken = c.withRank(loc, condition, type.getRank());
  indices.set(SelectOp::create(c.builder, loc, type, taken,
                               isThen ? indices.get() : zeros,
                               isThen ? zeros : indices.get()));
}

/// Moves the branch in front of `op` and returns what it yields.
static SmallVector<Value> inlineBranch(tosa::IfOp op, Region &branch,
                                       Value condition, bool isThen,
                                       TosaConverter &c) {
  Block &block = branch.front();
  for (auto [argument, value] :
       llvm::zip(block.getArguments(), op.getInputList()))
    argument.replaceAllUsesWith(value);
  for (Operation &inner : block)
    if (auto indexed = dyn_cast<IndexedOpInterface>(inner))
      if (!isSpeculatable(&inner))
        guardIndices(indexed.getIndicesMutable(), condition, isThen, c);
  SmallVector<Value> yielded(block.getTerminator()->getOperands());
  Block *target = op->getBlock();
  target->getOperations().splice(op->getIterator(), block.getOperations(),
                                 block.begin(),
                                 block.getTerminator()->getIterator());
  return yielded;
}

static Replacement convertIf(tosa::IfOp op, TosaConverter &c) {
  if (failed(checkBranch(op, op.getThenGraph(), c)) ||
      failed(checkBranch(op, op.getElseGraph(), c)))
    return failure();
  Location loc = op.getLoc();
  Value condition = c.reshape(loc, op.getCondition(), {});
  size_t numOps = op.getThenGraph().front().getOperations().size() +
                  op.getElseGraph().front().getOperations().size() - 2;
  SmallVector<Value> onTrue =
      inlineBranch(op, op.getThenGraph(), condition, true, c);
  SmallVector<Value> onFalse =
      inlineBranch(op, op.getElseGraph(), condition, false, c);
  SmallVector<Value> results;
  for (auto [result, a, b] : llvm::zip(op.getOutputList(), onTrue, onFalse)) {
    if (a == b) {
      results.push_back(a);
      continue;
    }
    RankedTensorType type = tensorType(result);
    results.push_back(
        SelectOp::create(c.builder, loc, type,
                         c.withRank(loc, condition, type.getRank()), a, b));
  }
  remark::passed(
      loc,
      remark::RemarkOpts::name("BranchesToSelect").category("convert-tosa"))
      << ("both branches are evaluated (" + Twine(numOps) +
          " ops) and the condition selects the results")
             .str();
  return results;
}

template <typename Tosa>
static void refuse(TosaHandlers &handlers, StringLiteral reason) {
  handlers.refuse<Tosa>([reason](Tosa) { return reason.str(); });
}

void mlir::gaudi::addControlFlowHandlers(TosaHandlers &h) {
  h.add<tosa::IfOp>(convertIf);
  h.refuse<tosa::CustomOp>([](tosa::CustomOp op) {
    return ("no meaning is known for custom operator '" + op.getOperatorName() +
            "' of domain '" + op.getDomainName() +
            "'; replace it by ops of a known dialect")
        .str();
  });
  refuse<tosa::WhileOp>(h, "a loop that depends on data cannot be part of a "
                           "recipe; unroll it or run it on the host");
  StringLiteral state = "state kept between runs is not supported; pass it as "
                        "an argument and return the new one";
  refuse<tosa::VariableOp>(h, state);
  refuse<tosa::VariableReadOp>(h, state);
  refuse<tosa::VariableWriteOp>(h, state);
  StringLiteral blocks = "block-scaled formats are not supported";
  refuse<tosa::MatmulTBlockScaledOp>(h, blocks);
  refuse<tosa::CastFromBlockScaledOp>(h, blocks);
  refuse<tosa::CastToBlockScaledOp>(h, blocks);
}
