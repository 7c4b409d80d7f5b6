# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of JAX as recipes, and what JAX exports as text for gaudi-run.

    step = gaudi_mlir.jax.compile(jax.jit(train_step, donate_argnums=0), params, batch)
    params, loss = step(params, batch)
"""
import inspect
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

try:
    import jax
    from jax import export
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
except ImportError as error:
    raise ImportError(f"gaudi_mlir.jax needs jax ({error}); run: pip install jax==0.10.2") from None
from jax._src.interpreters import mlir as _jax_mlir

from . import _calls, _functions, _messages, _text, weights
from .compiler import check_options, is_path

__all__ = ["compile", "to_mlir", "Function"]

# No platform of JAX has this name, so that primitives are lowered by JAX's general rules: to ops,
# not to calls of libraries that only a CPU or a GPU has.
_PLATFORM = "gaudi"

Bounds = Mapping[str, "tuple[int, int] | tuple[int, int, int]"]


@_calls.named
def to_mlir(function: Any, *args: Any, bounds: Bounds | None = None, **kwargs: Any) -> weights.Text:
    """The StableHLO of a function as text that gaudi-run takes (the generic form).

    `function`: a function, jitted or not, with example arguments (arrays, or jax.ShapeDtypeStruct;
    their sizes may be symbolic, then `bounds` has a range for each symbol: {"batch": (1, 64)});
    what jax.jit(f).lower(...) or jax.export.export(f)(...) returned; or bytes or text of StableHLO.
    """
    if isinstance(function, (str, bytes, bytearray)):
        if isinstance(function, str) and is_path(function):
            raise _messages.path_as_text(function, ".read_bytes()")
        with _context():
            return weights.module_text(_parsed(function), {}, generic=True)
    return _lower(function, args, kwargs, bounds).text


@_calls.named
def compile(function: Any, *args: Any, bounds: Bounds | None = None,
            kwargs: Mapping[str, Any] | None = None, **options: Any) -> "Function":
    """A function that runs on the device what `function` computes. `kwargs` are example keyword
    arguments; options are those of gaudi_mlir.compile."""
    check_options(options, ("bounds", "kwargs"), "gaudi_mlir.jax.compile")
    if bounds is None and "shape" not in options:
        bounds = {}  # each symbolic size needs some
    lowered = _lower(function, args, dict(kwargs or {}), bounds)
    return Function(lowered, lowered.text.compile(**options))


@_calls.named_methods
class Function:
    """A compiled function: arguments and results are trees as those of the JAX function are.

    `recipe` is what was compiled, `inputs` and `outputs` are the names of the leaves.
    """

    def __init__(self, lowered: "_Lowered", recipe: Any) -> None:
        self._lowered = lowered
        self.recipe = recipe
        self.inputs, self.outputs = lowered.inputs, lowered.outputs
        self._executable = None

    @property
    def executable(self) -> Any:
        """The loaded recipe; loading happens at the first call."""
        if self._executable is None:
            self._executable = self.recipe.executable()
        return self._executable

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        lowered = self._lowered
        leaves, tree = jax.tree_util.tree_flatten((args, kwargs))
        if tree != lowered.in_tree:
            raise TypeError(f"the function was compiled for {_names_text(lowered.names)}, and is "
                            f"called with {_names_text(_leaf_names(tree, None))}; call it with the same "
                            "arguments, or compile it again for these")
        results = self.executable.run([
            _to_array(leaf, lowered.in_avals[index], lowered.names[index])
            for index, leaf in enumerate(leaves) if index in lowered.kept])
        return jax.tree_util.tree_unflatten(
            lowered.out_tree,
            [_to_jax(array, aval) for array, aval in zip(results, lowered.out_avals)])

    def __repr__(self) -> str:
        return f"<gaudi_mlir.jax.Function ({', '.join(self.inputs)}) -> {', '.join(self.outputs)}>"


class _Lowered:
    """A module with the trees of what goes in and comes out."""

    def __init__(self, module: Any, in_tree: Any, out_tree: Any, in_avals: Sequence[Any],
                 out_avals: Sequence[Any], kept: Sequence[int], names: Sequence[str] | None,
                 bounds: Bounds | None) -> None:
        self.in_tree, self.out_tree = in_tree, out_tree
        self.in_avals, self.out_avals = in_avals, out_avals
        self.kept = set(kept)
        self.names = paths = _leaf_names(in_tree, names)
        self.inputs = [paths[index] for index in sorted(self.kept)]
        self.outputs = _result_names(out_tree)
        dims = [_dims(in_avals[index], bounds, paths[index]) for index in sorted(self.kept)]
        symbols = {str(size) for index in self.kept for size in in_avals[index].shape
                   if not isinstance(size, (int, np.integer))}
        if unknown := [name for name in bounds or {} if name not in symbols]:
            raise ValueError(f"'bounds' names '{unknown[0]}', which is no symbolic size of an argument; "
                             f"they have: {', '.join(sorted(symbols)) or 'none'}")
        _functions.name_values(ir, _functions.main(ir, module), self.inputs, self.outputs, dims)
        self.text = weights.module_text(module, {}, generic=True)


def _lower(function: Any, args: tuple, kwargs: dict, bounds: Bounds | None) -> _Lowered:
    if isinstance(function, export.Exported):
        return _of_exported(function, None, bounds)
    if isinstance(function, jax.stages.Lowered):
        return _of_lowered(function, None, bounds)
    if not callable(function):
        raise _messages.wrong_argument(
            "gaudi_mlir.jax", "function", function, "a function, what jax.jit(f).lower(...) or "
            "jax.export.export(f)(...) gave, or StableHLO")
    _check_arguments(function, args, kwargs)
    names = _parameter_names(function, args)
    if not hasattr(function, "trace"):
        # All arguments stay, so that inputs have the numbers of the leaves.
        function = jax.jit(function, keep_unused=True)
    if any(_is_symbolic(leaf) for leaf in jax.tree_util.tree_leaves((args, kwargs))):
        exported = export.export(function, platforms=[_PLATFORM])(*args, **kwargs)
        return _of_exported(exported, names, bounds)
    with warnings.catch_warnings():
        # Donation is said here, by _mark_donated.
        warnings.filterwarnings("ignore", "Some donated buffers were not usable")
        lowered = function.trace(*args, **kwargs).lower(lowering_platforms=(_PLATFORM,))
    return _of_lowered(lowered, names, bounds)


def _of_lowered(lowered: Any, names: Sequence[str] | None, bounds: Bounds | None) -> _Lowered:
    details = lowered._lowering.compile_args
    in_avals = jax.tree_util.tree_leaves(lowered.in_avals)
    kept = details.get("kept_var_idx", range(len(in_avals)))
    out_avals = [jax.core.ShapedArray(leaf.shape, leaf.dtype)
                 for leaf in jax.tree_util.tree_leaves(lowered.out_info)]
    # JAX keeps its module and compiles it later.
    module = lowered.compiler_ir("stablehlo").operation.clone()
    infos = jax.tree_util.tree_leaves(lowered.args_info,
                                      is_leaf=lambda info: hasattr(info, "donated"))
    _mark_donated(module, [infos[index].donated for index in sorted(kept)])
    return _Lowered(module, lowered.in_tree, lowered.out_tree, in_avals, out_avals, kept, names,
                    bounds)


def _of_exported(exported: export.Exported, names: Sequence[str] | None,
                 bounds: Bounds | None) -> _Lowered:
    with _context():
        module = parse(exported.mlir_module_serialized)
        return _Lowered(module, exported.in_tree, exported.out_tree, exported.in_avals,
                        exported.out_avals, exported.module_kept_var_idx, names, bounds)


def _context() -> Any:
    """A context that knows what JAX writes."""
    context = _jax_mlir.make_ir_context()
    context.allow_unregistered_dialects = False
    return context


def parse(source: "str | bytes | bytearray") -> Any:
    """A module of text in either form, of MLIR bytecode, or of serialized StableHLO or
    jax.export. Call it with a context of `_context`."""
    if isinstance(source, str):
        return ir.Module.parse(source)
    source = bytes(source)
    if not source.startswith(b"ML\xefR"):
        try:
            return ir.Module.parse(source.decode())
        except UnicodeDecodeError:
            return parse(export.deserialize(bytearray(source)).mlir_module_serialized)
    producer = source[5:64].split(b"\0")[0]
    if producer.startswith(b"StableHLO"):
        return stablehlo.deserialize_portable_artifact(ir.Context.current, source)
    return ir.Module.parse(source)


def _parsed(source: "str | bytes | bytearray") -> Any:
    try:
        return parse(source)
    except ir.MLIRError as error:
        reason = (str(error).splitlines() + [""])[1].removeprefix("error: ").replace('"-":', "line ")
        raise ValueError(f"this is no StableHLO that JAX reads: {reason}; give what "
                         "jax.jit(f).lower(...).as_text() or jax.export writes") from None


def _check_arguments(function: Any, args: tuple, kwargs: dict) -> None:
    """JAX says it by a call of the function."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        raise TypeError(f"{name}{signature}: {error}; give an example of each of its arguments after the "
                        "function") from None


def _parameter_names(function: Any, args: tuple) -> list[str] | None:
    """The names of the positional parameters that `args` are for."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    names = []
    for index in range(len(args)):
        parameter = parameters[min(index, len(parameters) - 1)] if parameters else None
        if parameter is None:
            return None
        if parameter.kind == inspect.Parameter.VAR_POSITIONAL:
            first = parameters.index(parameter)
            names.append(f"{parameter.name}{index - first}")
        else:
            names.append(parameter.name)
    return names


def _leaf_names(in_tree: Any, names: Sequence[str] | None) -> list[str]:
    """A name for each leaf of the arguments: "params.layers.0.w"."""
    found = []
    for path, _ in _paths(in_tree):
        kind, *rest = path  # positional or keyword arguments
        first, *rest = rest
        if kind.idx == 1:
            root = str(first.key)
        else:
            root = names[first.idx] if names and first.idx < len(names) else f"arg{first.idx}"
        found.append(".".join([root, *map(_key_text, rest)]))
    return _unique(found)


def _names_text(names: Sequence[str]) -> str:
    """ "2 arrays (x, params.w)"."""
    shown = ", ".join(names[:6]) + ", ..." * (len(names) > 6)
    return f"{_text.plural(len(names), 'array')}" + (f" ({shown})" if names else "")


def _result_names(out_tree: Any) -> list[str]:
    """A name for each leaf of the results: "out0", "loss", "out1.w"."""
    found = []
    for path, _ in _paths(out_tree):
        parts = [_key_text(key) for key in path]
        if not parts or parts[0].isdigit():
            parts = ["out" + (parts[0] if parts else "0"), *parts[1:]]
        found.append(".".join(parts))
    return _unique(found)


def _paths(tree: Any) -> list[tuple[tuple, Any]]:
    whole = jax.tree_util.tree_unflatten(tree, range(tree.num_leaves))
    return jax.tree_util.tree_flatten_with_path(whole)[0]


def _key_text(key: Any) -> str:
    for attribute in ("key", "name", "idx"):
        if hasattr(key, attribute):
            return str(getattr(key, attribute))
    return str(key)


def _unique(names: list[str]) -> list[str]:
    taken: set[str] = set()
    return [weights.fresh(name, taken) for name in names]


def _is_symbolic(leaf: Any) -> bool:
    return any(not isinstance(size, (int, np.integer)) for size in getattr(leaf, "shape", ()))


def _dims(aval: Any, bounds: Bounds | None, name: str) -> list[str] | None:
    """The bounds of the symbolic sizes of an input, as the attribute gaudi.dims has them."""
    if not _is_symbolic(aval):
        return None
    dims = []
    for size in aval.shape:
        text = "" if isinstance(size, (int, np.integer)) else str(size)
        if text and text in (bounds or {}):
            text = _text.size_range(text, bounds[text])
        elif text and bounds is not None:
            raise ValueError(f"'{name}' has the symbolic size {text}, for which 'bounds' has no "
                             f"range; give one as bounds={{\"{text}\": (MIN, MAX)}}")
        dims.append(text)
    return dims if bounds is not None else None


def _mark_donated(module: Any, donated: Sequence[bool]) -> None:
    """Arguments that are donated are state of the device, as JAX says it for devices it knows."""
    with module.context:
        _functions.add_attributes(ir, _functions.main(ir, module), "arg_attrs",
                                  [{"jax.buffer_donor": ir.BoolAttr.get(True)} if one else {}
                                   for one in donated])


def _is_key(dtype: Any) -> bool:
    return jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key)


def _to_array(leaf: Any, aval: Any, name: str) -> np.ndarray:
    """An argument as the device takes it."""
    try:
        if _is_key(aval.dtype):
            return np.asarray(jax.random.key_data(leaf))
        return np.asarray(leaf, dtype=aval.dtype)
    except (TypeError, ValueError):
        raise _messages.wrong_option(name, leaf, f"an array of {aval.str_short()}") from None


def _to_jax(array: np.ndarray, aval: Any) -> Any:
    """A result as JAX returns it."""
    if _is_key(aval.dtype):
        return jax.random.wrap_key_data(jax.numpy.asarray(array), impl=aval.dtype._impl.name)
    if aval.dtype == jax.dtypes.float0:
        return np.zeros(array.shape, jax.dtypes.float0)
    if aval.dtype == np.uint64:  # the device computes on the bits as i64
        array = array.view(np.uint64)
    return jax.numpy.asarray(array)
