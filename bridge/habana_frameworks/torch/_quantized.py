# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""quantized_decomposed in eight bits: what is quantized is cast, as cast_to_fp8_v2 does it.
PyTorch's own functions round to whole numbers before they cast to any type."""
import torch

from ._fp8 import EIGHT_BITS, narrowed
from ._ops import DECOMPOSED

_library = torch.library.Library("quantized_decomposed", "IMPL", "HPU")


def _number(value, name: str, op: str):
    """A number, or a tensor of one, that broadcasts with any shape."""
    if not isinstance(value, torch.Tensor):
        return value
    if value.numel() != 1:
        raise ValueError(f"{op} takes one {name}, not a tensor of shape {list(value.shape)}; "
                         "quantize_per_channel takes more")
    return value.reshape([])


def _of_channels(values, x, axis: int):
    """One of each channel, or one of all."""
    shape = [1] * x.dim()
    shape[axis] = -1
    return values.reshape(shape)


def _quantized(x, scale, zero_point, quant_min, quant_max, dtype):
    x = x.float() * (1.0 / scale)
    if isinstance(zero_point, torch.Tensor) or zero_point:
        x = x + zero_point
    return narrowed(torch.clamp(x, quant_min, quant_max), dtype)


def _per_tensor(input, scale, zero_point, quant_min, quant_max, dtype):
    rest = [_number(value, name, "quantize_per_tensor") for value, name in (
        (scale, "scale"), (zero_point, "zero point"), (quant_min, "smallest number"),
        (quant_max, "largest number"))]
    return _quantized(input, *rest, dtype)


def _per_channel(input, scales, zero_points, axis, quant_min, quant_max, dtype):
    return _quantized(input, _of_channels(scales, input, axis),
                      _of_channels(zero_points, input, axis), quant_min, quant_max, dtype)


def _from_channels(input, scales, zero_points, axis, quant_min, quant_max, dtype, *,
                   out_dtype=None):
    x = input.float()
    if zero_points is not None:
        x = x - _of_channels(zero_points, input, axis)
    return (x * _of_channels(scales, input, axis)).to(out_dtype or torch.float32)


def _register(name: str, function) -> None:
    def run(*args, **named):
        dtype = named["dtype"] if "dtype" in named else args[-1]
        return function(*args, **named) if dtype in EIGHT_BITS else NotImplemented

    def kernel(*args, **named):
        made = run(*args, **named)
        if made is NotImplemented:  # whole numbers
            from torch.ao.quantization.fx import _decomposed
            made = getattr(_decomposed, name.replace(".", "_"))(*args, **named)
        return made
    _library.impl(name, kernel)
    DECOMPOSED[f"quantized_decomposed::{name}"] = run


for _name in ("quantize_per_tensor", "quantize_per_tensor.tensor", "quantize_per_tensor.tensor2"):
    _register(_name, _per_tensor)
_register("quantize_per_channel", _per_channel)
_register("dequantize_per_channel", _from_channels)
