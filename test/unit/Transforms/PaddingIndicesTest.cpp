// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-mask-padding at gathers and scatters.
#include "PaddingTest.h"

using namespace mlir;
using namespace gaudi;

namespace {

const std::string t = "tensor<@B@x@S@x4xf32>";
const char *const perRow =
    ", %i: tensor<@B@x@S@xi32> {gaudi.shape = affine_map<()[b, s] -> (b, s)>}";

TEST_F(PaddingTest, IndicesOfPaddingStop) {
  checkStops(function(
      "  %0 = gaudi.tpc.gather %x, %i axis 1 batch_dims 1 : " + t +
          ", tensor<@B@x@S@xi32> -> " + t + "\n  return %0 : " + t + "\n",
      t, "b, s, 4", perRow));
  checkStops(function("  %0 = gaudi.tpc.gather_elements %x, %j axis 1 : " + t +
                          ", tensor<@B@x@S@x4xi64> -> " + t +
                          "\n  return %0 : " + t + "\n",
                      t, "b, s, 4",
                      ", %j: tensor<@B@x@S@x4xi64> {gaudi.shape = "
                      "affine_map<()[b, s] -> (b, s, 4)>}"));
  for (StringRef flags : {"", "accumulate"})
    checkStops(function(("  %0 = gaudi.tpc.scatter_rows %x, %i, %x " + flags +
                         " : " + t + ", tensor<@B@x@S@xi32>, " + t + " -> " +
                         t + "\n  return %0 : " + t + "\n")
                            .str(),
                        t, "b, s, 4", perRow));
  checkStops(function("  %0 = gaudi.tpc.scatter %x, %i, %x : " + t +
                          ", tensor<@B@x@S@xi32>, " + t + " -> " + t +
                          "\n  return %0 : " + t + "\n",
                      t, "b, s, 4", perRow));
  // Rows of a tensor without padding, as many as only the bucket has.
  checkStops(function("  %0 = gaudi.tpc.scatter %z, %i, %x : "
                      "tensor<@B@x1x4xf32>, tensor<@B@x@S@xi32>, " +
                          t +
                          " -> tensor<@B@x1x4xf32>\n"
                          "  return %0 : tensor<@B@x1x4xf32>\n",
                      "tensor<@B@x1x4xf32>", "b, 1, 4",
                      std::string(perRow) +
                          ", %z: tensor<@B@x1x4xf32> {gaudi.shape = "
                          "affine_map<()[b, s] -> (b, 1, 4)>}"));
}

TEST_F(PaddingTest, IndicesDropOutside) {
  // Under drop_outside, nothing stops.
  const std::string text =
      function("  %one = gaudi.constant dense<1> : tensor<1x1xi32>\n"
               "  %j = gaudi.tpc.add %i, %one : tensor<@B@x@S@xi32>, "
               "tensor<1x1xi32> -> tensor<@B@x@S@xi32>\n"
               "  %0 = gaudi.tpc.scatter_rows %x, %j, %x drop_outside : " +
                   t + ", tensor<@B@x@S@xi32>, " + t + " -> " + t +
                   "\n  return %0 : " + t + "\n",
               t, "b, s, 4", perRow);
  checkAll(text, 0);
}

TEST_F(PaddingTest, CollapsedTables) {
  // Rows of all batches by one index, which is at most S - 1.
  checkAll(function("  %r = gaudi.reshape %x : " + t +
                        " -> tensor<@B*S@x4xf32>\n"
                        "  %0 = gaudi.tpc.gather %r, %i axis 0 batch_dims 0 : "
                        "tensor<@B*S@x4xf32>, tensor<@B@x@S@xi32> -> " +
                        t + "\n  return %0 : " + t + "\n",
                    t, "b, s, 4", perRow),
           0);
  const char *const rows =
      "  %r = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> tensor<1x@B*S@x4xf32>"
      "\n  %j = gaudi.reshape %i : tensor<@B@x@S@xi32> -> "
      "tensor<1x@B*S@xi32>\n";
  for (StringRef op :
       {"scatter %r, %j, %r", "scatter_rows %r, %j, %r accumulate",
        "scatter_rows %r, %j, %r drop_outside"})
    checkAll(function(rows + ("  %0 = gaudi.tpc." + op).str() +
                          " : tensor<1x@B*S@x4xf32>, tensor<1x@B*S@xi32>, "
                          "tensor<1x@B*S@x4xf32> -> tensor<1x@B*S@x4xf32>\n"
                          "  return %0 : tensor<1x@B*S@x4xf32>\n",
                      "tensor<1x@B*S@x4xf32>", "1, b * s, 4", perRow),
             0);
}

TEST_F(PaddingTest, IndicesThatCountPadding) {
  // Row %i of each image, numbered over all images by the static size.
  const std::string head =
      "  %n = gaudi.constant dense<@S@> : tensor<1x1xi32>\n"
      "  %image = gaudi.tpc.iota dim 0 : tensor<@B@x1xi32>\n"
      "  %first = gaudi.tpc.mul %image, %n : tensor<@B@x1xi32>, "
      "tensor<1x1xi32> -> tensor<@B@x1xi32>\n"
      "  %at = gaudi.tpc.add %first, %i : tensor<@B@x1xi32>, "
      "tensor<@B@x@S@xi32>"
      " -> tensor<@B@x@S@xi32>\n";
  const std::string rows = head +
                           "  %j = gaudi.reshape %at : tensor<@B@x@S@xi32> -> "
                           "tensor<1x@B*S@xi32>\n"
                           "  %r = gaudi.reshape %x : " +
                           t + " -> tensor<1x@B*S@x4xf32>\n";
  for (StringRef op :
       {"scatter %r, %j, %r", "scatter_rows %r, %j, %r accumulate",
        "scatter_rows %r, %j, %r drop_outside"})
    checkAll(
        function(rows + ("  %0 = gaudi.tpc." + op).str() +
                     " {gaudi.padded_indices = [array<i64: @B@, @S@, 4>, "
                     "array<i64: 0, "
                     "1>, array<i64: @B@, @S@, 4>, array<i64>]} : "
                     "tensor<1x@B*S@x4xf32>, "
                     "tensor<1x@B*S@xi32>, tensor<1x@B*S@x4xf32> -> "
                     "tensor<1x@B*S@x4xf32>\n"
                     "  %1 = gaudi.reshape %0 : tensor<1x@B*S@x4xf32> -> " +
                     t + "\n  return %1 : " + t + "\n",
                 t, "b, s, 4", perRow),
        0);
}

TEST_F(PaddingTest, ScatteredElements) {
  const std::string index = ", %j: tensor<@B@x@S@x4xi32> {gaudi.shape = "
                            "affine_map<()[b, s] -> (b, s, 4)>}";
  for (StringRef flags : {"", "accumulate"}) {
    checkAll(function(("  %0 = gaudi.tpc.scatter_elements %x, %j, %x axis 1 " +
                       flags + " : " + t + ", tensor<@B@x@S@x4xi32>, " + t +
                       " -> " + t + "\n  return %0 : " + t + "\n")
                          .str(),
                      t, "b, s, 4", index),
             flags.empty() ? 0 : 1e-6);
    // Data that is larger than the updates: lines of padding keep its elements.
    checkAll(
        function(("  %0 = gaudi.tpc.scatter_elements %z, %j, %x axis 1 " +
                  flags + " : tensor<8x16x4xf32>, tensor<@B@x@S@x4xi32>, " + t +
                  " -> tensor<8x16x4xf32>\n"
                  "  return %0 : tensor<8x16x4xf32>\n")
                     .str(),
                 "tensor<8x16x4xf32>", "8, 16, 4",
                 index + ", %z: tensor<8x16x4xf32>"),
        flags.empty() ? 0 : 1e-6);
    checkAll(function(("  %r = gaudi.reshape %x : " + t +
                       " -> tensor<@B*S@x4xf32>\n"
                       "  %k = gaudi.reshape %j : tensor<@B@x@S@x4xi32> -> "
                       "tensor<@B*S@x4xi32>\n"
                       "  %0 = gaudi.tpc.scatter_elements %z, %k, %r axis 0 " +
                       flags +
                       " : tensor<16x4xf32>, tensor<@B*S@x4xi32>, "
                       "tensor<@B*S@x4xf32> -> tensor<16x4xf32>\n"
                       "  return %0 : tensor<16x4xf32>\n")
                          .str(),
                      "tensor<16x4xf32>", "16, 4",
                      index + ", %z: tensor<16x4xf32>"),
             flags.empty() ? 0 : 1e-6);
  }
}

/// A kernel that reads row %i of y, and computes with the index of a row.
std::string lookup(StringRef boundary, StringRef more) {
  return ("  %0 = gaudi.tpc.kernel (%i, %y) index_space [@B@, @S@, 4] parallel "
          "[true, true, true] : (tensor<@B@x@S@xi32>, tensor<@S@x4xf32>) -> " +
          t +
          " {\n  ^bb0(%in0: tensor<@B@x@S@xi32>, %in1: tensor<@S@x4xf32>, "
          "%out0: " +
          t +
          "):\n    %a = gaudi.kernel.load %in0[d0, d1] : tensor<@B@x@S@xi32>\n"
          "    %n = arith.extsi %a : i32 to i64\n" +
          more +
          "    %b = gaudi.kernel.load %in1[%m, d2] boundary "
          "[#gaudi.boundary<" +
          boundary +
          ">, #gaudi.boundary<inside>]"
          " : tensor<@S@x4xf32>\n"
          "    gaudi.kernel.store %b, %out0[d0, d1, d2] : " +
          t + "\n  }\n  return %0 : " + t + "\n")
      .str();
}

TEST_F(PaddingTest, IndicesOfKernels) {
  const std::string more = std::string(perRow) +
                           ", %y: tensor<@S@x4xf32> {gaudi.shape = "
                           "affine_map<()[b, s] -> (s, 4)>}";
  const char *const same = "    %z = arith.constant 0 : i64\n"
                           "    %m = arith.addi %n, %z : i64\n";
  // Twice the index, which may be outside.
  const char *const twice = "    %m = arith.addi %n, %n : i64\n";
  checkAll(function(lookup("checked", same), t, "b, s, 4", more), 0);
  checkStops(function(lookup("checked", same), t, "b, s, 4", more));
  checkAll(function(lookup("clamp", twice), t, "b, s, 4", more), 0);
}

} // namespace
