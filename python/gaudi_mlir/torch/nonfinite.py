# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a NaN or an infinity of a graph comes from: the op that makes it of finite operands.

A graph is computed again by PyTorch's CPU, op by op. From a result that is not finite the way back
goes by the operands that are not, until an op has none.
"""
import dataclasses
import linecache
import math
from collections.abc import Callable, Iterable

import torch
from torch.fx import GraphModule, Interpreter, Node

from .places import Place, place

NAN, INFINITE = 1, 2


def tensors_of(value) -> list[torch.Tensor]:
    """Of a value of a node."""
    if isinstance(value, (list, tuple)):
        return [each for part in value for each in tensors_of(part)]
    return [value] if isinstance(value, torch.Tensor) else []


def kinds(tensor: torch.Tensor) -> int:
    """Which of NAN and INFINITE a tensor of the host has."""
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor.resolve_conj())
    if not tensor.dtype.is_floating_point or not tensor.numel():
        return 0
    if tensor.dtype.itemsize == 1:
        tensor = tensor.float()
    if tensor.isfinite().all():
        return 0
    return NAN * bool(tensor.isnan().any()) | INFINITE * bool(tensor.isinf().any())


def described(tensor: torch.Tensor) -> str:
    """Sizes, type and range: "4x8 float32, 0 to 3.2, 5 zeros"."""
    head = f"{'x'.join(map(str, tensor.shape)) or 'scalar'} {str(tensor.dtype)[6:]}"
    if not tensor.numel() or tensor.is_complex() or tensor.dtype is torch.bool:
        return head
    values = tensor.detach().double()
    finite = values[values.isfinite()]
    parts = [head]
    if finite.numel():
        parts.append(f"{float(finite.min()):.6g} to {float(finite.max()):.6g}")
    for name, count in (("zero", (values == 0).sum()), ("infinite", values.isinf().sum()),
                        ("NaN", values.isnan().sum())):
        if count:
            parts.append(f"{int(count)} {name}")
    return ", ".join(parts)


@dataclasses.dataclass
class Birth:
    """Of the first value that is not finite."""
    op: str
    place: Place
    kind: int
    element: tuple[int, ...]
    value: float
    result: str
    operands: list[str]
    infinite_operands: list[str]
    """What makes NaN of infinities that the program has put there."""

    def text(self, where: str) -> str:
        """Lines for people; `where`: what has run."""
        source = "operands without NaN" if self.infinite_operands else "finite operands"
        lines = [f"{self.op} makes {self.value} of {source} ({where})",
                 *place_lines(self.place),
                 f"element {list(self.element)} of {self.result}",
                 *self.operands]
        return "\n  ".join(lines)


def place_lines(at: Place) -> list[str]:
    """ "at train.py:12: y = torch.log(x)", "in the backward of Net.head"."""
    lines = []
    if at.file:
        code = linecache.getline(at.file, at.line).strip()
        lines.append(f"at {at.file}:{at.line}{f': {code}' if code else ''}")
    if at.module or at.is_backward:
        direction = "backward" if at.is_backward else "forward"
        what = at.module or "this line"
        lines.append(f"in the {direction} of {what}" if not what.endswith(".step") else
                     f"in {what}")
    return lines


def op_name(node: Node) -> str:
    """ "aten::log"; of a part of one that was taken apart "aten::_softmax (its aten::sub)"."""
    own = node.target._schema.name if isinstance(node.target, torch._ops.OpOverload) else \
        str(node.target)
    called = node.meta.get("called")
    if not called:
        origin = node.meta.get("original_aten")
        called = origin._schema.name if isinstance(origin, torch._ops.OpOverload) else own
    called = called.partition(".")[0]
    return own if called == own else f"{called} (its {own})"


_SAME = {torch.ops.aten.view.default: torch.ops.aten.reshape.default}
"""Whatever strides a value has."""


UNCOMPUTABLE = RuntimeError, IndexError, TypeError, ValueError
"""What PyTorch's CPU raises for an op that it does not take."""


class Evaluation(Interpreter):
    """A graph on the CPU. `seen(node, args, kwargs, result)` is called for each op. `is_dense`: the
    graph takes all values for row-major."""

    def __init__(self, gm: GraphModule, seen: Callable | None = None, is_dense: bool = False,
                 keeps: bool = False) -> None:
        super().__init__(gm, garbage_collect_values=not keeps)
        self._seen, self._is_dense = seen, is_dense

    def run_node(self, node: Node):
        if node.op != "call_function":
            return super().run_node(node)
        args, kwargs = self.fetch_args_kwargs_from_env(node)
        result = self.computed(node, args, kwargs)
        if self._seen:
            self._seen(node, args, kwargs, result)
        return result

    def computed(self, node: Node, args, kwargs):
        # Only a graph of a card's tensors names a device, which is the card.
        kwargs = {name: torch.device("cpu") if isinstance(each, torch.device) else each
                  for name, each in kwargs.items()}
        result = _SAME.get(node.target, node.target)(*args, **kwargs)
        if self._is_dense and isinstance(result, torch.Tensor):
            result = result.contiguous()
        return result

    def get_attr(self, target, args, kwargs):
        value = super().get_attr(target, args, kwargs)
        return value.cpu() if isinstance(value, torch.Tensor) else value


def _numbers(value) -> Iterable[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _numbers(each)


class Search:
    """The births of a graph that was computed for `inputs`."""

    def __init__(self, gm: GraphModule, inputs: list[torch.Tensor],
                 is_dense: bool = False) -> None:
        self.graph = gm.graph
        self.flags: dict[Node, int] = {}
        self.births: dict[Node, Birth] = {}
        for node, value in zip(gm.graph.find_nodes(op="placeholder"), inputs):
            self.flags[node] = kinds(value)
        with torch.no_grad():
            self.results = Evaluation(gm, self._seen, is_dense).run(*inputs)

    def _seen(self, node: Node, args, kwargs, result) -> None:
        if "empty" in str(node.target):  # nothing is in it yet
            return
        made = tensors_of(result)
        self.flags[node] = found = self._or(map(kinds, made))
        if not found:
            return
        given = self._or(self.flags.get(each, 0) for each in node.all_input_nodes)
        is_birth = found & NAN and not given & NAN or \
            not given and not any(math.isinf(each) for each in
                                  _numbers((*args, *kwargs.values())))
        if is_birth:
            wanted = NAN if found & NAN and given else NAN | INFINITE
            self.births[node] = birth_of(node, args, kwargs, made, wanted, given)

    @staticmethod
    def _or(flags: Iterable[int]) -> int:
        result = 0
        for each in flags:
            result |= each
        return result

    def of_result(self, number: int) -> "Birth | Node | bool":
        """Of a result of the graph; an input of it if that is where it comes from; else whether
        it is infinite because the program says so."""
        node = next(iter(self.graph.find_nodes(op="output"))).args[0][number]
        is_nan = self.flags.get(node, 0) & NAN
        best = None
        while True:
            best = self.births.get(node) or best
            bad = [each for each in node.all_input_nodes
                   if self.flags.get(each, 0) & (NAN if is_nan else NAN | INFINITE)] or \
                [each for each in node.all_input_nodes if self.flags.get(each, 0)]
            if not bad:
                break
            node = bad[0]
            is_nan = is_nan and self.flags[node] & NAN
        if best is None and self.flags.get(node):
            return node if node.op == "placeholder" else True
        return best or False


def birth_of(node: Node, args, kwargs, made: list[torch.Tensor], wanted: int, given: int) -> Birth:
    result = next(each for each in made if kinds(each) & wanted)
    values = torch.view_as_real(result.resolve_conj()) if result.is_complex() else result
    wide = values.float() if values.dtype.itemsize == 1 else values
    is_bad = wide.isnan() if wanted == NAN else ~wide.isfinite()
    index = tuple(map(int, is_bad.nonzero()[0]))
    value = float(wide[index])
    operands = []
    schema = getattr(node.target, "_schema", None)
    names = [each.name for each in schema.arguments] if schema else []
    for name, arg in [*zip([*names, *map(str, range(len(args)))], args), *kwargs.items()]:
        for number, each in enumerate(tensors_of(arg)):
            label = f"{name}[{number}]" if isinstance(arg, (list, tuple)) else name
            operands.append(f"{label}: {_at(each, result, index)}{described(each)}")
        if isinstance(arg, (int, float)) and not isinstance(arg, bool):
            operands.append(f"{name}: {arg}")
    infinite = [name for name, each in zip(names, args)
                if any(kinds(part) for part in tensors_of(each))] if given else []
    bad = int(is_bad.sum())
    return Birth(op_name(node), place(node), NAN if math.isnan(value) else INFINITE, index, value,
                 f"{'x'.join(map(str, result.shape)) or 'scalar'} {str(result.dtype)[6:]}, "
                 f"{bad} of {is_bad.numel()} so", operands, infinite)


def _at(operand: torch.Tensor, result: torch.Tensor, index: tuple[int, ...]) -> str:
    """The element of an operand that broadcasts to the result."""
    if operand.is_complex() or result.is_complex():
        return ""
    try:
        value = operand.expand(result.shape)[index]
    except RuntimeError:
        return ""
    return f"{value.item():.6g} there; " if operand.dim() or result.dim() else f"{value.item():.6g}; "
