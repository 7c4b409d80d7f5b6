// Replaces ops on small constants by their result: gaudi-fold-constants.
//
// What a front end leaves of per-channel parameters (variance + epsilon, its
// root, a reshape) is one constant afterwards. The ops fold themselves; only
// transposes and broadcasts of constants are read here, because the
// canonicalizer must not do that: it would enlarge the constants of broadcasts
// and hide transposes from the ops that absorb them.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
/// The constant that the op equals, or null.
Attribute foldedTo(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    auto constant = operand.getDefiningOp<ConstantOp>();
    if (!constant || !isFoldable(tensorType(operand)))
      return {};
    operands.push_back(constant.getValue());
  }
  RankedTensorType type = tensorType(op->getResult(0));
  if (!isFoldable(type))
    return {};
  SmallVector<OpFoldResult> results;
  if (succeeded(op->fold(operands, results)) && results.size() == 1) {
    if (auto folded = dyn_cast<Attribute>(results.front()))
      return folded;
    // An identity: the op is one of its operands, which are constants.
    Value same = cast<Value>(results.front());
    if (auto constant = same.getDefiningOp<ConstantOp>())
      return constant.getValue();
  }
  auto moved = dyn_cast<ReindexOpInterface>(op);
  if (!moved || !isa<PlaceableOpInterface>(op))
    return {};
  std::optional<ConstantValues> values = ConstantValues::of(operands.front());
  IndexMap map = moved.getIndexMap(op->getResult(0));
  if (!values || !map)
    return {};
  return constantOf(type, values->numbers(type.getShape(), *map));
}

struct FoldConstants : impl::FoldConstantsBase<FoldConstants> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() == 1 && op->getNumOperands() >= 1 &&
          isa<ElementwiseOpInterface, ReindexOpInterface>(op))
        ops.push_back(op);
    });
    // The operands of folded ops may be dead afterwards.
    llvm::SmallSetVector<Operation *, 8> operands;
    for (Operation *op : ops) {
      Attribute value = foldedTo(op);
      if (!value)
        continue;
      OpBuilder builder(op);
      Value constant =
          ConstantOp::create(builder, op->getLoc(), cast<ElementsAttr>(value));
      remark::passed(op->getLoc(), remark::RemarkOpts::name("fold").category(
                                       "gaudi-fold-constants"))
          << remark::add("folded '{0}' of constants",
                         op->getName().getStringRef());
      op->getResult(0).replaceAllUsesWith(constant);
      for (Value operand : op->getOperands())
        operands.insert(operand.getDefiningOp());
      op->erase();
      ++numFolded;
    }
    for (Operation *op : operands)
      if (op->use_empty())
        op->erase();
  }
};
} // namespace
} // namespace mlir::gaudi
