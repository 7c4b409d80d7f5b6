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

    Attention is narrow if its output is rounded to the type of its operands: its
    probabilities are, too (docs/numerics.md). Its gradient stays.

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

#endif // GAUDI_TRANSFORMS_PRECISIONPASSES_TD
