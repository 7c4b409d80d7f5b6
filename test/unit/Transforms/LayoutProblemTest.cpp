// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups, candidates and labels of small functions.
#include "LayoutProblemTest.h"
#include "Solver.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

namespace {
/// A chain of elementwise ops on a tensor that is channels-first outside.
constexpr StringLiteral chain = R"(
func.func @main(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<2x3x4x5xf32> -> tensor<2x4x5x3xf32>
  %1 = gaudi.tpc.neg %0 : tensor<2x4x5x3xf32>
  %2 = gaudi.tpc.abs %1 : tensor<2x4x5x3xf32>
  %3 = gaudi.transpose %2 permutation [0, 3, 1, 2] : tensor<2x4x5x3xf32> -> tensor<2x3x4x5xf32>
  return %3 : tensor<2x3x4x5xf32>
})";

TEST_F(LayoutProblemTest, TransposesAndUnitReshapesJoinValues) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x1x4xf32>) -> tensor<4x2x1xf32> {
  %0 = gaudi.reshape %x : tensor<2x1x4xf32> -> tensor<2x4x1xf32>
  %1 = gaudi.transpose %0 permutation [1, 0, 2] : tensor<2x4x1xf32> -> tensor<4x2x1xf32>
  %2 = gaudi.reshape %1 : tensor<4x2x1xf32> -> tensor<8x1x1xf32>
  return %1 : tensor<4x2x1xf32>
})");
  DenseMap<Value, Member> members = findGroups(function);
  const Value root = function.getArgument(0);
  EXPECT_EQ(members.size(), 3u);
  EXPECT_EQ(members[op(function, 0)->getResult(0)].order, (Order{0, 2, 1}));
  const Member &moved = members[op(function, 1)->getResult(0)];
  EXPECT_EQ(moved.root, root);
  EXPECT_EQ(moved.order, (Order{2, 0, 1}));
  EXPECT_FALSE(members.contains(op(function, 2)->getResult(0)));
}

TEST_F(LayoutProblemTest, CandidatesReachNeighboursAndNoFurther) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) {
  %0 = gaudi.transpose %x permutation [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %1 = gaudi.tpc.neg %0 : tensor<4x2x3xf32>
  %2 = gaudi.reshape %1 : tensor<4x2x3xf32> -> tensor<24xf32>
  %3 = gaudi.tpc.neg %y : tensor<24xf32>
  return %2, %3 : tensor<24xf32>, tensor<24xf32>
})");
  LayoutCosts costs(time);
  const LayoutGraph graph(function, costs);
  ASSERT_EQ(graph.groups.size(), 2u); // of %x and of %1
  EXPECT_EQ(graph.groups[0].orders,
            (SmallVector<Order, 2>{{0, 1, 2}, {2, 0, 1}}));
  // The order in which %x is written is that of %1 by [1, 2, 0].
  const Value negated = op(function, 1)->getResult(0);
  EXPECT_EQ(graph.ordersOf(negated),
            (SmallVector<Order, 2>{{0, 1, 2}, {1, 2, 0}}));
  EXPECT_FALSE(graph.groupOf(op(function, 2)->getResult(0)));
  EXPECT_FALSE(graph.groupOf(function.getArgument(1)));
}

/// Six orders of one tensor, each read by an op: `flatten`, which has its
/// operand as it is written, or an elementwise one.
std::string crowded(bool flatten) {
  std::string text, results, types;
  const std::array<const char *, 6> orders = {"0, 1, 3, 2", "0, 2, 1, 3",
                                              "0, 2, 3, 1", "0, 3, 1, 2",
                                              "0, 3, 2, 1", "1, 0, 2, 3"};
  for (auto [i, order] : llvm::enumerate(orders)) {
    std::string type = "tensor<";
    for (char c : StringRef(order))
      if (isdigit(c))
        type += std::to_string(16 * (c - '0') + 32) + "x";
    type += "f32>";
    const std::string result = flatten ? "tensor<7864320xf32>" : type;
    text += llvm::formatv("  %t{0} = gaudi.transpose %x permutation [{1}] : "
                          "tensor<32x48x64x80xf32> -> {2}\n  %r{0} = {3} %t{0} "
                          ": {2}{4}\n",
                          i, order, type,
                          flatten ? "gaudi.reshape" : "gaudi.tpc.neg",
                          flatten ? " -> " + result : "");
    results += (i ? ", %r" : "%r") + std::to_string(i);
    types += (i ? ", " : "") + result;
  }
  return "func.func @main(%x: tensor<32x48x64x80xf32>) -> (" + types + ") {\n" +
         text + "  return " + results + " : " + types + "\n}";
}

TEST_F(LayoutProblemTest, MoreThanFiveOrdersAreSplit) {
  func::FuncOp function = parse(crowded(/*flatten=*/true));
  LayoutCosts costs(time);
  const LayoutGraph graph(function, costs);
  // The tensor with four orders, two that were split off, and the results.
  const Value x = function.getArgument(0);
  unsigned split = 0;
  for (const Group &group : graph.groups) {
    EXPECT_LE(group.orders.size(), 5u);
    if (group.origin) {
      ++split;
      EXPECT_EQ(group.origin->root, x);
      EXPECT_FALSE(group.isComplete);
    }
  }
  EXPECT_EQ(split, 2u);
  const Group &whole = graph.groups[*graph.groupOf(x)];
  EXPECT_EQ(whole.orders.size(), 5u);
  EXPECT_EQ(whole.members.size(), 4u);
  EXPECT_FALSE(whole.isComplete);
  // Each reader still has its order, and nothing is claimed to be optimal.
  const Placement placement = choosePlacement(function, time);
  ASSERT_EQ(placement.regions.size(), 1u);
  const layout::Region &region = placement.regions[0];
  EXPECT_EQ(region.transposesBefore, 6u);
  EXPECT_FALSE(region.isProven());
  std::set<Order> made = {{0, 1, 2, 3}};
  for (const Transposition &transposition : region.transposes) {
    EXPECT_EQ(transposition.root, x);
    EXPECT_TRUE(made.count(transposition.from));
    EXPECT_TRUE(made.insert(transposition.to).second);
  }
  EXPECT_EQ(made.size(), 7u);
}

TEST_F(LayoutProblemTest, OpsReadSplitOrdersFromOthers) {
  // Elementwise ops between transposes do without all of them, also where the
  // orders are split off.
  func::FuncOp function = parse(crowded(/*flatten=*/false));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    function.setResultAttr(i, allowPermutationAttrName,
                           UnitAttr::get(&context));
  const Placement placement = choosePlacement(function, time);
  for (const layout::Region &region : placement.regions)
    EXPECT_TRUE(region.transposes.empty());
}

TEST_F(LayoutProblemTest, EqualOpsShareLabels) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %0 = gaudi.tpc.neg %x : tensor<64x128xf32>
  %1 = gaudi.tpc.neg %y : tensor<64x128xf32>
  %2 = gaudi.tpc.abs %y : tensor<64x128xf32>
  %3 = gaudi.transpose %0 permutation [1, 0] : tensor<64x128xf32> -> tensor<128x64xf32>
  return %3 : tensor<128x64xf32>
})");
  LayoutCosts costs(time);
  const SmallVector<TensorOrders> tensors(2, {{{0, 1}, {1, 0}}, std::nullopt});
  const LabelSet &labels = costs.labelsOf(op(function, 0), tensors);
  EXPECT_EQ(&labels, &costs.labelsOf(op(function, 1), tensors));
  EXPECT_NE(&labels, &costs.labelsOf(op(function, 2), tensors));
  EXPECT_TRUE(labels.isComplete);
  ASSERT_TRUE(labels.written);
  EXPECT_EQ(labels.labels[*labels.written].time, time.of(op(function, 0)));
  // Both orders, and a kernel from one to the other only if it is faster than
  // the op and a transpose.
  const Picoseconds apart =
      costs.ofTranspose(tensorType(op(function, 0)->getResult(0)), {1, 0});
  EXPECT_GT(apart, 0);
  EXPECT_GE(labels.labels.size(), 2u);
  for (const Label &label : labels.labels)
    if (label.placement.asKernel)
      EXPECT_LT(label.time, time.of(op(function, 0)) + apart);
}

TEST_F(LayoutProblemTest, TransposesOfUnitDimensionsAreFree) {
  func::FuncOp function = parse(chain);
  LayoutCosts costs(time);
  auto type = cast<RankedTensorType>(function.getArgumentTypes()[0]);
  EXPECT_EQ(costs.ofTranspose(type.clone({1, 1, 4, 5}), {2, 0, 3, 1}), 0);
  EXPECT_EQ(costs.ofCopy(type, 1, {0, 1, 2, 3}, {0, 2, 3, 1}), 1);
  EXPECT_EQ(costs.ofCopy(type, 1, {0, 2, 3, 1}, {0, 2, 3, 1}), 0);
  EXPECT_EQ(costs.ofCopy(type, std::nullopt, {0, 1, 2, 3}, {0, 2, 3, 1}),
            time.of(op(function, 0)));
}

TEST_F(LayoutProblemTest, TransposesThatCancelThroughOpsGo) {
  const Placement placement = choosePlacement(parse(chain), time);
  ASSERT_EQ(placement.regions.size(), 1u);
  const layout::Region &region = placement.regions[0];
  EXPECT_EQ(region.transposesBefore, 2u);
  EXPECT_TRUE(region.transposes.empty());
  EXPECT_TRUE(region.isProven());
  EXPECT_LT(region.after, region.before);
  EXPECT_EQ(region.bytesBefore, 4 * 120 * 4);
  EXPECT_EQ(region.bytesAfter, 0);
  ASSERT_EQ(placement.ops.size(), 2u);
  EXPECT_EQ(placement.ops.front().second.orders,
            (Orders{{0, 3, 1, 2}, {0, 3, 1, 2}}));
}

TEST_F(LayoutProblemTest, FreeArgumentsAndResultsTakeAnyOrder) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x3x4xf32> {gaudi.allow_permutation}) -> (tensor<4x2x3xf32> {gaudi.allow_permutation}, tensor<24xf32>) {
  %0 = gaudi.transpose %x permutation [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %1 = gaudi.tpc.neg %0 : tensor<4x2x3xf32>
  %2 = gaudi.reshape %1 : tensor<4x2x3xf32> -> tensor<24xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<24xf32>
})");
  const Placement placement = choosePlacement(function, time);
  ASSERT_EQ(placement.regions.size(), 1u);
  EXPECT_TRUE(placement.regions[0].transposes.empty());
  EXPECT_TRUE(placement.ops.empty());
  EXPECT_EQ(placement.arguments.lookup(0), (Order{2, 0, 1}));
  EXPECT_TRUE(placement.results.empty());
}

TEST_F(LayoutProblemTest, ConstantsAreReorderedAtCompileTime) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %w = gaudi.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = gaudi.transpose %w permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %1 = gaudi.tpc.add %x, %0 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
})");
  const Placement placement = choosePlacement(function, time);
  ASSERT_EQ(placement.regions.size(), 1u);
  const layout::Region &region = placement.regions[0];
  ASSERT_EQ(region.transposes.size(), 1u);
  EXPECT_TRUE(region.transposes[0].isFree);
  EXPECT_EQ(region.transposesBefore, 0u);
  EXPECT_EQ(region.bytesBefore, 0);
  EXPECT_EQ(region.bytesAfter, 0);
  EXPECT_EQ(region.before, region.after);
  EXPECT_TRUE(region.isProven());
  EXPECT_TRUE(placement.ops.empty());
}

TEST_F(LayoutProblemTest, SplatsDoNotConnectTheirReaders) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %z = gaudi.constant dense<0.0> : tensor<4x2x3xf32>
  %0 = gaudi.transpose %x permutation [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %1 = gaudi.tpc.max %0, %z : tensor<4x2x3xf32>, tensor<4x2x3xf32> -> tensor<4x2x3xf32>
  %2 = gaudi.transpose %1 permutation [1, 2, 0] : tensor<4x2x3xf32> -> tensor<2x3x4xf32>
  %3 = gaudi.transpose %y permutation [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %4 = gaudi.tpc.max %3, %z : tensor<4x2x3xf32>, tensor<4x2x3xf32> -> tensor<4x2x3xf32>
  %5 = gaudi.transpose %4 permutation [1, 2, 0] : tensor<4x2x3xf32> -> tensor<2x3x4xf32>
  return %2, %5 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
})");
  const Placement placement = choosePlacement(function, time);
  ASSERT_EQ(placement.regions.size(), 2u);
  for (const layout::Region &region : placement.regions) {
    EXPECT_EQ(region.transposesBefore, 2u);
    EXPECT_TRUE(region.transposes.empty());
    EXPECT_TRUE(region.isProven());
  }
}

/// One argument that `readers` ops read, each through its own transpose.
std::string hub(unsigned readers) {
  std::string text = R"(
func.func @main(%x: tensor<256x384x512xf32>) -> tensor<512x256x384xf32> {
  %v0 = gaudi.transpose %x permutation [2, 0, 1] : tensor<256x384x512xf32> -> tensor<512x256x384xf32>
)";
  for (unsigned i = 1; i <= readers; ++i)
    text += llvm::formatv(R"(
  %t{0} = gaudi.transpose %x permutation [2, 0, 1] : tensor<256x384x512xf32> -> tensor<512x256x384xf32>
  %s{0} = gaudi.tpc.tanh %t{0} : tensor<512x256x384xf32>
  %v{0} = gaudi.tpc.add %v{1}, %s{0} : tensor<512x256x384xf32>, tensor<512x256x384xf32> -> tensor<512x256x384xf32>
)",
                          i, i - 1);
  return text +
         llvm::formatv("  return %v{0} : tensor<512x256x384xf32>\n}", readers)
             .str();
}

/// Memory bounds the kernels, so that they read across their order for nothing.
TEST_F(LayoutProblemTest, ManyReadersOfOneTensor) {
  const Placement placement = choosePlacement(parse(hub(2000)), time);
  ASSERT_EQ(placement.regions.size(), 1u);
  const layout::Region &region = placement.regions[0];
  EXPECT_EQ(region.transposesBefore, 2001u);
  EXPECT_TRUE(region.transposes.empty());
  EXPECT_TRUE(region.isProven());
}

TEST_F(LayoutProblemTest, OpsWithoutChoiceMayHaveLeftLabelsOut) {
  // The argument has one label, and another may have been left out.
  LayoutProblem problem(parse(chain), time);
  ASSERT_EQ(problem.parties.size(), 4u);
  Party &argument = problem.parties.front();
  ASSERT_TRUE(argument.argument);
  ASSERT_FALSE(argument.hasChoice());
  EXPECT_TRUE(problem.solve().regions[0].isProven());
  LabelSet incomplete = *argument.labels;
  incomplete.isComplete = false;
  argument.labels = &incomplete;
  EXPECT_FALSE(problem.solve().regions[0].isProven());
}

TEST_F(LayoutProblemTest, StatesHaveOneOrder) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x3x4xf32> {gaudi.state = 0 : i64, gaudi.allow_permutation}, %y: tensor<4x2x3xf32>) -> tensor<2x3x4xf32> {
  %0 = gaudi.transpose %x permutation [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %1 = gaudi.tpc.add %0, %y : tensor<4x2x3xf32>, tensor<4x2x3xf32> -> tensor<4x2x3xf32>
  %2 = gaudi.transpose %1 permutation [1, 2, 0] : tensor<4x2x3xf32> -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
})");
  const Placement placement = choosePlacement(function, time);
  ASSERT_EQ(placement.regions.size(), 1u);
  EXPECT_TRUE(placement.regions[0].transposes.empty());
  EXPECT_EQ(placement.arguments.lookup(0), (Order{2, 0, 1}));
  EXPECT_EQ(placement.results.lookup(0), (Order{2, 0, 1}));
}

TEST_F(LayoutProblemTest, ConvolutionsBecomeChannelsLast) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x8x6x6xf32>, %w: tensor<16x8x3x3xf32>) -> tensor<2x16x4x4xf32> {
  %0 = gaudi.mme.conv %x, %w layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<2x8x6x6xf32>, tensor<16x8x3x3xf32> -> tensor<2x16x4x4xf32>
  return %0 : tensor<2x16x4x4xf32>
})");
  const Placement placement = choosePlacement(function, time);
  ASSERT_EQ(placement.regions.size(), 1u);
  EXPECT_EQ(placement.regions[0].transposes.size(), 2u);
  EXPECT_TRUE(placement.regions[0].isProven());
  EXPECT_EQ(placement.ops.lookup(op(function, 0)).orders,
            (Orders{{0, 2, 3, 1}, {0, 1, 2, 3}, {0, 2, 3, 1}}));
}

/// Rows of whole lines: shorter ones cost more than they save.
TEST_F(LayoutProblemTest, ProductsReadAndWriteThroughStrides) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<2x64x4x128xf32>, %y: tensor<2x64x4x128xf32>) -> tensor<2x64x4x64xf32> {
  %0 = gaudi.transpose %x permutation [0, 2, 1, 3] : tensor<2x64x4x128xf32> -> tensor<2x4x64x128xf32>
  %1 = gaudi.transpose %y permutation [0, 2, 3, 1] : tensor<2x64x4x128xf32> -> tensor<2x4x128x64xf32>
  %2 = gaudi.mme.gemm %0, %1 : tensor<2x4x64x128xf32>, tensor<2x4x128x64xf32> -> tensor<2x4x64x64xf32>
  %3 = gaudi.transpose %2 permutation [0, 2, 1, 3] : tensor<2x4x64x64xf32> -> tensor<2x64x4x64xf32>
  return %3 : tensor<2x64x4x64xf32>
})");
  const Placement placement = choosePlacement(function, time);
  ASSERT_EQ(placement.regions.size(), 1u);
  EXPECT_EQ(placement.regions[0].transposesBefore, 3u);
  EXPECT_TRUE(placement.regions[0].transposes.empty());
}

TEST_F(LayoutProblemTest, GradientsHaveTheOrdersOfTheirTensors) {
  func::FuncOp function = parse(R"(
func.func @main(%do: tensor<2x4x8x8xf32>, %q: tensor<2x4x8x16xf32>, %k: tensor<2x4x6x16xf32>, %v: tensor<2x4x6x8xf32>, %m: tensor<2x4x8x1xf32>) {
  %0:3 = gaudi.sdpa_grad %do, %q, %k, %v m %m linv %m scale 1.0 : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>, tensor<2x4x6x16xf32>, tensor<2x4x6x8xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x6x16xf32>, tensor<2x4x6x8xf32>)
  return
})");
  LayoutCosts costs(time);
  SmallVector<TensorOrders> tensors(
      9, {{{0, 1, 2, 3}, {0, 2, 1, 3}}, std::nullopt});
  tensors[4] = tensors[5] = {{{0, 1, 2, 3}}, std::nullopt}; // of m and linv
  const LabelSet &set = costs.labelsOf(op(function, 0), tensors);
  EXPECT_TRUE(set.isComplete);
  EXPECT_GT(set.labels.size(), 1u);
  for (const Label &label : set.labels)
    for (unsigned tensor : {1, 2, 3})
      EXPECT_EQ(label.choices[tensor], label.choices[tensor + 5]);
}

TEST_F(LayoutProblemTest, KernelsFollowTheirLoops) {
  func::FuncOp function = parse(R"(
func.func @main(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<8x4xf32> {
  %0 = gaudi.tpc.kernel (%x, %y) index_space [4, 8] parallel [true, true] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<8x4xf32> {
  ^bb0(%in0: tensor<4x8xf32>, %in1: tensor<8xf32>, %out0: tensor<8x4xf32>):
    %v = gaudi.kernel.load %in0[d0, d1] : tensor<4x8xf32>
    %w = gaudi.kernel.load %in1[d1] : tensor<8xf32>
    %s = arith.addf %v, %w : f32
    gaudi.kernel.store %s, %out0[d1, d0] : tensor<8x4xf32>
  }
  return %0 : tensor<8x4xf32>
})");
  auto kernel = cast<LayoutOpInterface>(op(function, 0));
  EXPECT_EQ(kernel.getOrdersWith(0, {1, 0}), (Orders{{1, 0}, {0}, {0, 1}}));
  EXPECT_EQ(kernel.getOrdersWith(0, {0, 1}), (Orders{{0, 1}, {0}, {1, 0}}));
}
} // namespace
