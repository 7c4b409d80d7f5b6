// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on padding of static variants.
#ifndef GAUDI_TRANSFORMS_PADDINGPASSES_TD
#define GAUDI_TRANSFORMS_PADDINGPASSES_TD

include "mlir/Pass/PassBase.td"

def MaskPadding : Pass<"gaudi-mask-padding", "::mlir::ModuleOp"> {
  let summary = "Keeps padding of variants away from real elements";
  let description = [{
    Works on functions with `gaudi.bucket`, variants of a function with dynamic
    dimensions: their arguments are larger than what callers give, and the
    padding holds anything, NaN and infinities included. A dataflow analysis
    finds for each value which elements are real, as expressions over the
    symbols, and what its padding holds: nothing known, or one constant.
    docs/padding.md has the rules.

    Where padding would reach a real element, it is replaced: a
    `gaudi.tpc.mask` before reductions, contractions, scans, sorts and windows,
    a select inside kernels that reduce, an index 0 for gathers,
    `valid_lengths` for keys of attention (remark `mask-padding`, with bytes and
    the device time that the mask would take as a kernel of its own;
    gaudi-fuse-tpc makes it part of a neighbour where there is one). Where it
    holds a neutral element already, nothing is done (remark
    `padding-is-neutral`). A mean becomes a sum divided by the number of real
    elements; a concatenation and a reversal move real elements next to each
    other. Extents that no argument has yet become arguments with
    `gaudi.extent`.

    Errors: an op for which padding cannot be kept away, with the reason; a
    result whose real elements are not those that its `gaudi.shape` says.
    Markers (`gaudi.valid`) are removed, from all functions; nothing else changes
    in functions that are no variants.

    ```mlir
    %0 = gaudi.tpc.reduce <sum> %x dims [1] : tensor<4x64xf32> -> tensor<4xf32>
    // with 64 the bucket of `seq`, whose size is %n:
    %m = gaudi.tpc.mask %x dims [1] extents (%n) value 0.0 : f32 : tensor<4x64xf32>, tensor<i32>
    %0 = gaudi.tpc.reduce <sum> %m dims [1] : tensor<4x64xf32> -> tensor<4xf32>
    ```
  }];
  let options = [Option<"device", "device", "std::string", "\"gaudi2\"",
                        "the device whose times remarks state">];
  let statistics = [
    Statistic<"masked", "num-masked", "Number of operands that were masked">,
    Statistic<"edited", "num-edited", "Number of ops that were changed otherwise">];
}

#endif // GAUDI_TRANSFORMS_PADDINGPASSES_TD
