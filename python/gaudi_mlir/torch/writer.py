# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.fx as text of the torch dialect, which our own front end lowers.

The text is written in one pass; each node has a line of its own, so that the place of an error
names its node. docs/rationale.md says why it is text.
"""
import functools
import json
import operator
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import _disable_current_modes
from torch.fx import Graph, Node

from gaudi_mlir import _core, weights
from gaudi_mlir._text import quoted

from . import affine, kernels
from .errors import LoweringError

DTYPES = {
    torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16",
    torch.float8_e4m3fn: "f8E4M3FN", torch.float8_e5m2: "f8E5M2", torch.bool: "i1",
    torch.int8: "si8", torch.int16: "si16", torch.int32: "si32", torch.int64: "si64",
    torch.uint8: "ui8", torch.uint16: "ui16", torch.uint32: "ui32", torch.uint64: "ui64",
    torch.complex32: "complex<f16>", torch.complex64: "complex<f32>",
    torch.complex128: "complex<f64>",
}
# c10::ScalarType, Layout and MemoryFormat.
_NUMBERS = {
    torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4,
    torch.float16: 5, torch.float32: 6, torch.float64: 7, torch.complex32: 8, torch.complex64: 9,
    torch.complex128: 10, torch.bool: 11, torch.bfloat16: 15, torch.float8_e5m2: 23,
    torch.float8_e4m3fn: 24, torch.uint16: 27, torch.uint32: 28, torch.uint64: 29,
    torch.strided: 0, torch.contiguous_format: 0, torch.preserve_format: 1,
    torch.channels_last: 2, torch.channels_last_3d: 3,
}

# Ops whose result is one number everywhere.
_FILLING = {
    torch.ops.aten.full.default, torch.ops.aten.full_like.default, torch.ops.aten.new_full.default,
    torch.ops.aten.fill.Scalar, torch.ops.aten.scalar_tensor.default,
}
# A size as a value, which Gaudi/Conversion/Torch.h names.
_SIZE = "torch.gaudi.size"
# Arithmetic on sizes whose results are no whole numbers, in floats.
_ARITHMETIC = {operator.truediv: "div.Tensor", operator.mul: "mul.Tensor", operator.add:
               "add.Tensor", operator.sub: "sub.Tensor", operator.pow: "pow.Tensor_Tensor",
               operator.neg: "neg", torch._sym_sqrt: "sqrt"}
_CASTS = (torch.sym_float,)

_NONE = "!torch.none"
_TENSORS = "!torch.list<vtensor>"


class Unwritten(LoweringError):
    """The text cannot say nodes, or the front end has no lowering for their ops."""

    def __init__(self, nodes: Mapping[Node, str]) -> None:
        super().__init__(next(iter(nodes.values())), nodes)


@functools.cache
def known() -> frozenset[str]:
    """The ops that the front end lowers: "aten.add.Tensor", without the overload "default"."""
    return frozenset(_core.torch_operators())


@functools.cache
def name_of(target: torch._ops.OpOverload) -> str:
    """The name of an op as `known` has it."""
    schema = target._schema
    name = schema.name.replace("::", ".")
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


def write(graph: Graph, inputs: Sequence[str] | None = None, outputs: Sequence[str] = (),
          dims: Sequence[Sequence[str] | None] = ()) -> tuple[weights.Text, list[Node]]:
    """The text of a graph whose ops are all known, and the node of each of its lines, from the
    first on. Constants of the graph (get_attr) are part of the text, large ones as resources that
    share their memory. Inputs and results have the names that are given, and `dims` the bounds of
    the dynamic sizes of inputs, as the attribute gaudi.dims has them. Raises Unwritten."""
    reasons = {node: reason for node in graph.nodes if (reason := why_unknown(node))}
    if reasons:
        raise Unwritten(reasons)
    writer = Writer(graph.owning_module, are_inputs=False)
    text = writer.text(graph, inputs, outputs, dims)
    return weights.Text(text, writer.resources), writer.places


def why_unknown(node: Node) -> str:
    """Why the front end cannot lower a node whatever its operands are; empty if it may."""
    if node.op != "call_function" or node.target is operator.getitem or _is_of_sizes(node):
        return ""
    if not isinstance(node.target, torch._ops.OpOverload):
        return f"'{getattr(node.target, '__name__', node.target)}' is no op of a library"
    if node.target in kernels.OPS:
        return ""
    name = name_of(_called(node.target, _number_places(node.target, node),
                           _size_places(node.target, node)))
    return "" if name in known() else f"'{name}' is not among the ops that are compiled (docs/reference/torch-ops.md)"


class _Parameter:
    """What an op takes at one place."""

    def __init__(self, argument: Any) -> None:
        kind = str(argument.real_type)
        self.name, self.default = argument.name, argument.default_value
        self.is_keyword = argument.kwarg_only
        self.is_tensor = kind in ("Tensor", "Optional[Tensor]")
        self.is_integers = "List[int]" in kind
        self.is_tensors = "List[Tensor]" in kind or "List[Optional[Tensor]]" in kind
        self.is_scalar = kind in ("number", "Optional[number]")
        self.takes_number = self.is_tensor or self.is_scalar
        self.kind = kind.replace("number", "Tensor").replace("Optional[Tensor]", "Tensor")

    def given(self, place: int, node: Node) -> Any:
        if place < len(node.args) and not self.is_keyword:
            return node.args[place]
        return node.kwargs.get(self.name, self.default)


@functools.cache
def _parameters(target: torch._ops.OpOverload) -> tuple[_Parameter, ...]:
    return tuple(_Parameter(argument) for argument in target._schema.arguments)


def _number_places(target: torch._ops.OpOverload, node: Node) -> tuple[int, ...]:
    """Where a Python number is given for a tensor, which PyTorch wraps, and where it is a complex
    one, which the text only has as a tensor."""
    return tuple(place for place, each in enumerate(_parameters(target))
                 if each.is_tensor and isinstance(each.given(place, node), (bool, int, float))
                 or each.is_scalar and isinstance(each.given(place, node), complex))


def _size_places(target: torch._ops.OpOverload, node: Node) -> tuple[int, ...]:
    """Where a number is given that is computed of sizes: in a text it is a tensor."""
    return tuple(place for place, each in enumerate(_parameters(target)) if each.takes_number
                 and _is_of_sizes(each.given(place, node)))


def _is_of_sizes(value: Any) -> bool:
    return isinstance(value, Node) and \
        isinstance(value.meta.get("val"), (torch.SymInt, torch.SymFloat))


@functools.cache
def _called(target: torch._ops.OpOverload, numbers: tuple[int, ...],
            tensors: tuple[int, ...] = ()) -> torch._ops.OpOverload:
    """The overload of an op that takes a number for a tensor, or a tensor for a number, at the
    places `numbers`, and tensors at the places `tensors`, if it has one: numbers and tensors are
    promoted by different rules."""
    if not numbers and not tensors:
        return target
    given = _parameters(target)
    for overload in target.overloadpacket.overloads():
        other = getattr(target.overloadpacket, overload)
        taken = _parameters(other)
        if [each.name for each in taken] == [each.name for each in given] and all(
                mine.kind == own.kind and (
                    own.is_tensor if place in tensors else tensors and mine.is_scalar or
                    own.is_scalar == (mine.is_scalar != (place in numbers)))
                for place, (mine, own) in enumerate(zip(given, taken))):
            return other
    return target


# A range ends at a size; no other number is one.
_RANGES = (torch.ops.aten.arange.default, torch.ops.aten.arange.start,
           torch.ops.aten.arange.start_step)


# Of a narrow type: PyTorch's CPU rounds the number of a sum to it first, not that of a product.
_SUMS = (torch.ops.aten.add.Scalar, torch.ops.aten.sub.Scalar)


def _rounded(number: float, dtype: torch.dtype) -> float:
    if dtype not in (torch.bfloat16, torch.float16):
        return number
    with _disable_current_modes():
        return torch.tensor(number, dtype=dtype).item()


class Writer:
    """The text of one graph. With `are_inputs`, its constants (get_attr) are inputs, too."""

    def __init__(self, module: torch.nn.Module, are_inputs: bool = True) -> None:
        self.module = module
        self.are_inputs = are_inputs
        self.inputs: list[tuple[str, Node]] = []  # "placeholder" or "get_attr"
        self.places: list[Node] = []  # the node of each line
        self.resources: dict[str, Any] = {}
        self._lines: list[str] = []
        self._names: dict[Node, Any] = {}  # (name, type), or several
        self._constants: dict[Any, tuple[str, str]] = {}
        self._literals: dict[tuple, tuple[str, str]] = {}
        self._taken: set[str] = set()
        self._symbols: dict[Any, str] = {}  # of sympy, in the order of the maps
        self._count = 0
        self._wholes: dict[tuple, int] = {}  # ops of the model that were decomposed
        self._last: tuple | None = None  # what the last node is a part of
        self._parts = 0

    def text(self, graph: Graph, inputs: Sequence[str] | None = None,
             outputs: Sequence[str] = (), dims: Sequence[Sequence[str] | None] = ()) -> str:
        arguments: list[str] = []
        results = ""
        self._declare(graph)
        self.places += [next(iter(graph.nodes))] * len(self._lines)
        for node in graph.nodes:
            try:
                if node.op == "placeholder" or (node.op == "get_attr" and self.are_inputs):
                    self._input(node, arguments, inputs, dims)
                elif node.op == "get_attr":
                    self._names[node] = self._literal(node)
                elif node.op == "output":
                    results = self._results(node, outputs)
                elif node.op != "call_function":
                    raise ValueError(f"a node of kind {node.op}")
                elif _is_of_sizes(node):
                    continue  # written where it is read
                elif node.target is operator.getitem:
                    self._names[node] = self._names[node.args[0]][node.args[1]]
                else:
                    self._call(node)
            except (ValueError, KeyError, TypeError, IndexError, AttributeError,
                    RuntimeError) as error:
                raise Unwritten({node: f"node '{node.name}': {error}"}) from None
            self.places += [node] * (len(self._lines) - len(self.places))
        # The lines of the module and of the function are nobody's.
        self.places[:0] = [next(iter(graph.nodes))] * 2
        head = f"func.func @main({', '.join(arguments)}) -> ({results}) {{"
        return "\n".join(["module {", head, *self._lines, "}", "}", ""])

    # --- signature ---------------------------------------------------------------------------

    def _input(self, node: Node, arguments: list[str], names: Sequence[str] | None,
               dims: Sequence[Sequence[str] | None]) -> None:
        value = _attribute(self.module, node.target) if node.op == "get_attr" else \
            node.meta.get("val")
        if not isinstance(value, torch.Tensor):
            if node.op == "placeholder" and (not node.users or isinstance(value, torch.SymInt)):
                return  # a size is written where it is read
            raise ValueError(f"an input that is no tensor but {type(value).__name__}")
        kind, number = _tensor_type(value), len(arguments)
        attributes = [f"gaudi.name = {quoted(names[number])}"] if names else []
        if number < len(dims) and dims[number]:  # what a rewrite added has none
            attributes.append("gaudi.dims = "
                              f"[{', '.join([quoted(each) for each in dims[number]])}]")
        given = f" {{{', '.join(attributes)}}}" if attributes else ""
        arguments.append(f"%arg{number}: {kind}{given}")
        self._names[node] = f"%arg{number}", kind
        self.inputs.append((node.op, node))
        self._bind(f"%arg{number}", value)

    def _declare(self, graph: Graph) -> None:
        """A name for each size that is dynamic."""
        for node in graph.find_nodes(op="placeholder"):
            value = node.meta.get("val")
            for size in value.shape if isinstance(value, torch.Tensor) else ():
                for symbol in sorted(getattr(affine.expression(size), "free_symbols", ()), key=str):
                    if symbol not in self._symbols:
                        name = f"%s{len(self._symbols)}"
                        self._symbols[symbol] = name
                        self._lines.append(f"{name} = torch.symbolic_int {quoted(str(symbol))} "
                                           "{min_val = 0, max_val = 9223372036854775807} "
                                           ": !torch.int")

    def _results(self, node: Node, names: Sequence[str]) -> str:
        returned = torch.utils._pytree.tree_leaves(node.args[0])
        if not all(isinstance(each, Node) for each in returned):
            raise ValueError("a result that is no tensor")
        values = [self._names[each] for each in returned]
        of = ", ".join(kind for _, kind in values)
        self._lines.append(f"return {', '.join(name for name, _ in values)} : {of}"
                           if values else "return")
        if len(names) != len(values):
            return of
        return ", ".join(f"{kind} {{gaudi.name = {quoted(name)}}}"
                         for (_, kind), name in zip(values, names))

    # --- constants ---------------------------------------------------------------------------

    def _literal(self, node: Node) -> tuple[str, str]:
        value = _attribute(self.module, node.target)
        if not isinstance(value, torch.Tensor):
            raise ValueError(f"a constant that is no tensor but {type(value).__name__}")
        with torch._C._DisableTorchDispatch():
            value = value.detach()
            key = value.data_ptr(), value.dtype, tuple(value.shape), value.stride()
            if key not in self._literals:
                self._literals[key] = self._tensor(value.cpu(), node.meta.get("label", node.target))
        return self._literals[key]

    def _tensor(self, value: torch.Tensor, label: str) -> tuple[str, str]:
        if value.dtype.is_complex:
            pairs = torch.view_as_real(value.resolve_conj().resolve_neg())
            name, of = self._tensor(pairs, label)
            kind = _tensor_type(value)
            return self._add(f'torch.operator "torch.aten.view_as_complex"({name}) : ({of}) -> '
                             + kind, kind)
        # A view of bytes knows nothing of signs or dimensions that are permuted.
        value = value.resolve_neg().contiguous()
        kind = _tensor_type(value)
        element = DTYPES[value.dtype]
        of = "".join(f"{size}x" for size in value.shape) + element
        if value.numel() * value.itemsize >= weights.SMALL_BYTES:
            name = weights.fresh(label, self._taken)
            self.resources[name] = shared_array(value)
            text = f"dense_resource<{quoted(name)}>"
        elif not value.numel():
            text = "dense<>"
        elif value.dtype is torch.bool:
            text = f"dense<{json.dumps(value.tolist())}>"
        else:
            text = f'dense<"0x{shared_array(value).tobytes().hex()}">'
        return self._add(f"torch.vtensor.literal({text} : tensor<{of}>) : {kind}", kind)

    def _scalar(self, value: Any) -> tuple[str, str]:
        key = type(value), str(value) if isinstance(value, float) else value
        if key not in self._constants:
            self._constants[key] = self._add(*_constant(value))
        return self._constants[key]

    def _filled(self, number: complex, value: torch.Tensor) -> tuple[str, str]:
        """A complex number everywhere, of the type and sizes of `value`."""
        with _disable_current_modes():
            scalar, of = self._tensor(torch.tensor(number, dtype=value.dtype), "number")
        sizes, list_of = self._list([int(size) for size in value.shape], False)
        implicit, flag = self._scalar(False)
        kind = _tensor_type(value)
        return self._add(f'torch.operator "torch.aten.expand"({scalar}, {sizes}, {implicit}) : '
                         f"({of}, {list_of}, {flag}) -> {kind}", kind)

    def _number(self, value: Any, node: Node) -> tuple[str, str]:
        """A number for which there is no overload, as the tensor that PyTorch makes of it."""
        other = next((each.meta["val"].dtype for each in node.all_input_nodes
                      if isinstance(each.meta.get("val"), torch.Tensor)), torch.bool)
        with _disable_current_modes():  # a real tensor, also where fakes are traced
            return self._tensor(torch.tensor(value, dtype=torch.result_type(
                torch.empty(1, dtype=other), value)), "number")

    # --- ops ---------------------------------------------------------------------------------

    def _add(self, text: str, kind: str) -> tuple[str, str]:
        self._count += 1
        self._lines.append(f"%{self._count} = {text}")
        return f"%{self._count}", kind

    def _argument(self, value: Any) -> tuple[str, str]:
        if isinstance(value, Node):
            if isinstance(value.meta.get("val"), torch.SymInt):
                return self._size(value.meta["val"], "!torch.int")
            return self._names[value]
        if isinstance(value, (list, tuple)):
            return self._list(value, any(isinstance(each, Node) and not _is_of_sizes(each)
                                         for each in value))
        return self._scalar(value)

    def _list(self, items: Sequence[Any], is_tensors: bool) -> tuple[str, str]:
        values = [self._argument(each) for each in items]
        names = ", ".join(name for name, _ in values)
        types = ", ".join(kind for _, kind in values)
        kind = _TENSORS if is_tensors else "!torch.list<int>"
        if any(isinstance(each, float) for each in items):
            kind = "!torch.list<float>"
        key = None if is_tensors else (names, kind)
        if key not in self._constants:
            value = self._add(f"torch.prim.ListConstruct {names} : ({types}) -> {kind}", kind)
            if key is None:
                return value
            self._constants[key] = value
        return self._constants[key]

    def _operands(self, target: torch._ops.OpOverload, node: Node) -> list[tuple[str, str]]:
        operands = []
        for place, parameter in enumerate(_parameters(target)):
            value = parameter.given(place, node)
            if parameter.is_integers and type(value) is int:
                value = [value]
            if target in _SUMS and parameter.name == "other" and type(value) in (int, float):
                value = _rounded(value, node.meta["val"].dtype)
            if parameter.is_tensors and value is not None:
                operands.append(self._list(value, True))
            elif parameter.is_tensor and isinstance(value, (bool, int, float, complex)):
                operands.append(self._number(value, node))
            elif parameter.is_tensor and _is_of_sizes(value):
                operands.append(self._computed(value))
            elif parameter.is_scalar and _is_of_sizes(value) and not (
                    target in _RANGES and parameter.name == "end"):
                raise ValueError(f"'{parameter.name}' is computed of sizes that are dynamic")
            else:
                operands.append(self._argument(value))
        return operands

    def _call(self, node: Node) -> None:
        if not isinstance(node.target, torch._ops.OpOverload):
            raise ValueError(f"'{getattr(node.target, '__name__', node.target)}' is no op of a "
                             "library")
        if node.target in kernels.OPS:
            self._kernel(kernels.OPS[node.target], node)
            return
        if node.target is torch.ops.aten._linalg_check_errors.default:
            return  # it raises on the host; the factors show what it would say by NaN or infinity
        if node.target is torch.ops.aten.scalar_tensor.default and _is_of_sizes(node.args[0]):
            self._names[node] = self._converted(self._computed(node.args[0]), node)
            return
        target = _called(node.target, _number_places(node.target, node),
                         _size_places(node.target, node))
        if target._schema.name.startswith("aten::as_strided"):
            # The strides are those of its storage, which the device has row by row.
            of = node.args[0].meta["val"]
            if not of.is_contiguous() or of.storage_offset() != 0:
                raise ValueError("strides of a tensor that is a part or a permutation of another")
        numbers = [each for each in (*node.args, *node.kwargs.values()) if type(each) is complex]
        if numbers and target in _FILLING:
            self._names[node] = self._filled(numbers[0], node.meta["val"])
            return
        operands = self._operands(target, node)
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(kind for _, kind in operands)
        head = (f'torch.operator "torch.{name_of(target)}"({names}){self._whole(node)} : '
                f"({types}) -> ")
        value = node.meta.get("val")
        if not isinstance(value, (list, tuple)):
            kind = _tensor_type(value)
            self._names[node] = self._add(head + kind, kind)
            self._bind(self._names[node][0], value)
            return
        kinds = [_NONE if each is None else _tensor_type(each) for each in value]
        if len(target._schema.returns) == 1:  # one list
            name, _ = self._add(head + _TENSORS, _TENSORS)
            first = self._count + 1
            self._count += len(kinds)
            results = [f"%{first + index}" for index in range(len(kinds))]
            if kinds:
                self._lines.append(f"{', '.join(results)} = torch.prim.ListUnpack {name} : "
                                   f"{_TENSORS} -> {', '.join(kinds)}")
        else:
            self._count += 1
            name = f"%{self._count}"
            results = [f"{name}#{index}" for index in range(len(kinds))]
            self._lines.append(f"{name}:{len(kinds)} = {head}({', '.join(kinds)})")
        self._names[node] = list(zip(results, kinds))
        for name, each in zip(results, value):
            self._bind(name, each)

    def _whole(self, node: Node) -> str:
        """The attribute of a node of a program that is not itself an op of the model: the op that
        it is a part of, or that wrote to an operand before, and the part of that op that contains
        the node, with a number for each. Autocast goes by them
        (include/Gaudi/Dialect/SourceOp.h)."""
        source = next(iter(node.meta.get("from_node") or ()), None)
        own, outer, inner = (".".join(str(target).split(".")[:2]) for target in (
            node.target, source and source.target, node.meta.get("original_aten") or node.target))
        if outer == own or not (outer.startswith("aten.") and inner.startswith("aten.")):
            self._last = None
            return ""
        place = source.graph_id, source.name
        number = self._wholes.setdefault(place, len(self._wholes) + 1)
        # Ops of one kind that follow each other are one: autocast treats them alike.
        if self._last != (place, inner):
            self._last, self._parts = (place, inner), self._parts + 1
        return f' {{gaudi.source_op = [["{outer}", {number}], ["{inner}", {self._parts}]]}}'

    def _kernel(self, op: kernels.Op, node: Node) -> None:
        """A kernel of the user's own, between tensors of the torch dialect."""
        names = []
        given = [each.given(place, node) for place, each in enumerate(_parameters(node.target))]
        args = [each.meta["val"] if isinstance(each, Node) else each for each in given]
        for each in given:
            if not isinstance(each, Node):
                continue
            name, kind = self._names[each]
            to = str(kernels.TensorType.of(each.meta["val"]))
            names.append(self._add(f"torch_c.to_builtin_tensor {name} : {kind} -> {to}", to)[0])
        value = node.meta["val"]
        made = [value] if isinstance(value, torch.Tensor) else list(value)
        head, *lines = op.lines(args, made, names)
        self._count += 1
        name = f"%{self._count}"
        self._lines += [f"{name}{f':{len(made)}' if len(made) > 1 else ''} = {head}", *lines]
        results = []
        for place, each in enumerate(made):
            kind, of = _tensor_type(each), str(kernels.TensorType.of(each))
            part = f"{name}#{place}" if len(made) > 1 else name
            results.append(self._add(f"torch_c.from_builtin_tensor {part} : {of} -> {kind}", kind))
        self._names[node] = results[0] if isinstance(value, torch.Tensor) else results

    # --- sizes that are dynamic ----------------------------------------------------------------

    def _bind(self, name: str, value: Any) -> None:
        """Says the sizes of a tensor, if some of them are dynamic."""
        if not isinstance(value, torch.Tensor) or all(type(size) is int for size in value.shape):
            return
        shape = ", ".join([affine.text(size, list(self._symbols)) for size in value.shape])
        self._lines.append(f"torch.bind_symbolic_shape {name}, [{self._symbol_names()}], "
                           f"{self._map(shape)} : {_tensor_type(value)}")

    def _symbol_names(self) -> str:
        return ", ".join(self._symbols.values())

    def _map(self, results: str) -> str:
        symbols = ", ".join([f"s{number}" for number, _ in enumerate(self._symbols)])
        return f"affine_map<()[{symbols}] -> ({results})>"

    def _size(self, size: Any, kind: str) -> tuple[str, str]:
        """A size as a number, or as a tensor."""
        expr = affine.expression(size)
        key = "size", expr, kind
        if key not in self._constants:
            types = ", ".join(["!torch.int"] * len(self._symbols))
            self._constants[key] = self._add(
                f'torch.operator "{_SIZE}"({self._symbol_names()}) '
                f"{{map = {self._map(affine.text(size, list(self._symbols)))}}} : "
                f"({types}) -> {kind}", kind)
        return self._constants[key]

    def _computed(self, node: Any) -> tuple[str, str]:
        """A number that is computed of sizes as a tensor."""
        if not isinstance(node, Node):
            with _disable_current_modes():
                return self._tensor(torch.tensor(node), "number")
        if isinstance(node.meta["val"], torch.SymInt):
            return self._size(node.meta["val"], "!torch.vtensor<[],si64>")
        if node not in self._names:
            if node.target in _CASTS:
                self._names[node] = self._converted(self._computed(node.args[0]), node)
            elif node.target in _ARITHMETIC:
                operands = [self._computed(each) for each in node.args]
                if _ARITHMETIC[node.target] in ("add.Tensor", "sub.Tensor"):
                    operands.append(self._scalar(1))
                kind = "!torch.vtensor<[],f32>"
                self._names[node] = self._add(
                    f'torch.operator "torch.aten.{_ARITHMETIC[node.target]}"'
                    f"({', '.join([name for name, _ in operands])}) : "
                    f"({', '.join([of for _, of in operands])}) -> {kind}", kind)
            else:
                raise ValueError(f"'{node.target}' of sizes is not supported")
        return self._names[node]

    def _converted(self, value: tuple[str, str], node: Node) -> tuple[str, str]:
        """A number as the tensor that a node is; of a number that is no tensor, in f32."""
        of = node.meta["val"]
        dtype = of.dtype if isinstance(of, torch.Tensor) else torch.float32
        kind = f"!torch.vtensor<[],{DTYPES[dtype]}>"
        number, number_kind = self._scalar(dtype)
        return self._add(f'torch.operator "torch.prims.convert_element_type"({value[0]}, {number})'
                         f" : ({value[1]}, {number_kind}) -> {kind}", kind)


def _attribute(module: torch.nn.Module, name: str) -> Any:
    return operator.attrgetter(name)(module)


def _tensor_type(value: Any) -> str:
    if not isinstance(value, torch.Tensor):
        raise ValueError(f"a value that is no tensor but {type(value).__name__}")
    if value.dtype not in DTYPES:
        raise ValueError(f"a tensor of {value.dtype}")
    shape = ",".join([str(size) if type(size) is int else "?" for size in value.shape])
    return f"!torch.vtensor<[{shape}],{DTYPES[value.dtype]}>"


def _constant(value: Any) -> tuple[str, str]:
    """The op that makes a value of Python, and its type."""
    if value is None:
        return "torch.constant.none", _NONE
    if isinstance(value, bool):
        return f"torch.constant.bool {str(value).lower()}", "!torch.bool"
    if isinstance(value, int):
        return f"torch.constant.int {value}", "!torch.int"
    if isinstance(value, float):
        bits, = struct.unpack("<Q", struct.pack("<d", value))
        return f"torch.constant.float 0x{bits:016X}", "!torch.float"
    if isinstance(value, str):
        return f"torch.constant.str {quoted(value)}", "!torch.str"
    if isinstance(value, torch.device):
        return f'torch.constant.device "{value}"', "!torch.Device"
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)) and value in _NUMBERS:
        return f"torch.constant.int {_NUMBERS[value]}", "!torch.int"
    raise ValueError(f"a value of {type(value).__name__}")


# Types that NumPy has, and how those that it lacks are named there.
_NUMPY = {torch.bfloat16: "bf16", torch.float8_e4m3fn: "f8E4M3FN", torch.float8_e5m2: "f8E5M2"}


def shared_array(tensor: torch.Tensor):
    """The elements of a tensor as an array, in its own memory if it is contiguous."""
    tensor = tensor.detach().contiguous()
    if tensor.dtype not in _NUMPY:
        return tensor.numpy()
    kind = weights.element_type(_NUMPY[tensor.dtype])
    return tensor.reshape(-1).view(torch.uint8).numpy().view(kind).reshape(tensor.shape)
