// Copies of ops in other orders, and as kernels.
#include "Trial.h"
#include "LayoutGraph.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::layout;

Orders OpPlacement::afterForm() const {
  Orders left = orders;
  for (auto [order, before] : llvm::zip(left, form))
    order = orderBetween(before, order);
  return left;
}

Trial::Trial(Block &block, Operation *op)
    : block(block), builder(op->getContext()) {
  builder.setInsertionPointToEnd(&block);
  this->op = builder.clone(*op);
  for (OpOperand &operand : this->op->getOpOperands())
    operand.set(standInFor(operand.get(), tensorType(operand.get())));
}

Trial::~Trial() {
  if (op)
    op->erase();
  while (!block.empty())
    block.back().erase();
  block.eraseArguments(0, block.getNumArguments());
}

Operation *Trial::take() {
  Operation *taken = std::exchange(op, nullptr);
  taken->remove();
  return taken;
}

bool Trial::place(const OpPlacement &how) {
  if (!how.asKernel)
    return apply(how.orders);
  return becomeKernel(how.form) && apply(how.afterForm());
}

bool Trial::becomeKernel(const Orders &form) {
  if (!form.empty() && !apply(form))
    return false;
  builder.setInsertionPoint(op);
  const size_t ops = block.getOperations().size();
  FailureOr<Operation *> kernel =
      cast<KernelBodyOpInterface>(op).buildKernel(builder);
  if (failed(kernel) || !isa<KernelOp>(*kernel) ||
      block.getOperations().size() != ops + 1 ||
      !llvm::equal((*kernel)->getOperands(), op->getOperands()) ||
      !llvm::equal((*kernel)->getResultTypes(), op->getResultTypes()))
    return false;
  op->erase();
  op = *kernel;
  return true;
}

/// Makes the op one of tensors stored in `orders`; false if it has no such
/// form.
bool Trial::apply(const Orders &orders) {
  auto layouts = dyn_cast<LayoutOpInterface>(op);
  if (!layouts || !layouts.acceptsOrders(orders))
    return false;
  builder.setInsertionPoint(op);
  SmallVector<Type> results;
  for (auto [tensor, order] : llvm::enumerate(orders)) {
    RankedTensorType stored =
        storedType(tensorType(tensorOf(op, tensor)), order);
    if (tensor >= op->getNumOperands()) {
      results.push_back(stored);
      continue;
    }
    OpOperand &operand = op->getOpOperand(tensor);
    if (operand.get().getType() != stored || !isIdentityOrder(order))
      operand.set(standInFor(operand.get(), stored));
  }
  layouts.applyOrders(orders);
  return llvm::equal(op->getResultTypes(), results) && succeeded(verify(op));
}

/// What stands for `value` in another type. Equal operands stay equal: the
/// model may count them once.
Value Trial::standInFor(Value value, RankedTensorType type) {
  Value &standIn = standIns[{value, type}];
  if (standIn)
    return standIn;
  // A splat that is transposed will be folded.
  auto constant = joinedFrom(value).getDefiningOp<ConstantOp>();
  if (constant && isa<SplatElementsAttr>(constant.getValue())) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&block);
    standIn = ConstantOp::create(
        builder, value.getLoc(),
        cast<SplatElementsAttr>(constant.getValue()).resizeSplat(type));
  } else {
    standIn = block.addArgument(type, value.getLoc());
  }
  return standIn;
}
