// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of tensors, and the property that every model of LayoutOpInterface
// must have: an op on stored tensors computes the stored results.
#include "OpPrograms.h"
#include <map>

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;

namespace {
constexpr int64_t maxOrders = 24; ///< of one tensor
constexpr int mixedTries = 60;    ///< random orders of all tensors

/// Ops that read and write tensors as they are written: each of them needs a
/// reason. Rows by index name all dimensions; norms add elements in their
/// order; the placement itself treats constants and transposes; markers of
/// padding are gone before it.
const StringRef written[] = {"gaudi.constant",        "gaudi.transpose",
                             "gaudi.tpc.scatter",     "gaudi.tpc.scatter_rows",
                             "gaudi.fused_clip_norm", "gaudi.valid"};

/// The tensor stored in `order`.
ReferenceTensor stored(const ReferenceTensor &tensor, ArrayRef<int64_t> order) {
  const RankedTensorType type = storedType(tensor.getType(), order);
  SmallVector<int64_t> strides(tensor.getRank(), 1);
  for (int64_t i = tensor.getRank() - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * tensor.getDim(i + 1);
  return tensor.gathered(type.getShape(), [&](int64_t element) {
    int64_t source = 0;
    for (int64_t i = tensor.getRank() - 1; i >= 0; --i) {
      source += element % type.getDimSize(i) * strides[order[i]];
      element /= type.getDimSize(i);
    }
    return source;
  });
}

std::vector<double> numbersOf(const ReferenceTensor &tensor) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < tensor.getCount(); ++i)
    numbers.push_back(tensor.at(i));
  return numbers;
}

/// All orders of `rank` dimensions, or some of them.
std::vector<Order> ordersOf(int64_t rank, std::mt19937 &random) {
  std::vector<Order> orders;
  Order order = identityOrder(rank);
  if (rank <= 4) {
    do
      orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }
  for (int64_t i = 0; i < maxOrders; ++i) {
    orders.push_back(order);
    std::shuffle(order.begin(), order.end(), random);
  }
  return orders;
}

/// An op as it is written: what it and the kernel that it builds compute. There
/// is not always a kernel.
struct Case {
  SmallVector<ReferenceTensor> inputs, results, kernelResults;
};

class OrdersTest : public OpProgramsTest {
protected:
  /// The op, and the kernel that it builds, in all orders.
  void tryOp(Operation *op) {
    Case written{inputsOf(op), {}, {}};
    Program program(op, op->getOperandTypes());
    if (!isa<LayoutOpInterface>(op) && !buildsKernel(op))
      return;
    ASSERT_TRUE(evaluate(program, written.inputs, written.results));
    if (!buildsKernel(op))
      return tryOrders(program, written);
    Program kernel(op, op->getOperandTypes());
    ASSERT_TRUE(kernel.replaceByKernel());
    ASSERT_TRUE(evaluate(kernel, written.inputs, written.kernelResults));
    tryOrders(program, written);
    // Some pooling gradients become several kernels.
    if (isa<KernelOp>(kernel.op) &&
        llvm::equal(kernel.op->getOperands(), kernel.function.getArguments()))
      tryOrders(kernel, {written.inputs, written.kernelResults, {}});
  }

  void tryOrders(const Program &program, const Case &written) {
    auto op = dyn_cast<LayoutOpInterface>(program.op);
    if (!op)
      return;
    const SmallVector<RankedTensorType> types = tensorsOf(op);
    std::vector<std::vector<Order>> orders;
    for (RankedTensorType type : types)
      orders.push_back(ordersOf(type.getRank(), random));

    for (size_t tensor = 0; tensor < types.size(); ++tensor)
      for (const Order &order : orders[tensor])
        tryOne(op, tensor, order, written);
    // Any orders that the op says it accepts.
    for (int i = 0; i < mixedTries; ++i) {
      Orders mixed = nativeOrders(op);
      for (size_t tensor = 0; tensor < types.size(); ++tensor)
        if (random() % 2)
          mixed[tensor] = orders[tensor][random() % orders[tensor].size()];
      if (op.acceptsOrders(mixed))
        compare(op, mixed, written);
    }
  }

  void tryOne(LayoutOpInterface op, unsigned tensor, const Order &order,
              const Case &written) {
    const RankedTensorType type = tensorsOf(op)[tensor];
    const Order normal = normalOrder(type.getShape(), order);
    std::optional<Orders> orders = op.getOrdersWith(tensor, order);
    SCOPED_TRACE("tensor " + std::to_string(tensor) + " in " +
                 ::testing::PrintToString(order));
    // Where dimensions of size 1 are decides nothing.
    EXPECT_EQ(orders.has_value(), op.getOrdersWith(tensor, normal).has_value());
    if (!orders)
      return;
    ASSERT_EQ(orders->size(), op->getNumOperands() + op->getNumResults());
    EXPECT_EQ(normalOrder(type.getShape(), (*orders)[tensor]), normal);
    if (op.hasIndependentOrders()) {
      // The op as it is written may be one that the engine does not have.
      Orders native = nativeOrders(op);
      for (auto [other, own] : llvm::enumerate(native))
        if (other == tensor || !isIdentityOrder((*orders)[other]))
          own = (*orders)[other];
      orders = native;
      if (!op.acceptsOrders(native))
        return;
    }
    EXPECT_TRUE(op.acceptsOrders(*orders)) << ::testing::PrintToString(*orders);
    compare(op, *orders, written);
  }

  /// As written, but where the engine needs another order.
  static Orders nativeOrders(LayoutOpInterface op) {
    Orders orders = identityOrders(op);
    for (auto [tensor, order] : llvm::enumerate(orders))
      if (Order native = op.getNativeOrder(tensor); !native.empty())
        order = native;
    return orders;
  }

  /// The op in `orders` on stored operands computes the stored results, and so
  /// does its kernel.
  void compare(LayoutOpInterface op, const Orders &orders,
               const Case &written) {
    if (!llvm::all_of(orders,
                      [](auto &order) { return isIdentityOrder(order); }))
      ++tried[op->getName().getStringRef().str()];
    SmallVector<ReferenceTensor> inputs;
    SmallVector<Type> types;
    for (auto [input, order] : llvm::zip(written.inputs, orders)) {
      inputs.push_back(stored(input, order));
      types.push_back(inputs.back().getType());
    }
    Program program(op, types);
    cast<LayoutOpInterface>(program.op).applyOrders(orders);
    program.update();
    const auto resultOrders = ArrayRef(orders).drop_front(inputs.size());
    compare(program, inputs, written.results, resultOrders);
    if (written.kernelResults.empty())
      return;
    ASSERT_TRUE(program.replaceByKernel());
    compare(program, inputs, written.kernelResults, resultOrders);
  }

  void compare(const Program &program, ArrayRef<ReferenceTensor> inputs,
               ArrayRef<ReferenceTensor> results, ArrayRef<Order> orders) {
    auto text = [&] {
      std::string text = ::testing::PrintToString(orders) + "\n";
      llvm::raw_string_ostream(text) << *program.op;
      return text;
    };
    SmallVector<ReferenceTensor> actual;
    ASSERT_TRUE(evaluate(program, inputs, actual)) << text();
    for (auto [i, result] : llvm::enumerate(results)) {
      const ReferenceTensor expected = stored(result, orders[i]);
      ASSERT_EQ(actual[i].getType(), expected.getType()) << text();
      ASSERT_THAT(numbersOf(actual[i]), same(numbersOf(expected))) << text();
    }
  }

  std::map<std::string, int> tried;
};

TEST_F(OrdersTest, OpsOnStoredTensorsComputeStoredResults) {
  forEachOp([&](Operation *op) { tryOp(op); });
  EXPECT_GT(tried.size(), 80u);
  // Every op either was tried or has a reason not to commute.
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    const std::string op = name.getStringRef().str();
    if (!isa<GaudiDialect>(name.getDialect()) ||
        name.getStringRef().starts_with("gaudi.kernel."))
      continue;
    const bool isFixed = llvm::is_contained(written, name.getStringRef());
    EXPECT_EQ(name.hasInterface<LayoutOpInterface>(), !isFixed) << op;
    EXPECT_EQ(tried[op] > 0, !isFixed) << op;
    RecordProperty(op, tried[op]);
  }
}

TEST_F(OrdersTest, OrdersCompose) {
  const Order nhwc = {0, 2, 3, 1};
  EXPECT_THAT(inverseOrder(nhwc), ElementsAre(0, 3, 1, 2));
  EXPECT_THAT(composeOrders(nhwc, inverseOrder(nhwc)), ElementsAre(0, 1, 2, 3));
  // From NHWC to NWHC: the two in the middle.
  EXPECT_THAT(orderBetween(nhwc, {0, 3, 2, 1}), ElementsAre(0, 2, 1, 3));
  EXPECT_EQ(storedType(type("tensor<2x3x4x5xf32>"), nhwc),
            type("tensor<2x4x5x3xf32>"));
}

TEST_F(OrdersTest, NormalOrdersTellBytes) {
  EXPECT_THAT(normalOrder({2, 3, 1, 1}, {0, 2, 3, 1}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(normalOrder({2, 3, 1, 4}, {0, 2, 3, 1}), ElementsAre(0, 3, 2, 1));
  EXPECT_TRUE(isFreeOrder({1, 3, 1, 4}, {1, 0, 2, 3}));
  EXPECT_TRUE(isFreeOrder({2, 0, 3}, {2, 1, 0}));
  EXPECT_FALSE(isFreeOrder({2, 3, 1, 4}, {0, 2, 3, 1}));
}

/// What follows for the other tensors of the only op of a function.
class FollowTest : public OrdersTest {
protected:
  std::optional<Orders> follow(StringRef op, StringRef arguments,
                               unsigned tensor, const Order &order) {
    module = parse(
        ("func.func @f(" + arguments + ") {\n" + op + "\nreturn }").str());
    auto function = *module->getOps<func::FuncOp>().begin();
    return cast<LayoutOpInterface>(function.getBody().front().front())
        .getOrdersWith(tensor, order);
  }
  std::optional<Orders> reshape(StringRef from, StringRef to, unsigned tensor,
                                const Order &order) {
    return follow(("%0 = gaudi.reshape %x : tensor<" + from +
                   "xf32> -> tensor<" + to + "xf32>")
                      .str(),
                  ("%x: tensor<" + from + "xf32>").str(), tensor, order);
  }
  OwningOpRef<ModuleOp> module;
};

TEST_F(FollowTest, ReshapesMoveRunsOfDimensions) {
  // Spatial dimensions flattened before or after the channels.
  EXPECT_EQ(reshape("2x3x4x5", "2x3x20", 0, {0, 2, 3, 1}),
            (Orders{{0, 2, 3, 1}, {0, 2, 1}}));
  EXPECT_EQ(reshape("2x3x4x5", "2x3x20", 1, {0, 2, 1}),
            (Orders{{0, 2, 3, 1}, {0, 2, 1}}));
  // Heads split, and dimensions of size 1 wherever they are.
  EXPECT_EQ(reshape("2x7x12", "2x7x3x4", 1, {0, 2, 3, 1}),
            (Orders{{0, 2, 1}, {0, 2, 3, 1}}));
  EXPECT_EQ(reshape("2x1x7x12", "2x7x1x3x4", 0, {3, 1, 0, 2}),
            (Orders{{3, 1, 0, 2}, {3, 4, 2, 0, 1}}));
  // Nothing: a run would be torn apart, or its dimensions exchanged.
  EXPECT_EQ(reshape("2x3x4x5", "2x3x20", 0, {0, 2, 1, 3}), std::nullopt);
  EXPECT_EQ(reshape("2x3x4x5", "2x3x20", 0, {0, 1, 3, 2}), std::nullopt);
  EXPECT_EQ(reshape("4x6x5", "8x3x5", 1, {1, 0, 2}), std::nullopt);
  EXPECT_EQ(reshape("4x6x5", "8x3x5", 1, {2, 0, 1}),
            (Orders{{2, 0, 1}, {2, 0, 1}}));
  // No elements: every order has the same bytes.
  EXPECT_EQ(reshape("2x0x3", "0x5", 0, {2, 1, 0}), (Orders{{2, 1, 0}, {0, 1}}));
}

TEST_F(FollowTest, DimensionsThatAnOpFixes) {
  constexpr StringLiteral resize =
      "%0 = gaudi.tpc.resize <nearest> %x scale [2, 1, 2, 1] offset [0, 0] : "
      "tensor<1x3x4x5xf32> -> tensor<1x6x8x5xf32>";
  // Without a batch the channels are in front: a form of the op.
  EXPECT_EQ(follow(resize, "%x: tensor<1x3x4x5xf32>", 0, {0, 3, 1, 2}),
            (Orders{{3, 1, 2, 0}, {3, 1, 2, 0}}));
  EXPECT_EQ(follow(resize, "%x: tensor<1x3x4x5xf32>", 0, {0, 2, 1, 3}),
            std::nullopt);
  constexpr StringLiteral gather =
      "%0 = gaudi.tpc.gather %x, %i axis 2 batch_dims 1 : tensor<2x3x4x5xf32>, "
      "tensor<2x7xi64> -> tensor<2x3x7x5xf32>";
  constexpr StringLiteral arguments =
      "%x: tensor<2x3x4x5xf32>, %i: tensor<2x7xi64>";
  EXPECT_EQ(follow(gather, arguments, 2, {0, 3, 2, 1}),
            (Orders{{0, 3, 2, 1}, {0, 1}, {0, 3, 2, 1}}));
  EXPECT_EQ(follow(gather, arguments, 0, {1, 0, 2, 3}), std::nullopt);
  EXPECT_EQ(follow(gather, arguments, 1, {1, 0}), std::nullopt);
  // A mean over the image leaves no trace of where it was.
  EXPECT_EQ(follow("%0 = gaudi.tpc.reduce <mean> %x dims [2, 3] : "
                   "tensor<2x3x4x5xf32> -> tensor<2x3xf32>",
                   "%x: tensor<2x3x4x5xf32>", 0, {0, 2, 3, 1}),
            (Orders{{0, 2, 3, 1}, {0, 1}}));
}

TEST_F(FollowTest, NormsAddElementsInTheirOrder) {
  constexpr StringLiteral lamb =
      "%0:3 = gaudi.fused_lamb gradients(%x) parameters(%x) exp_avgs(%x) "
      "exp_avg_sqs(%x) lr %s max_grad_norm %s {beta1 = 0.9 : f64, beta2 = "
      "0.999 : f64, eps = 1.0e-6 : f64} : (tensor<2x3xf32>, tensor<2x3xf32>, "
      "tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> "
      "(tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>)";
  EXPECT_EQ(follow(lamb, "%x: tensor<2x3xf32>, %s: tensor<f32>", 1, {1, 0}),
            std::nullopt);
}
} // namespace
