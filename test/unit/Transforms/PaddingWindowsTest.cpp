// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-mask-padding at windows, resampling and optimizers.
#include "PaddingTest.h"

using namespace mlir;
using namespace gaudi;

namespace {

const char *const marks =
    ", %es: tensor<i32> {gaudi.extent = affine_map<()[b, s] -> (s)>}";

TEST_F(PaddingTest, Averages) {
  // By the real elements in a window, of one or two padded dimensions.
  for (StringRef count : {"", " count_include_pad"})
    for (StringRef element : {"f32", "bf16"}) {
      const std::string from = ("tensor<@B@x@S@x4x" + element + ">").str(),
                        to =
                            ("tensor<@B@x@(S-1)/2+1@x4x" + element + ">").str();
      checkAll(
          function("  %0 = gaudi.tpc.cast %x : tensor<@B@x@S@x4xf32> -> " +
                       from +
                       "\n  %1 = gaudi.tpc.pool <avg> %0 layout \"NWC\" "
                       "kernel [3] strides [2] dilations [1] pad [1], [1]" +
                       count.str() + " : " + from + " -> " + to +
                       "\n  return %1 : " + to + "\n",
                   to, "b, (s - 1) floordiv 2 + 1, 4"),
          element == "f32" ? 1e-6 : 0, /*alsoKernels=*/false);
    }
  const std::string plane = "tensor<1x@B@x@S@x4xf32>";
  checkAll(
      function("  %0 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> " + plane +
                   "\n  %1 = gaudi.tpc.pool <avg> %0 layout \"NHWC\" kernel "
                   "[2, 3] strides [1, 1] dilations [1, 1] pad [0, 1], "
                   "[1, 1] : " +
                   plane + " -> " + plane + "\n  return %1 : " + plane + "\n",
               plane, "1, b, s, 4"),
      1e-6, /*alsoKernels=*/false);
}

TEST_F(PaddingTest, PoolGradients) {
  const std::string t = "tensor<@B@x@S@x4xf32>";
  const std::string windows = "tensor<@B@x@(S-1)/2+1@x4xf32>";
  const std::string gradient =
      std::string(marks) + ", %g: " + windows +
      " {gaudi.shape = affine_map<()[b, s] -> (b, (s - 1) floordiv 2 + 1, 4)>}";
  for (StringRef kind : {"max", "min"})
    checkAll(function(("  %0 = gaudi.tpc.pool_grad <" + kind +
                       "> %g of %x layout \"NWC\" kernel [3] strides [2] pad "
                       "[1], [1] : " +
                       windows + ", " + t + " -> " + t +
                       "\n  return %0 : " + t + "\n")
                          .str(),
                      t, "b, s, 4", gradient),
             1e-6, /*alsoKernels=*/false);
  // The size of the result is not that of the gradient: the marker says it.
  checkAll(function("  %0 = gaudi.tpc.pool_grad <sum> %g layout \"NWC\" kernel "
                    "[3] strides [2] pad [1], [1] : " +
                        windows + " -> " + t +
                        "\n  %1 = gaudi.valid %0 dims [1] extents (%es) : " +
                        t + ", tensor<i32>\n  return %1 : " + t + "\n",
                    t, "b, s, 4", gradient),
           1e-6, /*alsoKernels=*/false);
  checkAll(function("  %0 = gaudi.tpc.pool_grad <sum> %x layout \"NWC\" kernel "
                    "[3] strides [1] pad [0], [0] : " +
                        t +
                        " -> tensor<@B@x@S+2@x4xf32>\n"
                        "  return %0 : tensor<@B@x@S+2@x4xf32>\n",
                    "tensor<@B@x@S+2@x4xf32>", "b, s + 2, 4"),
           1e-6, /*alsoKernels=*/false);
}

TEST_F(PaddingTest, Resampling) {
  const std::string plane = "tensor<1x@B@x@S@x4xf32>";
  for (StringRef mode : {"nearest", "bilinear"}) {
    auto resize = [&](StringRef attributes, StringRef to, StringRef shape) {
      checkAll(function(("  %0 = gaudi.reshape %x : tensor<@B@x@S@x4xf32> -> " +
                         plane + "\n  %1 = gaudi.tpc.resize <" + mode +
                         "> %0 " + attributes + " : " + plane + " -> " + to +
                         "\n  return %1 : " + to + "\n")
                            .str(),
                        to, shape),
               1e-6, /*alsoKernels=*/false);
    };
    // Twice, and between the elements.
    resize("scale [4, 2, 4, 2] offset [-1, -1]", "tensor<1x@2*B@x@2*S@x4xf32>",
           "1, 2 * b, 2 * s, 4");
    resize("scale [2, 1, 4, 2] offset [0, 0]",
           "tensor<1x@2*B-1@x@2*S-1@x4xf32>", "1, 2 * b - 1, 2 * s - 1, 4");
  }
}

TEST_F(PaddingTest, TransposedConvolution) {
  const std::string more = std::string(marks) +
                           ", %w: tensor<3x3x4xf32>, %dy: "
                           "tensor<@B@x@(S-1)/2+1@x3xf32> {gaudi.shape = "
                           "affine_map<()[b, s] -> (b, (s - 1) floordiv 2 + 1, "
                           "3)>}";
  checkAll(function("  %0 = gaudi.mme.conv_input_grad %dy, %w layout \"NWC\", "
                    "\"OWI\", \"NWC\" strides [2] dilations [1] pad [1], [1] "
                    "groups 1 : tensor<@B@x@(S-1)/2+1@x3xf32>, "
                    "tensor<3x3x4xf32> -> tensor<@B@x@S@x4xf32>\n"
                    "  %1 = gaudi.valid %0 dims [1] extents (%es) : "
                    "tensor<@B@x@S@x4xf32>, tensor<i32>\n"
                    "  %2 = gaudi.tpc.reduce <sum> %1 dims [0, 1] : "
                    "tensor<@B@x@S@x4xf32> -> tensor<4xf32>\n"
                    "  return %2 : tensor<4xf32>\n",
                    "tensor<4xf32>", "4", more));
}

TEST_F(PaddingTest, WindowsOfKernels) {
  // The neighbours of each element; those outside are 2.
  const std::string t = "tensor<@B@x@S@x4xf32>";
  const std::string rules = "boundary [#gaudi.boundary<inside>, "
                            "#gaudi.boundary<pad>, #gaudi.boundary<inside>] "
                            "pad 2.0 : f32 : " +
                            t + "\n";
  checkAll(function(
      "  %0 = gaudi.tpc.kernel (%x) index_space [@B@, @S@, 4] parallel "
      "[true, true, true] : (" +
          t + ") -> " + t + " {\n  ^bb0(%in0: " + t + ", %out0: " + t +
          "):\n    %a = gaudi.kernel.load %in0[d0, d1 - 1, d2] " + rules +
          "    %b = gaudi.kernel.load %in0[d0, d1 + 1, d2] " + rules +
          "    %s = arith.addf %a, %b : f32\n"
          "    gaudi.kernel.store %s, %out0[d0, d1, d2] : " +
          t + "\n  }\n  %1 = gaudi.tpc.reduce <sum> %0 dims [1] : " + t +
          " -> tensor<@B@x4xf32>\n  return %1 : tensor<@B@x4xf32>\n",
      "tensor<@B@x4xf32>", "b, 4"));
}

TEST_F(PaddingTest, Optimizers) {
  const std::string t = "tensor<@B@x@S@x4xf32>";
  const std::string more =
      ", %w: " + t +
      " {gaudi.shape = affine_map<()[b, s] -> (b, s, 4)>}, %m: " + t +
      " {gaudi.shape = affine_map<()[b, s] -> (b, s, 4)>}, %g: "
      "tensor<3xf32>";
  const std::string head = "  %v = gaudi.tpc.abs %m : " + t +
                           "\n  %r = gaudi.constant dense<1.0e-2> : "
                           "tensor<f32>\n  %e = gaudi.constant dense<1.0e-6> : "
                           "tensor<f32>\n";
  const std::string four = t + ", " + t + ", " + t + ", " + t;
  checkAll(function(head +
                        "  %0:3 = gaudi.fused_adamw gradients(%x) "
                        "parameters(%w) exp_avgs(%m) exp_avg_sqs(%v) step_size "
                        "%r eps %e decay %r {beta1 = 0.9 : f64, beta2 = 0.99 : "
                        "f64} : (" +
                        four + ", tensor<f32>, tensor<f32>, tensor<f32>) -> (" +
                        t + ", " + t + ", " + t +
                        ")\n  %1 = gaudi.tpc.add %0#0, %0#2 : " + t + ", " + t +
                        " -> " + t + "\n  return %1 : " + t + "\n",
                    t, "b, s, 4", more),
           0, /*alsoKernels=*/false);
  checkAll(function(head +
                        "  %0:3 = gaudi.fused_lamb gradients(%x) "
                        "parameters(%w) exp_avgs(%m) exp_avg_sqs(%v) lr %r "
                        "max_grad_norm %r grad_averaging {beta1 = 0.9 : f64, "
                        "beta2 = 0.99 : f64, eps = 1.0e-6 : f64, weight_decay "
                        "= 0.01 : f64} : (" +
                        four + ", tensor<f32>, tensor<f32>) -> (" + t + ", " +
                        t + ", " + t +
                        ")\n  %1 = gaudi.tpc.add %0#0, %0#2 : " + t + ", " + t +
                        " -> " + t + "\n  return %1 : " + t + "\n",
                    t, "b, s, 4", more),
           1e-5, /*alsoKernels=*/false);
  checkAll(function(head +
                        "  %0:4 = gaudi.fused_clip_norm gradients(%x, %g) "
                        "max_norm %r {eps = 1.0e-6 : f64} : (" +
                        t + ", tensor<3xf32>, tensor<f32>) -> (" + t +
                        ", tensor<3xf32>, tensor<f32>, tensor<f32>)\n"
                        "  %1 = gaudi.reshape %0#2 : tensor<f32> -> "
                        "tensor<1x1x1xf32>\n"
                        "  %2 = gaudi.tpc.add %0#0, %1 : " +
                        t + ", tensor<1x1x1xf32> -> " + t +
                        "\n  return %2 : " + t + "\n",
                    t, "b, s, 4", more),
           1e-5, /*alsoKernels=*/false);
}

} // namespace
