# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops over lists of tensors, _foreach_*, as the op that each of them repeats."""
from collections.abc import Callable

import torch

aten = torch.ops.aten
Tensor = torch.Tensor


def _vector_norm(x: Tensor, ord=2, dtype=None) -> Tensor:
    return torch.linalg.vector_norm(x, ord, dtype=dtype)


def _limited(of_tensors: Callable, of_number: Callable) -> Callable:
    return lambda x, other: (of_tensors if isinstance(other, Tensor) else of_number)(x, other)


def _with_value(op: Callable) -> Callable:
    def single(x: Tensor, a: Tensor, b: Tensor, value=1) -> Tensor:
        return op(x, a * value, b) if isinstance(value, Tensor) else op(x, a, b, value=value)
    return single


# What an op is called otherwise, or takes in another way.
_SINGLE = {
    "addcdiv": _with_value(torch.addcdiv), "addcmul": _with_value(torch.addcmul),
    "clamp_max": _limited(torch.minimum, torch.clamp_max),
    "clamp_min": _limited(torch.maximum, torch.clamp_min),
    "maximum": _limited(torch.maximum, torch.clamp_min),
    "minimum": _limited(torch.minimum, torch.clamp_max),
    "copy": aten.copy.default, "norm": _vector_norm, "zero": torch.zeros_like,
}


def _repeated(single: Callable, schema) -> Callable:
    """An op of lists by that of their elements; what is no list each of them gets."""
    lists = {argument.name for argument in schema.arguments
             if "List" in str(argument.real_type) or argument.name == "scalars"}
    names = [argument.name for argument in schema.arguments]

    def run(*args, **kwargs):
        count = next(len(value) for name, value in zip(names, args) if name in lists)
        taken = [value if name in lists else [value] * count for name, value in zip(names, args)]
        named = [{name: value[place] if name in lists else value for name, value in kwargs.items()}
                 for place in range(count)]
        return [single(*values, **rest) for *values, rest in zip(*taken, named)]

    return run


def table() -> dict:
    """The ops that change none of their operands."""
    prefix, found = "_foreach_", {}
    names = dir(torch._C._VariableFunctions)
    for name in {name.rstrip("_") for name in names if name.startswith(prefix)}:
        short = name.removeprefix(prefix)
        single = _SINGLE.get(short) or getattr(torch, short, None)
        packet = getattr(aten, name, None)
        if single is None or packet is None:
            continue
        for overload in (getattr(packet, each) for each in packet.overloads()):
            if not overload._schema.is_mutable:
                found[overload] = _repeated(single, overload._schema)
    return found
