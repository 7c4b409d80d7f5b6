// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the matrix engine.
#ifndef GAUDI_DIALECT_MMEOPS_TD
#define GAUDI_DIALECT_MMEOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_GemmOp : Gaudi_MMEOp<"gemm"> {
  let summary = "batched matrix product";
  let description = [{
    `result[b.., m, n] = sum_k lhs[b.., m, k] * rhs[b.., k, n]`. The operands
    and the result have one rank >= 2; each batch dimension is the result's or
    1 (broadcast). `transpose_a`: lhs is `[b.., k, m]`; `transpose_b`: rhs is
    `[b.., n, k]`.

    `order_a`, `order_b` and `order_c` say in which order lhs, rhs and the
    result are stored: dimension i of the stored tensor is dimension order[i] of
    the tensor above, after the transpose flags. Batch dimensions can so be
    anywhere, as in `[batch, rows, heads, columns]`. Canonical form: flags say
    whether columns come before rows, orders keep rows before columns, and an
    order that changes nothing is left out; a result whose columns come before
    its rows is the product of the exchanged operands.

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
      UnitAttr:$transpose_a, UnitAttr:$transpose_b, OptionalAttr<DenseI64ArrayAttr>:$order_a,
      OptionalAttr<DenseI64ArrayAttr>:$order_b, OptionalAttr<DenseI64ArrayAttr>:$order_c);
  let results = (outs Gaudi_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    (`order_a` $order_a^)? (`order_b` $order_b^)? (`order_c` $order_c^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      CArg<"bool", "false">:$transpose_a, CArg<"bool", "false">:$transpose_b), [{
    build($_builder, $_state, result, lhs, rhs, transpose_a, transpose_b, {}, {}, {});
  }]>];
  let hasCanonicalizeMethod = 1;
}

// What the convolution and its gradients say of it, per dimension.
defvar Gaudi_ConvAttributes = (ins
    StrAttr:$input_layout, StrAttr:$filter_layout, StrAttr:$output_layout,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
    DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high,
    DefaultValuedAttr<I64Attr, "1">:$groups);

// A convolution or a gradient of it: its row of MatrixKinds.def says which of x,
// w and y it makes of the others. The first operand is an activation.
class Gaudi_ConvolutionOp<string mnemonic> : Gaudi_MMEOp<mnemonic, [
    DeclareOpInterfaceMethods<Gaudi_PaddingOpInterface, ["getPaddingFactor"]>]> {
  let extraClassDefinition = [{
    gaudi::Engine $cppClass::getEngine() { return gaudi::Engine::MME; }
    int64_t $cppClass::getArithmeticOps() { return gaudi::Convolution(*this).arithmeticOps(); }
    gaudi::WorkList $cppClass::getWork(gaudi::OperandOf operandOf) {
      return gaudi::Convolution(*this).work(operandOf);
    }
    ::llvm::LogicalResult $cppClass::verify() { return gaudi::Convolution(*this).verify(); }
    bool $cppClass::canAbsorbPadding(::mlir::OpOperand &operand, ::llvm::ArrayRef<int64_t> low,
                                     ::llvm::ArrayRef<int64_t> high, ::mlir::TypedAttr value) {
      return gaudi::Convolution(*this).padsFor(operand, low, high, value).has_value();
    }
    void $cppClass::absorbPadding(::mlir::OpOperand &, ::llvm::ArrayRef<int64_t> low, ::llvm::ArrayRef<int64_t> high) {
      const gaudi::ConvPads pads = gaudi::Convolution(*this).padsAround(low, high);
      setPadLow(pads.low);
      setPadHigh(pads.high);
    }
    ::mlir::Value $cppClass::getPaddingFactor(::mlir::OpOperand &) { return getOperation()->getOperand(1); }
  }];
}

def Gaudi_ConvOp : Gaudi_ConvolutionOp<"conv"> {
  let summary = "1-D, 2-D or 3-D convolution";
  let description = [{
    `y[n, o, p..] = sum_{i, k..} w[o, i, k..] * x[n, group(o) * C/groups + i,
    p * stride - pad_low + k * dilation ..]`; padding adds nothing, whatever w is.

    The layouts name every dimension in stored order: `N`, `C` and the spatial
    letters `D`, `H`, `W` (last ones for lower ranks) for x and y; `O`, `I` and
    the same letters for w. `strides`, `dilations`, `pad_low`, `pad_high` have
    one entry per spatial dimension in the order D, H, W. w has O = channels of
    y, I = channels of x / groups. The spatial size of y is
    `(x + pad_low + pad_high - (k - 1) * dilation - 1) / stride + 1`, rounded
    down.

    Types and numerics as for gaudi.mme.gemm. Engine: MME. Gradients:
    gaudi.mme.conv_input_grad, gaudi.mme.conv_weight_grad.

    Example:
    ```mlir
    %0 = gaudi.mme.conv %x, %w layout "NHWC", "OHWI", "NHWC" strides [2, 2]
           dilations [1, 1] pad [3, 3], [3, 3] groups 1
           : tensor<1x224x224x3xf32>, tensor<64x7x7x3xf32> -> tensor<1x112x112x64xf32>
    ```
  }];
  let arguments = !con((ins Gaudi_FloatTensor:$input, Gaudi_FloatTensor:$filter),
      Gaudi_ConvAttributes);
  let results = (outs Gaudi_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $filter `layout` $input_layout `,` $filter_layout `,` $output_layout
    `strides` $strides `dilations` $dilations `pad` $pad_low `,` $pad_high
    `groups` $groups attr-dict
    `:` type($input) `,` type($filter) `->` type($result)
  }];
}

def Gaudi_ConvInputGradOp : Gaudi_ConvolutionOp<"conv_input_grad"> {
  let summary = "gradient of a convolution with respect to its input (dgrad, dedx)";
  let description = [{
    `dx[n, c, q..] = sum_{o, k.., p..} w[o, i, k..] * dy[n, o, p..]` over the
    outputs o of c's group and all k, p with
    `p * stride - pad_low + k * dilation = q`; i is c's place in its group.
    Also known as a transposed convolution.

    All attributes are those of the forward convolution gaudi.mme.conv, and the
    tensors are its tensors: the layouts are given for dy, w and dx in this
    order, O counts channels of dy, and the spatial sizes of dy and dx are those
    of y and x there. The type of the result says which of the sizes that give
    one dy is meant. Positions of dx that no window covers are 0.

    Accepted forms: every stride, dilation and number of groups; pads of either
    sign, so that a pad can be whatever fits the sizes:
    `pad_high = (dy - 1) * stride + (k - 1) * dilation + 1 - pad_low - dx` always
    does. A convolution of dy with `lhs_dilation` s, a reversed w and pads l, h is
    this op with strides s, `pad_low = (k - 1) * dilation - l`, and
    `pad_high = (k - 1) * dilation - h`. w is stored as in the forward
    convolution; nothing is reversed.

    Types and numerics as for gaudi.mme.gemm. Engine: MME.

    Example:
    ```mlir
    %0 = gaudi.mme.conv_input_grad %dy, %w layout "NHWC", "OHWI", "NHWC" strides [2, 2]
           dilations [1, 1] pad [3, 3], [3, 3] groups 1
           : tensor<1x112x112x64xf32>, tensor<64x7x7x3xf32> -> tensor<1x224x224x3xf32>
    ```
  }];
  let arguments = !con((ins Gaudi_FloatTensor:$output_grad, Gaudi_FloatTensor:$filter),
      Gaudi_ConvAttributes);
  let results = (outs Gaudi_FloatTensor:$result);
  let assemblyFormat = [{
    $output_grad `,` $filter `layout` $output_layout `,` $filter_layout `,` $input_layout
    `strides` $strides `dilations` $dilations `pad` $pad_low `,` $pad_high
    `groups` $groups attr-dict
    `:` type($output_grad) `,` type($filter) `->` type($result)
  }];
}

def Gaudi_ConvWeightGradOp : Gaudi_ConvolutionOp<"conv_weight_grad"> {
  let summary = "gradient of a convolution with respect to its filter (wgrad, dedw)";
  let description = [{
    `dw[o, i, k..] = sum_{n, p..} dy[n, o, p..] * x[n, group(o) * C/groups + i,
    p * stride - pad_low + k * dilation ..]`; padding adds nothing, whatever dy
    is.

    All attributes are those of the forward convolution gaudi.mme.conv, and the
    tensors are its tensors: the layouts are given for x, dy and dw in this
    order. The type of the result gives the size k of the filter.

    Accepted forms: every stride, dilation and number of groups; pads of either
    sign, so that `pad_high` can be whatever fits the sizes:
    `(dy - 1) * stride + (k - 1) * dilation + 1 - pad_low - x` always does. A
    convolution of x (its batch as features) with dy as filter, window strides
    d, `rhs_dilation` s, pads l, h and `batch_group_count` g is this op with
    strides s, dilations d, `pad_low = l` and g groups.

    The result keeps the accumulated f32 value if its type is f32, whatever the
    operands are. Types and numerics as for gaudi.mme.gemm. Engine: MME.

    Example:
    ```mlir
    %0 = gaudi.mme.conv_weight_grad %x, %dy layout "NHWC", "NHWC", "OHWI" strides [2, 2]
           dilations [1, 1] pad [3, 3], [3, 3] groups 1
           : tensor<1x224x224x3xbf16>, tensor<1x112x112x64xbf16> -> tensor<64x7x7x3xf32>
    ```
  }];
  let arguments = !con((ins Gaudi_FloatTensor:$input, Gaudi_FloatTensor:$output_grad),
      Gaudi_ConvAttributes);
  let results = (outs Gaudi_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $output_grad `layout` $input_layout `,` $output_layout `,` $filter_layout
    `strides` $strides `dilations` $dilations `pad` $pad_low `,` $pad_high
    `groups` $groups attr-dict
    `:` type($input) `,` type($output_grad) `->` type($result)
  }];
}

#endif // GAUDI_DIALECT_MMEOPS_TD
