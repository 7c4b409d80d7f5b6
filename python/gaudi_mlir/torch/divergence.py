# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where two records of a script leave each other: the first step, and in it the first value.

Values differ if an element, or a sum of elements, differs by more than the tolerance of whole
models (docs/numerics.md), and by ten times what the script makes of roundings: a third record, in
which modules and gradients are multiplied by numbers as near to 1 as roundings are, says how much
that is.
"""
import dataclasses
import math

import numpy
import torch

from . import sidebyside
from .recorder import ALL, SAMPLES, SUMS, Event, Record, element_of

_MARGIN = 10.0
_NAMED = 10
_SAME = 1e-6  # of parameters that nothing has computed yet


def _allowed(event: Event) -> float:
    return _SAME if event.kind == "parameter" else \
        sidebyside.allowed_of(getattr(torch, event.dtype))


def excess(event: Event, mine: numpy.ndarray, other: numpy.ndarray) -> tuple[float, int]:
    """The largest error as a multiple of the tolerance, and the number that has it."""
    allowed = _allowed(event)
    same = (mine == other) | (numpy.isnan(mine) & numpy.isnan(other))
    with numpy.errstate(invalid="ignore", over="ignore"):
        error = numpy.abs(mine - other)
    largest = numpy.full(mine.shape, event.largest)
    count = math.prod(event.shape)
    if count > ALL:  # of sums the errors grow like those of a random walk
        largest[SAMPLES:] *= 2 * math.sqrt(count / SUMS)
    scale = allowed * (largest + numpy.minimum(numpy.abs(other), largest)) + 1e-37
    with numpy.errstate(invalid="ignore", over="ignore"):
        factor = numpy.where(same, 0.0, numpy.nan_to_num(error / scale, nan=math.inf))
    place = int(factor.argmax()) if factor.size else 0
    return (float(factor[place]) if factor.size else 0.0), place


@dataclasses.dataclass
class Found:
    """The first value that differs."""
    step: int
    event: Event
    excess: float
    noise: float | None
    """What roundings make, as a multiple of the tolerance; None: not known."""
    element: tuple[int, ...] | None
    actual: float
    expected: float
    parameters: list[str]
    """Of its module, that have differed before anything was computed."""

    @property
    def module(self) -> str:
        """Whose computation it is."""
        event = self.event
        if event.kind == "gradient" and not event.reader or event.kind == "input":
            return event.within or event.module
        return event.reader or event.module

    def is_backward(self) -> bool:
        return "gradient" in self.event.kind

    def text(self) -> str:
        event = self.event
        kind = {"parameter": "parameter {} differs before anything is computed",
                "input": "what it gives to {} differs",
                "output": "the output {} differs",
                "gradient": "the gradient of the {} differs",
                "parameter gradient": "the gradient of {} differs",
                "updated parameter": "{} differs after the update"}[event.kind]
        what = kind.format(event.name)
        head = f"the backward of {self.module}" if self.is_backward() else \
            f"{event.module}.step" if event.kind == "updated parameter" else \
            f"{self.module}" if event.kind == "parameter" else f"the forward of {self.module}"
        lines = [f"first step that differs: {self.step}",
                 f"first to differ: {head}" +
                 (f" ({event.type})" if event.kind == "output" else "")]
        if event.line:
            lines.append(f"  at {event.line}{_code(event.line)}")
        lines.append(f"  {what}: {'x'.join(map(str, event.shape)) or 'scalar'} {event.dtype}, by "
                     f"{self.excess:.3g} times what is allowed" +
                     (f"; roundings make {self.noise:.2g} of it" if self.noise is not None else ""))
        where = "a sum of its elements" if self.element is None else \
            f"element {list(self.element)}"
        lines.append(f"  {where} is {self.actual:.9g}, and {self.expected:.9g} on the other side")
        lines += [f"  {each} differed before anything was computed" for each in self.parameters]
        if event.kind == "parameter" or self.parameters:
            lines.append("  each run makes its parameters anew: call torch.manual_seed(0) before, or "
                         "load them from one file, if they should be the same")
        if "Dropout" in event.type and event.kind == "output":
            lines.append("  the two sides draw other random numbers, which cannot be compared: set "
                         "its probability to 0, or call eval()")
        return "\n".join(lines)


def _code(line: str) -> str:
    import linecache
    file, _, number = line.rpartition(":")
    code = linecache.getline(file, int(number)).strip()
    return f": {code}" if code else ""


@dataclasses.dataclass
class Comparison:
    """Of two records."""
    found: Found | None = None
    compared: int = 0
    equal: int = 0
    """Bit by bit."""
    steps: int = 0
    largest: float = 0.0
    """Of the values that do not differ, as a multiple of the tolerance."""
    largest_of: str = ""
    only_one: list[str] = dataclasses.field(default_factory=list)
    """Values that the other side has not got."""
    noise: float | None = None
    note: str = ""
    on_card: list[str] = dataclasses.field(default_factory=list)
    """What the card has computed on the side of the CPU, too, with the reason."""

    def __str__(self) -> str:
        lines = [self.found.text()] if self.found else \
            [f"no value differs in {self.steps} step{'s' * (self.steps != 1)}"]
        lines.append(f"{self.compared} values compared{' before it' if self.found else ''}, "
                     f"{self.equal} equal bit by bit" +
                     (f"; the largest error is {self.largest:.2g} of what is allowed, of "
                      f"{self.largest_of}" if self.largest else ""))
        if self.only_one:
            lines.append(f"{len(self.only_one)} values are of one side alone, the first: "
                         f"{self.only_one[0]}")
        if self.note:
            lines.append(self.note)
        if self.on_card:
            lines.append(f"{len(self.on_card)} ops were computed by the card on both sides, so that "
                         "their errors do not show:")
            lines += [f"  {each}" for each in self.on_card[:_NAMED]]
            if len(self.on_card) > _NAMED:
                lines.append(f"  and {len(self.on_card) - _NAMED} more")
        return "\n".join(lines)


def compare(mine: Record, other: Record, noise: Record | None = None,
            noisy: Record | None = None) -> Comparison:
    """Of the values that both have, by step, kind and name, in the order of `mine`. `noise` is
    `noisy` with roundings."""
    result = Comparison(noise=0.0 if noise else None)
    theirs = other.steps()
    moves = zip(noise.steps(), noisy.steps()) if noise and noisy else iter(())
    differing: list[str] = []
    for step in mine.steps():
        known = {each.key: each for each in next(theirs, [])}
        moved, plain = ({each.key: each for each in events} for events in next(moves, ([], [])))
        if not known:
            result.only_one.append(f"step {step[0].step}")
            break
        result.steps += 1
        first: Found | None = None
        for event in step:
            pair = known.pop(event.key, None)
            if pair is None or pair.shape != event.shape:
                result.only_one.append(
                    f"step {event.step}: {event.kind} {event.name}" +
                    (f" of {event.shape}, and {pair.shape} on the other side" if pair else ""))
                continue
            result.compared += 1
            if pair.digest == event.digest and pair.dtype == event.dtype:
                result.equal += 1
                continue
            factor, place = excess(pair, a := mine.numbers(event), b := other.numbers(pair))
            rounding = None
            if event.key in moved and event.key in plain:
                rounding = excess(event, noise.numbers(moved[event.key]),
                                  noisy.numbers(plain[event.key]))[0]
                result.noise = max(result.noise, rounding)
            if event.kind == "parameter":
                rounding = None  # nothing has been rounded; without a seed it is another one
            if factor > max(1.0, _MARGIN * (rounding or 0.0)):
                if event.kind == "parameter":
                    differing.append(event.name)
                found = Found(event.step, event, factor, rounding, element_of(place, event.shape),
                              float(a[place]), float(b[place]), [])
                if first is None:
                    first = found
                if event.kind != "parameter":
                    first = found if first.event.kind == "parameter" else first
                    break
            elif factor > result.largest:
                result.largest, result.largest_of = factor, f"{event.kind} {event.name}"
        if first is not None:
            first.parameters = [each for each in differing
                                if each.rpartition(".")[0] == first.module and
                                first.event.kind != "parameter"]
            result.found = first
            return result
        result.only_one += [f"step {each.step}: {each.kind} {each.name} (the other side)"
                            for each in known.values()]
    return result
