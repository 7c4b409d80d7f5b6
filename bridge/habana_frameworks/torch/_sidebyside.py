# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PT_SBS: each launch beside PyTorch's CPU, which computes the same graph of the same operands.

Where a result leaves what docs/numerics.md allows, and what roundings make of it, the ops of the
graph are compared one by one, each for the operands that the card has, so that no op is blamed for
an error of one before it.
"""
import atexit
import collections
import contextlib
import dataclasses
from collections.abc import Iterator

import torch

from gaudi_mlir._text import table
from gaudi_mlir.torch import flags, nonfinite, places, sidebyside
from gaudi_mlir.torch.roundings import Roundings

from . import _observer, _replay

_HEAD = "PT_SBS"
_BEFORE = "it was compiled before"


def _cannot(error: Exception) -> str:
    return f"PyTorch's CPU cannot: {str(error).partition(chr(10))[0]}"


@dataclasses.dataclass
class Difference:
    """An op whose result is not that of the CPU. `excess`: the largest error as a multiple of what
    is allowed."""
    op: str
    place: places.Place
    excess: float
    element: tuple[int, ...]
    actual: float
    expected: float
    where: str
    operands: list[str]
    note: str = ""

    def __str__(self) -> str:
        lines = [f"{self.op} differs from PyTorch's CPU by {self.excess:.3g} times what "
                 f"docs/numerics.md allows ({self.where})", *nonfinite.place_lines(self.place),
                 f"element {list(self.element)} is {self.actual:.9g}, on the CPU "
                 f"{self.expected:.9g}", *self.operands, *([self.note] if self.note else [])]
        return "\n  ".join(lines)


class SideBySide:
    """A watcher."""

    def __init__(self) -> None:
        self.differences: list[Difference] = []
        self.compared: collections.Counter = collections.Counter()
        self.worst: dict[str, float] = {}
        self.not_compared: collections.Counter = collections.Counter()
        self.within: collections.Counter = collections.Counter()
        self._known: set = set()

    def begin(self, launch: _observer.Launch) -> None:
        if launch.subject.graph is not None:
            launch.keep_inputs()

    def failed(self, launch: _observer.Launch, text: str) -> None:
        pass

    def end(self, launch: _observer.Launch) -> None:
        graph, name = launch.subject.graph, launch.subject.name
        if launch.subject.kind == "cpu":
            return  # it is what others are compared with
        if graph is None:
            self.not_compared[name, _BEFORE] += 1
            return
        given, made, dense = launch.given(), launch.made(), launch.subject.is_dense
        try:
            with torch.no_grad():
                expected = nonfinite.Evaluation(graph, is_dense=dense).run(*given)
        except nonfinite.UNCOMPUTABLE as error:
            self.not_compared[name, _cannot(error)] += 1
            return
        made = [_like(each, other) for each, other in zip(made, expected)]
        factors = [sidebyside.excess(each, other) for each, other in zip(made, expected)]
        self.compared[name] += 1
        if max(factors, default=0.0) > 1:
            try:
                with torch.no_grad():
                    moved = _Rounded(graph, is_dense=dense).run(*given)
            except nonfinite.UNCOMPUTABLE:
                moved = expected  # nothing is known of what roundings make of it
            if any(_exceeds(*each) for each in zip(made, expected, moved)):
                self._differs(launch, given, made, expected, factors)
            else:
                self.within[name] += 1
                factors = []
        self.worst[name] = max(self.worst.get(name, 0.0), *factors, 0.0)

    def _differs(self, launch, given, made, expected, factors) -> None:
        graph = launch.subject.graph
        outputs = list(next(iter(graph.graph.find_nodes(op="output"))).args[0])
        ops = [node for node in graph.graph.nodes if node.op == "call_function"]
        number = max(range(len(factors)), key=factors.__getitem__)
        card = {ops[0]: made[0]} if outputs == ops else _observer.on_card(launch.subject, given)
        try:
            found = _first(launch.subject, given, card)
        except nonfinite.UNCOMPUTABLE:  # of what the card has, or of roundings
            found, card = None, {}
        if found:
            node, actual, wanted, operands = found
            self._say(launch, node, actual, wanted, operands)
            return
        note = "each of its ops is right by itself, and in a launch that gives all of their " \
            "results: it comes of how they are compiled together" if card else \
            "its ops could not be compared one by one"
        self._say(launch, outputs[number], made[number], expected[number], [], note)

    def _say(self, launch, node, actual, expected, operands, note="") -> None:
        at = _observer.place_of(launch, places.place(node))
        name = nonfinite.op_name(node)
        if (name, at) in self._known:
            return
        self._known.add((name, at))
        element, mine, other = _worst(actual, expected)
        difference = Difference(
            name, at, sidebyside.excess(actual, expected), element, mine, other,
            f"{launch.subject}, launch {launch.number}", operands, note)
        self.differences.append(difference)
        _replay.found_wrong(launch, f"{name} differs from PyTorch's CPU", at, str(difference), {})
        _observer.log(_HEAD, str(difference))

    def report(self) -> str:
        """A table for people."""
        rows = [["", "launches", "largest error"]]
        for name, count in self.compared.most_common(20):
            rows.append([name, str(count), f"{self.worst[name]:.3g} of what is allowed"])
        lines = [f"launches compared: {sum(self.compared.values())}; ops that differ: "
                 f"{len(self.differences)}", table(rows, right=(1,))]
        for (name, reason), count in self.not_compared.most_common(10):
            lines.append(f"  not compared, {count} times: {name}: {reason}")
        for name, count in self.within.items():
            lines.append(f"  {name}: {count} times beyond it, but not beyond what roundings make of it")
        return "\n".join(lines)


class _Rounded(nonfinite.Evaluation):
    """All values are multiplied by numbers as near to 1 as a rounding is."""

    def run_node(self, node):
        result = super().run_node(node)
        if isinstance(result, (list, tuple)) and node.op == "call_function":
            return type(result)(map(_roundings, result))
        return result if node.op == "output" else _roundings(result)


_roundings = Roundings(seed=0)
_MARGIN = 16.0


def _exceeds(actual: torch.Tensor, expected: torch.Tensor, moved: torch.Tensor) -> bool:
    """Whether a result differs by more than is allowed, and by more than roundings make of it."""
    if sidebyside.excess(actual, expected) <= 1:
        return False
    if not expected.dtype.is_floating_point or actual.shape != expected.shape:
        return True
    error, change = ((each.double() - expected.double()).abs() for each in (actual, moved))
    error = torch.where(actual.isnan() & expected.isnan() | (actual == expected), 0.0, error)
    return not float(error.nan_to_num(nan=torch.inf).max()) <= \
        _MARGIN * float(change.nan_to_num(nan=0.0, posinf=0.0).max())


class OnCpu:
    """A watcher that gives launches the results that PyTorch's CPU computes of their graphs."""

    def begin(self, launch: _observer.Launch) -> None:
        if launch.subject.graph is not None:
            launch.keep_inputs()

    def failed(self, launch: _observer.Launch, text: str) -> None:
        pass

    def end(self, launch: _observer.Launch) -> None:
        subject = launch.subject
        if subject.kind == "cpu":
            return
        if subject.graph is None:
            sidebyside.ON_CARD[f"{subject.name}: {_BEFORE}"] += 1
            return
        given = launch.given()
        try:
            with torch.no_grad():
                made = nonfinite.Evaluation(subject.graph, is_dense=subject.is_dense).run(*given)
        except nonfinite.UNCOMPUTABLE as error:
            sidebyside.ON_CARD[f"{subject.name}: {_cannot(error)}"] += 1
            return
        with torch.no_grad():
            for output, value in zip(launch.outputs, made):
                _observer.in_memory(output, value).copy_(value)


def _like(tensor: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Elements in the order of memory, with the sizes and the type of the trace."""
    return tensor.reshape(wanted.shape).to(wanted.dtype) if tensor.numel() == wanted.numel() and \
        tensor.is_complex() == wanted.is_complex() else tensor


def given_to(node: torch.fx.Node, values: dict) -> list[str]:
    """The operands of an op, described."""
    schema = getattr(node.target, "_schema", None)
    names = [each.name for each in schema.arguments] if schema else []
    lines = []
    for name, arg in zip(names, node.args):
        if isinstance(arg, torch.fx.Node) and isinstance(values.get(arg), torch.Tensor):
            lines.append(f"{name}: {nonfinite.described(values[arg])}")
        elif isinstance(arg, (int, float)) and not isinstance(arg, bool):
            lines.append(f"{name}: {arg}")
    return lines


def _first(subject: _observer.Subject, given: list, card: dict):
    """The first op whose result on the card is not what the CPU computes of the card's operands."""
    found: list = []

    class Local(nonfinite.Evaluation):
        """Goes on with what the card has computed."""

        def run_node(self, node):
            wanted = super().run_node(node)
            if node not in card or found:
                return wanted
            actual = card[node].to(wanted.dtype)
            if sidebyside.excess(actual, wanted) > 1 and \
                    _exceeds(actual, wanted, self._moved(node)):
                values = {each: self.env[each] for each in node.all_input_nodes
                          if each in self.env}
                found.append((node, actual, wanted, given_to(node, values)))
            return actual

        def _moved(self, node):
            """The result for operands with roundings."""
            args, kwargs = torch.fx.map_arg((node.args, node.kwargs),
                                            lambda each: _roundings(self.env[each]))
            return self.computed(node, args, kwargs)

    with torch.no_grad():
        Local(subject.graph, is_dense=subject.is_dense, keeps=True).run(*given)
    return found[0] if found else None


def _worst(actual: torch.Tensor, expected: torch.Tensor) -> tuple[tuple[int, ...], float, float]:
    """Where two tensors differ most."""
    if actual.is_complex():
        actual, expected = torch.view_as_real(actual), torch.view_as_real(expected)
    mine, other = actual.double(), expected.double()
    if mine.shape != other.shape or not mine.numel():
        return (), float("nan"), float("nan")
    error = (mine - other).abs()
    error = torch.where(mine.isnan() != other.isnan(), torch.inf, error.nan_to_num(nan=0.0))
    index = tuple(int(each) for each in torch.unravel_index(error.argmax(), error.shape))
    return index, float(mine[index]), float(other[index])


@contextlib.contextmanager
def side_by_side() -> Iterator[SideBySide]:
    """In the `with` block each launch is compared with PyTorch's CPU. Gives what was found."""
    watcher = SideBySide()
    _observer.watch(watcher)
    try:
        yield watcher
    finally:
        _observer.unwatch(watcher)


def install() -> None:
    """As the environment's PT_SBS and GAUDI_OPS_ON_CPU say."""
    if flags.text("GAUDI_OPS_ON_CPU") == "graphs":
        _observer.watch(OnCpu())
    if not sidebyside.enabled():
        return
    watcher = SideBySide()
    _observer.watch(watcher)
    atexit.register(lambda: _observer.log(_HEAD, watcher.report()))
