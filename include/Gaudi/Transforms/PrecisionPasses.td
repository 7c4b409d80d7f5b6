// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the types in which products are computed.
#ifndef GAUDI_TRANSFORMS_PRECISIONPASSES_TD
#define GAUDI_TRANSFORMS_PRECISIONPASSES_TD

include "mlir/Pass/PassBase.td"

def NarrowProducts : Pass<"gaudi-narrow-products", "::mlir::ModuleOp"> {
  let summary = "Multiplies widened operands in the type that they were widened from";
  let description = [{
    Front ends widen bf16 operands of a product to f32 so that sums are f32
    (`nn.Linear` with a bias). The matrix engine adds in f32 anyway, and multiplies
    bf16, f16 and 8-bit floats exactly: the product of the narrow operands with a
    result of f32 is the same, and takes a half or a quarter of the time. Operands
    are read as they were before they were widened, also through ops that only
    move, pick or negate elements (transposes, reshapes, broadcasts, slices,
    concatenations, padding, gathers, minimum and maximum), which are made again in
    the narrow type; constants are converted if the type has all their numbers. Of
    several types that do, the time model chooses. Products whose operands have no
    common narrow type (bf16 and f16) stay. Where only casts to one narrower type
    read the result of a narrow product, perhaps behind views, the engine rounds it.

    Attention and its gradient stay: their probabilities are not narrow
    (docs/numerics.md).

    Remarks (category `gaudi-narrow-products`): passed with the device time saved,
    missed with the reason. docs/fusion.md defines candidates.

    Before:
    ```mlir
    %0 = gaudi.tpc.cast %x : tensor<4x8xbf16> -> tensor<4x8xf32>
    %1 = gaudi.tpc.cast %w : tensor<8x16xbf16> -> tensor<8x16xf32>
    %2 = gaudi.mme.gemm %0, %1 : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
    ```
    After: `%2 = gaudi.mme.gemm %x, %w : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xf32>`
  }];
  let options = [Option<"device", "device", "std::string", "\"gaudi2\"",
      "the device whose time is asked, if the module does not name one: gaudi, gaudi2 or gaudi3">];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "products of widened operands made narrow">,
    Statistic<"numRounded", "rounded", "products that round their result instead of a cast">
  ];
}

def Autocast : Pass<"gaudi-autocast", "::mlir::ModuleOp"> {
  let summary = "Computes in bf16 or f16 what torch.autocast(\"hpu\") would";
  let description = [{
    Gives a model of f32 mixed precision, whatever dialect it came from (ops of other
    dialects than gaudi stay as they are), by the lists of Intel's bridge
    (docs/precision.md): products, convolutions, norms, softmax and
    `mul` run in the lower type, functions that need digits and losses in f32, and
    all other ops in the type of their operands, f32 if these differ.

    What counts as one op: what an op of PyTorch became (convert-torch-to-gaudi with
    `mark-sources`), a norm or softmax that the model has in parts, and each other op,
    by the name that ATen has for it. An op rounds what it reads and what it gives,
    once each; inside it computes in f32, as the device does. A value that is rounded is
    cast once, for all that read it. Arguments and results of functions keep their
    types, and so do states and what updates them (an optimizer runs outside of
    autocast). Numbers do not widen an op: those that a call of PyTorch has; in
    other dialects splat constants and tensors without dimensions. Sums and means that belong to no norm keep f32.

    With `dtype=fp8` all that is in bf16 but products and convolutions: those multiply
    8 bits, f8E4M3FN, and f8E5M2 in the backward pass of a training step (products
    from which only states come). Each factor has a scale for the whole tensor, which is a power of
    two: the function computes the largest magnitude and the scale, of constants the
    compiler. Products are divided by the scales in f32.

    May change rounding: that is its purpose. Remarks (category `gaudi-autocast`),
    one for each op: passed for the lower type, missed for f32, with the reason.

    Before:
    ```mlir
    %0 = gaudi.mme.gemm %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
    %1 = gaudi.tpc.tanh %0 : tensor<4x16xf32>
    ```
    After, with `dtype=bf16`:
    ```mlir
    %0 = gaudi.tpc.cast %x : tensor<4x8xf32> -> tensor<4x8xbf16>
    %1 = gaudi.tpc.cast %w : tensor<8x16xf32> -> tensor<8x16xbf16>
    %2 = gaudi.mme.gemm %0, %1 : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xbf16>
    %3 = gaudi.tpc.tanh %2 : tensor<4x16xbf16>
    %4 = gaudi.tpc.cast %3 : tensor<4x16xbf16> -> tensor<4x16xf32>
    ```
  }];
  let dependentDialects = ["gaudi::GaudiDialect"];
  let options = [
    Option<"dtype", "dtype", "std::string", "\"bf16\"", "bf16, f16, f32 (none) or fp8, with keys: bf16:lower=FILE:fp32=FILE">,
    Option<"device", "device", "std::string", "\"gaudi2\"", "the device of fp8, if the module does not name one: gaudi2 or gaudi3">];
  let statistics = [
    Statistic<"numLower", "lower", "ops that run in the lower type">,
    Statistic<"numFloat", "float", "ops that run in f32">
  ];
}

#endif // GAUDI_TRANSFORMS_PRECISIONPASSES_TD
