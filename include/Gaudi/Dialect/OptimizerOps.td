// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of optimizers over all parameters of a model, and the clipping of
// gradients by their common norm. Only what makes or expands them names them,
// so they have a header of their own.
#ifndef GAUDI_DIALECT_OPTIMIZEROPS_TD
#define GAUDI_DIALECT_OPTIMIZEROPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_MultiTensorOpInterface : OpInterface<"MultiTensorOpInterface"> {
  let cppNamespace = "gaudi";
  let description = [{
    An op on lists of tensors that several TPC kernels compute, each for as many
    tensors as a kernel may have.
  }];
  let methods = [
    InterfaceMethod<[{
      Creates the kernels, and the views that they need, and gives a value of
      the op's type for each result.
    }], "::llvm::SmallVector<::mlir::Value>", "buildKernels",
      (ins "::mlir::OpBuilder &":$builder)>,
    InterfaceMethod<"The list that has one tensor for each entry, the first.",
      "::mlir::OperandRange", "getEntries">,
  ];
}

def Gaudi_F32Tensor : RankedTensorOf<[F32]>;
def Gaudi_FlagTensor : RankedTensorOf<[I1, I32]>;

class Gaudi_MultiTensorOp<string mnemonic, list<Trait> traits = []>
    : Gaudi_GraphOp<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<Gaudi_MultiTensorOpInterface>], traits)> {
  let hasVerifier = 1;
}

def Gaudi_FusedAdamWOp : Gaudi_MultiTensorOp<"fused_adamw",
    [AttrSizedOperandSegments, SameVariadicResultSize]> {
  let summary = "a step of AdamW over all parameters";
  let description = [{
    For each parameter w with gradient g, first moment m and second moment v,
    elementwise, in f32:
    ```
    g' = g * grad_scale + l2 * w
    m' = beta1 * m + (1 - beta1) * g'
    v' = beta2 * v + (1 - beta2) * (g' * g')
    w' = w * decay - step_size * (m' / (sqrt(v') + eps))
    ```
    The lists have one entry per parameter; the four tensors of an entry have
    one shape, each a type of its own, and results have the types of what they
    replace. `step_size`, `eps`, `decay` and `grad_scale` (1 if absent) hold one
    f32. `1 - beta` is computed in f64 and rounded to f32. w' is computed from
    m' and v' before they are rounded to the types of the moments.

    Forms: Gaudi's FusedAdamW and torch.optim.AdamW both have `step_size = lr *
    sqrt(1 - beta2^t) / (1 - beta1^t)`; the first has a constant eps, the second
    `eps * sqrt(1 - beta2^t)`. `decay = 1 - lr * weight_decay`. Adam with
    weight decay in the gradient is `decay = 1` and l2.

    Engine: TPC, two parameters per kernel. A result that replaces a state is
    written over it. Numerics: f32, one rounding per operation and one per
    result. Source: Gaudi PyTorch bridge, FusedAdamW.

    Example:
    ```mlir
    %0:3 = gaudi.fused_adamw gradients(%g) parameters(%w) exp_avgs(%m) exp_avg_sqs(%v)
             step_size %s eps %e decay %d {beta1 = 0.9 : f64, beta2 = 0.999 : f64}
             : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins Variadic<Gaudi_FloatTensor>:$gradients, Variadic<Gaudi_FloatTensor>:$parameters,
      Variadic<Gaudi_FloatTensor>:$exp_avgs, Variadic<Gaudi_FloatTensor>:$exp_avg_sqs,
      Gaudi_F32Tensor:$step_size, Gaudi_F32Tensor:$eps, Gaudi_F32Tensor:$decay,
      Optional<Gaudi_F32Tensor>:$grad_scale, F64Attr:$beta1, F64Attr:$beta2,
      DefaultValuedAttr<F64Attr, "0.0">:$l2);
  let results = (outs Variadic<Gaudi_FloatTensor>:$new_parameters,
      Variadic<Gaudi_FloatTensor>:$new_exp_avgs, Variadic<Gaudi_FloatTensor>:$new_exp_avg_sqs);
  let assemblyFormat = [{
    `gradients` `(` $gradients `)` `parameters` `(` $parameters `)` `exp_avgs` `(` $exp_avgs `)`
    `exp_avg_sqs` `(` $exp_avg_sqs `)` `step_size` $step_size `eps` $eps `decay` $decay
    (`grad_scale` $grad_scale^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Gaudi_FusedSGDOp : Gaudi_MultiTensorOp<"fused_sgd", [AttrSizedOperandSegments]> {
  let summary = "a step of stochastic gradient descent over all parameters";
  let description = [{
    For each parameter w with gradient g and momentum buffer b, elementwise, in
    f32:
    ```
    g' = g * grad_scale + weight_decay * w
    b' = momentum * b + (1 - dampening) * g'    (g' if first_step is not 0)
    d  = b'                                     (nesterov: g' + momentum * b')
    w' = w - lr * d
    ```
    Without momentum buffers `d = g'`, and momentum, dampening, nesterov and
    first_step are not allowed. Lists, types and scalars as in
    gaudi.fused_adamw; `lr` and `grad_scale` hold one f32, `first_step` one i1
    or i32. Results: the n parameters, then the n buffers if there are any.

    Engine: TPC, three parameters per kernel with momentum, five without.
    Numerics: as gaudi.fused_adamw. Source: Gaudi PyTorch bridge, FusedSGD;
    torch.optim.SGD.

    Example:
    ```mlir
    %0:2 = gaudi.fused_sgd gradients(%g) parameters(%w) momentum_buffers(%b) lr %s nesterov
             {momentum = 0.9 : f64} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins Variadic<Gaudi_FloatTensor>:$gradients, Variadic<Gaudi_FloatTensor>:$parameters,
      Variadic<Gaudi_FloatTensor>:$momentum_buffers, Gaudi_F32Tensor:$lr,
      Optional<Gaudi_F32Tensor>:$grad_scale, Optional<Gaudi_FlagTensor>:$first_step,
      DefaultValuedAttr<F64Attr, "0.0">:$momentum, DefaultValuedAttr<F64Attr, "0.0">:$dampening,
      DefaultValuedAttr<F64Attr, "0.0">:$weight_decay, UnitAttr:$nesterov);
  let results = (outs Variadic<Gaudi_FloatTensor>:$updated);
  let assemblyFormat = [{
    `gradients` `(` $gradients `)` `parameters` `(` $parameters `)`
    (`momentum_buffers` `(` $momentum_buffers^ `)`)? `lr` $lr (`grad_scale` $grad_scale^)?
    (`first_step` $first_step^)? (`nesterov` $nesterov^)? attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::ResultRange getNewParameters() {
      return getUpdated().take_front(getParameters().size());
    }
    ::mlir::ResultRange getNewMomentumBuffers() {
      return getUpdated().drop_front(getParameters().size());
    }
  }];
}

def Gaudi_FusedAdagradOp : Gaudi_MultiTensorOp<"fused_adagrad",
    [AttrSizedOperandSegments, SameVariadicResultSize]> {
  let summary = "a step of Adagrad over all parameters";
  let description = [{
    For each parameter w with gradient g and sum of squares s, elementwise, in
    f32:
    ```
    g' = g * grad_scale + weight_decay * w
    s' = s + g' * g'
    w' = w - lr * (g' / (sqrt(s') + eps))
    ```
    `lr` is the rate of this step: `rate / (1 + (t - 1) * lr_decay)`. Lists,
    types and scalars as in gaudi.fused_adamw; w' is computed from s' before it
    is rounded.

    Engine: TPC, three parameters per kernel. Numerics: as gaudi.fused_adamw.
    Source: Gaudi PyTorch bridge, FusedAdagrad; torch.optim.Adagrad.

    Example:
    ```mlir
    %0:2 = gaudi.fused_adagrad gradients(%g) parameters(%w) sums(%s) lr %r {eps = 1.0e-10 : f64}
             : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins Variadic<Gaudi_FloatTensor>:$gradients, Variadic<Gaudi_FloatTensor>:$parameters,
      Variadic<Gaudi_FloatTensor>:$sums, Gaudi_F32Tensor:$lr, Optional<Gaudi_F32Tensor>:$grad_scale,
      F64Attr:$eps, DefaultValuedAttr<F64Attr, "0.0">:$weight_decay);
  let results = (outs Variadic<Gaudi_FloatTensor>:$new_parameters, Variadic<Gaudi_FloatTensor>:$new_sums);
  let assemblyFormat = [{
    `gradients` `(` $gradients `)` `parameters` `(` $parameters `)` `sums` `(` $sums `)` `lr` $lr
    (`grad_scale` $grad_scale^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Gaudi_FusedLambOp : Gaudi_MultiTensorOp<"fused_lamb",
    [AttrSizedOperandSegments, SameVariadicResultSize]> {
  let summary = "a step of LAMB over all parameters";
  let description = [{
    With G the norm of all gradients, for each parameter w with gradient g,
    first moment m and second moment v, in f32:
    ```
    g' = g * (G <= max_grad_norm ? 1 : max_grad_norm / G)    (g without max_grad_norm)
    m' = beta1 * m + (1 - beta1) * g'          (1 * g' without grad_averaging)
    v' = beta2 * v + (1 - beta2) * (g' * g')
    s  = (m' / bias_correction1) / (sqrt(v' / bias_correction2) + eps) + weight_decay * w
    w' = w - lr * s * (|s| > 0 ? |w| / |s| : 1)
    ```
    |.| is the norm of all elements of a tensor. The ratio of norms is left out
    if weight_decay is 0, unless `use_ratio` is set. `bias_correction1 = 1 -
    beta1^t`, `bias_correction2 = 1 - beta2^t`, 1 if absent. Lists, types and
    scalars as in gaudi.fused_adamw.

    Engine: TPC. Kernels for the norm of the gradients; for moments and s, two
    parameters each; for squares of w and of s, eight tensors each; for ratios,
    five parameters each; for w', three each. Numerics: f32; sums as in
    gaudi.fused_clip_norm. Source: Gaudi PyTorch bridge, FusedLamb.

    Example:
    ```mlir
    %0:3 = gaudi.fused_lamb gradients(%g) parameters(%w) exp_avgs(%m) exp_avg_sqs(%v) lr %r max_grad_norm %n
             grad_averaging {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-6 : f64, weight_decay = 0.01 : f64}
             : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }];
  let arguments = (ins Variadic<Gaudi_FloatTensor>:$gradients, Variadic<Gaudi_FloatTensor>:$parameters,
      Variadic<Gaudi_FloatTensor>:$exp_avgs, Variadic<Gaudi_FloatTensor>:$exp_avg_sqs,
      Gaudi_F32Tensor:$lr, Optional<Gaudi_F32Tensor>:$bias_correction1,
      Optional<Gaudi_F32Tensor>:$bias_correction2, Optional<Gaudi_F32Tensor>:$max_grad_norm,
      F64Attr:$beta1, F64Attr:$beta2, F64Attr:$eps, DefaultValuedAttr<F64Attr, "0.0">:$weight_decay,
      UnitAttr:$grad_averaging, UnitAttr:$use_ratio);
  let results = (outs Variadic<Gaudi_FloatTensor>:$new_parameters,
      Variadic<Gaudi_FloatTensor>:$new_exp_avgs, Variadic<Gaudi_FloatTensor>:$new_exp_avg_sqs);
  let assemblyFormat = [{
    `gradients` `(` $gradients `)` `parameters` `(` $parameters `)` `exp_avgs` `(` $exp_avgs `)`
    `exp_avg_sqs` `(` $exp_avg_sqs `)` `lr` $lr (`bias_correction1` $bias_correction1^)?
    (`bias_correction2` $bias_correction2^)? (`max_grad_norm` $max_grad_norm^)?
    (`grad_averaging` $grad_averaging^)? (`use_ratio` $use_ratio^)? attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// True if the step is scaled by a ratio of norms.
    bool scalesByRatio() { return getUseRatio() || !getWeightDecay().isZero(); }
  }];
}

def Gaudi_FusedEmaOp : Gaudi_MultiTensorOp<"fused_ema", [AttrSizedOperandSegments]> {
  let summary = "moving averages of all tensors of a model";
  let description = [{
    `result = average * decay + (1 - decay) * value` for each pair, elementwise,
    in f32; the types of the results are those of the averages, `decay` holds
    one f32. Gaudi's FusedEMA has `decay * (1 - exp(-updates / 2000))`.

    Engine: TPC, five tensors per kernel. Numerics: as gaudi.fused_adamw.
    Source: Gaudi PyTorch bridge, FusedEMA.

    Example:
    ```mlir
    %0 = gaudi.fused_ema values(%x) averages(%a) decay %d
             : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Variadic<Gaudi_FloatTensor>:$values, Variadic<Gaudi_FloatTensor>:$averages,
      Gaudi_F32Tensor:$decay);
  let results = (outs Variadic<Gaudi_FloatTensor>:$new_averages);
  let assemblyFormat = [{
    `values` `(` $values `)` `averages` `(` $averages `)` `decay` $decay attr-dict
    `:` functional-type(operands, results)
  }];
}

def Gaudi_FusedClipNormOp : Gaudi_MultiTensorOp<"fused_clip_norm"> {
  let summary = "gradients scaled so that their common norm is bounded";
  let description = [{
    `total_norm = sqrt(sum of the squares of all elements of all gradients)` and
    `scale = min(1, max_norm / (total_norm + eps))`, NaN if total_norm is. Under
    `select`, `scale = total_norm < max_norm ? 1 : max_norm / (total_norm + eps)`.

    Results: each gradient times scale, in its type, then total_norm and scale.
    `max_norm`, total_norm and scale hold one f32 and have one type. An
    optimizer that takes the scale as its grad_scale reads the gradients as
    they are; clipped gradients that nobody reads are not computed.

    Engine: TPC. Kernels of up to 15 gradients each leave one sum of squares
    per point; one more kernel adds these. Numerics: f32, in an order of
    additions that the shapes fix, with two levels of about equal length.
    Source: Gaudi PyTorch bridge,
    FusedClipNorm; torch.nn.utils.clip_grad_norm_; optax.clip_by_global_norm.

    Example:
    ```mlir
    %0:4 = gaudi.fused_clip_norm gradients(%a, %b) max_norm %m {eps = 1.0e-6 : f64}
             : (tensor<4x8xf32>, tensor<8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<f32>, tensor<f32>)
    ```
  }];
  let arguments = (ins Variadic<Gaudi_FloatTensor>:$gradients, Gaudi_F32Tensor:$max_norm,
      UnitAttr:$select, F64Attr:$eps);
  let results = (outs Variadic<Gaudi_FloatTensor>:$clipped, Gaudi_F32Tensor:$total_norm,
      Gaudi_F32Tensor:$scale);
  let assemblyFormat = [{
    `gradients` `(` $gradients `)` `max_norm` $max_norm (`select` $select^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // GAUDI_DIALECT_OPTIMIZEROPS_TD
