// Ops of the matrix engine.
#ifndef GAUDI_DIALECT_MMEOPS_TD
#define GAUDI_DIALECT_MMEOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_GemmOp : Gaudi_GraphOp<"mme.gemm", [DeclareOpInterfaceMethods<Gaudi_LayoutOpInterface>]> {
  let summary = "batched matrix product";
  let description = [{
    `result[b.., m, n] = sum_k lhs[b.., m, k] * rhs[b.., k, n]`. The operands
    and the result have one rank >= 2; each batch dimension is the result's or
    1 (broadcast). `transpose_a`: lhs is `[b.., k, m]`; `transpose_b`: rhs is
    `[b.., n, k]`.

    Types: both operands f32, bf16, f16, f8E4M3FN or f8E5M2; the result any of
    these. Engine: MME. Numerics:
    products exact, accumulation in f32, one rounding to nearest even at the
    output. Integer products run on the TPC (gaudi.tpc.kernel).

    Example:
    ```mlir
    %0 = gaudi.mme.gemm %a, %b transpose_b : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
    ```
  }];
  let arguments = (ins Gaudi_FloatTensor:$lhs, Gaudi_FloatTensor:$rhs,
      UnitAttr:$transpose_a, UnitAttr:$transpose_b);
  let results = (outs Gaudi_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Gaudi_ConvOp : Gaudi_GraphOp<"mme.conv", [DeclareOpInterfaceMethods<Gaudi_LayoutOpInterface>,
    DeclareOpInterfaceMethods<Gaudi_PaddingOpInterface>]> {
  let summary = "1-D, 2-D or 3-D convolution";
  let description = [{
    `y[n, o, p..] = sum_{i, k..} w[o, i, k..] * x[n, group(o) * C/groups + i,
    p * stride - pad_low + k * dilation ..]`; padding adds nothing, whatever w is.

    The layouts name every dimension in stored order: `N`, `C` and the spatial
    letters `D`, `H`, `W` (last ones for lower ranks) for x and y; `O`, `I` and
    the same letters for w. `strides`, `dilations`, `pad_low`, `pad_high` have
    one entry per spatial dimension in the order D, H, W. w has O = channels of
    y, I = channels of x / groups.

    `transposed`: the gradient of that convolution with respect to its input
    (dedx): each element of x is spread through w over y. Then w has
    I = channels of y / groups and O = channels of x, and y's spatial size is
    `(x - 1) * stride + (k - 1) * dilation + 1 - pad_low - pad_high`.

    Types and numerics as for gaudi.mme.gemm. Engine: MME.

    Example:
    ```mlir
    %0 = gaudi.mme.conv %x, %w layout "NHWC", "OHWI", "NHWC" strides [2, 2]
           dilations [1, 1] pad [3, 3], [3, 3] groups 1
           : tensor<1x224x224x3xf32>, tensor<64x7x7x3xf32> -> tensor<1x112x112x64xf32>
    ```
  }];
  let arguments = (ins Gaudi_FloatTensor:$input, Gaudi_FloatTensor:$filter,
      StrAttr:$input_layout, StrAttr:$filter_layout, StrAttr:$output_layout,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
      DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high,
      DefaultValuedAttr<I64Attr, "1">:$groups, UnitAttr:$transposed);
  let results = (outs Gaudi_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $filter `layout` $input_layout `,` $filter_layout `,` $output_layout
    `strides` $strides `dilations` $dilations `pad` $pad_low `,` $pad_high
    `groups` $groups (`transposed` $transposed^)? attr-dict
    `:` type($input) `,` type($filter) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // GAUDI_DIALECT_MMEOPS_TD
