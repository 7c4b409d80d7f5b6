// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the vector cores that training steps add to inference. They are few,
// and only what makes them names them: a header of their own keeps the rest of
// the compiler from depending on them.
#ifndef GAUDI_DIALECT_TRAININGOPS_TD
#define GAUDI_DIALECT_TRAININGOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_PoolGradOp : Gaudi_TPCOp<"pool_grad"> {
  let summary = "gradient of a 1-D, 2-D or 3-D pooling with respect to its operand";
  let description = [{
    `result[i]` is the sum of `gradient[p]` over those windows p of the pooling
    that pass element i on: `i = p * stride - pad_low + k`, k in `kernel`. The
    attributes are those of the pooling, without dilation; the type of the
    result is that of its operand. Kinds:
    - sum: every window that contains i. An average divides the gradient by
      the number of elements of its windows first.
    - max, min: the windows whose first largest (smallest) element of `operand`,
      row-major in D, H, W, is i: element a is kept over a later b if `a >= b`
      (`a <= b`), so that a NaN never is unless nothing comes after it. Padding
      is never selected, or, under `select_padding`, counts as elements of
      -infinity (infinity) whose gradient is lost.

    At most 64 elements of a max or min window, and 64 windows around an element.
    Types: floats, all of one type. Engine: TPC: one kernel if no element has
    two windows or if the kind is sum, else a kernel that selects and one that
    adds. Numerics: adds in f32, windows row-major in D, H, W. Source: StableHLO,
    select_and_scatter.

    Example:
    ```mlir
    %0 = gaudi.tpc.pool_grad <max> %dy of %x layout "NHWC" kernel [3, 3] strides [2, 2] pad [1, 1], [1, 1]
           : tensor<1x56x56x64xf32>, tensor<1x112x112x64xf32> -> tensor<1x112x112x64xf32>
    ```
  }];
  let arguments = (ins Gaudi_PoolKindAttr:$kind, Gaudi_FloatTensor:$gradient,
      Optional<Gaudi_FloatTensor>:$operand, StrAttr:$layout, DenseI64ArrayAttr:$kernel,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high,
      UnitAttr:$select_padding);
  let results = (outs Gaudi_FloatTensor:$result);
  let assemblyFormat = [{
    $kind $gradient (`of` $operand^)? `layout` $layout `kernel` $kernel `strides` $strides
    `pad` $pad_low `,` $pad_high (`select_padding` $select_padding^)? attr-dict
    `:` type($gradient) (`,` type($operand)^)? `->` type($result)
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// True if the windows are small enough for the kernels.
    static bool isUnrollable(gaudi::PoolKind kind, ::llvm::ArrayRef<int64_t> kernel,
                             ::llvm::ArrayRef<int64_t> strides, ::llvm::ArrayRef<int64_t> padLow);
    /// The windows that may contain position `q * stride + r` of spatial
    /// dimension `d`, r in [0, stride): those at `q + first` to `q + last`.
    std::pair<int64_t, int64_t> getWindowsAround(size_t d);
  }];
}

def Gaudi_ScatterRowsOp : Gaudi_TPCLibraryOp<"scatter_rows", [Gaudi_Indexed], Gaudi_MayStop> {
  let summary = "rows replaced or increased by index (embedding gradient)";
  let description = [{
    `result = data`, then for each n, w ascending,
    `result[n, indices[n, w], c] = updates[n, w, c]` (the last one wins), or
    `+=` under `accumulate` (numbers; floats: f32, one rounding per addition).
    data and result [N, K, C], indices [N, W], updates [N, W, C]. An index
    outside [0, K) stops the launch with an error; under `drop_outside` its row
    is left out. The order of additions does not depend on the number of
    threads. Engine: TPC (library kernel, recipe version 1.2).

    Example:
    ```mlir
    %0 = gaudi.tpc.scatter_rows %x, %i, %u accumulate drop_outside
           : tensor<1x8x4xf32>, tensor<1x2xi32>, tensor<1x2x4xf32> -> tensor<1x8x4xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$data, Gaudi_IndexTensor:$indices, Gaudi_Tensor:$updates,
      UnitAttr:$accumulate, UnitAttr:$drop_outside);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices `,` $updates (`accumulate` $accumulate^)? (`drop_outside` $drop_outside^)? attr-dict
    `:` type($data) `,` type($indices) `,` type($updates) `->` type($result)
  }];
}

#endif // GAUDI_DIALECT_TRAININGOPS_TD
