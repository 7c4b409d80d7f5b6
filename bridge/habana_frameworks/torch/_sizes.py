# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that are met again with operands of other sizes.

The text of an op that needs no trace is a matter of the sizes alone, once its types, layouts and
other arguments are known. So its graph is kept, and is written for other sizes, which PyTorch's
rules for tensors without memory give: no graph is made, taken apart or judged again. It is trusted
once the second sizes, which take the long way, have given the same text, types and layouts.
"""
import collections
from collections.abc import Hashable

import torch
from torch.fx import Graph, Node

import gaudi_mlir
from gaudi_mlir.torch import cache, writer
from gaudi_mlir.torch.errors import LoweringError
from gaudi_mlir.torch.launch import TensorSpec
from gaudi_mlir.torch.tracing import LOCK

from . import _cards

MAX_FORMS = 2000

_forms: "collections.OrderedDict[Hashable, _Form | None]" = collections.OrderedDict()


def plan_of(call):
    """The plan of a call whose op is known for other sizes; None if it takes the long way."""
    key = _key(call)
    with LOCK:
        form = _forms.get(key) if key else None
        if form is None or not form.is_trusted:
            return None
        try:
            with torch.no_grad():
                return form.plan(call)
        except (LoweringError, gaudi_mlir.CompileError, RuntimeError, ValueError, TypeError,
                IndexError):
            return None  # the long way says what is wrong


def learn(call) -> None:
    """Keeps the form of a call that has a plan, or compares it with that of other sizes."""
    key = _key(call)
    if key is None or call.node is None or min(call.compiler.direct[1], default=0) < 0:
        return
    with LOCK:
        form = _forms.get(key)
        if key not in _forms:
            form = _Form(call)
            _forms[key] = form if form.op else None  # the compiler has replaced it
            if len(_forms) > MAX_FORMS:
                _forms.popitem(last=False)
        elif form is not None and not form.is_trusted and form.sizes != _sizes(call):
            form.is_trusted = form.gives(call)
            if not form.is_trusted:
                _forms[key] = None


def _sizes(call) -> list[tuple[int, ...]]:
    return [each.sizes for each in call.operands]


def _key(call) -> Hashable:
    """All but the sizes; None of what is no key."""
    def of(value):
        if isinstance(value, torch.Tensor):
            operand = next(left)
            if operand.dtype is not operand.stored or not (operand.is_contiguous or
                                                           operand.is_permuted):
                raise TypeError
            return (operand.dtype, len(operand.sizes),
                    None if operand.is_contiguous else tuple(operand.order))
        if isinstance(value, (list, tuple)):
            return tuple(map(of, value))
        if isinstance(value, torch.Generator):
            raise TypeError
        return type(value), str(value)

    left = iter(call.operands)
    try:
        return call.op, torch.get_default_dtype(), _cards.kind(), tuple(map(of, call.args))
    except TypeError:
        return None


class _Launch:
    """What a plan asks of a launch."""

    def __init__(self, recipe, outputs: list[TensorSpec]) -> None:
        self.recipe, self.outputs = recipe, outputs


class _Form:
    """The graph of an op, and how its launch is planned."""

    def __init__(self, call) -> None:
        launch, self._slots, self._wanted = call.compiler.direct
        self._graph: Graph = call.compiler.extracted
        self.op = next((node for node in self._graph.nodes
                        if node.meta.get("source") is call.node), None)
        self._orders = call.orders
        self._results = list(next(iter(self._graph.find_nodes(op="output"))).args[0])
        self._names = ([each.name for each in launch.inputs],
                       [each.name for each in launch.outputs])
        self.sizes = _sizes(call)
        self.is_trusted = False

    def plan(self, call):
        """None where another graph might be needed."""
        if not self._evaluate(call):
            return None
        found = cache.recipe_of(self._text(), _cards.kind())
        outputs = [TensorSpec.of(node) for node in self._results]
        return call.planned(_Launch(found.recipe, outputs), self._slots, self._wanted, [])

    def gives(self, call) -> bool:
        """Whether it gives what the call has been given."""
        results, specs = call.results, call.specs
        launch, slots, wanted = call.compiler.direct
        expected, _ = writer.write(call.compiler.extracted, [each.name for each in launch.inputs],
                                   [each.name for each in launch.outputs])
        try:
            return (slots, wanted) == (self._slots, self._wanted) and self._evaluate(call) and \
                self._text().text == expected.text and call.specs == specs and \
                [*map(_described, call.results)] == [*map(_described, results)]
        except (LoweringError, RuntimeError, ValueError, TypeError, IndexError):
            return False
        finally:
            call.results, call.specs = results, specs

    def _text(self):
        return writer.write(self._graph, *self._names)[0]

    def _evaluate(self, call) -> bool:
        """Gives all values the sizes that they have in the call. False if it is another graph."""
        slots = iter(self._slots)
        values: dict[Node, object] = {}
        for node in self._graph.nodes:
            if node.op == "placeholder":
                operand = call.operands[next(slots)]
                sizes = operand.sizes if operand.is_contiguous else \
                    [operand.sizes[dim] for dim in operand.order]
                value = torch.empty(sizes, dtype=operand.dtype, device="meta")
            elif node.op == "call_function":
                args, named = torch.fx.map_arg((node.args, node.kwargs), values.__getitem__)
                value = node.target(*args, **named)
            else:
                continue
            values[node] = node.meta["val"] = value
        made = values[self.op]
        if call.written and (made.dtype != call.operands[0].dtype or
                             tuple(made.shape) != call.operands[0].sizes):
            return False
        call.results = [made] if call.written else call.parts(made)
        return call.arrange(call.new(call.results)) == self._orders


def _described(tensor: torch.Tensor) -> tuple:
    return tensor.dtype, tuple(tensor.shape), tensor.stride()
