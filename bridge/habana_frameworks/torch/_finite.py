# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GAUDI_CHECK_FINITE: the op, and the line of the script, where a NaN or an infinity is born."""
import contextlib
from collections.abc import Iterator

import torch

from gaudi_mlir.torch import nonfinite, places

from . import _observer, _replay

_HEAD = "GAUDI_CHECK_FINITE"


class Check:
    """A watcher. `raises`: the first birth raises FloatingPointError."""

    def __init__(self, raises: bool = False) -> None:
        self.raises = raises
        self.births: list[nonfinite.Birth] = []
        self._known: set = set()
        self._entered = False

    def begin(self, launch: _observer.Launch) -> None:
        launch.keep_inputs()

    def failed(self, launch: _observer.Launch, text: str) -> None:
        pass

    def end(self, launch: _observer.Launch) -> None:
        bad = [number for number, each in enumerate(launch.made()) if nonfinite.kinds(each)]
        if not bad:
            return
        graph = launch.subject.graph
        text, births = "", []
        if graph is not None:
            given = launch.given()
            try:
                search = nonfinite.Search(graph, given, launch.subject.is_dense)
            except nonfinite.UNCOMPUTABLE as error:
                text = f"PyTorch's CPU cannot compute it op by op: {str(error).partition(chr(10))[0]}"
            else:
                births = [search.of_result(number) for number in bad]
        elif launch.subject.kind == "cpu":
            births = [_of_call(launch) or True]
        else:
            text = "it was compiled before the check began"
        for each in births:
            if isinstance(each, nonfinite.Birth):
                self._born(launch, each)
            elif isinstance(each, torch.fx.Node):
                self._enters(launch, each)
        if births and not any(births):
            text = self._only_on_card(launch, given)
        if text:
            self._whole(launch, bad, text)

    def _born(self, launch: _observer.Launch, birth: nonfinite.Birth, note: str = "") -> None:
        birth.place = _observer.place_of(launch, birth.place)
        key = birth.op, birth.place, birth.kind
        if key in self._known:
            return
        self._known.add(key)
        self.births.append(birth)
        where = f"{launch.subject}, launch {launch.number}"
        value = "a NaN" if birth.kind == nonfinite.NAN else "an infinity"
        self._say(launch, f"{birth.op} makes {value}", birth.place,
                  birth.text(where) + (f"\n  {note}" if note else ""))

    def _enters(self, launch: _observer.Launch, node: torch.fx.Node) -> None:
        """What no launch has made is said once: it was in the data, or in a file of weights."""
        number = launch.subject.graph.graph.find_nodes(op="placeholder").index(node)
        values = launch.given()[number]
        if self._entered or self.births or not nonfinite.kinds(values) & nonfinite.NAN:
            return
        self._entered = True
        user = next(iter(node.users))
        at = _observer.place_of(launch, places.place(user))
        what = f"{nonfinite.op_name(user)} reads a NaN that no launch has made since the check began"
        self._say(launch, what, at, "\n  ".join([
            f"{what}: it was copied from the host, or read from a file",
            *nonfinite.place_lines(at), f"operand: {nonfinite.described(values)}"]))

    def _only_on_card(self, launch: _observer.Launch, given: list) -> str:
        """Op by op the CPU has no such value."""
        on_card = _observer.on_card(launch.subject, given)
        flags = {node: nonfinite.kinds(value) for node, value in on_card.items()}
        flags.update(zip(launch.subject.graph.graph.find_nodes(op="placeholder"),
                         map(nonfinite.kinds, given)))
        for node, value in on_card.items():
            if flags[node] and not any(flags.get(each) for each in node.all_input_nodes):
                operands = [on_card.get(each, torch.empty(0)) for each in node.all_input_nodes]
                birth = nonfinite.birth_of(node, tuple(operands), {}, [value], 3, 0)
                self._born(launch, birth, "PyTorch's CPU computes finite values for this op")
                return ""
        return "PyTorch's CPU has finite values op by op" + (
            ", and so has the card: it comes of how the ops are compiled together"
            if on_card else "")

    def _whole(self, launch: _observer.Launch, bad: list[int], text: str) -> None:
        key = launch.subject.name, text
        if key in self._known:
            return
        self._known.add(key)
        made = launch.made()[bad[0]]
        at = launch.eager_place or places.Place()
        if launch.subject.graph is not None and not launch.eager_place:
            node = next(iter(launch.subject.graph.graph.find_nodes(op="output"))).args[0][bad[0]]
            at = places.place(node)
        what = f"result {bad[0]} of {launch.subject} is not finite"
        self._say(launch, what, at, "\n  ".join([
            f"{what}; {text}", *nonfinite.place_lines(at),
            f"result: {nonfinite.described(made)}"]))

    def _say(self, launch: _observer.Launch, what: str, at: places.Place, text: str) -> None:
        """`what`: without values."""
        _replay.found_wrong(launch, what, at, text, {"check-finite": ""})
        if self.raises:
            raise FloatingPointError(text)
        _observer.log(_HEAD, text)


def _of_call(launch: _observer.Launch) -> nonfinite.Birth | None:
    """Of an op on the CPU, of which there is no graph."""
    given = [nonfinite.kinds(each) for each in launch.given()]
    made = launch.made()
    if any(given):
        return None
    graph = torch.fx.Graph()
    node = graph.placeholder(launch.subject.name)
    node.target, node.meta = launch.subject.name, {}
    return nonfinite.birth_of(node, tuple(launch.given()), {}, made, 3, 0)


@contextlib.contextmanager
def check_finite(raises: bool = False) -> Iterator[Check]:
    """In the `with` block each NaN or infinity that an op makes of finite operands is said, with its
    line, or raises FloatingPointError. Gives the check, whose `births` has them."""
    check = Check(raises)
    _observer.watch(check)
    try:
        yield check
    finally:
        _observer.unwatch(check)


def install(value: str) -> None:
    """As the environment's GAUDI_CHECK_FINITE says."""
    value = value.strip().lower()
    if value in ("", "0", "off", "false", "no"):
        return
    if value not in ("1", "on", "true", "yes", "raise"):
        raise ValueError(f"GAUDI_CHECK_FINITE is {value!r}; expected 0, 1, or raise")
    _observer.watch(Check(raises=value == "raise"))
