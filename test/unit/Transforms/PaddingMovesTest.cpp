// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-mask-padding where elements have to move: collapsed dimensions,
// reshapes, slices, repeated ends.
#include "PaddingTest.h"

using namespace mlir;
using namespace gaudi;

namespace {

const char *const extents =
    ", %eb: tensor<i32> {gaudi.extent = affine_map<()[b, s] -> (b)>}"
    ", %es: tensor<i32> {gaudi.extent = affine_map<()[b, s] -> (s)>}"
    ", %et: tensor<i32> {gaudi.extent = affine_map<()[b, s] -> (b * s)>}";
const char *const collapse =
    "  %r = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> tensor<@B*S@x4xf32>\n";

TEST_F(PaddingTest, FlattenedResults) {
  checkAll(function(std::string(collapse) +
                        "  %0 = gaudi.tpc.tanh %r : tensor<@B*S@x4xf32>\n"
                        "  return %0 : tensor<@B*S@x4xf32>\n",
                    "tensor<@B*S@x4xf32>", "b * s, 4"),
           0);
  checkAll(function("  %0 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> "
                    "tensor<@B*S*4@xf32>\n"
                    "  return %0 : tensor<@B*S*4@xf32>\n",
                    "tensor<@B*S*4@xf32>", "b * s * 4"),
           0);
  // The sequence first.
  checkAll(function("  %0 = gaudi.transpose %x permutation [1, 2, 0] : "
                    "tensor<@B@x@S@x4xf32> -> tensor<@S@x4x@B@xf32>\n"
                    "  %1 = gaudi.reshape %0 : tensor<@S@x4x@B@xf32> -> "
                    "tensor<@S*4*B@xf32>\n"
                    "  return %1 : tensor<@S*4*B@xf32>\n",
                    "tensor<@S*4*B@xf32>", "s * 4 * b"),
           0);
}

TEST_F(PaddingTest, PositionsInCollapsedDimensions) {
  for (StringRef flags : {"", "is_max", "is_max ignore_nan"})
    checkAll(
        function(collapse + ("  %0 = gaudi.tpc.arg_reduce %r axis 0 " + flags +
                             " : tensor<@B*S@x4xf32> -> tensor<4xi32>\n"
                             "  return %0 : tensor<4xi32>\n")
                                .str(),
                 "tensor<4xi32>", "4"),
        0);
  const std::string flat = "tensor<@B*S@x4xf32>";
  for (StringRef op : {"gaudi.tpc.reverse %r dims [0]",
                       "gaudi.tpc.cumulative_sum %r axis 0 exclusive reverse"})
    checkAll(function(collapse + ("  %0 = " + op + " : ").str() + flat +
                          "\n  return %0 : " + flat + "\n",
                      flat, "b * s, 4"),
             2e-5, /*alsoKernels=*/false);
  for (StringRef flags : {"", "descending"})
    checkAll(
        function(collapse +
                     ("  %0, %1 = gaudi.tpc.sort %r axis 0 " + flags + " : " +
                      flat + " -> " + flat +
                      ", tensor<@B*S@x4xi32>\n"
                      "  %2 = gaudi.tpc.cast %1 : tensor<@B*S@x4xi32> -> " +
                      flat + "\n  %3 = gaudi.tpc.sub %0, %2 : " + flat + ", " +
                      flat + " -> " + flat + "\n  return %3 : " + flat + "\n")
                         .str(),
                 flat, "b * s, 4"),
        0);
  // The largest one, of at least one.
  checkAll(function(std::string(collapse) +
                        "  %0, %1 = gaudi.tpc.top_k %r axis 0 : " + flat +
                        " -> tensor<1x4xf32>, tensor<1x4xi32>\n"
                        "  return %1 : tensor<1x4xi32>\n",
                    "tensor<1x4xi32>", "1, 4"),
           0);
}

TEST_F(PaddingTest, NumbersOfCollapsedElements) {
  // A number for each element, and back to the dimensions.
  checkAll(
      function(std::string(collapse) +
                   "  %i = gaudi.tpc.iota dim 0 : tensor<@B*S@x4xf32>\n"
                   "  %0 = gaudi.tpc.add %r, %i : tensor<@B*S@x4xf32>, "
                   "tensor<@B*S@x4xf32> -> tensor<@B*S@x4xf32>\n"
                   "  %1 = gaudi.reshape %0 : tensor<@B*S@x4xf32> -> "
                   "tensor<@B@x@S@x4xf32>\n"
                   "  %2 = gaudi.valid %1 dims [0, 1] extents (%eb, %es) : "
                   "tensor<@B@x@S@x4xf32>, tensor<i32>, tensor<i32>\n"
                   "  %3 = gaudi.tpc.sub %2, %x : tensor<@B@x@S@x4xf32>, "
                   "tensor<@B@x@S@x4xf32> -> tensor<@B@x@S@x4xf32>\n"
                   "  return %3 : tensor<@B@x@S@x4xf32>\n",
               "tensor<@B@x@S@x4xf32>", "b, s, 4", extents),
      0);
}

TEST_F(PaddingTest, Reshapes) {
  // An argument that callers have flattened.
  checkAll(function("  %1 = gaudi.reshape %y : tensor<@B*S@x4xf32> -> "
                    "tensor<@B@x@S@x4xf32>\n"
                    "  %2 = gaudi.valid %1 dims [0, 1] extents (%eb, %es) : "
                    "tensor<@B@x@S@x4xf32>, tensor<i32>, tensor<i32>\n"
                    "  %3 = gaudi.tpc.reduce <sum> %2 dims [1] : "
                    "tensor<@B@x@S@x4xf32> -> tensor<@B@x4xf32>\n"
                    "  return %3 : tensor<@B@x4xf32>\n",
                    "tensor<@B@x4xf32>", "b, 4",
                    std::string(extents) +
                        ", %y: tensor<@B*S@x4xf32> {gaudi.shape = "
                        "affine_map<()[b, s] -> (b * s, 4)>}"));
  // Rows become columns without a transpose: elements move.
  checkAll(function("  %1 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> "
                    "tensor<@S@x@B@x4xf32>\n"
                    "  %2 = gaudi.valid %1 dims [0, 1] extents (%es, %eb) : "
                    "tensor<@S@x@B@x4xf32>, tensor<i32>, tensor<i32>\n"
                    "  return %2 : tensor<@S@x@B@x4xf32>\n",
                    "tensor<@S@x@B@x4xf32>", "s, b, 4", extents),
           0);
  checkAll(function("  %1 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> "
                    "tensor<@B@x2x@S@x2xf32>\n"
                    "  %2 = gaudi.valid %1 dims [2] extents (%es) : "
                    "tensor<@B@x2x@S@x2xf32>, tensor<i32>\n"
                    "  return %2 : tensor<@B@x2x@S@x2xf32>\n",
                    "tensor<@B@x2x@S@x2xf32>", "b, 2, s, 2", extents),
           0);
  checkAll(function("  %1 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> "
                    "tensor<4x@S@x@B@xf32>\n"
                    "  %2 = gaudi.valid %1 dims [1, 2] extents (%es, %eb) : "
                    "tensor<4x@S@x@B@xf32>, tensor<i32>, tensor<i32>\n"
                    "  %3 = gaudi.tpc.reduce <max> %2 dims [1, 2] : "
                    "tensor<4x@S@x@B@xf32> -> tensor<4xf32>\n"
                    "  return %3 : tensor<4xf32>\n",
                    "tensor<4xf32>", "4", extents),
           0);
  // A dimension collapsed, sorted, and divided in another order.
  checkAll(function(std::string(collapse) +
                        "  %0, %1 = gaudi.tpc.sort %r axis 0 : "
                        "tensor<@B*S@x4xf32> -> tensor<@B*S@x4xf32>, "
                        "tensor<@B*S@x4xi32>\n"
                        "  %2 = gaudi.reshape %0 : tensor<@B*S@x4xf32> -> "
                        "tensor<@S@x@B@x4xf32>\n"
                        "  %3 = gaudi.valid %2 dims [0, 1] extents (%es, %eb) "
                        ": tensor<@S@x@B@x4xf32>, tensor<i32>, tensor<i32>\n"
                        "  return %3 : tensor<@S@x@B@x4xf32>\n",
                    "tensor<@S@x@B@x4xf32>", "s, b, 4", extents),
           0);
}

TEST_F(PaddingTest, MarkedSlices) {
  // Each second one, of collapsed rows from the second on, and the last ones.
  const std::string more =
      std::string(extents) +
      ", %eh: tensor<i32> {gaudi.extent = affine_map<()[b, s] -> ((s + 1) "
      "floordiv 2)>}, %el: tensor<i32> {gaudi.extent = affine_map<()[b, s] -> "
      "(b * s * 2 - 1)>}";
  checkAll(function("  %0 = gaudi.slice %x offsets [0, 0, 0] strides [1, 2, 1] "
                    ": tensor<@B@x@S@x4xf32> -> tensor<@B@x@(S+1)/2@x4xf32>\n"
                    "  %1 = gaudi.valid %0 dims [1] extents (%eh) : "
                    "tensor<@B@x@(S+1)/2@x4xf32>, tensor<i32>\n"
                    "  %2 = gaudi.tpc.reduce <mean> %1 dims [1] : "
                    "tensor<@B@x@(S+1)/2@x4xf32> -> tensor<@B@x4xf32>\n"
                    "  return %2 : tensor<@B@x4xf32>\n",
                    "tensor<@B@x4xf32>", "b, 4", more),
           2e-5, /*alsoKernels=*/false);
  checkAll(function(std::string(collapse) +
                        "  %c = gaudi.concat %r, %r axis 0 : "
                        "tensor<@B*S@x4xf32>, tensor<@B*S@x4xf32> -> "
                        "tensor<@B*S*2@x4xf32>\n"
                        "  %0 = gaudi.slice %c offsets [1, 0] strides [1, 1] : "
                        "tensor<@B*S*2@x4xf32> -> tensor<@B*S*2-1@x4xf32>\n"
                        "  %1 = gaudi.valid %0 dims [0] extents (%el) : "
                        "tensor<@B*S*2-1@x4xf32>, tensor<i32>\n"
                        "  return %1 : tensor<@B*S*2-1@x4xf32>\n",
                    "tensor<@B*S*2-1@x4xf32>", "b * s * 2 - 1, 4", more),
           0);
}

TEST_F(PaddingTest, EdgesAndJoins) {
  checkAll(function("  %0 = gaudi.tpc.pad <edge> %x low [0, 1, 0] high [1, 2, "
                    "0] : tensor<@B@x@S@x4xf32> -> tensor<@B+1@x@S+3@x4xf32>\n"
                    "  return %0 : tensor<@B+1@x@S+3@x4xf32>\n",
                    "tensor<@B+1@x@S+3@x4xf32>", "b + 1, s + 3, 4"),
           0, /*alsoKernels=*/false);
  checkAll(
      function(std::string(collapse) +
                   "  %0 = gaudi.concat %r, %r axis 0 : tensor<@B*S@x4xf32>, "
                   "tensor<@B*S@x4xf32> -> tensor<@B*S+B*S@x4xf32>\n"
                   "  return %0 : tensor<@B*S+B*S@x4xf32>\n",
               "tensor<@B*S+B*S@x4xf32>", "b * s + b * s, 4"),
      0);
  checkAll(function(std::string(collapse) +
                        "  %0 = gaudi.tpc.pad <constant> %r low [2, 0] high "
                        "[1, 0] value 1.0 : f32 : tensor<@B*S@x4xf32> -> "
                        "tensor<@B*S+3@x4xf32>\n"
                        "  return %0 : tensor<@B*S+3@x4xf32>\n",
                    "tensor<@B*S+3@x4xf32>", "b * s + 3, 4"),
           0, /*alsoKernels=*/false);
}

TEST_F(PaddingTest, CollapsedKeys) {
  checkAll(
      function("  %k = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> "
               "tensor<1x@B*S@x4xf32>\n"
               "  %0 = gaudi.sdpa %q, %k, %k scale 0.5 : (tensor<1x3x4xf32>"
               ", tensor<1x@B*S@x4xf32>, tensor<1x@B*S@x4xf32>) -> "
               "tensor<1x3x4xf32>\n"
               "  return %0 : tensor<1x3x4xf32>\n",
               "tensor<1x3x4xf32>", "1, 3, 4", ", %q: tensor<1x3x4xf32>"));
}

} // namespace
