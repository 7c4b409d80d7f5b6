# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evenly spaced numbers between tensors, and their powers, in f32 as PyTorch's kernels have them:
its decompositions compute in f64."""
import torch

aten = torch.ops.aten
Tensor = torch.Tensor

_FLOATS = (torch.float32, torch.bfloat16, torch.float16)
_INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def spaced(low: Tensor, high: Tensor, steps: int) -> Tensor:
    """As torch.linspace rounds them: from both ends."""
    if steps < 2:
        return low.expand(steps)
    step = (high - low) / (steps - 1)
    number = torch.arange(steps, device=low.device)
    forward = low + step * number.to(low.dtype)
    backward = high - step * (steps - 1 - number).to(low.dtype)
    return torch.where(number < steps // 2, forward, backward)


def _of(value, device) -> Tensor:
    if isinstance(value, Tensor):
        return value.to(torch.float32)
    return torch.full([], value, dtype=torch.float32, device=device)


def _between(start, end, steps: int, *, dtype=None, device=None, **options):
    dtype = dtype or torch.get_default_dtype()
    if dtype not in _FLOATS or any(isinstance(each, complex) for each in (start, end)):
        return NotImplemented
    if any(isinstance(each, Tensor) and each.is_complex() for each in (start, end)):
        return NotImplemented
    return spaced(_of(start, device), _of(end, device), steps).to(dtype)


def _powers(start, end, steps: int, base: float = 10.0, *, dtype=None, device=None, **options):
    dtype = dtype or torch.get_default_dtype()
    if not isinstance(base, (int, float)) or base < 0 or dtype not in (*_FLOATS, *_INTEGERS):
        return NotImplemented
    if any(isinstance(each, complex) or isinstance(each, Tensor) and each.is_complex() for each in (start, end)):
        return NotImplemented
    low, high = _of(start, device), _of(end, device)
    if dtype in _INTEGERS and steps != 1:  # ends are of the result's type, but a single one is not
        low, high = low.trunc(), high.trunc()
    exponents = spaced(low, high, steps)
    powers = torch.pow(base, exponents)
    if dtype in _INTEGERS:  # the fraction is cut off: not of an integer that f32 has just missed
        whole = powers.round()
        powers = torch.where((powers - whole).abs() <= 2e-7 * powers, whole, powers)
    return powers.to(dtype)


_OF_TENSORS = ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor")
TABLE = {
    **{getattr(aten.linspace, kind): _between for kind in _OF_TENSORS},
    **{getattr(aten.logspace, kind): _powers for kind in ("default", *_OF_TENSORS)},
}
