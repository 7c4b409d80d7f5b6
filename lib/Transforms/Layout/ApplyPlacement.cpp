// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites a function so that its tensors are stored as a placement says.
//
// One walk over the block. A tensor is asked for in an order relative to the
// root of its group; what holds those bytes already is taken, else a reshape or
// a transpose is made: where the program has the same one, or before the op
// that asks first. The transposes of the program are never read, so that all of
// them go.
#include "Gaudi/Dialect/Signature.h"
#include "Placement.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

namespace {
/// The bytes of one group.
struct Tensor {
  RankedTensorType type; ///< of the root as the program has it
  /// What holds them so far, in which order; first what the producer writes.
  SmallVector<std::pair<Order, Value>, 2> copies;
  SmallVector<const Transposition *, 2> planned;
  /// The ops that rearranged the root before, and the orders they made.
  SmallVector<std::pair<Order, Location>, 2> sites;

  /// True if the bytes are the same in both orders.
  bool isSame(ArrayRef<int64_t> a, ArrayRef<int64_t> b) const {
    return normalOrder(type.getShape(), a) == normalOrder(type.getShape(), b);
  }
};

class Rewriter {
public:
  Rewriter(func::FuncOp function, const Placement &placement)
      : function(function), block(function.front()), placement(placement),
        groups(findGroups(function)), builder(function.getContext()) {}

  void run() {
    prepare();
    placeArguments();
    for (Operation &op : llvm::make_early_inc_range(block))
      if (!made.contains(&op))
        place(op);
    // Readers come after what they read.
    for (Operation *op : llvm::reverse(dead)) {
      assert(op->use_empty() && "all readers have another operand");
      op->erase();
    }
  }

private:
  /// What must be known before types change: the kernels of ops that become
  /// some, planned transposes, and where transposes were.
  void prepare() {
    for (const layout::Region &region : placement.regions)
      for (const Transposition &transposition : region.transposes)
        tensorOf(transposition.root).planned.push_back(&transposition);
    for (Operation &op : block)
      if (isMoved(op)) {
        const Member &member = groups.find(op.getResult(0))->second;
        tensorOf(member.root).sites.push_back({member.order, op.getLoc()});
      }
    for (const auto &[op, how] : placement.ops) {
      if (!how.asKernel)
        continue;
      builder.setInsertionPoint(op);
      auto kernel = cast<KernelBodyOpInterface>(op).buildKernel(builder);
      assert(succeeded(kernel) && isa<KernelOp>(*kernel) &&
             llvm::equal((*kernel)->getOperands(), op->getOperands()) &&
             "only ops that are one kernel are placed as kernels");
      kernels[op] = *kernel;
      made.insert(*kernel);
    }
  }

  /// True for a transpose, or a reshape like one, that nothing reads later.
  bool isMoved(Operation &op) const {
    if (!isa<TransposeOp, ReshapeOp>(op))
      return false;
    auto it = groups.find(op.getResult(0));
    return it != groups.end() && it->second.root != op.getResult(0);
  }

  Tensor &tensorOf(Value root) {
    auto [it, isNew] = tensors.try_emplace(root);
    if (isNew) {
      it->second.type = tensorType(root);
      it->second.copies.push_back(
          {identityOrder(tensorType(root).getRank()), root});
    }
    return it->second;
  }

  /// Composed with the order that callers have been told before.
  DenseI64ArrayAttr inCallersOrder(ArrayRef<int64_t> before,
                                   const Order &order) {
    return builder.getDenseI64ArrayAttr(
        before.empty() ? order : composeOrders(before, order));
  }

  void placeArguments() {
    for (const auto &[number, order] : placement.arguments) {
      if (isIdentityOrder(order))
        continue;
      BlockArgument argument = block.getArgument(number);
      Tensor &tensor = tensorOf(argument);
      tensor.copies.front().first = order;
      function.setArgAttr(
          number, permutationAttrName,
          inCallersOrder(argumentPermutation(function, number), order));
      argument.setType(storedType(tensor.type, order));
    }
  }

  void place(Operation &op) {
    // Transposes and reshapes of the program are made again where something
    // asks.
    if (isMoved(op)) {
      makeAgain(op);
      dead.push_back(&op);
      return;
    }
    if (isa<func::ReturnOp>(op))
      return placeResults(op);
    auto it = placement.ops.find(&op);
    // Ops without a placement read their operands as written.
    if (it == placement.ops.end()) {
      for (OpOperand &operand : op.getOpOperands())
        operand.set(read(operand.get(), {}, &op));
      return;
    }
    const Orders &orders = it->second.orders;
    assert(orders.size() == op.getNumOperands() + op.getNumResults() &&
           "one order per tensor");
    SmallVector<Value> operands;
    for (auto [operand, order] : llvm::zip(op.getOperands(), orders))
      operands.push_back(read(operand, order, &op));
    // Recorded before the op is replaced, in the order that the program knows.
    for (Value result : op.getResults())
      tensorOf(result);
    Operation *stored = &op;
    if (it->second.asKernel) {
      stored = kernels.at(&op);
      // Copies of the operands were made between the two.
      stored->moveBefore(&op);
      dead.push_back(&op);
    }
    stored->setOperands(operands);
    // As written, the op keeps its attributes as they are.
    if (!llvm::all_of(orders, isIdentityOrder))
      cast<LayoutOpInterface>(stored).applyOrders(orders);
    // The first copy of a tensor is the one that its writer makes.
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      tensorOf(result).copies.front() = {orders[op.getNumOperands() + i],
                                         stored->getResult(i)};
  }

  /// A transpose that stays is made where it was: the program may have it early
  /// to overlap it with other work.
  void makeAgain(Operation &op) {
    const Member &member = groups.find(op.getResult(0))->second;
    Tensor &tensor = tensorOf(member.root);
    for (const Transposition *planned : tensor.planned)
      if (tensor.isSame(planned->to, member.order))
        copyOf(tensor, member.order, &op);
  }

  void placeResults(Operation &terminator) {
    for (OpOperand &operand : terminator.getOpOperands()) {
      const unsigned number = operand.getOperandNumber();
      const Order order = placement.results.lookup(number);
      operand.set(read(operand.get(), order, &terminator));
      if (!isIdentityOrder(order))
        function.setResultAttr(
            number, permutationAttrName,
            inCallersOrder(resultPermutation(function, number), order));
    }
    function.setType(builder.getFunctionType(block.getArgumentTypes(),
                                             terminator.getOperandTypes()));
  }

  /// What `reader` reads instead of `value` in `order`; as it is written if
  /// that is empty.
  Value read(Value value, ArrayRef<int64_t> order, Operation *reader) {
    auto group = groups.find(value);
    const Value root = group == groups.end() ? value : group->second.root;
    if (root == value && order.empty() && !tensors.contains(root))
      return value; // nothing is known of it that could change
    Tensor &tensor = tensorOf(root);
    Order whole = root == value ? identityOrder(tensor.type.getRank())
                                : group->second.order;
    if (!order.empty())
      whole = composeOrders(whole, order);
    return copyOf(tensor, whole, reader);
  }

  Value copyOf(Tensor &tensor, const Order &order, Operation *reader) {
    for (const auto &[known, value] : tensor.copies)
      if (known == order)
        return value;
    Value copy;
    const Location loc = locationOf(tensor, order, reader);
    const RankedTensorType type = storedType(tensor.type, order);
    // The same bytes in another type: dimensions of size 1 moved, or nothing to
    // move at all.
    auto bytes = llvm::find_if(tensor.copies, [&](const auto &entry) {
      return tensor.isSame(entry.first, order) ||
             elementCount(entry.second) == 0;
    });
    if (bytes != tensor.copies.end()) {
      builder.setInsertionPoint(reader);
      copy = ReshapeOp::create(builder, loc, type, bytes->second);
    } else {
      // From the order that the tree of copies chose, else from the written
      // one.
      Order from = tensor.copies.front().first;
      for (const Transposition *planned : tensor.planned)
        if (tensor.isSame(planned->to, order) &&
            !tensor.isSame(planned->from, order))
          from = planned->from;
      // Recursion ends at the order that the writer makes: the plan is a tree.
      const Value source = copyOf(tensor, from, reader);
      builder.setInsertionPoint(reader);
      copy = TransposeOp::create(builder, loc, type, source,
                                 orderBetween(from, order));
    }
    tensor.copies.push_back({order, copy});
    return copy;
  }

  /// Where the program had the same transpose, or one of the same tensor.
  static Location locationOf(const Tensor &tensor, const Order &order,
                             Operation *reader) {
    for (const auto &[made, loc] : tensor.sites)
      if (tensor.isSame(made, order))
        return loc;
    return tensor.sites.empty() ? reader->getLoc()
                                : tensor.sites.front().second;
  }

  func::FuncOp function;
  Block &block;
  const Placement &placement;
  const DenseMap<Value, Member> groups;
  DenseMap<Value, Tensor> tensors; // by root
  DenseMap<Operation *, Operation *> kernels;
  DenseSet<Operation *> made;
  SmallVector<Operation *> dead;
  OpBuilder builder;
};
} // namespace

void gaudi::layout::applyPlacement(func::FuncOp function,
                                   const Placement &placement) {
  Rewriter(function, placement).run();
}
