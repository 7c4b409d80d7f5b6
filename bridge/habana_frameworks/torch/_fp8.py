# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu in eight bits: casts with scales, products and convolutions, softmax, and moves.

What is read of eight bits is multiplied by a scale (the reciprocal of the one it was written with),
what is written, too. A scale is one number, a tensor, or one number for each channel; `scale_shape`
is the shape that a list of them broadcasts in, by default that of the last dimension.
"""
import torch
from torch.utils._python_dispatch import _disable_current_modes

from . import _C
from ._ops import differentiable, op

EIGHT_BITS = (torch.float8_e4m3fn, torch.float8_e5m2)


def largest(dtype: torch.dtype) -> float:
    """The largest finite number of a type of eight bits: Gaudi 2 has infinities in E4M3."""
    if dtype is torch.float8_e4m3fn and _C.kind(-1) == "gaudi2":
        return 240.0
    return torch.finfo(dtype).max


def narrowed(x, dtype: torch.dtype, is_stochastic: bool = False):
    """Rounded to a type of eight bits: beyond its largest number to that."""
    if dtype not in EIGHT_BITS:
        return x.to(dtype)
    most = largest(dtype)
    x = x.clamp(-most, most)
    return (_drawn(x.float(), dtype) if is_stochastic else x).to(dtype)


def _drawn(x, dtype: torch.dtype):
    """One of the two neighbours in the type, at random, so that the mean is x."""
    info = torch.finfo(dtype)
    power = (x.view(torch.int32) & 0x7F800000).view(torch.float32)
    step = power.clamp(min=info.smallest_normal) * info.eps
    steps = x / step
    below = torch.floor(steps)
    return (below + (torch.rand_like(steps) < steps - below).float()) * step


def _tensor(scale, shape, like, dtype: torch.dtype):
    """A scale as a tensor; None for one that changes nothing."""
    if scale is None or isinstance(scale, (int, float)) and scale == 1:
        return None
    if isinstance(scale, (int, float)):
        return torch.full((), scale, dtype=dtype, device=like.device)
    if not isinstance(scale, torch.Tensor):
        # A constant of a graph; torch.tensor writes to it, which no functional graph has.
        with _disable_current_modes():
            scale = torch.tensor(scale, dtype=torch.float32)
        scale = torch.ops.aten.lift_fresh_copy.default(scale).to(like.device)
    scale = scale.to(dtype)
    if scale.numel() == 1:
        return scale.reshape([])
    return scale if shape is None else scale.reshape(shape)


def _scaled(x, scale, shape=None):
    """x times a scale, in the type of x."""
    scale = _tensor(scale, shape, x, x.dtype)
    return x if scale is None else x * scale


def _bits(x):
    """What is stored as integers is E5M2."""
    return x.view(torch.float8_e5m2) if x.dtype is torch.int8 else x


def _amax(x, is_asked: bool):
    if not is_asked:
        return x.new_empty([0], dtype=torch.float32)
    if x.numel() == 0:
        return x.new_zeros([], dtype=torch.float32)
    return x.abs().amax().float()


# --- casts ----------------------------------------------------------------------------------------


def _cast_to(input, scale=None, stochastic_rounding=False, is_amax=False, dtype=None,
             scale_shape=None):
    stored = torch.float8_e5m2 if dtype in (None, torch.int8) else dtype
    if stored not in EIGHT_BITS:
        raise RuntimeError(f"cast_to_fp8_v2 makes float8_e4m3fn or float8_e5m2, not {dtype}")
    if not input.is_floating_point():
        raise RuntimeError(f"cast_to_fp8_v2 takes floats, not {input.dtype}")
    if input.dtype in EIGHT_BITS:
        if is_amax or input.dtype is not stored:
            raise RuntimeError(f"cast_to_fp8_v2 of {input.dtype} gives that type, and no amax; "
                               f"asked for are {dtype} and is_amax={is_amax}")
        result = input.clone() if _tensor(scale, None, input, torch.float32) is None else \
            narrowed(_scaled(input.float(), scale, scale_shape), stored, stochastic_rounding)
    else:
        result = narrowed(_scaled(input, scale, scale_shape), stored, stochastic_rounding)
    if stored is not dtype:
        result = result.view(torch.int8)
    return result, _amax(input, is_amax)


def _cast_from(input, scale, out_dtype, scale_shape=None):
    return _scaled(_bits(input).to(out_dtype), scale, scale_shape).clone()


_TO = ("bool stochastic_rounding=False, bool is_amax=False, ScalarType? dtype=None, "
       "int[]? scale_shape=None) -> (Tensor, Tensor)")
_FROM = "ScalarType out_dtype, int[]? scale_shape=None) -> Tensor"


def _keep_cast(ctx, inputs, output) -> None:
    ctx.scale, ctx.shape, ctx.dtype = inputs[1], inputs[-1], inputs[0].dtype
    ctx.count = len(inputs)
    if isinstance(output, tuple):
        ctx.mark_non_differentiable(output[1])


def _gradient_of_cast(ctx, grad, *_):
    made = torch.ops.hpu.cast_from_fp8(grad, ctx.scale, ctx.dtype, ctx.shape) \
        if grad.dtype in EIGHT_BITS else _scaled(grad.to(ctx.dtype), ctx.scale, ctx.shape)
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
    fine, amax = _cast_to(input, scale_143, False, is_amax, torch.float8_e4m3fn)
    return wide, fine, amax


@op("cast_to_fp8(Tensor input, Tensor? scale, bool stochastic_rounding, Tensor(a!) out, "
    "Tensor(b!) amax) -> (Tensor(a!), Tensor(b!))")
def cast_to_fp8(input, scale, stochastic_rounding, out, amax):
    made, most = _cast_to(input, scale, stochastic_rounding, amax.numel() > 0, out.dtype)
    return out.copy_(made), amax.copy_(most) if amax.numel() else amax


# --- products -------------------------------------------------------------------------------------


def _finished(result, scales, added, out_dtype):
    """A product in float32, times scales, and what is added to it, rounded once."""
    for scale, shape in scales:
        result = _scaled(result, scale, shape)
    for each in added:
        if each is not None:
            result = result + each.float()
    return narrowed(result, out_dtype)


def _turned(x, is_turned: bool, name: str):
    if not is_turned:
        return x
    if x.dim() < 2:
        raise RuntimeError(f"fp8_gemm_v2 transposes {name} of 2 dimensions or more, not of "
                           f"{x.dim()}")
    return x.transpose(-2, -1)


def _gemm(A, trans_A, B, trans_B, D, out_dtype, A_scale_inv=None, B_scale_inv=None, bias=None,
          accumulate=False, B_scale_shape=None):
    if accumulate and D is None:
        raise RuntimeError("fp8_gemm_v2 accumulates to D, which is None")
    A, B = _turned(_bits(A), trans_A, "A"), _turned(_bits(B), trans_B, "B")
    return _finished(torch.matmul(A.float(), B.float()),
                     ((A_scale_inv, None), (B_scale_inv, B_scale_shape)),
                     (bias, D if accumulate else None), out_dtype)


_MATRICES = ("Tensor A, bool trans_A, Tensor B, bool trans_B, Tensor{} D, ScalarType out_dtype, "
             "{} A_scale_inv{}, {} B_scale_inv{}, Tensor? bias{}, bool accumulate{}")

for _overload, _kind in (("", "Tensor?"), (".scalar", "float"), (".scalar_list", "float[]")):
    _default = "=None" if not _overload else ""
    _operands = _MATRICES.format("?", _kind, _default, _kind, _default, "=None", "=False")
    op(f"fp8_gemm_v2{_overload}({_operands}, int[]? B_scale_shape=None) -> Tensor")(_gemm)


@op(f"fp8_gemm({_MATRICES.format('', 'Tensor?', '', 'Tensor?', '', '', '')}, Tensor(a!) out) "
    "-> Tensor(a!)")
def fp8_gemm(A, trans_A, B, trans_B, D, out_dtype, A_scale_inv, B_scale_inv, bias, accumulate,
             out):
    return out.copy_(_gemm(A, trans_A, B, trans_B, D, out_dtype, A_scale_inv, B_scale_inv, bias,
                           accumulate))


def _convolution(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1,
                 out_dtype=None, scale_input=None, scale_weight=None):
    result = torch.conv2d(_bits(input).float(), _bits(weight).float(), None, stride, padding,
                          dilation, groups)
    if bias is not None:
        bias = bias.reshape([-1, 1, 1])
    return _finished(result, ((scale_input, None), (scale_weight, None)), (bias,),
                     out_dtype or torch.bfloat16)


for _overload, _kind in (("", "Tensor?"), (".scalar", "float?")):
    op(f"conv2d_fp8{_overload}(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, "
       "int[2] padding=0, int[2] dilation=1, int groups=1, ScalarType? out_dtype=None, "
       f"{_kind} scale_input=None, {_kind} scale_weight=None) -> Tensor")(_convolution)


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


@op("sum_fp8(Tensor self, int[1]? dim=None, bool keepdim=False, ScalarType? out_dtype=None) "
    "-> Tensor")
def sum_fp8(self, dim=None, keepdim=False, out_dtype=None):
    """What torch.sum gives: beyond the largest number as that has it."""
    return torch.sum(self.float(), dim, keepdim).to(out_dtype or self.dtype)


# --- moves ----------------------------------------------------------------------------------------


@op("fp8_transpose(Tensor input, Tensor(a!) out) -> Tensor(a!)")
def fp8_transpose(input, out):
    return out.copy_(input.transpose(-2, -1))


@op("fp8_permute(Tensor input, int[] dims, Tensor(a!) out) -> Tensor(a!)")
def fp8_permute(input, dims, out):
    return out.copy_(input.permute(dims))


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
