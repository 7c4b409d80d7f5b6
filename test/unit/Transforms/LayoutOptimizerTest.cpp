// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of the tensors of an optimizer step.
#include "LayoutProblemTest.h"
#include "PlacementCheck.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

namespace {
/// A step over parameters of `shape` and of other shapes. Each is stored
/// transposed outside, its gradient as the step has it.
std::string optimizer(unsigned parameters, StringRef shape, StringRef flipped) {
  std::string arguments, before, gradients, weights, types, results, after,
      returned, kinds;
  for (unsigned i = 0; i < parameters; ++i) {
    const std::string own = "tensor<" + shape.str() + ">",
                      other = "tensor<" + flipped.str() + ">";
    const StringRef comma = i ? ", " : "";
    arguments += llvm::formatv("%g{0}: {1}, %w{0}: {2}, ", i, own, other);
    before += llvm::formatv(
        "  %t{0} = gaudi.transpose %w{0} permutation [1, 0] : {2} -> {1}\n", i,
        own, other);
    gradients += llvm::formatv("{0}%g{1}", comma, i);
    weights += llvm::formatv("{0}%t{1}", comma, i);
    types += own + ", ";
    results += (comma + own).str();
    after += llvm::formatv("  %u{0} = gaudi.transpose %s#{0} permutation [1, "
                           "0] : {1} -> {2}\n",
                           i, own, other);
    returned += llvm::formatv("{0}%u{1}", comma, i);
    kinds += (comma + other).str();
  }
  return llvm::formatv(
      "func.func @main({0}%lr: tensor<f32>) -> ({1}) {{\n{2}  %s:{3} = "
      "gaudi.fused_sgd gradients({4}) parameters({5}) lr %lr : ({6}{6}"
      "tensor<f32>) -> ({7})\n{8}  return {9} : {1}\n}",
      arguments, kinds, before, parameters, gradients, weights, types, results,
      after, returned);
}

TEST_F(LayoutProblemTest, EntriesOfAnOptimizerAreParties) {
  func::FuncOp function = parse(optimizer(40, "256x512xf32", "512x256xf32"));
  LayoutProblem problem(function, time);
  unsigned entries = 0;
  for (const Party &party : problem.parties)
    if (party.op) {
      ++entries;
      EXPECT_EQ(party.labels->labels.size(), 2u);
      EXPECT_TRUE(party.labels->isComplete);
      for (const Label &label : party.labels->labels)
        EXPECT_EQ(label.time, 0);
    }
  EXPECT_EQ(entries, 40u);
  // The gradient is transposed instead of the parameter before and after.
  const Placement placement = problem.solve();
  EXPECT_EQ(placement.regions.size(), 40u);
  for (const layout::Region &region : placement.regions) {
    EXPECT_TRUE(region.isProven());
    EXPECT_EQ(region.transposesBefore, 2u);
    EXPECT_EQ(region.transposes.size(), 1u);
    EXPECT_EQ(region.ops.size(), 1u);
  }
  ASSERT_EQ(placement.ops.size(), 1u);
  const Orders &orders = placement.ops.front().second.orders;
  ASSERT_EQ(orders.size(), 121u);
  EXPECT_EQ(llvm::count(orders, Order{1, 0}), 120);
  EXPECT_TRUE(orders[80].empty()); // of the scalar
}

/// Rows of some size divide the elements of the first, none those of the last,
/// whose kernel has the shape of the tensor.
TEST_F(LayoutProblemTest, OptimizersTakeAsLongInEachOrder) {
  for (auto [shape, flipped] : {std::pair("256x512xf32", "512x256xf32"),
                                std::pair("100x7xf32", "7x100xf32"),
                                std::pair("100003x2xf32", "2x100003xf32")}) {
    func::FuncOp function = parse(optimizer(3, shape, flipped));
    LayoutCosts costs(time);
    Operation *step = op(function, 3);
    Orders orders = identityOrders(step);
    const std::optional<Picoseconds> written = costs.ofOrders(step, orders);
    EXPECT_EQ(written, time.of(step));
    for (Order &order : orders)
      if (order.size() == 2)
        order = {1, 0};
    EXPECT_EQ(costs.ofOrders(step, orders), written) << shape;
  }
}

/// The claim of the regions is what the op and its transposes gain, once.
TEST_F(LayoutProblemTest, TimesOfEntriesAreCountedOnce) {
  func::FuncOp function = parse(optimizer(3, "256x512xf32", "512x256xf32"));
  PlacementCheck check(function, time);
  const Placement placement = choosePlacement(function, time);
  applyPlacement(function, placement);
  std::string text;
  llvm::raw_string_ostream os(text);
  check.print(placement, os);
  SmallVector<StringRef> numbers;
  StringRef(text).rsplit("time ").second.trim().split(numbers, ' ');
  ASSERT_EQ(numbers.size(), 3u);
  Picoseconds before = 0, after = 0, claimed = 0;
  EXPECT_FALSE(numbers[0].getAsInteger(10, before) ||
               numbers[1].getAsInteger(10, after) ||
               numbers[2].getAsInteger(10, claimed));
  EXPECT_GT(claimed, 0);
  EXPECT_EQ(before - after, claimed);
}
} // namespace
