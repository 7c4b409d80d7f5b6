// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot-product attention and its gradient.
#ifndef GAUDI_DIALECT_ATTENTIONOPS_TD
#define GAUDI_DIALECT_ATTENTIONOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_AttentionTensor : RankedTensorOf<[F32, BF16, F16, F8E4M3FN, F8E5M2]>;
def Gaudi_WideFloatTensor : RankedTensorOf<[F32, BF16, F16]>;
def Gaudi_MaskTensor : RankedTensorOf<[I1, F32, BF16, F16]>;
def Gaudi_DropoutMaskTensor : RankedTensorOf<[I1, I8, UI8, F32, BF16, F16]>;
def Gaudi_CountTensor : RankedTensorOf<[I32]>;
def Gaudi_ScaleTensor : RankedTensorOf<[F32]>;

// A command of the matrix engine whose name does not say so: its scores never
// leave the chip, and the vector cores compute their softmax.
class Gaudi_AttentionOp<string mnemonic, list<Trait> traits = []>
    : Gaudi_GraphOp<mnemonic, !listconcat([AttrSizedOperandSegments], traits),
                    Gaudi_NeverStops, ["getWork"]> {
  let hasVerifier = 1;
}

// What attention and its gradient say of the scores.
defvar Gaudi_AttentionAttributes = (ins F32Attr:$scale, UnitAttr:$causal,
    OptionalAttr<I64Attr>:$window,
    DefaultValuedAttr<F32Attr,
                      "-std::numeric_limits<float>::infinity()">:$mask_value,
    DefaultValuedAttr<Gaudi_PaddingSideAttr,
                      "gaudi::PaddingSide::Right">:$padding,
    DefaultValuedAttr<F32Attr, "0.0f">:$dropout,
    DefaultValuedAttr<Gaudi_SoftmaxModeAttr,
                      "gaudi::SoftmaxMode::Default">:$softmax_mode,
    OptionalAttr<StrAttr>:$query_layout, OptionalAttr<StrAttr>:$key_layout,
    OptionalAttr<StrAttr>:$value_layout, OptionalAttr<StrAttr>:$output_layout,
    OptionalAttr<DenseI64ArrayAttr>:$slice);

def Gaudi_SdpaOp : Gaudi_AttentionOp<"sdpa"> {
  let summary = "scaled dot-product attention";
  let description = [{
    `output[n, h, i] = sum_j P[n, h, i, j] * value[n, h', j]`, where P is the
    softmax over the keys j of `scale * <query[n, h, i], key[n, h', j]>`, masked.
    docs/attention.md describes the command.

    query [N, Hq, L, D], key [N, Hk, S, D], value [N, Hk, S, Dv], output
    [N, Hq, L, Dv]. Rank 3 has no H. Hk divides Hq, and query head h reads head
    `h' = h / (Hq / Hk)`. N of key and value may be 1: all images share them.
    `query_layout` and so on name the dimensions of each tensor in stored
    order, by default "NHLD" ("NLD" for rank 3); L also names the keys, D also
    the values' Dv. No dimension is empty.

    Scores, in this order; i is the query, j the key:
    - `s = scale * <query, key>`;
    - `mask`: of i1, a score whose element is false is replaced by
      `mask_value` (by default -infinity); of floats, it is added. It has the
      op's rank, and each dimension is that of [N, Hq, L, S] or 1;
    - visible are the keys with `j <= i` (`causal`), with `i - j < window`, and,
      unless causal, `j - i < window`, and of each image the first (padding
      right, the default) or last (left) `valid_lengths[n]`, clamped to [0, S].
      The others do not exist, nor do scores of -infinity: a query without keys
      has m = 0, linv = 0 and an output of 0. Finite mask values keep the
      numbers of a select before a softmax.

    `m` is the maximum of a row of scores, rounded to its type first,
    `linv = 1 / sum_j exp(s - m)`, `P = exp(s - m) * linv`. Then dropout, if
    `dropout` p > 0: element [n, h, i, j] is kept and divided by 1 - p if the
    element of `dropout_mask` is not 0 (broadcast as `mask` is), or if word
    `e % 4` of Philox4x32-10 is at least the integer below p * 2^32; e is the
    row-major number of the element, the key is (`seed`, 0), the counter is
    `e / 4` (Gaudi/Support/Philox.h). With a dropout_mask and p = 0, P is
    multiplied by its elements.

    Types: query, key and value f32, bf16, f16, f8E4M3FN or f8E5M2, all of one.
    The output has it, too; of f8 operands only under `q_scale_o`, else bf16.
    f8 operands may have scales, f32 tensors of one element: d_scale_q, _k, _v
    multiply what is read, q_scale_s what is rounded to the operands' type for
    the second product, d_scale_s the sums of that product, q_scale_o the output
    before its rounding. Both roundings saturate at the largest number of the
    type on the device; on gaudi2 that of f8E4M3FN is 240.

    Results: output, then under `saves <statistics>` m [N, Hq, L, 1] (the type
    of query, bf16 for f8) and linv [N, Hq, L, 1] (f32; bf16 for f8, or for bf16
    in `softmax_mode` fast), and `seed` if given; under `saves <probabilities>`
    P [N, Hq, L, S] before dropout, times q_scale_s, and the elements kept (i8)
    if p > 0. Then f32 scalars (rank 0) under `amax_s` and `amax_o`, for f8: the
    largest magnitude of P after dropout, and of the output, without q_scale_s
    and q_scale_o.

    Engine: MME, together with the TPC, slice by slice. `slice` [queries, keys]
    is what one link of their chain handles, without it the device's choice.
    `softmax_mode` fast: the exponential of fewer instructions; the numbers are
    computed as by default. Numerics: products exact with f32 sums, scores and
    softmax in f32, P rounded to the operands' type, one rounding at the output.

    Example:
    ```mlir
    %0 = gaudi.sdpa %q, %k, %v mask %m scale 0.125 causal
           {key_layout = "NHDL", output_layout = "NLHD"}
           : (tensor<2x8x128x64xbf16>, tensor<2x2x64x128xbf16>, tensor<2x2x128x64xbf16>,
              tensor<2x1x1x128xi1>) -> tensor<2x128x8x64xbf16>
    ```
  }];
  let arguments =
      !con((ins Gaudi_AttentionTensor:$query, Gaudi_AttentionTensor:$key,
               Gaudi_AttentionTensor:$value, Optional<Gaudi_MaskTensor>:$mask,
               Optional<Gaudi_CountTensor>:$valid_lengths,
               Optional<Gaudi_DropoutMaskTensor>:$dropout_mask,
               Optional<Gaudi_CountTensor>:$seed,
               Optional<Gaudi_ScaleTensor>:$d_scale_q,
               Optional<Gaudi_ScaleTensor>:$d_scale_k,
               Optional<Gaudi_ScaleTensor>:$d_scale_v,
               Optional<Gaudi_ScaleTensor>:$q_scale_s,
               Optional<Gaudi_ScaleTensor>:$q_scale_o,
               Optional<Gaudi_ScaleTensor>:$d_scale_s),
           Gaudi_AttentionAttributes,
           (ins DefaultValuedAttr<Gaudi_AttentionSavesAttr,
                                  "gaudi::AttentionSaves::None">:$saves,
               UnitAttr:$amax_s, UnitAttr:$amax_o));
  let results = (outs Gaudi_AttentionTensor:$output,
      Variadic<Gaudi_Tensor>:$saved);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`lengths` $valid_lengths^)?
    (`dropout_mask` $dropout_mask^)? (`seed` $seed^)?
    (`d_scale_q` $d_scale_q^)? (`d_scale_k` $d_scale_k^)? (`d_scale_v` $d_scale_v^)?
    (`q_scale_s` $q_scale_s^)? (`q_scale_o` $q_scale_o^)? (`d_scale_s` $d_scale_s^)?
    `scale` $scale (`causal` $causal^)? (`window` $window^)? (`padding` $padding^)?
    (`dropout` $dropout^)? (`softmax_mode` $softmax_mode^)? (`saves` $saves^)?
    (`amax_s` $amax_s^)? (`amax_o` $amax_o^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let builders = [
      // The result types follow from operands and attributes.
      OpBuilder<(ins "const gaudi::SdpaOperands &":$operands,
          "const Properties &":$attributes)>,
  ];
  let extraClassDeclaration = [{
    /// Types of the results, in order, that operands and attributes ask for.
    ::llvm::SmallVector<::mlir::Type> getExpectedTypes();
    /// Results by name; null for those that the op does not have.
    ::mlir::Value getMaxima();        // m
    ::mlir::Value getInverseSums();   // linv
    ::mlir::Value getSeedResult();
    ::mlir::Value getProbabilities(); // P
    ::mlir::Value getKept();          // elements that dropout kept
    ::mlir::Value getAmaxSResult();
    ::mlir::Value getAmaxOResult();
  }];
}

def Gaudi_SdpaGradOp : Gaudi_AttentionOp<"sdpa_grad"> {
  let summary = "gradients of scaled dot-product attention";
  let description = [{
    Gradients dq, dk and dv of gaudi.sdpa with respect to its query, key and
    value. Operands and attributes are those of the forward op, and tensors have
    its shapes and layouts: output_grad (dO) and `output` those of its output,
    dq, dk and dv those of query, key and value.

    With P from `m` and `linv` (`saves <statistics>`) or `probabilities`, P
    after dropout Pd, and w the factor that dropout multiplies P by:
    `dv = Pd^T dO`, `dP = w * (dO value^T)`, `D[i] = sum_j dP[i, j] * P[i, j]`,
    `dS = P * (dP - D)`, `dq = scale * dS key`, `dk = scale * dS^T query`.
    dk and dv are summed over the query heads of a head and, where key or value
    have N = 1, over the images. With `output`, D is `sum_d output * dO`, which
    is the same up to rounding. dS is 0 where an i1 `mask` is false. Masks of
    floats and valid_lengths are in the probabilities, if these are given.

    Types: dO, query, key, value, `output` and probabilities f32, bf16 or f16,
    all of one; each of dq, dk and dv that type or f32. Engine: MME, together
    with the TPC. Numerics: products exact with f32 sums; P, dP and dS in f32, Pd
    and dS rounded to the operands' type before the products that read them, one
    rounding at the results.

    Example:
    ```mlir
    %dq, %dk, %dv = gaudi.sdpa_grad %do, %q, %k, %v output %o mask %mask m %m linv %linv scale 0.125
           : (tensor<2x8x128x64xf32>, tensor<2x8x128x64xf32>, tensor<2x2x128x64xf32>,
              tensor<2x2x128x64xf32>, tensor<2x8x128x64xf32>, tensor<2x1x128x128xf32>,
              tensor<2x8x128x1xf32>, tensor<2x8x128x1xf32>) -> (tensor<2x8x128x64xf32>, tensor<2x2x128x64xf32>, tensor<2x2x128x64xf32>)
    ```
  }];
  let arguments = !con(
      (ins Gaudi_WideFloatTensor:$output_grad, Gaudi_WideFloatTensor:$query,
          Gaudi_WideFloatTensor:$key, Gaudi_WideFloatTensor:$value,
          Optional<Gaudi_WideFloatTensor>:$output,
          Optional<Gaudi_MaskTensor>:$mask,
          Optional<Gaudi_CountTensor>:$valid_lengths,
          Optional<Gaudi_DropoutMaskTensor>:$dropout_mask,
          Optional<Gaudi_CountTensor>:$seed, Optional<Gaudi_WideFloatTensor>:$m,
          Optional<Gaudi_WideFloatTensor>:$linv,
          Optional<Gaudi_WideFloatTensor>:$probabilities),
      Gaudi_AttentionAttributes);
  let results = (outs Gaudi_WideFloatTensor:$query_grad,
      Gaudi_WideFloatTensor:$key_grad, Gaudi_WideFloatTensor:$value_grad);
  let assemblyFormat = [{
    $output_grad `,` $query `,` $key `,` $value (`output` $output^)? (`mask` $mask^)?
    (`lengths` $valid_lengths^)? (`dropout_mask` $dropout_mask^)? (`seed` $seed^)?
    (`m` $m^)? (`linv` $linv^)? (`probabilities` $probabilities^)?
    `scale` $scale (`causal` $causal^)? (`window` $window^)? (`padding` $padding^)?
    (`dropout` $dropout^)? (`softmax_mode` $softmax_mode^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let builders = [
      // The gradients have the types of query, key and value.
      OpBuilder<(ins "const gaudi::SdpaGradOperands &":$operands,
          "const Properties &":$attributes)>,
  ];
}

#endif // GAUDI_DIALECT_ATTENTIONOPS_TD
