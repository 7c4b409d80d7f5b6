// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-mask-padding, op by op.
#include "PaddingTest.h"

using namespace mlir;
using namespace gaudi;

TEST_F(PaddingTest, Elementwise) {
  checkAll(function(R"(
  %0 = gaudi.tpc.exp %x : tensor<@B@x@S@x4xf32>
  %1 = gaudi.tpc.add %0, %x : tensor<@B@x@S@x4xf32>, tensor<@B@x@S@x4xf32> -> tensor<@B@x@S@x4xf32>
  return %1 : tensor<@B@x@S@x4xf32>
)",
                    "tensor<@B@x@S@x4xf32>", "b, s, 4"),
           0);
}

TEST_F(PaddingTest, Reductions) {
  for (StringRef kind : {"sum", "mean", "prod", "max", "min"})
    for (StringRef dims : {"0", "1", "0, 1", "2"}) {
      const std::string type = dims == "0"      ? "tensor<@S@x4xf32>"
                               : dims == "1"    ? "tensor<@B@x4xf32>"
                               : dims == "0, 1" ? "tensor<4xf32>"
                                                : "tensor<@B@x@S@xf32>";
      const StringRef shape = dims == "0"      ? "s, 4"
                              : dims == "1"    ? "b, 4"
                              : dims == "0, 1" ? "4"
                                               : "b, s";
      checkAll(function(("  %0 = gaudi.tpc.reduce <" + kind + "> %x dims [" +
                         dims + "] : tensor<@B@x@S@x4xf32> -> " + type +
                         "\n  return %0 : " + type + "\n")
                            .str(),
                        type, shape),
               2e-5, kind != "mean");
    }
}

TEST_F(PaddingTest, MeanOfNarrowFloats) {
  checkAll(function(R"(
  %0 = gaudi.tpc.cast %x : tensor<@B@x@S@x4xf32> -> tensor<@B@x@S@x4xbf16>
  %1 = gaudi.tpc.reduce <mean> %0 dims [0, 1] keep_dims : tensor<@B@x@S@x4xbf16> -> tensor<1x1x4xbf16>
  return %1 : tensor<1x1x4xbf16>
)",
                    "tensor<1x1x4xbf16>", "1, 1, 4"),
           0, false);
}

TEST_F(PaddingTest, Softmax) {
  checkAll(function(R"(
  %0 = gaudi.tpc.reduce <max> %x dims [1] keep_dims : tensor<@B@x@S@x4xf32> -> tensor<@B@x1x4xf32>
  %1 = gaudi.tpc.sub %x, %0 : tensor<@B@x@S@x4xf32>, tensor<@B@x1x4xf32> -> tensor<@B@x@S@x4xf32>
  %2 = gaudi.tpc.exp %1 : tensor<@B@x@S@x4xf32>
  %3 = gaudi.tpc.reduce <sum> %2 dims [1] keep_dims : tensor<@B@x@S@x4xf32> -> tensor<@B@x1x4xf32>
  %4 = gaudi.tpc.div %2, %3 : tensor<@B@x@S@x4xf32>, tensor<@B@x1x4xf32> -> tensor<@B@x@S@x4xf32>
  return %4 : tensor<@B@x@S@x4xf32>
)",
                    "tensor<@B@x@S@x4xf32>", "b, s, 4"));
}

TEST_F(PaddingTest, CollapsedBatchAndSequence) {
  checkAll(function(R"(
  %0 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> tensor<@B*S@x4xf32>
  %1 = gaudi.mme.gemm %0, %w : tensor<@B*S@x4xf32>, tensor<4x6xf32> -> tensor<@B*S@x6xf32>
  %2 = gaudi.reshape %1 : tensor<@B*S@x6xf32> -> tensor<@B@x@S@x6xf32>
  return %2 : tensor<@B@x@S@x6xf32>
)",
                    "tensor<@B@x@S@x6xf32>", "b, s, 6",
                    ", %w: tensor<4x6xf32>"));
  // The gradient of w contracts over both.
  checkAll(function(R"(
  %0 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> tensor<@B*S@x4xf32>
  %1 = gaudi.tpc.tanh %0 : tensor<@B*S@x4xf32>
  %2 = gaudi.mme.gemm %0, %1 transpose_a : tensor<@B*S@x4xf32>, tensor<@B*S@x4xf32> -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
)",
                    "tensor<4x4xf32>", "4, 4"));
}

TEST_F(PaddingTest, PositionsAndOrder) {
  const StringRef same = "tensor<@B@x@S@x4xf32>";
  for (StringRef op :
       {"gaudi.tpc.cumulative_sum %x axis 1", "gaudi.tpc.reverse %x dims [1]",
        "gaudi.tpc.cumulative_sum %x axis 1 reverse",
        "gaudi.tpc.cumulative_sum %x axis 0 exclusive",
        "gaudi.tpc.reverse %x dims [0, 1, 2]"})
    checkAll(function(("  %0 = " + op + " : " + same +
                       "\n  return %0 : " + same + "\n")
                          .str(),
                      same, "b, s, 4"),
             2e-5, /*alsoKernels=*/false);
  for (StringRef flags : {"", "is_max", "ignore_nan", "is_max ignore_nan"})
    checkAll(function(("  %0 = gaudi.tpc.arg_reduce %x axis 1 " + flags +
                       " : tensor<@B@x@S@x4xf32> -> tensor<@B@x4xi32>\n"
                       "  return %0 : tensor<@B@x4xi32>\n")
                          .str(),
                      "tensor<@B@x4xi32>", "b, 4"));
  for (StringRef flags : {"", "descending"})
    for (StringRef axis : {"0", "1"})
      checkAll(
          function(("  %0, %1 = gaudi.tpc.sort %x axis " + axis + " " + flags +
                    " : tensor<@B@x@S@x4xf32> -> tensor<@B@x@S@x4xf32>, "
                    "tensor<@B@x@S@x4xi32>\n"
                    "  %2 = gaudi.tpc.cast %1 : tensor<@B@x@S@x4xi32> -> "
                    "tensor<@B@x@S@x4xf32>\n"
                    "  %3 = gaudi.tpc.add %0, %2 : tensor<@B@x@S@x4xf32>, "
                    "tensor<@B@x@S@x4xf32> -> tensor<@B@x@S@x4xf32>\n"
                    "  return %3 : tensor<@B@x@S@x4xf32>\n")
                       .str(),
                   same, "b, s, 4"));
}

TEST_F(PaddingTest, Concatenation) {
  checkAll(function(R"(
  %0 = gaudi.tpc.neg %x : tensor<@B@x@S@x4xf32>
  %1 = gaudi.concat %x, %new, %0 axis 1 : tensor<@B@x@S@x4xf32>, tensor<@B@x2x4xf32>, tensor<@B@x@S@x4xf32> -> tensor<@B@x@S+S+2@x4xf32>
  return %1 : tensor<@B@x@S+S+2@x4xf32>
)",
                    "tensor<@B@x@S+S+2@x4xf32>", "b, s + s + 2, 4",
                    ", %new: tensor<@B@x2x4xf32> {gaudi.shape = "
                    "affine_map<()[b, s] -> (b, 2, 4)>}"),
           0);
}

TEST_F(PaddingTest, PadAndMarkedSlice) {
  const StringRef extent =
      ", %n: tensor<i32> {gaudi.extent = affine_map<()[b, s] -> (s + 1)>}";
  // A shift to the right, as of labels.
  checkAll(function(R"(
  %0 = gaudi.tpc.pad <constant> %x low [0, 1, 0] high [0, 1, 0] value 3.0 : f32 : tensor<@B@x@S@x4xf32> -> tensor<@B@x@S+2@x4xf32>
  %1 = gaudi.slice %0 offsets [0, 0, 0] strides [1, 1, 1] : tensor<@B@x@S+2@x4xf32> -> tensor<@B@x@S+1@x4xf32>
  %2 = gaudi.valid %1 dims [1] extents (%n) : tensor<@B@x@S+1@x4xf32>, tensor<i32>
  %3 = gaudi.tpc.reduce <sum> %2 dims [1] : tensor<@B@x@S+1@x4xf32> -> tensor<@B@x4xf32>
  return %3 : tensor<@B@x4xf32>
)",
                    "tensor<@B@x4xf32>", "b, 4", extent),
           2e-5, false);
}

TEST_F(PaddingTest, Indices) {
  const StringRef more = ", %i: tensor<@B@x@S@xi32> {gaudi.shape = "
                         "affine_map<()[b, s] -> (b, s)>}";
  checkAll(function(R"(
  %0 = gaudi.tpc.gather %x, %i axis 1 batch_dims 1 : tensor<@B@x@S@x4xf32>, tensor<@B@x@S@xi32> -> tensor<@B@x@S@x4xf32>
  return %0 : tensor<@B@x@S@x4xf32>
)",
                    "tensor<@B@x@S@x4xf32>", "b, s, 4", more),
           0);
  for (StringRef flags : {"", "accumulate"})
    checkAll(function(("  %0 = gaudi.tpc.scatter_rows %x, %i, %x " + flags +
                       " : tensor<@B@x@S@x4xf32>, tensor<@B@x@S@xi32>, "
                       "tensor<@B@x@S@x4xf32> -> tensor<@B@x@S@x4xf32>\n"
                       "  return %0 : tensor<@B@x@S@x4xf32>\n")
                          .str(),
                      "tensor<@B@x@S@x4xf32>", "b, s, 4", more),
             0);
}

TEST_F(PaddingTest, Convolutions) {
  const StringRef filter = ", %w: tensor<3x3x4xf32>";
  checkAll(function(R"(
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 1 : tensor<@B@x@S@x4xf32>, tensor<3x3x4xf32> -> tensor<@B@x@S@x3xf32>
  return %0 : tensor<@B@x@S@x3xf32>
)",
                    "tensor<@B@x@S@x3xf32>", "b, s, 3", filter));
  checkAll(function(R"(
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [2] dilations [2] pad [2], [3] groups 1 : tensor<@B@x@S@x4xf32>, tensor<3x3x4xf32> -> tensor<@B@x@S/2+1@x3xf32>
  return %0 : tensor<@B@x@S/2+1@x3xf32>
)",
                    "tensor<@B@x@S/2+1@x3xf32>", "b, s floordiv 2 + 1, 3",
                    filter));
  const StringRef gradient = ", %dy: tensor<@B@x@S@x3xf32> {gaudi.shape = "
                             "affine_map<()[b, s] -> (b, s, 3)>}";
  checkAll(function(R"(
  %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NWC", "NWC", "OWI" strides [1] dilations [1] pad [1], [1] groups 1 : tensor<@B@x@S@x4xf32>, tensor<@B@x@S@x3xf32> -> tensor<3x3x4xf32>
  return %0 : tensor<3x3x4xf32>
)",
                    "tensor<3x3x4xf32>", "3, 3, 4", gradient));
  checkAll(function(R"(
  %0 = gaudi.mme.conv_input_grad %dy, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [1], [1] groups 1 : tensor<@B@x@S@x3xf32>, tensor<3x3x4xf32> -> tensor<@B@x@S@x4xf32>
  return %0 : tensor<@B@x@S@x4xf32>
)",
                    "tensor<@B@x@S@x4xf32>", "b, s, 4",
                    (filter + gradient).str()));
}

TEST_F(PaddingTest, Pools) {
  for (StringRef kind : {"<max>", "<min>", "<sum>"})
    checkAll(function(("  %0 = gaudi.tpc.pool " + kind +
                       " %x layout \"NWC\" kernel [3] strides [2] dilations "
                       "[1] pad [1], [1] : tensor<@B@x@S@x4xf32> -> "
                       "tensor<@B@x@(S-1)/2+1@x4xf32>\n"
                       "  return %0 : tensor<@B@x@(S-1)/2+1@x4xf32>\n")
                          .str(),
                      "tensor<@B@x@(S-1)/2+1@x4xf32>",
                      "b, (s - 1) floordiv 2 + 1, 4"),
             2e-5, /*alsoKernels=*/false);
}

TEST_F(PaddingTest, Attention) {
  const StringRef more =
      ", %k: tensor<@B@x@S@x4xf32> {gaudi.shape = affine_map<()[b, s] -> (b, "
      "s, 4)>}, %v: tensor<@B@x@S@x4xf32> {gaudi.shape = affine_map<()[b, s] "
      "-> (b, s, 4)>}, %m: tensor<@B@x@S@x@S@xf32> {gaudi.shape = "
      "affine_map<()[b, s] -> (b, s, s)>}";
  const std::string t = "tensor<@B@x@S@x4xf32>";
  for (StringRef form :
       {"scale 0.5", "scale 0.5 causal", "mask %m scale 0.5 window 3"}) {
    const std::string mask =
        form.starts_with("mask") ? ", tensor<@B@x@S@x@S@xf32>" : "";
    checkAll(function(("  %0 = gaudi.sdpa %x, %k, %v " + form + " : (" + t +
                       ", " + t + ", " + t + mask + ") -> " + t +
                       "\n  return %0 : " + t + "\n")
                          .str(),
                      t, "b, s, 4", more));
    // Saved statistics, and the gradients of keys: a sum over queries.
    checkAll(
        function(("  %0, %m0, %l0 = gaudi.sdpa %x, %k, %v " + form +
                  " saves <statistics> : (" + t + ", " + t + ", " + t + mask +
                  ") -> (" + t +
                  ", tensor<@B@x@S@x1xf32>, tensor<@B@x@S@x1xf32>)\n"
                  "  %1, %2, %3 = gaudi.sdpa_grad %v, %x, %k, %v output %0 " +
                  (mask.empty() ? "" : "mask %m ") + "m %m0 linv %l0 " +
                  form.drop_front(mask.empty() ? 0 : 8) + " : (" + t + ", " +
                  t + ", " + t + ", " + t + ", " + t + mask +
                  ", tensor<@B@x@S@x1xf32>, tensor<@B@x@S@x1xf32>) -> (" + t +
                  ", " + t + ", " + t +
                  ")\n  %4 = gaudi.tpc.add %1, %2 : " + t + ", " + t + " -> " +
                  t + "\n  %5 = gaudi.tpc.add %3, %4 : " + t + ", " + t +
                  " -> " + t + "\n  return %5 : " + t + "\n")
                     .str(),
                 t, "b, s, 4", more),
        1e-4);
  }
}

TEST_F(PaddingTest, WindowsWithoutPadding) {
  for (StringRef kind : {"<max>", "<avg>"})
    checkAll(function(("  %0 = gaudi.tpc.pool " + kind +
                       " %x layout \"NWC\" kernel [1] strides [2] dilations "
                       "[1] pad [0], [0] : tensor<@B@x@S@x4xf32> -> "
                       "tensor<@B@x@(S-1)/2+1@x4xf32>\n"
                       "  return %0 : tensor<@B@x@(S-1)/2+1@x4xf32>\n")
                          .str(),
                      "tensor<@B@x@(S-1)/2+1@x4xf32>",
                      "b, (s - 1) floordiv 2 + 1, 4"),
             0, /*alsoKernels=*/false);
}

TEST_F(PaddingTest, OrderInCollapsedDimensions) {
  checkAll(function(R"(
  %0 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> tensor<@B*S@x4xf32>
  %1 = gaudi.tpc.cumulative_sum %0 axis 0 : tensor<@B*S@x4xf32>
  %2 = gaudi.reshape %1 : tensor<@B*S@x4xf32> -> tensor<@B@x@S@x4xf32>
  return %2 : tensor<@B@x@S@x4xf32>
)",
                    "tensor<@B@x@S@x4xf32>", "b, s, 4"));
  // The gradient of an embedding.
  for (StringRef flags : {"", "accumulate", "accumulate drop_outside"})
    checkAll(
        function(("  %0 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> "
                  "tensor<1x@B*S@x4xf32>\n"
                  "  %1 = gaudi.reshape %i : tensor<@B@x@S@xi32> -> "
                  "tensor<1x@B*S@xi32>\n"
                  "  %2 = gaudi.tpc.scatter_rows %t, %1, %0 " +
                  flags +
                  " : tensor<1x16x4xf32>, tensor<1x@B*S@xi32>, "
                  "tensor<1x@B*S@x4xf32> -> tensor<1x16x4xf32>\n"
                  "  return %2 : tensor<1x16x4xf32>\n")
                     .str(),
                 "tensor<1x16x4xf32>", "1, 16, 4",
                 ", %i: tensor<@B@x@S@xi32> {gaudi.shape = affine_map<()[b, s] "
                 "-> (b, s)>}, %t: tensor<1x16x4xf32>"),
        0);
}
