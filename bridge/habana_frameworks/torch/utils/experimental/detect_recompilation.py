# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which modules compile again, and whether their sizes changed; which sizes a data loader gives."""
import collections
import csv
import inspect
import time

import torch

from ... import _missing
from ...core.step_closure import mark_step
from ...hpu.metrics import metric_global


class Node:
    """A module among those that called it."""

    def __init__(self, name: str, parent: "Node | None" = None) -> None:
        self.name, self.parent = name, parent
        self.children: list[Node] = []
        if parent is not None:
            self.add_self_as_child(parent)

    def add_self_as_child(self, parent: "Node") -> None:
        parent.children.append(self)


class Table:
    """Rows of text; cells are cut at `max_char`."""

    def __init__(self, field_names: list[str], max_char: int = 120) -> None:
        self.field_names, self.max_char = list(field_names), max_char
        self.rows: list[list[str]] = []

    def add_row(self, lst) -> None:
        if len(lst) != len(self.field_names):
            raise ValueError(f"a row has {len(self.field_names)} cells, not {len(lst)}")
        self.rows.append([str(each) for each in lst])

    def dump_to_csv(self, flname) -> None:
        with open(flname, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([self.field_names, *self.rows])

    def __str__(self) -> str:
        rows = [[cell[:self.max_char] for cell in row] for row in [self.field_names, *self.rows]]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                 for row in rows]
        return "\n".join([lines[0], "-+-".join("-" * width for width in widths), *lines[1:]])


def get_shape(item):
    """Sizes of tensors in a structure, in its place."""
    if isinstance(item, torch.Tensor):
        return tuple(item.shape)
    if isinstance(item, dict):
        return {key: get_shape(value) for key, value in item.items()}
    if isinstance(item, (list, tuple)):
        return tuple(map(get_shape, item))
    return item if isinstance(item, (int, float, bool, str, type(None))) else type(item).__name__


def _compiled() -> int:
    """Recipes so far, of graphs and of ops."""
    return dict(metric_global("graph_compilation").stats())["TotalNumber"]


class _Call:
    def __init__(self, name: str) -> None:
        self.name, self.begin, self.inner = name, _compiled(), 0


class _Analyser:
    def __init__(self, csv_out: str, waittime: float) -> None:
        self.csv_out, self.waittime = csv_out, waittime
        self.step = 0
        self.calls: list[_Call] = []
        self.seen = collections.defaultdict(lambda: (set(), set()))
        self.counts: collections.Counter = collections.Counter()
        self.table = Table(["Step", "modules", "New in", "New out", "Class", "Location", "Comment"])

    def watch(self, name: str, module: torch.nn.Module) -> None:
        def before(*_) -> None:
            if not self.calls:
                self.step += 1
                self._settle()
            self.calls.append(_Call(name))

        def after(module, args, kwargs, output) -> None:
            self._settle()
            self._leave(self.calls.pop(), module, repr(get_shape((args, kwargs))),
                        repr(get_shape(output)))
        module.register_forward_pre_hook(before)
        module.register_forward_hook(after, with_kwargs=True)

    def _settle(self) -> None:
        mark_step()
        torch.hpu.synchronize()

    def _leave(self, call: _Call, module, given: str, made: str) -> None:
        count = _compiled() - call.begin
        own, whole = count - call.inner, count
        if self.calls:
            self.calls[-1].inner += whole
        inputs, outputs = self.seen[call.name]
        is_new, makes_new = given not in inputs, made not in outputs
        inputs.add(given)
        outputs.add(made)
        if own == 0:
            return
        self.counts[call.name] += own
        if self.step > 1:
            print(f"Recompilation! step {self.step}: {call.name} compiled {own}")
            time.sleep(self.waittime)
        reason = "first step" if self.step == 1 else \
            "sizes of inputs that it has not had" if is_new else \
            "sizes of outputs that it has not had" if makes_new else \
            "its inputs had these sizes before: look at what else changes"
        self.table.add_row([self.step, call.name, is_new, makes_new, type(module).__name__,
                            _location(module), f"{own} compiled, {reason}"])

    def analyse_dynamicity(self) -> None:
        """Prints what compiled, and writes it, and the count of each module."""
        print(self.table)
        counts = Table(["modules", "Recompilations"])
        for name, count in self.counts.most_common():
            counts.add_row([name, count])
        print(counts)
        self.table.dump_to_csv(f"{self.csv_out}_1.csv")
        counts.dump_to_csv(f"{self.csv_out}_2.csv")


def _location(module: torch.nn.Module) -> str:
    try:
        lines, number = inspect.getsourcelines(type(module).forward)
        return f"{inspect.getsourcefile(type(module))}:{number}"
    except (OSError, TypeError):
        return ""


def _get_analyser(csv_out: str, waittime: float = 0) -> _Analyser:
    return _Analyser(csv_out, waittime)


def detect_recompilation_auto_model(model: torch.nn.Module, mdlname: str = "Net",
                                    waittime: float = 1, csv_out: str = "out") -> torch.nn.Module:
    """The model, of which each module says "Recompilation!" if it compiles after the first step,
    and waits `waittime` seconds, for who watches. model.analyse_dynamicity() prints tables and
    writes them to <csv_out>_1.csv and <csv_out>_2.csv. Each module waits for the card, which makes
    steps slow."""
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"detect_recompilation_auto_model: model is {model!r}; expected a torch.nn.Module")
    analyser = _get_analyser(csv_out, waittime)
    for name, module in model.named_modules():
        analyser.watch(f"{mdlname}.{name}" if name else mdlname, module)
    model.analyse_dynamicity = analyser.analyse_dynamicity
    return model


def data_dynamicity(dl) -> collections.Counter:
    """How many batches of a data loader have which sizes, which it prints."""
    hist = collections.Counter(repr(get_shape(batch)) for batch in dl)
    print_result(hist)
    return hist


def print_result(hist) -> None:
    table = Table(["Sizes", "Batches"])
    for shape, count in sorted(hist.items(), key=lambda each: -each[1]):
        table.add_row([shape, count])
    print(table)


def const_shape_dataloader(dl, maxlen: int):
    """Batches that have the sizes of the first one, `maxlen` at most."""
    wanted, count = None, 0
    for batch in dl:
        shape = get_shape(batch)
        wanted = shape if wanted is None else wanted
        if shape == wanted and count < maxlen:
            count += 1
            yield batch
        if count == maxlen:
            return


__getattr__ = _missing.of(__name__)
