# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu in eight bits: casts with scales, products and convolutions, softmax, and moves.

What is read of eight bits is multiplied by a scale (the reciprocal of the one it was written with),
what is written, too, in float32, rounded once. A scale is one number, a tensor, or one number for
each channel; `scale_shape` is the shape that a list of them broadcasts in, by default that of the
last dimension. Tensors of int8 hold the bits of E5M2, but for what is cast to eight bits: those are
whole numbers.
"""
import torch
from torch.utils._python_dispatch import _disable_current_modes

from . import _C
from ._kernels import EXPERTS, OPTIONS, activation_of, halves
from ._ops import differentiable, no_gradient, op
from .internal.bridge_config import get_pt_hpu_stochastic_rounding_mode

EIGHT_BITS = (torch.float8_e4m3fn, torch.float8_e5m2)


_FLUSHES = int(get_pt_hpu_stochastic_rounding_mode()) == 1
"""Stochastic casts of bfloat16 to E5M2 flush to zero; as in Gaudi's bridge, asked for once."""


def largest(dtype: torch.dtype) -> float:
    """The largest finite number of a type of eight bits: Gaudi 2 has infinities in E4M3."""
    if dtype is torch.float8_e4m3fn and _C.kind(-1) == "gaudi2":
        return 240.0
    return torch.finfo(dtype).max


def narrowed(x, dtype: torch.dtype, is_stochastic: bool = False, of: torch.dtype | None = None):
    """Rounded to a type of eight bits, beyond its largest number to that; to nearest even, or to
    one of the two neighbours, at random, so that the mean is x. `of` is the type of what x is a
    multiple of: from bfloat16 to E5M2 what is subnormal when it is rounded at random becomes zero,
    unless PT_HPU_STOCHASTIC_ROUNDING_MODE is 0."""
    if dtype is torch.int8:
        return narrowed(x, torch.float8_e5m2, is_stochastic, of).view(torch.int8)
    if dtype not in EIGHT_BITS:
        return x.to(dtype)
    words = torch.randint(-2**31, 2**31, x.shape, dtype=torch.int32, device=x.device) \
        if is_stochastic else None
    flushes = _FLUSHES and is_stochastic and of is torch.bfloat16 and dtype is torch.float8_e5m2
    return torch.ops.gaudi.round_to(x, words, dtype, largest(dtype), flushes)


def _tensor(scale, shape, like):
    """A scale as a tensor of float32; None for one that changes nothing."""
    if scale is None or isinstance(scale, (int, float)) and scale == 1:
        return None
    if isinstance(scale, (int, float)):
        return torch.full((), scale, dtype=torch.float32, device=like.device)
    if not isinstance(scale, torch.Tensor):
        # A constant of a graph; torch.tensor writes to it, which no functional graph has.
        with _disable_current_modes():
            scale = torch.tensor(scale, dtype=torch.float32)
        scale = torch.ops.aten.lift_fresh_copy.default(scale).to(like.device)
    scale = scale.float()
    if scale.numel() == 1:
        return scale.reshape([])
    return scale if shape is None else scale.reshape(shape)


def _scaled(x, scale, shape=None):
    """x times a scale, in float32; x without one."""
    scale = _tensor(scale, shape, x)
    return x if scale is None else x.float() * scale


def _bits(x):
    """What is stored as integers is E5M2."""
    return x.view(torch.float8_e5m2) if x.dtype is torch.int8 else x


def amax(x, is_asked: bool = True):
    """The largest magnitude, of nothing 0; empty if nobody asks."""
    if not is_asked:
        return x.new_empty([0], dtype=torch.float32)
    if x.numel() == 0:
        return x.new_zeros([], dtype=torch.float32)
    # Rows first: one number is made by one engine.
    return x.abs().amax(-1).amax().float() if x.dim() > 1 else x.abs().amax().float()


def _into(out, made, name: str):
    """Writes a result to the operand that is there for it."""
    if out.shape != made.shape:
        raise RuntimeError(f"{name} writes a tensor of shape {list(made.shape)}; that of out is "
                           f"{list(out.shape)}; pass an out of the former")
    return out.copy_(made)


# --- gradients ------------------------------------------------------------------------------------


def gradients(name: str, instead: str, shapes=lambda inputs: {}) -> None:
    """Gives an op the gradients of what it adds: those of its result, summed to `shapes` by place.
    Of other operands it has none, and its backward pass says so, and what to do `instead`."""
    packet, _, overload = name.partition(".")
    schema = getattr(getattr(torch.ops.hpu, packet), overload or "default")._schema

    def keep(ctx, inputs, output) -> None:
        def kind(x):
            if isinstance(x, (list, tuple)):
                return list(map(kind, x))
            return (x.shape, x.dtype) if isinstance(x, torch.Tensor) else None
        ctx.kinds, ctx.shapes = kind(inputs), shapes(inputs)

    def backward(ctx, grad, *_):
        def missing(place: int, kind, is_needed):
            if isinstance(is_needed, (list, tuple)):
                return [missing(place, *each) for each in zip(kind, is_needed)]
            return no_gradient(grad, *kind, f"hpu::{packet} has no gradient of "
                               f"{schema.arguments[place].name} of {kind[1]}: {instead}") \
                if is_needed else None

        made = []
        for place, (kind, is_needed) in enumerate(zip(ctx.kinds, ctx.needs_input_grad)):
            if is_needed is True and place in ctx.shapes:
                summed = grad.float().sum_to_size(ctx.shapes[place])
                made.append(summed.reshape(kind[0]).to(kind[1]))
            else:
                made.append(missing(place, kind, is_needed))
        return tuple(made)
    differentiable(name, backward, keep)


_DETACHED = "detach it, or call the op in torch.no_grad()"


# --- casts ----------------------------------------------------------------------------------------


def _cast_to(input, scale=None, stochastic_rounding=False, is_amax=False, dtype=None,
             scale_shape=None):
    stored = torch.float8_e5m2 if dtype in (None, torch.int8) else dtype
    if stored not in EIGHT_BITS:
        raise RuntimeError(f"cast_to_fp8_v2 makes float8_e4m3fn or float8_e5m2, not {dtype}; "
                           "pass dtype=torch.float8_e4m3fn")
    if not input.is_floating_point():
        input = input.float()
    if input.dtype in EIGHT_BITS:
        if is_amax or input.dtype is not stored:
            raise RuntimeError(f"cast_to_fp8_v2 of {input.dtype} gives that type, and no amax; "
                               f"asked for are {dtype} and is_amax={is_amax}")
        result = input.clone() if _tensor(scale, None, input) is None else \
            narrowed(_scaled(input, scale, scale_shape), stored, stochastic_rounding)
    else:
        result = narrowed(_scaled(input, scale, scale_shape), stored, stochastic_rounding,
                          input.dtype)
    if stored is not dtype:
        result = result.view(torch.int8)
    return result, amax(input, is_amax)


def _cast_from(input, scale, out_dtype, scale_shape=None):
    return narrowed(_scaled(_bits(input).float(), scale, scale_shape), out_dtype).clone()


_TO = ("bool stochastic_rounding=False, bool is_amax=False, ScalarType? dtype=None, "
       "int[]? scale_shape=None) -> (Tensor, Tensor)")
_FROM = "ScalarType out_dtype, int[]? scale_shape=None) -> Tensor"


def _keep_cast(ctx, inputs, output) -> None:
    ctx.scale, ctx.shape, ctx.dtype = inputs[1], inputs[-1], inputs[0].dtype
    ctx.count = len(inputs)
    if isinstance(output, tuple):
        ctx.mark_non_differentiable(output[1])


def _gradient_of_cast(ctx, grad, *_):
    """Of the type of the operand, as PyTorch has it: of eight bits for that of cast_from_fp8."""
    made = torch.ops.hpu.cast_from_fp8(grad, ctx.scale, ctx.dtype, ctx.shape)
    return made, *[None] * (ctx.count - 1)


for _overload, _kind in (("", "Tensor?"), (".scalar", "float"), (".scalar_list", "float[]")):
    _default = "=None" if not _overload else ""
    op(f"cast_to_fp8_v2{_overload}(Tensor input, {_kind} scale{_default}, {_TO}")(_cast_to)
    op(f"cast_from_fp8{_overload}(Tensor input, {_kind} scale, {_FROM}")(_cast_from)
    for _name in ("cast_to_fp8_v2", "cast_from_fp8"):
        differentiable(_name + _overload, _gradient_of_cast, _keep_cast)


@op("cast_to_fp8_hybrid(Tensor input, Tensor? scale_152=None, Tensor? scale_143=None, "
    "bool stochastic_rounding=False, bool is_amax=False) -> (Tensor, Tensor, Tensor)")
def cast_to_fp8_hybrid(input, scale_152=None, scale_143=None, stochastic_rounding=False,
                       is_amax=False):
    """In both types; gradients, in E5M2, may be rounded at random."""
    wide, _ = _cast_to(input, scale_152, stochastic_rounding, False, torch.float8_e5m2)
    fine, most = _cast_to(input, scale_143, False, is_amax, torch.float8_e4m3fn)
    return wide, fine, most


def _keep_casts(ctx, inputs, output) -> None:
    input, *ctx.scales = inputs[:3]
    ctx.dtype = input.dtype
    ctx.mark_non_differentiable(output[2])


def _gradient_of_casts(ctx, *grads):
    wide, fine = (torch.ops.hpu.cast_from_fp8(grad, scale, torch.float32)
                  for grad, scale in zip(grads, ctx.scales))
    return (wide + fine).to(ctx.dtype), *[None] * 4


differentiable("cast_to_fp8_hybrid", _gradient_of_casts, _keep_casts)


@op("cast_to_fp8(Tensor input, Tensor? scale, bool stochastic_rounding, Tensor(a!) out, "
    "Tensor(b!) amax) -> (Tensor(a!), Tensor(b!))")
def cast_to_fp8(input, scale, stochastic_rounding, out, amax):
    made, most = _cast_to(input, scale, stochastic_rounding, amax.numel() > 0, out.dtype)
    return _into(out, made, "cast_to_fp8"), amax.copy_(most) if amax.numel() else amax


@op("calculate_scale_for_cast(Tensor input, int maxMode, int scaleMode, int reduceAxis=0, "
    "bool reduceKeepdim=False, float fullscale=1.0, float backoff=1.0) -> Tensor")
def calculate_scale_for_cast(input, maxMode, scaleMode, reduceAxis=0, reduceKeepdim=False,
                             fullscale=1.0, backoff=1.0):
    """What a tensor is divided by so that its largest magnitude, of all (maxMode 1) or along an
    axis (2), becomes fullscale * backoff; 0: the operand is such numbers. scaleMode 1 makes them
    the next powers of two."""
    if maxMode not in (0, 1, 2) or scaleMode not in (0, 1):
        raise RuntimeError("calculate_scale_for_cast has maxMode 0, 1 or 2 and scaleMode 0 or 1, "
                           f"not {maxMode} and {scaleMode}")
    scale = input.float()
    if maxMode:
        most = amax(scale) if maxMode == 1 else scale.abs().amax(reduceAxis, reduceKeepdim)
        scale = most / (fullscale * backoff)
    if scaleMode:
        scale = torch.exp2(torch.ceil(torch.log2(scale)))
    return scale.to(input.dtype)


# --- products -------------------------------------------------------------------------------------


def _finished(result, scales, added, out_dtype):
    """A product in float32, times scales, and what is added to it, by name, rounded once."""
    shape = list(result.shape)
    for scale, scale_shape in scales:
        result = _scaled(result, scale, scale_shape)
    for name, each in added.items():
        if each is not None:
            result = result + each.float()
            if list(result.shape) != shape:
                raise RuntimeError(f"{name} of shape {list(each.shape)} does not broadcast to the "
                                   f"product, of shape {shape}")
    return narrowed(result, out_dtype)


def _turned(x, is_turned: bool, name: str):
    if not is_turned:
        return x
    if x.dim() < 2:
        raise RuntimeError(f"fp8_gemm_v2 transposes {name} of 2 dimensions or more, not of "
                           f"{x.dim()}; pass False for it")
    return x.transpose(-2, -1)


def _gemm(A, trans_A, B, trans_B, D, out_dtype, A_scale_inv=None, B_scale_inv=None, bias=None,
          accumulate=False, B_scale_shape=None):
    if accumulate and D is None:
        raise RuntimeError("fp8_gemm_v2 accumulates to D, which is None; pass D, or "
                           "accumulate=False")
    A, B = _turned(_bits(A), trans_A, "A"), _turned(_bits(B), trans_B, "B")
    if A.dim() > 1 and B.dim() > 1 and A.shape[-1] != B.shape[-2]:
        fits = ": B fits with trans_B=" + str(not trans_B) if A.shape[-1] == B.shape[-1] else ""
        raise RuntimeError(f"fp8_gemm_v2 multiplies A of {list(A.shape)} (trans_A={trans_A}) and B of "
                           f"{list(B.shape)} (trans_B={trans_B}), whose {A.shape[-1]} columns and "
                           f"{B.shape[-2]} rows must be equally many{fits or '; transpose one of them'}")
    return _finished(torch.matmul(A.float(), B.float()),
                     ((A_scale_inv, None), (B_scale_inv, B_scale_shape)),
                     {"bias": bias, "D": D if accumulate else None}, out_dtype)


_MATRICES = ("Tensor A, bool trans_A, Tensor B, bool trans_B, Tensor{} D, ScalarType out_dtype, "
             "{} A_scale_inv{}, {} B_scale_inv{}, Tensor? bias{}, bool accumulate{}")

for _overload, _kind in (("", "Tensor?"), (".scalar", "float"), (".scalar_list", "float[]")):
    _default = "=None" if not _overload else ""
    _operands = _MATRICES.format("?", _kind, _default, _kind, _default, "=None", "=False")
    op(f"fp8_gemm_v2{_overload}({_operands}, int[]? B_scale_shape=None) -> Tensor")(_gemm)
    gradients(f"fp8_gemm_v2{_overload}", "transformer_engine.Linear trains in eight bits",
              lambda inputs: {place: inputs[place].shape for place in ([4, 8] if inputs[9] else [8])
                              if inputs[place] is not None})


@op(f"fp8_gemm({_MATRICES.format('', 'Tensor?', '', 'Tensor?', '', '', '')}, Tensor(a!) out) "
    "-> Tensor(a!)")
def fp8_gemm(A, trans_A, B, trans_B, D, out_dtype, A_scale_inv, B_scale_inv, bias, accumulate,
             out):
    return _into(out, _gemm(A, trans_A, B, trans_B, D, out_dtype, A_scale_inv, B_scale_inv, bias,
                            accumulate), "fp8_gemm")


def _of_channels(scale, channels: int):
    """One scale, or one for each channel of the output."""
    if not isinstance(scale, torch.Tensor) or scale.numel() == 1:
        return scale
    if scale.numel() != channels:
        raise RuntimeError(f"conv2d_fp8 takes one scale_weight, or one for each of {channels} "
                           f"channels; it has shape {list(scale.shape)}")
    return scale.reshape([channels, 1, 1])


def _convolution(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1,
                 out_dtype=None, scale_input=None, scale_weight=None):
    if isinstance(scale_input, torch.Tensor) and scale_input.numel() != 1:
        raise RuntimeError("conv2d_fp8 takes one scale_input for all channels; it has shape "
                           f"{list(scale_input.shape)}")
    result = torch.conv2d(_bits(input).float(), _bits(weight).float(), None, stride, padding,
                          dilation, groups)
    if bias is not None:
        bias = bias.reshape([-1, 1, 1])
    scales = (scale_input, None), (_of_channels(scale_weight, weight.shape[0]), None)
    return _finished(result, scales, {"bias": bias}, out_dtype or torch.bfloat16)


for _overload, _kind in (("", "Tensor?"), (".scalar", "float?")):
    op(f"conv2d_fp8{_overload}(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, "
       "int[2] padding=0, int[2] dilation=1, int groups=1, ScalarType? out_dtype=None, "
       f"{_kind} scale_input=None, {_kind} scale_weight=None) -> Tensor")(_convolution)
    gradients(f"conv2d_fp8{_overload}", _DETACHED, lambda inputs: {2: [inputs[1].shape[0], 1, 1]})


# --- softmax, sums --------------------------------------------------------------------------------


def _softmax(input, dim, input_scale=None, output_scale=None, inv_attn_heads=None, fused_add=None):
    """With an input scale the result is E4M3."""
    scores = _bits(input).float()
    for each in (inv_attn_heads, input_scale):
        scores = _scaled(scores, each)
    if fused_add is not None:
        scores = scores + fused_add.float()
    shares = _scaled(torch.softmax(scores, dim), output_scale)
    return narrowed(shares, torch.bfloat16 if input_scale is None else torch.float8_e4m3fn)


for _overload, _kinds in (("", ("Tensor? input_scale=None", "Tensor? output_scale=None",
                                "Tensor? inv_attn_heads=None")),
                          (".Scalar_scales", ("float input_scale", "float output_scale",
                                              "Tensor? inv_attn_heads=None")),
                          (".Scalar", ("float input_scale", "float output_scale",
                                       "float inv_attn_heads"))):
    op(f"softmax_fp8{_overload}(Tensor input, int dim, {', '.join(_kinds)}, "
       "Tensor? fused_add=None) -> Tensor")(_softmax)
    gradients(f"softmax_fp8{_overload}", _DETACHED)


@op("sum_fp8(Tensor self, int[1]? dim=None, bool keepdim=False, ScalarType? out_dtype=None) "
    "-> Tensor")
def sum_fp8(self, dim=None, keepdim=False, out_dtype=None):
    """What torch.sum gives: beyond the largest number as that has it."""
    total, dtype = torch.sum(_bits(self).float(), dim, keepdim), out_dtype or self.dtype
    return total.to(torch.float8_e5m2).view(dtype) if dtype is torch.int8 else total.to(dtype)


# --- moves ----------------------------------------------------------------------------------------


@op("fp8_transpose(Tensor input, Tensor(a!) out) -> Tensor(a!)")
def fp8_transpose(input, out):
    return _into(out, input.transpose(-2, -1), "fp8_transpose")


@op("fp8_permute(Tensor input, int[] dims, Tensor(a!) out) -> Tensor(a!)")
def fp8_permute(input, dims, out):
    return _into(out, input.permute(dims), "fp8_permute")


@op("fp8_copy_(Tensor(a!) self, Tensor src) -> Tensor(a!)")
def fp8_copy_(self, src):
    return self.copy_(src)


@op("fp8_index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)")
def fp8_index_copy_(self, dim, index, source):
    return self.copy_(self.view(torch.int8).index_copy(
        dim, index.long(), source.view(torch.int8)).view(self.dtype))


@op("fp8_kv_reorder_(Tensor(a!) self, Tensor start, Tensor end, Tensor beam_idx) -> Tensor(a!)")
def fp8_kv_reorder_(self, start, end, beam_idx):
    return self.copy_(torch.ops.hpu.kv_reorder(self, start, end, beam_idx))


op("fp8_reshape(Tensor input, int[] shape) -> Tensor")(
    lambda input, shape: input.reshape(shape).clone())
op("fp8_repeat_v2(Tensor self, SymInt[] repeats) -> Tensor")(
    lambda self, repeats: self.repeat(repeats))
op("fp8_index_select_v2(Tensor self, int dim, Tensor index) -> Tensor")(
    lambda self, dim, index: self.index_select(dim, index))
for _name in ("sum_fp8", "fp8_reshape", "fp8_repeat_v2", "fp8_index_select_v2"):
    gradients(_name, _DETACHED)


# --- experts --------------------------------------------------------------------------------------


def _experts(hidden, table, weights, lists, of_hidden, of_gated, of_weights, permuted, activation,
             first, last):
    """The sum over the experts, each (act(x w1) * (x w2)) w3, as mixture_of_experts has it. What is
    multiplied by w3 is E4M3 as well; of a scale of 0 it is 0."""
    counts = {len(each) for each in (*lists, of_gated, *of_weights)}
    if counts != {last - first + 1}:
        raise ValueError(f"mixture_of_experts has lists of {sorted(counts)} weights or scales for "
                         f"experts {first} to {last}; give each list one for each expert")
    flat = hidden.reshape(-1, hidden.shape[-1])
    table, weights = (each.reshape(flat.shape[0], -1) for each in (table, weights))
    total = torch.zeros_like(flat, dtype=torch.float32)

    def times(x, w, *scales):
        return _finished(x.float() @ (w.t() if permuted else w).float(),
                         [(each, None) for each in scales], {}, torch.float32)
    for expert, (inner, *rest) in enumerate(zip(of_gated, *lists, *of_weights), first):
        gate, up, down, of_gate, of_up, of_down = rest
        gated = activation_of(activation)(times(flat, gate, of_hidden, of_gate)) * \
            times(flat, up, of_hidden, of_up)
        if isinstance(inner, float):
            inverse = 1 / inner if inner else 0.0
        else:
            inverse = torch.where(inner == 0, 0.0, inner.float().reciprocal())
        share = torch.where(table == expert, weights.float(), 0.0).sum(-1, keepdim=True)
        total = total + share * times(narrowed(_scaled(gated, inverse), torch.float8_e4m3fn), down,
                                      inner, of_down)
    return total.to(torch.bfloat16).reshape(hidden.shape)


def _fused_experts(hidden, table, weights, w12, w3, of_hidden, of_gated, of_w12, of_w3, permuted,
                   *options):
    return _experts(hidden, table, weights, (*halves(w12, permuted), w3), of_hidden, of_gated,
                    (of_w12, of_w12, of_w3), permuted, *options)


def _separate_experts(hidden, table, weights, w1, w2, w3, of_hidden, of_gated, of_w1, of_w2, of_w3,
                      *options):
    return _experts(hidden, table, weights, (w1, w2, w3), of_hidden, of_gated,
                    (of_w1, of_w2, of_w3), *options)


for _suffix, _kind in (("", "Tensor"), ("_scalars", "float")):
    for _names, _overload, _function in (("w1 w2 w3", "fp8", _separate_experts),
                                         ("w12 w3", "fp8_fused_weights", _fused_experts)):
        _names = _names.split()
        op(f"mixture_of_experts.{_overload}{_suffix}({EXPERTS}"
           f"{''.join(f'Tensor[] {each}, ' for each in _names)}{_kind} d_scale_hidden_states, "
           f"{_kind}[] d_scale_intermediate_hidden_states, "
           f"{''.join(f'{_kind}[] d_scale_{each}, ' for each in _names)}{OPTIONS}) -> Tensor")(
               _function)
        gradients(f"mixture_of_experts.{_overload}{_suffix}", _DETACHED)
