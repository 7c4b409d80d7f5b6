# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of errors about arguments: what was found, what is expected, the next step.

The extension module calls these functions when it refuses a value.
"""

from __future__ import annotations

import difflib
from typing import Any, Iterable, Sequence

from .errors import ArgumentError


def _kind(value: Any) -> str:
    kind = type(value)
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _library(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def _conversion(value: Any, name: str, scalar_type: type) -> str:
    """Code that converts `value` to the type, in the words of its library."""
    type_name = scalar_type.__name__.rstrip("_")
    if _library(value) == "torch":
        return f"{name}.to(torch.{type_name})"
    if _library(value) in ("jax", "jaxlib"):
        return f"{name}.astype(jax.numpy.{type_name})"
    module = "ml_dtypes" if scalar_type.__module__ == "ml_dtypes" else "numpy"
    type_name += "_" if type_name == "bool" else ""
    return f"{name}.astype({module}.{type_name})"


def _variable(name: str) -> str:
    return name if name.isidentifier() else "array"


# What is wrong with an array, in the words of a binding or of an operand.
_ARRAYS = {
    "not_an_array": "{role} '{name}' is a {kind}, which is not an array; expected {expected}: a "
                    "NumPy array or an object with __dlpack__, such as numpy.asarray(value, "
                    "dtype={numpy_type})",
    "wrong_type": "{role} '{name}' has elements of type {value.dtype}; expected {type} "
                  "({expected}); values are not converted silently: {conversion}",
    "wrong_output": "output '{name}' has elements of type {value.dtype}; expected {type} "
                    "({expected}); pass an array of that type, or None for a new one",
    "wrong_device": "{role} '{name}' is on {device}, but expected in memory of the CPU: pass "
                    "{variable}{copy}",
    "read_only": "{role} '{name}' is a {kind} that cannot be written; pass a writable array, or "
                 "None for a new one",
    "unaligned": "elements of {role} '{name}' are not aligned to their size; pass a copy: "
                 "{variable}.copy()",
    "masked": "{role} '{name}' is a masked array, whose mask would be ignored; pass "
              "{variable}.filled(value)",
    "without_memory": "{role} '{name}' is a {kind} without memory of its own; pass a tensor with "
                      "values",
    "negated": "{role} '{name}' is a view whose memory holds the negated values; pass "
               "{variable}.resolve_neg()",
    "unreadable": "{role} '{name}' cannot be read as {expected}: {reason}",
}


def wrong_array(problem: str, role: str, name: str, value: Any, expected: str, scalar_type: type,
                reason: Any) -> ArgumentError:
    """`problem` is a key of _ARRAYS, `reason` what the array raised, if it did."""
    if problem == "unreadable" and reason is None:
        try:
            value.__dlpack__()
            reason = "DLPack cannot describe its elements"
        except Exception as raised:  # what the object itself says
            reason = raised
    if problem == "wrong_type" and role == "output":  # a converted copy would get the values
        problem = "wrong_output"
    module = "ml_dtypes" if scalar_type.__module__ == "ml_dtypes" else "numpy"
    error = ArgumentError(_ARRAYS[problem].format(
        role=role, name=name, value=value, kind=_kind(value), variable=_variable(name),
        expected=expected, type=scalar_type.__name__.rstrip("_"),
        numpy_type=f"{module}.{scalar_type.__name__}",
        conversion=_conversion(value, _variable(name), scalar_type),
        device=getattr(value, "device", "another device"),
        copy=".cpu()" if _library(value) == "torch" else " copied to the CPU",
        reason=str(reason).partition("\n")[0]))
    error.__cause__ = reason if isinstance(reason, BaseException) else None
    return error


def wrong_option(name: str, value: Any, expected: str) -> ArgumentError:
    text = repr(value)
    text = text if len(text) <= 60 else f"{text[:57]}..."
    return ArgumentError(f"{name}={text} is a {_kind(value)}; expected {expected}")


def strided_binding(name: str) -> ArgumentError:
    return ArgumentError(
        f"binding '{name}' is not dense; bind a copy: gaudi_mlir.aligned({_variable(name)})")


def bound_twice(name: str, entry: str) -> ArgumentError:
    return ArgumentError(f"input '{name}' of entry '{entry}' is bound twice; name it once")


def missing_input(name: str, expected: str, entry: str) -> ArgumentError:
    return ArgumentError(f"no value for input '{name}' of entry '{entry}'; expected {expected}")


def bound_input(name: str) -> ArgumentError:
    return ArgumentError(
        f"input '{name}' is bound to an array since the recipe was loaded; leave it out, or pass "
        f"None")


def _names(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names[:12]]
    if len(names) > 12:
        quoted.append(f"and {len(names) - 12} more")
    return ", ".join(quoted) if names else "none"


def unknown_names(role: str, given: dict[Any, Any], names: Sequence[str],
                  entry: str) -> ArgumentError:
    unknown = [str(name) for name in given if name not in names]
    return ArgumentError(
        f"entry '{entry}' has no {role} {_names(unknown)}; its {role}s: {_names(names)}")


def wrong_count(role: str, count: int, names: Sequence[str], bound: int,
                entry: str) -> ArgumentError:
    expected = str(len(names))
    if bound:
        expected = f"{len(names) - bound} (without those bound) or {len(names)}"
    return ArgumentError(
        f"{_count(count, role)} given, but entry '{entry}' expects {expected}: {_names(names)}")


def wrong_address_count(role: str, count: int, expected: int, entry: str) -> ArgumentError:
    return ArgumentError(
        f"{_count(count, 'address')} of {role}s given, but entry '{entry}' has "
        f"{_count(expected, role)}")


def dynamic_address(role: str, name: str, expected: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is {expected}, so that an address does not tell its size; use run()")


def not_a_list(role: str, value: Any, is_array: bool) -> ArgumentError:
    hint = f"; for one array pass [{role[:-1]}]" if is_array else ""
    return ArgumentError(
        f"{role} must be a list or tuple of arrays, or a dict of arrays by name, but it is a "
        f"{_kind(value)}{hint}")


def unknown_entry(entry: Any, names: Sequence[str]) -> ArgumentError:
    if entry is None:
        return ArgumentError(f"the recipe has {len(names)} entries; choose one with entry=: "
                             f"{_names(names)}")
    return ArgumentError(f"no entry {entry!r}; entries: {_names(names)}")


def unknown_state(state: Any, names: Sequence[str]) -> ArgumentError:
    return ArgumentError(f"no state {state!r}; states: {_names(names)}")


def unknown_binding(name: Any, names: Sequence[str], entry: str) -> ArgumentError:
    return ArgumentError(
        f"cannot bind {name!r}: entry '{entry}' has no such input; its inputs: {_names(names)}")


def wrong_sizes(sizes: Any, symbols: Sequence[str], entry: str) -> ArgumentError:
    given = _names([str(name) for name in sizes])
    if not symbols:
        return ArgumentError(f"sizes {given} given, but all sizes of entry '{entry}' are static; "
                             "leave sizes= out")
    return ArgumentError(
        f"sizes {given} given, but the symbols of entry '{entry}' are: {_names(symbols)}")


def path_as_text(text: str) -> ArgumentError:
    return ArgumentError(
        f"the module is the str {text!r}, which is MLIR text, not a path; to read a file pass "
        f"pathlib.Path({text!r})")


def recipe_as_module(name: str) -> ArgumentError:
    return ArgumentError(f"{name} is a recipe already; read it with gaudi_mlir.Recipe.load")


def not_a_module(module: Any) -> ArgumentError:
    kind = _kind(module)
    route = "text, bytes, a path or an MLIR module object is expected"
    if kind == "gaudi_mlir.recipe.Recipe":
        route = "it is compiled already; pass the model that it was compiled from"
    elif callable(getattr(module, "state_dict", None)):
        route = "a PyTorch model goes through torch.compile(model, backend=\"gaudi\") or " \
                "gaudi_mlir.torch.export"
    elif hasattr(module, "compiler_ir") or _library(module) in ("jax", "jaxlib"):
        route = "a function of JAX goes through gaudi_mlir.jax"
    elif _library(module) == "onnx":
        route = "a model of ONNX goes through gaudi_mlir.onnx"
    elif callable(module):
        route = "a function of JAX goes through gaudi_mlir.jax, a model of PyTorch through " \
                "torch.compile(model, backend=\"gaudi\")"
    return ArgumentError(f"cannot compile an object of type {kind}: {route}")


def resource_not_dense(name: str) -> ArgumentError:
    return ArgumentError(
        f"resource '{name}' is not dense in memory of the CPU; pass a contiguous copy, such as "
        f"numpy.ascontiguousarray(array)")


def resource_not_an_array(name: str, value: Any) -> ArgumentError:
    return ArgumentError(
        f"resource '{name}' is a {_kind(value)}; expected a NumPy array or an object with "
        f"__dlpack__")


def closed_device() -> ArgumentError:
    return ArgumentError("the device is closed, and so is all that belongs to it; "
                         "read its arrays before, or open another: gaudi_mlir.device.open()")


def unknown_host_clock(given: Any) -> ArgumentError:
    return ArgumentError(f"host_clock={given!r}; expected 'table' or 'measured'")


def unknown_event_clock(given: Any) -> ArgumentError:
    return ArgumentError(f"event_clock={given!r}; expected 'card' or 'host'")


def wrong_seed_array(given: str) -> ArgumentError:
    return ArgumentError(f"a seed is drawn into two arrays of one i64, not into {given}")


def second_trace() -> ArgumentError:
    return ArgumentError("a trace of the device is under way: it has one at a time")


def unknown_dtype(dtype: Any, known: Sequence[Any]) -> ArgumentError:
    return ArgumentError(
        f"the card has no elements of type {dtype}, only {', '.join(map(str, known))}")


def negative_size(shape: Sequence[int]) -> ArgumentError:
    return ArgumentError(f"shape {tuple(shape)} has a negative size")


def too_large(shape: Sequence[int], dtype: Any) -> ArgumentError:
    return ArgumentError(f"an array of shape {tuple(shape)} and type {dtype} has more bytes than 64 "
                         "bits can count; give it a smaller shape")


def wrong_seed(value: Any) -> ArgumentError:
    return ArgumentError(f"seed {value!r} is no integer from -2**63 to 2**64 - 1")


def wrong_host_shape(name: str, array: Any, expected: str) -> ArgumentError:
    return ArgumentError(f"array '{name}' has shape {tuple(array.shape)}; expected {expected}")


def host_not_dense(name: str) -> ArgumentError:
    return ArgumentError(f"array '{name}' is not dense; pass a contiguous copy, such as "
                         f"numpy.ascontiguousarray({_variable(name)})")


def wrong_source(expected: str, given: str) -> ArgumentError:
    return ArgumentError(f"a copy of a {given} to a {expected}; both have one type and shape")


def not_callable(given: Any) -> ArgumentError:
    return ArgumentError(f"a {_kind(given)} cannot be called; expected a function")


def without_address(role: str, name: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is a state or constant, which the program has; pass None for it")


def missing_device_input(name: str, expected: str) -> ArgumentError:
    return ArgumentError(f"no array for input '{name}'; expected a DeviceArray of {expected}")


def not_on_device(role: str, name: str, value: Any, expected: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is a {_kind(value)}; expected a DeviceArray of {expected}, such as "
        f"device.array(value)")


def wrong_device_array(role: str, name: str, given: str, expected: str) -> ArgumentError:
    return ArgumentError(f"{role} '{name}' is a {given}; expected {expected}")


def of_another_device(role: str, name: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is in the memory of another device than the program; copy it: "
        f"device.array({_variable(name)}.numpy())")


def permuted_on_device(role: str, name: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is stored in another order than that of its dimensions; compile the "
        f"model without allow_permutation")


def apart_on_device(role: str, name: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' shares memory with another tensor of the entry; pass one array for both")


def not_captured() -> ArgumentError:
    return ArgumentError("the graph can be replayed after its capture has ended well")


def _count(count: int, noun: str) -> str:
    """`count` with its noun: "1 input", "2 addresses"."""
    ending = "" if count == 1 else "es" if noun.endswith("s") else "s"
    return f"{count} {noun}{ending}"


def unknown_option(name: str, options: Iterable[str],
                   function: str = "gaudi_mlir.compile") -> TypeError:
    known = list(options)
    near = difflib.get_close_matches(name, known, 1)
    takes = f"it takes {', '.join(known)}" if known else "it takes none"
    hint = f"did you mean '{near[0]}'?" if near else takes
    return TypeError(f"'{name}' is no option of {function}; {hint}")


def wrong_bytes(name: str, value: object) -> ArgumentError:
    return ArgumentError(f"{name} is {value!r}; expected bytes, as a number that is not negative or "
                         "as text (\"64GiB\")")
