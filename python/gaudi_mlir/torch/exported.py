# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model as MLIR text and as a recipe, without torch.compile."""
import dataclasses
import os
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import torch
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

import gaudi_mlir
from gaudi_mlir import _callers, _calls, weights

from . import (bounded, compiler, control_flow, decompositions, distributions, dynamic, fallback,
               places, sizes, symbolic, writer)
from .errors import LoweringError, nodes_of
from .segment import Refused
from .tracing import tracing


# A size without a maximum has one of this order.
NO_BOUND = 2 ** 40

# A recipe has no way to raise.
_ASSERTIONS = (torch.ops.aten._assert_scalar.default, torch.ops.aten._assert_async.msg,
               torch.ops.aten.sym_constrain_range_for_size.default)

# What an exported model, which is one launch, cannot have.
_INSTEAD = ('; compute it outside of the model, or take torch.compile(model, backend="gaudi"), which '
            "leaves such ops to the CPU")

# For dynamic sizes, unless the caller chooses.
_BUCKETS = "exponential:4"


@_calls.named_methods
@dataclasses.dataclass
class Exported:
    """A model that was taken from PyTorch. Inputs and outputs have the model's names."""
    text: weights.Text
    inputs: list[str]
    outputs: list[str]
    dims: list[list[str] | None]
    """Names and bounds of the dynamic sizes of each input: ["batch=1..16", ""]."""

    @property
    def mlir(self) -> str:
        """The text; large weights are resources outside it."""
        return self.text.text

    def recipe(self, *, device: str = "gaudi2", **options: Any) -> "gaudi_mlir.Recipe":
        """Compiles the model; options are those of gaudi_mlir.compile."""
        if any(self.dims):
            options.setdefault("buckets", _BUCKETS)
        return self.text.compile(device=device, **options)

    def predict(self, device: str = "gaudi2", **options: Any) -> "gaudi_mlir.Prediction":
        """What a launch would take, with the model's modules and lines (`modules`)."""
        return self.recipe(device=device, **options).predict()

    def compare_precision(self, autocast: str = "bf16", against: str = "f32",
                          inputs: Sequence[Any] = (), **options: Any) -> dict[str, Any]:
        """What one precision gains and loses against another, and which ops cause the error, with
        the model's modules and lines; `inputs`: tensors. See gaudi_mlir.compare_precision."""
        arrays = [each.detach().cpu().numpy() if isinstance(each, torch.Tensor) else each
                  for each in inputs]
        return gaudi_mlir.compare_precision(
            self.text.text, autocast, against, inputs=arrays, places=self.text.places,
            resources=self.text.resources or None, **options)

    def html(self, path: str | os.PathLike, device: str = "gaudi2", **options: Any) -> None:
        """Writes what a launch would take as a page."""
        self.recipe(device=device, **options).html(path)

    def trace(self, path: str | os.PathLike, device: str = "gaudi2", **options: Any) -> None:
        """Writes what a launch would take as Chrome trace events."""
        self.recipe(device=device, **options).trace(path)

    def plan_memory(self, device: str = "gaudi2", device_memory: int = 0,
                    **options: Any) -> dict[str, Any]:
        """What fills the memory of the card (gaudi_mlir.Recipe.plan_memory)."""
        return self.recipe(device=device, **options).plan_memory(device_memory=device_memory)

    def find_max_batch(self, device: str = "gaudi2", **options: Any) -> dict[str, Any]:
        """The largest batch that fits (gaudi_mlir.find_max_batch)."""
        return self.text.find_max_batch(device=device, **options)

    def batch_sweep(self, device: str = "gaudi2", **options: Any) -> "gaudi_mlir.BatchSweep":
        """Memory and time of batches up to the largest that fits (gaudi_mlir.batch_sweep)."""
        return self.text.batch_sweep(device=device, **options)

    def save(self, path: str | os.PathLike) -> list[str]:
        """Writes the text, and large weights to a safetensors file beside it."""
        return self.text.save(path)


def _refuse_arrays(args: Any, kwargs: Mapping[str, Any]) -> None:
    """torch.export names neither the argument nor what helps."""
    if isinstance(args, numpy.ndarray):
        raise TypeError("args is a NumPy array; expected a tuple of tensors: "
                        "(torch.from_numpy(args),)")
    for which, value in [*enumerate(args), *kwargs.items()]:
        if isinstance(value, numpy.ndarray):
            raise TypeError(f"argument {which!r} of the model is a NumPy array; expected a tensor: "
                            "torch.from_numpy(array)")


def _check_devices(model: torch.nn.Module, args: Sequence[Any]) -> None:
    given = {str(each.device) for each in torch.utils._pytree.tree_leaves(args)
             if isinstance(each, torch.Tensor)}
    own = {str(each.device) for each in [*model.parameters(), *model.buffers()]}
    if given and own and given != own:
        raise gaudi_mlir.ArgumentError(f"the model is on {', '.join(sorted(own))}, its arguments are on "
                                       f"{', '.join(sorted(given))}; move both to one device, such as "
                                       '.to("cpu")')


def _line_of(error: Exception) -> str:
    """The innermost line of the program in a traceback through PyTorch; of a module of PyTorch,
    that of its forward."""
    others = tuple(os.path.dirname(each.__file__) + os.sep for each in (torch, gaudi_mlir))
    frames = traceback.extract_tb(error.__traceback__)
    last = ([each for each in frames if not each.filename.startswith((*others, "<string>"))]
            or [each for each in frames if each.name == "forward"] or frames)[-1]
    return f"{last.filename}:{last.lineno}"


def export(model: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None,
           path: str | os.PathLike | None = None, dynamic_shapes: Any = None) -> Exported:
    """Takes a model in evaluation mode through torch.export.

    `dynamic_shapes` is that of torch.export.export; each Dim needs a max. `path`: where to write
    the MLIR text, weights in a safetensors file beside it.
    """
    if isinstance(args, torch.Tensor):
        args = (args,)
    if not isinstance(model, torch.nn.Module):
        how = "a file is loaded before: torch.load(path, weights_only=False)" \
            if isinstance(model, (str, os.PathLike)) else "make one whose forward() calls it"
        raise gaudi_mlir.ArgumentError(f"model is a {type(model).__name__}; expected a "
                                       f"torch.nn.Module: {how}")
    _refuse_arrays(args, kwargs or {})
    _check_devices(model, [*args, *(kwargs or {}).values()])
    with tracing(), torch.no_grad():
        try:
            program = torch.export.export(model, tuple(args), dict(kwargs or {}),
                                          dynamic_shapes=dynamic_shapes)
        except GuardOnDataDependentSymNode as error:
            raise ValueError(
                f"the model branches on a value at {_line_of(error)}, which an exported program "
                "cannot; compute both sides and choose by torch.where, or write torch.cond"
            ) from error
        except (RuntimeError, TypeError) as error:
            if type(error) not in (RuntimeError, TypeError):  # PyTorch's own say what to do
                raise
            where = f", at {_line_of(error)}" if isinstance(error, RuntimeError) else ""
            reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
            if ".numpy()" in reason:
                raise ValueError(f"the model cannot be exported{where}: it leaves PyTorch by numpy(); "
                                 "compute that with functions of torch") from error
            raise ValueError(f"the model cannot be run with these arguments{where}: {reason}; give args "
                             "of the number, shapes and types that its forward() takes") from error
        exported = _lowered(program, dynamic_shapes)
    dropout = [f"module '{name}'" if name else "the model"
               for name, each in model.named_modules()
               if isinstance(each, torch.nn.modules.dropout._DropoutNd) and each.training and each.p]
    if dropout:
        _callers.warn(f"{dropout[0]} drops out, since the model is in training mode: the exported model "
                      "draws by a seed and an offset, which are its last inputs; call .eval() first for "
                      "one that does not")
    if path is not None:
        exported.save(path)
    return exported


def graph_of(program) -> tuple[torch.fx.GraphModule, list[str], list[str]]:
    """The graph with weights as constants, and the names of what is left. If it draws and its sizes
    are fixed, seed and offset are its last inputs."""
    signature = program.graph_signature
    if signature.buffers_to_mutate:
        raise ValueError("the model changes its buffers "
                         f"({', '.join(sorted(set(signature.buffers_to_mutate.values()))[:4])}), "
                         "which an exported model cannot; call .eval() first, or compile it by "
                         'torch.compile(model, backend="gaudi")')
    specs = {spec.arg.name: spec for spec in signature.input_specs}
    root = torch.nn.Module()
    graph = torch.fx.Graph()
    copies: dict[torch.fx.Node, torch.fx.Node] = {}
    inputs: list[str] = []
    for node in program.graph.nodes:
        if node.op == "placeholder":
            spec = specs[node.name]
            if spec.kind == InputKind.USER_INPUT:
                if not isinstance(node.meta.get("val"), torch.Tensor):
                    copies[node] = None
                    continue
                copies[node] = graph.node_copy(node)
                inputs.append(node.name)
                continue
            value = _value(program, spec)
            setattr(root, node.name, value)
            copies[node] = graph.create_node("get_attr", node.name)
            copies[node].meta = {**node.meta, "label": spec.target}
        elif node.op == "output":
            graph.output(tuple(copies[each] for each in node.args[0]
                               if isinstance(each, torch.fx.Node)))
        elif node.target not in _ASSERTIONS:
            if node.op == "get_attr":  # the graph of a branch
                setattr(root, node.target, getattr(program.graph_module, node.target))
            copies[node] = graph.node_copy(node, copies.__getitem__)
    names = [spec.arg.name for spec in signature.output_specs
             if spec.kind == OutputKind.USER_OUTPUT and spec.arg.name is not None
             and not getattr(spec.arg, "value", None)]
    gm = torch.fx.GraphModule(root, graph)
    compiler.clean(graph)
    control_flow.inline(gm)
    graph.eliminate_dead_code()
    drawn = [] if dynamic.is_dynamic(gm) else distributions.rewrite(gm)
    return gm, inputs + drawn, names


def _value(program, spec) -> torch.Tensor:
    if spec.target in program.state_dict:
        return program.state_dict[spec.target].detach()
    value = program.constants[spec.target]
    return value.detach() if isinstance(value, torch.Tensor) else value


def user_inputs(program) -> list[tuple[str, torch.fx.Node | None]]:
    """Names and nodes of the inputs that callers give: the values of others were fixed by the
    export."""
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    return [(spec.arg.name, nodes.get(spec.arg.name))
            for spec in program.graph_signature.input_specs
            if spec.kind is InputKind.USER_INPUT and not isinstance(spec.arg, ConstantArgument)]


def size_names(program, dynamic_shapes: Any = None) -> dict[str, str]:
    """What the symbols of sizes are called: by the caller, else INPUT_DIMENSION after the first
    input that has one, since a program has no names of its Dims."""
    inputs = [(name, node) for name, node in user_inputs(program) if _is_tensor(node)]
    if isinstance(dynamic_shapes, Mapping):
        shapes = [dynamic_shapes.get(name) for name, _ in inputs]
    else:
        shapes = list(dynamic_shapes or ())
    names: dict[str, str] = {}
    for (_, node), dims in zip(inputs, shapes):
        items = dims.items() if isinstance(dims, Mapping) else enumerate(dims or ())
        for index, dim in items:
            name = getattr(dim, "__name__", None)
            if name and not isinstance(dim, (int, str)):
                names.setdefault(str(node.meta["val"].shape[index]), name)
    taken = set(names.values())
    for name, node in inputs:
        for index, size in enumerate(node.meta["val"].shape):
            if not isinstance(size, int) and str(size).isidentifier() and str(size) not in names:
                names[str(size)] = weights.fresh(f"{name}_{index}", taken)
    return names


def _is_tensor(node: torch.fx.Node | None) -> bool:
    return node is not None and isinstance(node.meta.get("val"), torch.Tensor)


def range_of(program, symbol: str) -> tuple[int, int]:
    """The sizes that a program takes for a symbol; NO_BOUND and more is no bound."""
    bounds = next((each for key, each in program.range_constraints.items() if str(key) == symbol),
                  None)

    def number(name: str, default: int) -> int:
        try:
            return int(getattr(bounds, name))
        except (AttributeError, TypeError, OverflowError, ValueError):  # of infinities
            return default
    return number("lower", 1), number("upper", NO_BOUND)


def dims_of(program, names: Mapping[str, str], given: Mapping[str, str] | None = None) \
        -> list[list[str] | None]:
    """Names and bounds of the dynamic sizes of each input, as the attribute gaudi.dims has them.
    `given`: by name, instead of the bounds of the program. Raises ValueError for a size without a
    largest one."""
    symbols = set(map(str, program.range_constraints))
    given = given or {}

    def entry(size: Any, name: str, index: int) -> str:
        symbol = str(size)
        if isinstance(size, int) or symbol not in symbols:  # sizes that follow from others
            return ""
        if names[symbol] in given:
            return f"{names[symbol]}={given[names[symbol]]}"
        low, high = range_of(program, symbol)
        if high >= NO_BOUND:
            raise ValueError(f"dimension {index} of input '{name}' ({names[symbol]}) has no "
                             "largest size; give its torch.export.Dim a max, or gaudi-import "
                             f"--size={names[symbol]}=1..64")
        return f"{names[symbol]}={low}..{high}"

    found: list[list[str] | None] = []
    for name, node in user_inputs(program):
        sizes = node.meta["val"].shape if _is_tensor(node) else ()
        dynamic_sizes = any(not isinstance(size, int) for size in sizes)
        found.append([entry(size, name, index) for index, size in enumerate(sizes)]
                     if dynamic_sizes else None)
    return found


def _lowered(program, dynamic_shapes: Any) -> Exported:
    dims = dims_of(program, size_names(program, dynamic_shapes))
    text, inputs, outputs = text_of(program, dims=dims)
    if any(dims):
        text.compile(buckets=_BUCKETS)
    return Exported(text, inputs, outputs, dims)


def has_dynamic_inputs(program) -> bool:
    return any(node.op == "placeholder" and dynamic.is_symbolic(node)
               for node in program.graph.nodes)


def text_of(program, names: tuple[list[str], list[str]] | None = None,
            dims: Sequence[Sequence[str] | None] = ()) \
        -> tuple[weights.Text, list[str], list[str]]:
    """The text of a program, and the names of its inputs and outputs: those of the graph, unless
    others are given. `dims`: bounds of dynamic sizes, as the attribute
    gaudi.dims has them. Raises Refused."""
    is_dynamic = has_dynamic_inputs(program)
    table = symbolic.table() if is_dynamic else decompositions.table(programs=True)
    gm, inputs, outputs = graph_of(program.run_decompositions(table))
    if names:
        # Seed and offset of what it draws are behind the inputs of the program.
        inputs, outputs = names[0] + inputs[len(names[0]):], names[1][:len(outputs)]
    nodes: list[torch.fx.Node] = []
    try:
        left = {node: f"{reason}; {fallback.call_text(node)}" for node in gm.graph.nodes
                if (reason := control_flow.why_left(node))}
        if left:
            raise writer.Unwritten(left)
        _remove_cuts(gm, is_dynamic)
        text, nodes = writer.write(gm.graph, inputs, outputs, dims)
        if not is_dynamic:
            gaudi_mlir.check_import(text.text, resources=text.resources)
    except (LoweringError, gaudi_mlir.CompileError) as error:
        refused = Refused(error, nodes_of(error, nodes))
        if isinstance(error, LoweringError):
            refused.message = " ".join(str(error).split())  # all of it
        has_advice = ";" in refused.message
        if where := places.of(next(iter(refused.nodes))) if refused.nodes else "":
            refused.message += f" ({where})"
        refused.message += "" if has_advice else _INSTEAD
        raise refused from error
    text.places = places.of_lines(nodes)
    return text, inputs, outputs


def _remove_cuts(gm: torch.fx.GraphModule, is_dynamic: bool) -> None:
    """Lets ops behind a size that depends on values work on what has the largest size. Raises
    LoweringError if one needs that size."""
    if not any(map(sizes.depends_on_values, gm.graph.nodes)):
        return
    bounded.move_cuts(gm)
    for node in gm.graph.nodes:
        if sizes.depends_on_values(node) or (dynamic.is_symbolic(node) and not is_dynamic):
            reason = (f"a size depends on values: {fallback.call_text(node)}; an exported model "
                      "cannot have it: return what has the largest size (torch.nonzero_static), "
                      'or compile it by torch.compile(model, backend="gaudi")')
            raise LoweringError(reason, {node: reason})
