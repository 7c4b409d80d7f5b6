# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu: ops of the real card's own, by PyTorch's."""
import functools

import torch

_library = torch.library.Library("hpu", "DEF")

DECOMPOSED: dict = {}
"""Ops that graphs take apart when they are compiled: what each is then."""

WRITING: dict = {}
"""Ops that write to operands: what each is where writes are followed."""


def op(schema: str):
    """Registers a function as what an op computes. On a card the op is one launch of what its trace
    is."""
    packet, _, overload = schema.partition("(")[0].partition(".")
    name = schema.partition("(")[0]

    def register(function):
        @functools.wraps(function)
        def on_cpu(*args, **named):
            try:
                return function(*args, **named)
            except NotImplementedError as error:  # of ops that only the card has
                raise NotImplementedError(
                    f"hpu::{name} is for operands on the card, and those of this call are on the "
                    'CPU: move the model and its inputs, .to("hpu")') from error
        _library.define(schema)
        _library.impl(name, on_cpu, "CPU")
        _library.impl(name, function, "Meta")
        if "!" in schema:
            WRITING[getattr(getattr(torch.ops.hpu, packet), overload or "default")] = function
        else:
            DECOMPOSED[f"hpu::{name}"] = function
        return function
    return register


BY_CALLS: dict = {}
"""Of ops that write to operands: functions that make what is written, operand by operand, by calls
of ops."""


class _Execution:
    """Calls ops at once. A Writer of _written makes nodes of them."""

    def __call__(self, op, *args, **named):
        return op(*args, **named)

    @staticmethod
    def shape(x) -> list[int]:
        return list(x.shape)

    @staticmethod
    def dtype(x) -> torch.dtype:
        return x.dtype


def written_by(schema: str, other=None):
    """Registers such a function as an op; where it gives NotImplemented, `other` is the op."""
    name = schema.partition("(")[0]
    packet, _, overload = name.partition(".")

    def register(function):
        def run(*args, **named):
            made = function(_Execution(), *args, **named)
            if made is NotImplemented:
                other(*args, **named)
                return
            for target, value in zip(_written(target_op, args, named), made):
                target.copy_(value)
        op(schema)(run)
        target_op = getattr(getattr(torch.ops.hpu, packet), overload or "default")
        BY_CALLS[target_op] = function
        return function
    return register


def _written(target_op, args, named):
    """The tensors that a call writes to."""
    for place, parameter in enumerate(target_op._schema.arguments):
        if parameter.alias_info is not None and parameter.alias_info.is_write:
            value = args[place] if place < len(args) else named.get(parameter.name)
            yield from value if isinstance(value, (list, tuple)) else [value]


def differentiable(name: str, backward, setup_context) -> None:
    """Gives an op its gradient."""
    torch.library.register_autograd(f"hpu::{name}", backward, setup_context=setup_context,
                                    lib=_library)


_library.define("no_gradient(Tensor grad, SymInt[] size, ScalarType dtype, str message) -> Tensor")
_library.impl("no_gradient", lambda grad, size, dtype, message: grad.new_empty(size, dtype=dtype),
              "Meta")
no_gradient = torch.ops.hpu.no_gradient
"""A gradient that an op lacks: the backward pass that wants it fails, not the graph it is in."""


def _no_gradient(grad, size, dtype, message: str):
    raise RuntimeError(message)


for _key in ("CPU", "HPU"):
    _library.impl("no_gradient", _no_gradient, _key)


def _nibbles(packed: torch.Tensor) -> torch.Tensor:
    """Eight numbers of four bits for each of 32, the lowest bits first."""
    shifts = torch.arange(0, 32, 4, dtype=torch.int32, device=packed.device)
    return ((packed.unsqueeze(-1) >> shifts) & 15).flatten(-2)


def _of_rows(groups: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """What equal groups of rows have, for each row."""
    count, rows = (each.shape[0] if each.dim() else 1 for each in (groups, values))
    if groups.dim() != values.dim() or count in (1, rows) or rows % count:
        return groups  # broadcast
    return groups.unsqueeze(1).expand(-1, rows // count, *groups.shape[1:]).flatten(0, 1)


def _convert(packed, scale, zero_point, out_dtype, numbers) -> torch.Tensor:
    values = numbers(packed)
    if zero_point is None:
        values = values.to(out_dtype)
    elif zero_point.dtype == torch.int32:  # packed as well
        values = (values - _of_rows(numbers(zero_point), values)).to(out_dtype)
    else:
        values = values.to(out_dtype) - _of_rows(zero_point, values)
    return values * _of_rows(scale, values)


@op("convert_from_uint4(Tensor input, Tensor scale, Tensor? zero_point, ScalarType out_dtype) "
     "-> Tensor")
def convert_from_uint4(input, scale, zero_point, out_dtype):
    return _convert(input, scale, zero_point, out_dtype, _nibbles)


@op("convert_from_int4(Tensor input, Tensor scale, Tensor? zero_point, ScalarType out_dtype) "
     "-> Tensor")
def convert_from_int4(input, scale, zero_point, out_dtype):
    return _convert(input, scale, zero_point, out_dtype, lambda packed: (_nibbles(packed) ^ 8) - 8)


@op("plain_index(Tensor self, Tensor[] indices) -> Tensor")
def plain_index(self, indices):
    return torch.ops.aten.index.Tensor(self, indices)


@op("kv_reorder(Tensor self, Tensor start, Tensor end, Tensor beam_idx) -> Tensor")
def kv_reorder(self, start, end, beam_idx):
    """Of each batch the four beams (axis 1), in the rows [start, end) of the last axis but one,
    become those that its `beam_idx` names: two bits each, those of beam 0 on top."""
    shifts = torch.arange(6, -1, -2, dtype=torch.int32, device=self.device)
    beams = (beam_idx.int().unsqueeze(-1) >> shifts) & 3
    rows = torch.arange(self.shape[-2], dtype=torch.int32, device=self.device)
    inside = (rows >= start.unsqueeze(-1)) & (rows < end.unsqueeze(-1))
    inside = inside.reshape(-1, *[1] * (self.dim() - 3), self.shape[-2], 1)
    beams = beams.long().reshape(-1, 4, *[1] * (self.dim() - 2)).expand(self.shape)
    wide = self.float() if self.is_floating_point() and self.dtype.itemsize == 1 else self
    return torch.where(inside, wide.gather(1, beams), wide).to(self.dtype)


@op("kv_reorder_(Tensor(a!) self, Tensor start, Tensor end, Tensor beam_idx) -> Tensor(a!)")
def kv_reorder_(self, start, end, beam_idx):
    return self.copy_(torch.ops.hpu.kv_reorder(self, start, end, beam_idx))


# --- PyTorch's names for a convolution of a device that writes its own ----------------------------

_aten = torch.library.Library("aten", "IMPL")


def _convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding,
                 groups):
    return torch.ops.aten.convolution(input, weight, bias, stride, padding, dilation, transposed,
                                      output_padding, groups)


def _convolution_backward(grad_output, input, weight, stride, padding, dilation, transposed,
                          output_padding, groups, output_mask):
    sizes = [weight.shape[1] * groups if transposed else weight.shape[0]]
    return torch.ops.aten.convolution_backward(
        grad_output, input, weight, sizes, stride, padding, dilation, transposed, output_padding,
        groups, output_mask)


for _name, _function in (("convolution_overrideable", _convolution),
                         ("convolution_backward_overrideable", _convolution_backward)):
    for _key in ("HPU", "Meta"):
        _aten.impl(_name, _function, _key)
    DECOMPOSED[f"aten::{_name}"] = _function
