// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions keep their values, in the order of their callers, whatever
// placement they are rewritten to.
#include "Placement.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "mlir/IR/Verifier.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

namespace {
/// A function of ops on tensors of rank 3, between transposes.
class Program {
public:
  Program(MLIRContext *context, uint32_t seed)
      : random(seed), builder(context), loc(builder.getUnknownLoc()) {
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    for (int64_t &size : sizes)
      size = 1 + pick(3);
    SmallVector<Type> inputs(3, type(sizes));
    function = func::FuncOp::create(builder, loc, "main",
                                    builder.getFunctionType(inputs, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    llvm::append_range(values, function.getArguments());
    for (unsigned i = 0, count = 6 + pick(10); i < count; ++i)
      values.push_back(next());
    SmallVector<Value> results = {values.back(), any()};
    func::ReturnOp::create(builder, loc, results);
    function.setFunctionType(
        builder.getFunctionType(inputs, ValueRange(results).getTypes()));
  }

  /// Orders that the ops can have, chosen at random.
  Placement placement() {
    Placement made;
    for (Operation &op : function.front().without_terminator())
      if (!isa<TransposeOp, ReshapeOp>(op) && pick(3))
        if (std::optional<OpPlacement> how = placed(&op))
          made.ops[&op] = *how;
    for (BlockArgument argument : function.getArguments())
      if (pick(3) == 0)
        made.arguments[argument.getArgNumber()] = anyOrder();
    for (unsigned i : {0, 1})
      if (pick(3) == 0)
        made.results[i] = anyOrder();
    return made;
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;

private:
  unsigned pick(unsigned count) { return random() % count; }
  Value any() { return values[pick(values.size())]; }
  Order anyOrder() {
    Order order = identityOrder(3);
    std::shuffle(order.begin(), order.end(), random);
    return order;
  }
  RankedTensorType type(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }
  Value transposed(Value x, const Order &order) {
    return TransposeOp::create(builder, loc, storedType(tensorType(x), order),
                               x, order);
  }

  /// A value of the same type as `x`.
  Value like(Value x) {
    SmallVector<Value> same;
    for (Value value : values)
      if (value.getType() == x.getType())
        same.push_back(value);
    return same[pick(same.size())];
  }

  Value next() {
    Value x = any();
    const RankedTensorType shape = tensorType(x);
    switch (pick(7)) {
    case 0:
    case 1:
      return transposed(x, anyOrder());
    case 2: {
      // Only dimensions of size 1 move, if there are any.
      SmallVector<int64_t> to;
      for (int64_t size : shape.getShape())
        to.insert(size == 1 && pick(2) ? to.begin() : to.end(), size);
      return ReshapeOp::create(builder, loc, type(to), x);
    }
    case 3:
      return NegOp::create(builder, loc, shape, x);
    case 4: {
      // Rows times the rows of another value, transposed.
      Value y = transposed(like(x), {0, 2, 1});
      const int64_t rows = shape.getDimSize(1);
      return GemmOp::create(builder, loc,
                            type({shape.getDimSize(0), rows, rows}), x, y);
    }
    case 5: {
      SmallVector<int64_t> to(shape.getShape());
      const int64_t axis = pick(3);
      to[axis] *= 2;
      if (to[axis] > 6)
        return NegOp::create(builder, loc, shape, x);
      return ConcatOp::create(builder, loc, type(to), ValueRange{x, like(x)},
                              axis);
    }
    default:
      return AddOp::create(builder, loc, shape, x, like(x));
    }
  }

  std::optional<OpPlacement> placed(Operation *op) {
    OpPlacement how;
    how.orders = identityOrders(op);
    if (isa<KernelBodyOpInterface>(op) && pick(2)) {
      how.asKernel = true;
      for (Order &order : how.orders)
        order = anyOrder();
      return how;
    }
    auto layout = dyn_cast<LayoutOpInterface>(op);
    if (!layout)
      return std::nullopt;
    if (layout.hasIndependentOrders()) {
      for (Order &order : how.orders)
        order = anyOrder();
    } else {
      auto orders = layout.getOrdersWith(pick(how.orders.size()), anyOrder());
      if (!orders)
        return std::nullopt;
      how.orders = *orders;
    }
    if (!layout.acceptsOrders(how.orders))
      return std::nullopt;
    return how;
  }

  std::mt19937 random;
  OpBuilder builder;
  Location loc;
  std::array<int64_t, 3> sizes;
  SmallVector<Value> values;
};

/// Gives arguments and results the order of callers again.
void returnToCallers(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  const FunctionType type = callersType(function);
  for (BlockArgument argument : function.getArguments()) {
    ArrayRef<int64_t> order =
        argumentPermutation(function, argument.getArgNumber());
    if (order.empty())
      continue;
    auto stored = TransposeOp::create(builder, function.getLoc(),
                                      argument.getType(), argument, order);
    argument.setType(type.getInput(argument.getArgNumber()));
    argument.replaceAllUsesExcept(stored, stored);
  }
  Operation *terminator = function.front().getTerminator();
  builder.setInsertionPoint(terminator);
  for (OpOperand &operand : terminator->getOpOperands())
    if (ArrayRef<int64_t> order =
            resultPermutation(function, operand.getOperandNumber());
        !order.empty())
      operand.set(
          TransposeOp::create(builder, function.getLoc(),
                              type.getResult(operand.getOperandNumber()),
                              operand.get(), inverseOrder(order)));
  function.setType(type);
}

/// Transposes that the rewriting must not leave: they move nothing, are read by
/// nobody, or are there twice.
void expectNoIdleTransposes(func::FuncOp function) {
  std::set<std::pair<void *, std::vector<int64_t>>> seen;
  for (auto op : function.getOps<TransposeOp>()) {
    EXPECT_FALSE(op->use_empty());
    EXPECT_FALSE(isFreeOrder(tensorType(op.getOperand()).getShape(),
                             op.getPermutation()));
    EXPECT_TRUE(seen.insert({op.getOperand().getAsOpaquePointer(),
                             std::vector<int64_t>(op.getPermutation())})
                    .second);
  }
}

TEST(PlacementTest, KeepsValues) {
  DialectRegistry registry;
  registry.insert<GaudiDialect, arith::ArithDialect, func::FuncDialect,
                  math::MathDialect>();
  registerReferenceModels(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  unsigned changed = 0, kernels = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Program program(&context, seed);
    ASSERT_TRUE(succeeded(verify(*program.module)));
    const SmallVector<ReferenceTensor> inputs =
        seededInputs(program.function.getArgumentTypes(), seed);
    auto before = evaluateFunction(program.function, inputs);
    const Placement placement = program.placement();
    changed += placement.ops.size();
    for (const auto &[op, how] : placement.ops)
      kernels += how.asKernel;
    applyPlacement(program.function, placement);
    ASSERT_TRUE(succeeded(verify(*program.module)));
    expectNoIdleTransposes(program.function);
    returnToCallers(program.function);
    ASSERT_TRUE(succeeded(verify(*program.module)));
    auto after = evaluateFunction(program.function, inputs);
    ASSERT_TRUE(succeeded(before) && succeeded(after));
    for (auto [a, b] : llvm::zip_equal(*before, *after))
      EXPECT_EQ(a.toBytes(), b.toBytes());
  }
  EXPECT_GT(changed, 1000u);
  EXPECT_GT(kernels, 100u);
}
} // namespace
