# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of errors about arguments: what was found, what is expected, the next step.

The extension module calls these functions when it refuses a value.
"""

from __future__ import annotations

import errno
import opcode
import operator
import os
import stat
import sys
from typing import Any, Iterable, Sequence

from . import _text
from .errors import ArgumentError, ArgumentTypeError, FileError


def _kind(value: Any) -> str:
    kind = type(value)
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _a(value: Any) -> str:
    """"a str", "an int", "None"."""
    if value is None:
        return "None"
    kind = _kind(value)
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _meant(name: Any, known: Iterable[Any]) -> str:
    """" (did you mean 'batch'?)", if one of them is near."""
    hint = _text.meant(str(name), map(str, known))
    return f" ({hint})" if hint else ""


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
    "not_an_array": "{role} '{name}' is {kind}, which is not an array; expected {expected}: a "
                    "NumPy array or an object with __dlpack__, such as numpy.asarray(value, "
                    "dtype={numpy_type})",
    "wrong_type": "{role} '{name}' has elements of type {value.dtype}; expected {type} "
                  "({expected}); values are not converted silently: {conversion}",
    "wrong_output": "output '{name}' has elements of type {value.dtype}; expected {type} "
                    "({expected}); pass an array of that type, or None for a new one",
    "wrong_device": "{role} '{name}' is on {device}, but expected in memory of the CPU: pass "
                    "{variable}{copy}",
    "read_only": "{role} '{name}' is {kind} that cannot be written; pass a writable array, or "
                 "None for a new one",
    "unaligned": "elements of {role} '{name}' are not aligned to their size; pass a copy: "
                 "{variable}.copy()",
    "masked": "{role} '{name}' is a masked array, whose mask would be ignored; pass "
              "{variable}.filled(value)",
    "sparse": "{role} '{name}' is a sparse tensor; pass {variable}.to_dense()",
    "without_memory": "{role} '{name}' is {kind} without memory of its own; pass a tensor with "
                      "values",
    "negated": "{role} '{name}' is a view whose memory holds the negated values; pass "
               "{variable}.resolve_neg()",
    "unreadable": "{role} '{name}' cannot be read as {expected}: {reason}; pass a NumPy array",
}


def wrong_array(problem: str, role: str, name: str, value: Any, expected: str, scalar_type: type,
                reason: Any) -> ArgumentError:
    """`problem` is a key of _ARRAYS, `reason` what the array raised, if it did."""
    if problem == "unreadable" and _library(value) == "torch":
        if str(value.layout) != "torch.strided":
            problem = "sparse"
        elif value.device.type not in ("cpu", "meta"):
            problem = "wrong_device"
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
        role=role, name=name, value=value, kind=_a(value), variable=_variable(name),
        expected=expected, type=scalar_type.__name__.rstrip("_"),
        numpy_type=f"{module}.{scalar_type.__name__}",
        conversion=_conversion(value, _variable(name), scalar_type),
        device=getattr(value, "device", "another device"),
        copy=".cpu()" if _library(value) == "torch" else " copied to the CPU",
        reason=str(reason).partition("\n")[0]))
    says_why = problem == "unreadable"  # else the message does, in other words
    error.__cause__ = reason if says_why and isinstance(reason, BaseException) else None
    return error


def wrong_option(name: str, value: Any, expected: str) -> ArgumentError:
    # That a number is one is not what is wrong.
    kind = "" if value is None or isinstance(value, (bool, int, float)) else f" is {_a(value)}"
    return ArgumentError(f"{name}={shown(value)}{kind}; expected {expected}")


def wrong_argument(function: str, name: str, value: Any, expected: str,
                   has_path: bool = False) -> ArgumentError:
    """`has_path`: whether the function takes the name of a file besides."""
    hint = f"; to write a file, path={shown(value)}" if isinstance(value, str) and has_path else ""
    return ArgumentTypeError(f"{function}: {wrong_option(name, value, expected).message}{hint}")


def wrong_call(function: str, problem: str, takes: str) -> ArgumentError:
    return ArgumentTypeError(f"{function}: {problem}; call it as {function}({takes})")


def unreadable(path: Any, error: OSError) -> FileError:
    """Of a file that the package opens for its caller."""
    return FileError(_text.unreadable(os.fsdecode(path), error))


def check_readable(path: Any) -> None:
    """Raises the error of a file that is not there, is a folder, or must not be read; opens none,
    which may be a pipe."""
    try:
        is_folder = stat.S_ISDIR(os.stat(path).st_mode)
        code = errno.EISDIR if is_folder else 0 if os.access(path, os.R_OK) else errno.EACCES
        if code:
            raise OSError(code, os.strerror(code))
    except OSError as error:
        raise unreadable(path, error) from None


def unmade(option: str, path: Any, error: OSError) -> FileError:
    """Of a folder that an option names."""
    reason = "it is a file" if isinstance(error, FileExistsError) else error.strerror
    return FileError(f"{option}: the folder '{os.fsdecode(path)}' cannot be made: {reason}; name one in a "
                     "place that you may write to")


# Where functions are that are looked for elsewhere.
_ELSEWHERE = {
    "gaudi_mlir.export": "gaudi_mlir.torch.export(model, args)",
    "gaudi_mlir.load": "gaudi_mlir.Recipe.load(path)",
    "gaudi_mlir.open": "gaudi_mlir.device.open()",
    "gaudi_mlir.predict": "gaudi_mlir.compile(module).predict()",
    "gaudi_mlir.run": "gaudi_mlir.compile(module).run(inputs)",
    "gaudi_mlir.torch.compile": 'torch.compile(model, backend="gaudi")',
}


def is_imported(depth: int) -> bool:
    """Whether that frame, counted from the caller, is at "from MODULE import NAME", which drops the
    text of an AttributeError."""
    frame = sys._getframe(depth)
    return opcode.opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM"


def no_attribute(module: str, name: str, known: Iterable[str]) -> Exception:
    """Raised by __getattr__ of a module."""
    place = _ELSEWHERE.get(f"{module}.{name}")
    hint = f"; write {place}" if place else "" if name.startswith("_") else \
        _meant(name, (each for each in known if not each.startswith("_")))
    kind = ImportError if is_imported(3) else AttributeError
    return kind(f"module {module!r} has no attribute {name!r}{hint}")


def strided_binding(name: str) -> ArgumentError:
    return ArgumentError(
        f"binding '{name}' is not dense; bind a copy: gaudi_mlir.aligned({_variable(name)})")


def bound_twice(name: str, entry: str) -> ArgumentError:
    return ArgumentError(f"input '{name}' of entry '{entry}' is bound twice; name it once")


def missing_input(name: str, expected: str, entry: str) -> ArgumentError:
    return ArgumentError(f"no value for input '{name}' of entry '{entry}'; pass an array of "
                         f"{expected}")


def bound_input(name: str) -> ArgumentError:
    return ArgumentError(
        f"input '{name}' is bound to an array since the recipe was loaded; leave it out, or pass "
        f"None")


def not_a_recipe(core: Any) -> ArgumentError:
    """Of the constructor, which takes what the extension module makes."""
    made = "gaudi_mlir.Recipe.from_bytes(data) takes bytes" if isinstance(core, bytes) else \
        f"gaudi_mlir.Recipe.load({core!r}) reads a file"
    return ArgumentTypeError(f"gaudi_mlir.Recipe({shown(core)}) makes no recipe: {made}")


def check_replaced(path: Any) -> None:
    """Raises if a recipe would replace a file that is a model by its name and no recipe."""
    name = os.fsdecode(path)
    if not name.endswith((".mlir", ".mlirbc", ".onnx", ".pt", ".pt2", ".py", ".safetensors")):
        return
    try:
        with open(name, "rb") as file:
            is_recipe = file.read(8) in (b"GAUDIREC", b"")
    except OSError:
        return
    if not is_recipe:
        raise FileError(f"'{name}' exists, and is no recipe, so that it is not replaced; choose another "
                        f"name, such as '{os.path.splitext(name)[0]}.recipe'")


def shapes_hint(inputs: Any, expected: Sequence[tuple[str, tuple[Any, ...]]]) -> str:
    """What helps if the arrays of a list have the shapes of inputs in another order, or those of an
    input the other way round."""
    given = [getattr(each, "shape", None) for each in inputs] \
        if isinstance(inputs, (list, tuple)) else []
    shapes = [tuple(shape) for _, shape in expected]
    if isinstance(inputs, dict):
        given = [getattr(inputs.get(name), "shape", None) for name, _ in expected]
    given = [None if each is None else tuple(each) for each in given]
    if len(given) != len(shapes) or None in given or given == shapes:
        return ""
    if isinstance(inputs, (list, tuple)) and sorted(map(str, given)) == sorted(map(str, shapes)):
        return "these arrays are in another order than the inputs, " + \
            f"{_names([name for name, _ in expected])}; pass them by name: " + \
            "{" + ", ".join(f"'{name}': ..." for name, _ in expected) + "}"
    turned = [name for (name, shape), each in zip(expected, given)
              if each != tuple(shape) and each[::-1] == tuple(shape)]
    return f"'{turned[0]}' is transposed: pass {_variable(turned[0])}.T" if turned else ""


def _names(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names[:12]]
    if len(names) > 12:
        quoted.append(f"and {len(names) - 12} more")
    return ", ".join(quoted) if names else "none"


def unknown_names(role: str, given: dict[Any, Any], names: Sequence[str],
                  entry: str) -> ArgumentError:
    unknown = [str(name) for name in given if name not in names]
    return ArgumentError(f"entry '{entry}' has no {role} {_names(unknown)}"
                         f"{_meant(unknown[0], names)}; its {role}s: {_names(names)}")


def wrong_count(role: str, count: int, names: Sequence[str], bound: int,
                entry: str) -> ArgumentError:
    expected = str(len(names))
    if bound:
        expected = f"{len(names) - bound} (without those bound) or {len(names)}"
    return ArgumentError(f"{_count(count, role)} given, but entry '{entry}' expects {expected}: "
                         f"{_names(names)}; pass one array for each")


def wrong_address_count(role: str, count: int, expected: int, entry: str) -> ArgumentError:
    return ArgumentError(
        f"{_count(count, 'address')} of {role}s given, but entry '{entry}' has "
        f"{_count(expected, role)}; pass one address for each")


def dynamic_address(role: str, name: str, expected: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is {expected}, so that an address does not tell its size; use run() of the "
        "recipe, or compile the model for one size")


def not_a_list(role: str, value: Any, is_array: bool) -> ArgumentError:
    hint = ""
    if is_array:
        hint = f"; for one array pass [{role[:-1]}]"
        if role == "inputs":
            hint += ", and for more all in one list: run([x, w])"
    return ArgumentError(
        f"{role} must be a list or tuple of arrays, or a dict of arrays by name, but it is "
        f"{_a(value)}{hint}")


def unknown_entry(entry: Any, names: Sequence[str]) -> ArgumentError:
    if entry is None:
        return ArgumentError(f"the recipe has {len(names)} entries; choose one with entry=: "
                             f"{_names(names)}")
    return ArgumentError(f"no entry {entry!r}{_meant(entry, names)}; entries: {_names(names)}")


def unknown_state(state: Any, names: Sequence[str]) -> ArgumentError:
    return ArgumentError(f"no state {state!r}{_meant(state, names)}; states: {_names(names)}")


def unknown_binding(name: Any, names: Sequence[str], entry: str) -> ArgumentError:
    return ArgumentError(f"cannot bind {name!r}: entry '{entry}' has no such input"
                         f"{_meant(name, names)}; its inputs: {_names(names)}")


def wrong_sizes(sizes: Any, symbols: Sequence[str], entry: str) -> ArgumentError:
    if not hasattr(sizes, "keys"):
        return ArgumentError(f"sizes={shown(sizes)} is {_a(sizes)}; expected a dict of a size for "
                             f"each symbol of entry '{entry}': {_names(symbols)}")
    given = _names([str(name) for name in sizes])
    if not symbols:
        return ArgumentError(f"sizes {given} given, but all sizes of entry '{entry}' are static; "
                             "leave sizes= out")
    if set(sizes) != set(symbols):
        return ArgumentError(f"sizes {given} given, but the symbols of entry '{entry}' are: "
                             f"{_names(symbols)}; give each a size")
    name = next(name for name, size in sizes.items() if not _is_size(size))
    return ArgumentError(f"size '{name}' of entry '{entry}' is {shown(sizes[name])}; expected a "
                         "whole number from 0 up")


def _is_size(value: Any) -> bool:
    try:
        return 0 <= operator.index(value) < 1 << 63
    except TypeError:
        return False


def are_sizes(sizes: Any, symbols: Sequence[str]) -> bool:
    """Whether it is a dict of one size for each symbol."""
    return hasattr(sizes, "keys") and set(sizes) == set(symbols) and \
        all(map(_is_size, sizes.values()))


def path_as_text(text: str, read: str = "") -> ArgumentError:
    return ArgumentError(
        f"the module is the str {text!r}, which is MLIR text, not a path; to read a file pass "
        f"pathlib.Path({text!r}){read}")


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
        f"resource '{name}' is {_a(value)}; expected a NumPy array or an object with __dlpack__, "
        f"such as numpy.asarray(value)")


def closed_device() -> ArgumentError:
    return ArgumentError("the device is closed, and so is all that belongs to it; "
                         "read its arrays before, or open another: gaudi_mlir.device.open()")


def not_a_choice(name: str, given: Any, choices: Sequence[str]) -> ArgumentError:
    return ArgumentError(f"{name}={given!r}; expected " + " or ".join(map(repr, choices)))


def wrong_seed_array(given: str) -> ArgumentError:
    return ArgumentError(f"a seed is drawn into two arrays of one i64, not into {given}; make each "
                         "by device.empty((), numpy.int64)")


def second_trace() -> ArgumentError:
    return ArgumentError("a trace of the device is under way, and it has one at a time: end the "
                         "`with device.trace(...)` block around this one first")


def unknown_dtype(dtype: Any, known: Sequence[Any]) -> ArgumentError:
    return ArgumentError(
        f"the card has no elements of type {dtype}, only {', '.join(map(str, known))}; take one of "
        f"these, such as {_stored(dtype)}: array.astype(numpy.{_stored(dtype)})")


def _stored(dtype: Any) -> str:
    """The type of the card that has most of what one of another kind has."""
    return {"i": "int64", "u": "int64", "b": "bool_"}.get(getattr(dtype, "kind", ""), "float32")


def negative_size(shape: Sequence[int]) -> ArgumentError:
    return ArgumentError(f"shape {tuple(shape)} has a negative size; give sizes from 0 up")


def too_large(shape: Sequence[int], dtype: Any) -> ArgumentError:
    return ArgumentError(f"an array of shape {tuple(shape)} and type {dtype} has more bytes than 64 "
                         "bits can count; give it a smaller shape")


def wrong_fill(value: Any, dtype: Any) -> ArgumentError:
    return ArgumentError(f"cannot fill an array of {dtype} with {shown(value)}; give a number")


def wrong_seed(value: Any) -> ArgumentError:
    return ArgumentError(f"seed={shown(value)}; expected a whole number from -2**63 to 2**64 - 1")


def wrong_host_shape(name: str, array: Any, expected: str) -> ArgumentError:
    return ArgumentError(f"array '{name}' has shape {tuple(array.shape)}; expected {expected}; pass "
                         "an array of that shape: nothing is broadcast or reshaped")


def host_not_dense(name: str) -> ArgumentError:
    return ArgumentError(f"array '{name}' is not dense; pass a contiguous copy, such as "
                         f"numpy.ascontiguousarray({_variable(name)})")


def wrong_source(expected: str, given: str) -> ArgumentError:
    return ArgumentError(f"cannot copy an array of {given} to one of {expected}: give both one type "
                         "and shape")


def not_callable(given: Any) -> ArgumentError:
    return ArgumentError(f"{shown(given)} is {_a(given)}, which cannot be called; pass a function "
                         "without arguments")


def without_address(role: str, name: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is a state or constant, which the program has; pass None for it")


def missing_device_input(name: str, expected: str) -> ArgumentError:
    return ArgumentError(f"no array for input '{name}'; pass a DeviceArray of {expected}, such as "
                         "device.array(value)")


def not_on_device(role: str, name: str, value: Any, expected: str) -> ArgumentError:
    return ArgumentError(
        f"{role} '{name}' is {_a(value)}; expected a DeviceArray of {expected}, such as "
        f"device.array(value)")


def wrong_device_array(role: str, name: str, given: str, expected: str) -> ArgumentError:
    return ArgumentError(f"{role} '{name}' is an array of {given}; expected {expected}; pass one of "
                         "that type and shape, or compile the model for this one")


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
    return ArgumentError("the graph has no work: its capture has not ended, or has failed; replay it "
                         "after the block `with stream.capture() as graph:` has ended")


def _count(count: int, noun: str) -> str:
    """`count` with its noun: "1 input", "2 addresses"."""
    ending = "" if count == 1 else "es" if noun.endswith("s") else "s"
    return f"{count} {noun}{ending}"


def unknown_option(name: str, options: Iterable[str],
                   function: str = "gaudi_mlir.compile") -> ArgumentError:
    known = list(options)
    takes = f"it takes {', '.join(known)}" if known else "it takes none"
    if "inputs" in known and function.endswith("run"):
        takes = f"arrays by name go in a dict: {function.rpartition('.')[2]}({{'{name}': ...}}); {takes}"
    if name in ("device", "target") and function.startswith("Recipe."):
        takes = f"a recipe is of one device: gaudi_mlir.compile(module, device=...); {takes}"
    if name in ("target", "arch", "backend") and "device" in known:
        takes = "did you mean 'device'?"
    return ArgumentTypeError(f"'{name}' is no option of {function}; {_text.meant(name, known) or takes}")


def bytes_of(name: str, value: Any) -> int:
    """Of a number, or of text with a unit; raises what says what is expected."""
    try:
        count = _text.parse_bytes(value) if isinstance(value, str) else operator.index(value)
    except (ValueError, TypeError):
        count = -1
    if isinstance(value, bool) or not 0 <= count < 1 << 64:
        raise ArgumentError(f"{name} is {shown(value)}; expected bytes, as a number that is not "
                            "negative or as text (\"64GiB\")")
    return count
