# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a module of MLIR to a recipe."""

from __future__ import annotations

import json
import operator
import os
import re
from typing import Any, Callable, Iterable, Mapping, Sequence

import numpy

from . import _callers, _calls, _core, _messages, _text, weights
from .batch import BatchSweep
from .description import ELEMENT_DTYPES
from .errors import ArgumentError, CompileError, CompileWarning, FileError
from .recipe import Recipe
from .remarks import Remark, Remarks

_RECIPE_MAGIC = b"GAUDIREC"
# What is no text of MLIR: a name with a suffix.
_PATH = re.compile(r"[^\s(){}\"%@#]+|[^\n{}]*\.(?:mlir|mlirbc|recipe|onnx|pt2?|pth|npy|safetensors)")
_BY_NAME = ("stablehlo.", "chlo.", "vhlo.", "mhlo.", "sdy.")


def is_path(text: str) -> bool:
    return bool(_PATH.fullmatch(text)) or "\n" not in text and os.path.isfile(text)


def _source(module: Any, name: str | None) -> tuple[str, bytes]:
    """Name and bytes of a module in any of its forms."""
    if isinstance(module, str):
        if is_path(module):
            raise _messages.path_as_text(module)
        if not module.strip():
            raise ArgumentError("the module is a str without text; pass MLIR text, or the path of a "
                                "file as pathlib.Path(...)")
        return name or "<module>", module.encode()
    if isinstance(module, (bytes, bytearray, memoryview)):
        data = bytes(module)
    elif isinstance(module, os.PathLike):
        try:
            with open(module, "rb") as file:
                data = file.read()
        except OSError as error:
            raise _messages.unreadable(module, error) from None
        name = name or os.fsdecode(module)
    else:
        return name or "<module>", _print(module).encode()
    name = name or "<module>"
    if _text.is_lfs_pointer(data):
        raise FileError(f"'{name}' {_text.LFS_ADVICE}")
    if data.startswith(_RECIPE_MAGIC):
        raise _messages.recipe_as_module(name)
    return name, data


def _print(module: Any) -> str:
    """The text of a module object, in the form that the front ends read."""
    operation = getattr(module, "operation", module)
    get_asm = getattr(operation, "get_asm", None)
    if get_asm is None:
        raise _messages.not_a_module(module)
    # Dialects that are not MLIR's own are read in the generic form.
    if type(module).__module__.startswith("jaxlib"):
        return str(get_asm(enable_debug_info=True, print_generic_op_form=True))
    text = str(get_asm(enable_debug_info=True))
    if any(dialect in text for dialect in _BY_NAME):
        return str(get_asm(enable_debug_info=True, print_generic_op_form=True))
    return text


_Resource = tuple[str, int, int, str, list[int], Any]


def _resources(resources: Mapping[str, Any] | None) -> list[_Resource]:
    """Name, address, bytes, element type, shape and owner of the memory of each array."""
    result: list[_Resource] = []
    for name, array in (resources or {}).items():
        if isinstance(array, numpy.ndarray):
            address, count = array.__array_interface__["data"][0], array.nbytes
            kind = weights.file_type(array.dtype) or array.dtype.name
            shape, owner = list(array.shape), array
            dense = array.flags.c_contiguous and array.dtype.isnative
        elif hasattr(array, "__dlpack__"):
            address, count, kind, shape, owner, dense = _core.memory_of(array)
        else:
            raise _messages.resource_not_an_array(name, array)
        if not dense:
            raise _messages.resource_not_dense(name)
        result.append((name, address, count, kind, shape, owner))
    return result


def _list(value: str | Iterable[str] | None, separator: str = ",") -> str | None:
    """Names as one text; a mapping as NAME=VALUE."""
    if value is None or isinstance(value, str):
        return value
    return separator.join(value)


def _pairs(value: Any, between: str) -> str | None:
    if isinstance(value, Mapping):
        return ",".join(f"{key}{between}{item}" for key, item in value.items())
    return _list(value)


def _bounds(value: Any) -> str:
    """The bounds of one dimension: 8, (1, 64), (16, 4096, 16) or text."""
    if value is None or isinstance(value, (str, int)):
        return "" if value is None else str(value)
    return _text.range_text(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, Iterable) and all(isinstance(each, str) for each in value)


def _shape(value: Any) -> str | None:
    """Bounds of dynamic sizes: text, texts, or {input: {size: (min, max[, multiple])}}."""
    if not isinstance(value, Mapping):
        return _list(value, ";")
    parts = []
    for tensor, sizes in value.items():
        if not isinstance(sizes, (Mapping, str)) and not _are_texts(sizes):
            if isinstance(sizes, list) and len(sizes) == 1:
                sizes, = sizes
            raise ArgumentError(
                f"shape={_messages.shown(value)}: {tensor!r} has {_messages.shown(sizes)}, but not "
                f"the name of a size; if {tensor!r} is an input, write shape={{{tensor!r}: {{'batch': "
                f"{_messages.shown(sizes)}}}}}; if it is a size, {{INPUT: {{{tensor!r}: "
                f"{_messages.shown(sizes)}}}}}")
        if isinstance(sizes, Mapping):
            sizes = ",".join(name if bounds is None else f"{name}={_bounds(bounds)}"
                             for name, bounds in sizes.items())
        parts.append(f"{tensor}:{_list(sizes)}")
    return ";".join(parts)


def _buckets(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return "explicit:" + ",".join(str(operator.index(each)) for each in value)
    return value


def check_options(options: Mapping[str, Any], own: Sequence[str] = (),
                  function: str = "gaudi_mlir.compile") -> None:
    """Raises TypeError for one that neither `compile` takes nor a function with options of its
    own, which passes the rest on."""
    for name in options:
        if name not in (*_OPTIONS, "name", "on_remark", "remarks"):
            raise _messages.unknown_option(name, (*own, *_OPTIONS), function)


def _path(value: Any) -> Any:
    return value and os.fspath(value)


_NAMES = "names, as text (\"a,b\") or a list of texts"

# How a value becomes what the extension module takes, and what is expected where it does not.
_OPTIONS: dict[str, tuple[Callable[[Any], Any] | None, str]] = {
    "device": (None, ""), "entry": (_list, _NAMES), "all_entries": (None, ""),
    "state": (lambda value: _pairs(value, "="), "{INPUT: OUTPUT}, or text (\"input=output\")"),
    "allow_permutation": (_list, _NAMES), "disable_fusion": (_list, _NAMES),
    "require_fusion": (lambda value: _pairs(value, ":"), "{FUSION: COUNT}, or text (\"sdpa:1\")"),
    "shape": (_shape, "{INPUT: {SIZE: (MIN, MAX)}}, or text (\"x:batch=1..64\")"),
    "buckets": (_buckets, "text, such as \"exponential:8\", or a list of sizes"),
    "bucket_histogram": (_path, "a path"), "bucket_cost": (_path, "a path"),
    "memory_budget": (lambda value: value and _messages.bytes_of("memory_budget", value), ""),
    "verify_fusion": (None, ""), "threads": (None, ""), "max_expanded_ops": (None, ""),
    "autocast": (None, ""), "dump_graphs": (_path, "a path"),
}


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of `compile` in the form of the extension module, without those that are absent."""
    given = {}
    for name, value in options.items():
        if name not in _OPTIONS:
            raise _messages.unknown_option(name, _OPTIONS)
        convert, expected = _OPTIONS[name]
        try:
            value = convert(value) if convert else value
        except (TypeError, ValueError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise _messages.wrong_option(name, value, expected) from None
        if value not in (None, False, 0):
            given[name] = value
    return given


def _call(module: Any, name: str | None, options: dict[str, Any], resources: Any,
          on_remark: Callable[[Remark], None] | None, collect: bool,
          import_only: bool) -> tuple[_core.Recipe | None, Remarks]:
    name, source = _source(module, name)
    given = _options(options)

    def listener(*fields: Any) -> None:
        on_remark(Remark(*fields))

    recipe, error, found, texts = _core.compile(
        name, source, given, _resources(resources), on_remark and listener, collect, import_only)
    remarks = Remarks(Remark(*fields) for fields in found)
    if error is not None:
        if isinstance(error, CompileError):
            error.remarks = remarks
        raise error
    for text in texts:
        _callers.warn(text.rstrip("\n"), CompileWarning)
    return recipe, remarks


@_calls.named
def compile(module: Any, *, device: str = "gaudi2", entry: str | Iterable[str] | None = None,
            name: str | None = None, resources: Mapping[str, Any] | None = None,
            on_remark: Callable[[Remark], None] | None = None, remarks: bool = True,
            all_entries: bool = False, state: Any = None,
            allow_permutation: str | Iterable[str] | None = None,
            disable_fusion: str | Iterable[str] | None = None, require_fusion: Any = None,
            shape: Any = None, buckets: str | Sequence[int] | None = None,
            bucket_histogram: str | os.PathLike[str] | None = None,
            bucket_cost: str | os.PathLike[str] | None = None, memory_budget: int | str | None = None,
            verify_fusion: bool = False, threads: int = 0,
            max_expanded_ops: int | None = None, autocast: str | None = None,
            dump_graphs: str | os.PathLike[str] | None = None) -> Recipe:
    """Compiles a module of MLIR.

    module: MLIR text (str or bytes), bytecode (bytes), a path (pathlib.Path), or a module object
        of jaxlib or torch_mlir
    device: "gaudi", "gaudi2" or "gaudi3"
    entry: the function, or several; None: "main", "forward" or the only one
    name: of the module in locations; None: the path, or "<module>"
    resources: {name: array}, the values of `dense_resource<name>` constants, of their element type
        and shape; read in place
    on_remark: called with each remark of a pass while the compiler runs
    remarks: keep all remarks in `Recipe.remarks`
    all_entries: every public function that none calls is an entry
    state: {input: output} that outputs replace from launch to launch
    allow_permutation: inputs and outputs that may be stored in another order
    disable_fusion, require_fusion: names of fusions; {name: how many}
    shape: bounds of dynamic sizes, {"tokens": {"batch": (1, 64), "seq": (16, 4096, 16)}}
    buckets, bucket_histogram, bucket_cost: how variants of dynamic sizes are chosen
    memory_budget: bytes, or text ("64MiB"), of workspace that may be alive at once
    verify_fusion: evaluate what is fused before and after
    threads: 1: compile on the calling thread; 0: as many as useful
    max_expanded_ops: that unrolling loops and inlining calls may add, each; None: 131,072
    autocast: "bf16" or "f16": mixed precision, as torch.autocast gives it (docs/precision.md)
    dump_graphs: folder for the graph before and after each pass (docs/replay.md)

    docs/gaudi-run.md describes the options; those given as dict or list may be text as there.
    Raises CompileError if the model cannot be compiled.
    """
    options = {
        "device": device, "entry": entry, "all_entries": all_entries, "state": state,
        "allow_permutation": allow_permutation, "disable_fusion": disable_fusion,
        "require_fusion": require_fusion, "shape": shape, "buckets": buckets,
        "bucket_histogram": bucket_histogram, "bucket_cost": bucket_cost,
        "memory_budget": memory_budget, "verify_fusion": verify_fusion, "threads": threads,
        "max_expanded_ops": max_expanded_ops, "autocast": autocast, "dump_graphs": dump_graphs,
    }
    recipe, found = _call(module, name, options, resources, on_remark, remarks, False)
    assert recipe is not None
    return Recipe(recipe, found)


@_calls.named
def check_import(module: Any, *, device: str = "gaudi2",
                 entry: str | Iterable[str] | None = None, name: str | None = None,
                 resources: Mapping[str, Any] | None = None, all_entries: bool = False,
                 shape: Any = None) -> None:
    """Whether the front ends take the module: the first, short part of `compile`.

    Raises CompileError if they do not.
    """
    options = {"device": device, "entry": entry, "all_entries": all_entries, "shape": shape}
    _call(module, name, options, resources, None, False, True)


@_calls.named
def find_max_batch(module: Any, *, batch_input: str | None = None, device_memory: int | str = 0,
                   name: str | None = None, resources: Mapping[str, Any] | None = None,
                   **options: Any) -> dict[str, Any]:
    """Plans other sizes of the leading dimension until the largest that fits is known.

    batch_input: the input whose leading dimension it is; None: chosen
    device_memory: bytes, or text ("64GiB"); 0: those of the card
    options: those of `compile`

    The keys are those of `gaudi-run --find-max-batch`: result["batch"]["largest"] is None if no
    size fits. Raises CompileError if the model has no other batch size or cannot be compiled.
    """
    name, source = _source(module, name)
    return json.loads(_core.find_max_batch(name, source, _options(options), _resources(resources),
                                           batch_input, _messages.bytes_of("device_memory", device_memory)))


@_calls.named
def batch_sweep(module: Any, *, batch_input: str | None = None, device_memory: int | str = 0,
                page: str | os.PathLike[str] | None = None, name: str | None = None,
                resources: Mapping[str, Any] | None = None, **options: Any) -> BatchSweep:
    """Memory and predicted time of batches 1, 2, 4, ... up to the largest that fits.

    batch_input: the input whose leading dimension it is; None: chosen
    device_memory: bytes, or text ("64GiB"); 0: those of the card
    page: where to write the table and its curves as a page that opens without a network
    options: those of `compile`; `shape` bounds dynamic sizes, of which those that are not the
        batch have their largest

    Raises CompileError if the model has no other batch size or cannot be compiled.
    """
    name, source = _source(module, name)
    return BatchSweep(_core.sweep_batch(name, source, _options(options), _resources(resources),
                                        batch_input, _messages.bytes_of("device_memory", device_memory),
                                        None if page is None else os.fsencode(page)))


@_calls.named
def explain_recompile(was: Any, now: Any, *, resources: Mapping[str, Any] | None = None,
                      **options: Any) -> dict[str, Any]:
    """Why what was compiled for `was` does not serve `now`, and what would have avoided that.

    was, now: a Recipe with one entry, or a module as for `compile`
    options: those of `compile`, for modules

    The keys are those of `gaudi-run --explain-recompile`: "recompile", "reason", "avoided_by",
    "differences". Raises CompileError if a module cannot be compiled.
    """
    def side(given: Any, role: str) -> tuple[_core.Recipe | None, int, str, bytes]:
        if isinstance(given, Recipe):
            return given._core, given._entry_index(None), role, b""
        return None, 0, *_source(given, None)

    return json.loads(_core.explain_recompile(side(was, "was"), side(now, "now"),
                                              _options(options), _resources(resources)))


@_calls.named
def compare_precision(module: Any, autocast: str = "bf16", against: str = "f32", *,
                      inputs: Sequence[Any] = (), seed: int = 1, places: Sequence[str] = (),
                      name: str | None = None, resources: Mapping[str, Any] | None = None,
                      **options: Any) -> dict[str, Any]:
    """What one precision gains and loses against another: device time, memory, error, and the ops
    that cause the error (docs/precision.md).

    inputs: arrays of the model's types and shapes, None for seeded ones; empty: all seeded
    places: what lines of the text are called, as for `Recipe.with_places`
    options: those of `compile`

    The keys are those of `gaudi-run --autocast`: result["ops"], result["ranking"], ... Raises
    CompileError if the model cannot be compiled or evaluated.
    """
    name, source = _source(module, name)
    arrays = [None if each is None else numpy.ascontiguousarray(each) for each in inputs]
    given = _buffers({f"input {index}": array for index, array in enumerate(arrays)})
    return json.loads(_core.compare_precision(
        name, source, _options(options), _resources(resources), against, autocast, given, seed,
        list(places)))


def _buffers(arrays: Mapping[str, Any]) -> list[tuple[int, int, list[int]] | None]:
    """Address, type and shape of dense arrays, which must outlive them; names are for errors."""
    types = {numpy.dtype(dtype): number for number, dtype in enumerate(ELEMENT_DTYPES.values())}
    for name, array in arrays.items():
        if array is not None and array.dtype not in types:
            raise ArgumentError(f"{name} has elements of {array.dtype}, which no tensor has; "
                                "convert it: array.astype(numpy.float32)")
    return [array if array is None else (array.ctypes.data, types[array.dtype], list(array.shape))
            for array in arrays.values()]


@_calls.named
def bisect_model(module: Any, *, suspect: Any = None, golden: Mapping[str, Any] | None = None,
                 inputs: Sequence[Any] = (), seed: int = 1, places: Sequence[str] = (),
                 name: str | None = None, resources: Mapping[str, Any] | None = None,
                 **options: Any) -> dict[str, Any]:
    """The first pass, op or command of a launch whose values leave the noise that the float64
    reference lets expect (docs/bisect.md).

    suspect: another form of the model, which is compiled, launched and compared instead
    golden: arrays by the names of ops or modules: what another implementation gives; then nothing
    is launched
    inputs, places, options: as for `compare_precision`

    The keys are those of `gaudi-run --bisect`: result["kind"], result["op"], ... Raises CompileError
    if the model cannot be compiled or evaluated.
    """
    name, source = _source(module, name)
    other_name, other = ("", b"") if suspect is None else _source(suspect, None)
    arrays = [None if each is None else numpy.ascontiguousarray(each) for each in inputs]
    values = {key: numpy.ascontiguousarray(each) for key, each in (golden or {}).items()}
    return json.loads(_core.bisect_model(
        name, source, _options(options), _resources(resources),
        _buffers({f"input {index}": array for index, array in enumerate(arrays)}), seed,
        list(places), other_name, other, list(values),
        _buffers({f"golden value '{key}'": array for key, array in values.items()})))
