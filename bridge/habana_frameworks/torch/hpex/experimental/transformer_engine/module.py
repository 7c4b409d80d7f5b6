# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear layer whose three products are of eight bits."""
import math
from typing import NamedTuple

import torch
from torch.nn import functional

from .base import Pass, TransformerEngineBaseModule
from .fp8 import get_fp8_te_dtype, get_fp8_te_sr
from .utils import FP8BwdTensors, FP8FwdTensors

_INPUT, _WEIGHT = FP8FwdTensors.GEMM1_INPUT, FP8FwdTensors.GEMM1_WEIGHT


class _Weight(NamedTuple):
    """A weight in eight bits for the forward and for the backward pass, and the reciprocals of the
    scales it was cast with: those of later steps may be others."""
    narrow: torch.Tensor
    wide: torch.Tensor
    inverse: torch.Tensor
    wide_inverse: torch.Tensor


def _inverses(step: Pass, column: int):
    wide = step.scale_inv if step.wide_scale_inv is None else step.wide_scale_inv
    return step.scale_inv[column], wide[column]


def cast(x, column: int, step: Pass):
    """x in the type of the forward pass and in the type of the backward pass, and its largest
    magnitude. Both are one tensor unless the format is HYBRID."""
    dtype, is_random = get_fp8_te_dtype(step.recipe), get_fp8_te_sr(step.recipe)
    is_measured = step.is_measured_forward
    if step.wide_scale is not None:
        wide, fine, amax = torch.ops.hpu.cast_to_fp8_hybrid(
            x, step.wide_scale[column], step.scale[column], is_random, is_measured)
        return fine, wide, amax
    made, amax = torch.ops.hpu.cast_to_fp8_v2(x, step.scale[column], is_random, is_measured, dtype)
    return made, made, amax


def gemm(a, a_inv, b, b_inv, dtype, bias=None, turned=(False, False)):
    return torch.ops.hpu.fp8_gemm_v2(a, turned[0], b, turned[1], None, dtype, a_inv, b_inv, bias,
                                     False)


def _forward(x, weight, kept, bias, dtype, step: Pass):
    """The product; the input as the backward pass takes it; the weight; the magnitudes of both by
    column. `kept` is the weight in eight bits, if it is not cast."""
    narrow, wide, amax = cast(x, _INPUT, step)
    amaxes = {_INPUT: amax}
    if kept is None:
        *made, amaxes[_WEIGHT] = cast(weight, _WEIGHT, step)
        kept = _Weight(*made, *_inverses(step, _WEIGHT))
    made = gemm(narrow, step.scale_inv[_INPUT], kept.narrow, kept.inverse, dtype,
                None if bias is None else bias.to(dtype), (False, True))
    return made, wide, kept, amaxes


def _backward(grad, x, x_inv, weight, weight_inv, scale, scale_inv, step: Pass, dtypes, wanted):
    """Gradients of input, weight and bias, and the largest magnitude of `grad`."""
    narrow, amax = torch.ops.hpu.cast_to_fp8_v2(
        grad, scale, get_fp8_te_sr(step.recipe, False), step.is_measured,
        get_fp8_te_dtype(step.recipe, False))
    of_x = gemm(narrow, scale_inv, weight, weight_inv, dtypes[0]) if wanted[0] else None
    of_weight = gemm(narrow, scale_inv, x, x_inv, dtypes[1], None, (True, False)) \
        if wanted[1] else None
    return of_x, of_weight, grad.float().sum(0) if wanted[2] else None, amax


_compiled: dict = {}


def in_graphs(function):
    """The function as a graph of torch.compile, of any number of sizes."""
    if function not in _compiled:
        _compiled[function] = torch.compile(function, backend="hpu_backend", dynamic=False,
                                            recompile_limit=2 ** 20)
    return _compiled[function]


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, layer, step, is_first_microbatch, dtype, is_compiled):
        flat = x.to(dtype).reshape(-1, x.shape[-1])
        kept = layer._weights[1] if is_first_microbatch is False else None
        run = in_graphs(_forward) if is_compiled else _forward
        made, wide, kept, amaxes = run(flat, weight, kept, bias, dtype, step)
        if step.is_measured_forward:
            layer._measured("scaling_fwd", "FWD", step, amaxes)
        if is_first_microbatch:
            layer._weights = step.recipe.fp8_format, kept
        if any(ctx.needs_input_grad):
            # The weight itself says what its cast was; a cast that is kept anyway costs nothing.
            is_cast_again = layer.minimize_memory and is_first_microbatch is None
            ctx.save_for_backward(wide, weight if is_cast_again else kept.wide,
                                  kept.wide_inverse, bias)
            ctx.state = layer, step, is_cast_again, dtype, is_compiled, weight.dtype
            ctx.given = x.shape, x.dtype
        return made.reshape(*x.shape[:-1], made.shape[-1])

    @staticmethod
    def backward(ctx, grad):
        layer, step, is_cast_again, dtype, is_compiled, weight_dtype = ctx.state
        x, weight, weight_inv, bias = ctx.saved_tensors
        if is_cast_again:
            weight = cast(weight, _WEIGHT, step._replace(is_again=True))[1]
        meta = layer._begin_backward(step)
        column = FP8BwdTensors.GRAD_OUTPUT1
        run = in_graphs(_backward) if is_compiled else _backward
        of_x, of_weight, of_bias, amax = run(
            grad.to(dtype).reshape(-1, grad.shape[-1]), x, _inverses(step, _INPUT)[1], weight,
            weight_inv, meta.scale[column], meta.scale_inv[column], step, (dtype, weight_dtype),
            ctx.needs_input_grad[:3])
        if step.is_measured:
            layer._measured("scaling_bwd", "BWD", step, {column: amax})
        shape, given = ctx.given
        return (None if of_x is None else of_x.reshape(shape).to(given), of_weight,
                None if of_bias is None else of_bias.to(bias.dtype), *[None] * 5)


class Linear(TransformerEngineBaseModule):
    """torch.nn.Linear, whose products are of eight bits in fp8_autocast(enabled=True). Parameters
    are made on the card. A layer with skip_weight_param_allocation gets weight and bias by each
    call. With minimize_memory the backward pass casts the weight again instead of keeping it.

    A call with is_first_microbatch=True keeps the cast weight and its scales, and one with False
    takes them: a weight that changes once in some calls is cast once. Where the format is another
    one by then it is cast anew."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True,
                 skip_weight_param_allocation: bool = False, minimize_memory: bool = False,
                 params_dtype: torch.dtype | None = None, device="hpu", **options) -> None:
        super().__init__()
        if options:
            raise NotImplementedError("gaudi-mlir does not emulate these options of "
                                      f"transformer_engine.Linear: {', '.join(options)}; leave them "
                                      "out")
        self.in_features, self.out_features = in_features, out_features
        self.minimize_memory = minimize_memory
        self._weights = None
        kind = {"dtype": params_dtype, "device": device}
        for name, shape in (("weight", (out_features, in_features)), ("bias", (out_features,))):
            is_there = not skip_weight_param_allocation and (bias or name == "weight")
            self.register_parameter(name, torch.nn.Parameter(torch.empty(shape, **kind))
                                    if is_there else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """As torch.nn.Linear does it."""
        if self.weight is None:
            return
        torch.nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            torch.nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, inp, weight=None, bias=None, is_first_microbatch: bool | None = None):
        weight = self.weight if weight is None else weight
        bias = self.bias if bias is None else bias
        if weight is None:
            raise ValueError("transformer_engine.Linear with skip_weight_param_allocation=True: "
                             "pass the weight to each call, layer(x, weight)")
        if not self._is_fp8():
            return functional.linear(inp, weight, bias)
        return self._run(inp, weight, bias, is_first_microbatch, torch.compiler.is_compiling())

    @torch._dynamo.disable
    def _run(self, inp, weight, bias, is_first_microbatch, is_compiled):
        if inp.device.type != "hpu" or weight.device.type != "hpu":
            raise ValueError("transformer_engine.Linear in fp8_autocast computes on hpu; its input "
                             f"is on {inp.device}, its weight on {weight.device}: move both, "
                             '.to("hpu")')
        if inp.shape[-1] != weight.shape[-1]:
            raise ValueError(f"transformer_engine.Linear of {weight.shape[-1]} features gets an "
                             f"input of shape {list(inp.shape)}")
        dtype = torch.get_autocast_dtype("hpu") if torch.is_autocast_enabled("hpu") else inp.dtype
        step = self._begin(inp.device)
        if is_first_microbatch is False and \
                (self._weights is None or self._weights[0] is not step.recipe.fp8_format):
            is_first_microbatch = True
        with torch.autocast("hpu", enabled=False):
            return _Product.apply(inp, weight, bias, self, step, is_first_microbatch, dtype,
                                  is_compiled)

    def set_extra_state(self, state: dict) -> None:
        super().set_extra_state(state)
        self._weights = None  # what was cast is no more what the weight is

    def extra_repr(self) -> str:
        return (f"in_features={self.in_features}, out_features={self.out_features}, "
                f"bias={self.bias is not None}")
