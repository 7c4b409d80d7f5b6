#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of real training steps of PyTorch, played through a card's allocator.

Usage: memory-traces.py [--capacity MIB] [--save FILE] [--play FILE] [--update-docs FILE] [STEP...]

Trains a small network on the CPU for three steps (STEP: cnn, encoder, decoder; default all) and
records the storages in the order in which PyTorch allocates and frees them, what each op reads and
writes, and copies to and from the host. Memory that an op takes and frees inside is not seen.
--save writes the record of one STEP as JSON lines; --play takes such a file instead.

A record is played on a card: each op is a task that sets the bytes of its first result and uses
all other storages that it reads and writes; copies run on streams of their own. Three times:

  - with the least memory that needs neither waiting nor defragmentation (--capacity: with that),
  - with the least memory in which it runs: an allocation then waits for freed memory that tasks
    still use, or defragments,
  - with one GRAIN less, which ends with the error of a full card.

--update-docs replaces what is between `<!-- traces: begin -->` and `end` by the output. Needs
PyTorch, unless --play is given, and the Python package of this project (PYTHONPATH).
"""
from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import sys
from dataclasses import dataclass

import numpy

from gaudi_mlir import DeviceMemoryError, device as cards
from gaudi_mlir._text import table
from gaudi_mlir.metrics import metric_localcontext

MIB = 1 << 20
GRAIN = MIB // 4
STEPS = 3
# Of each kind of event, in this order.
FIELDS = {"phase": {"name": str}, "alloc": {"id": int, "bytes": int, "name": str, "shape": str,
                                            "where": str, "stream": str},
          "free": {"id": int}, "op": {"reads": list, "writes": list},
          "up": {"id": int}, "down": {"id": int}}


# --- record


class Recorder:
    """Events of what runs in `with recorder.mode():`, as dicts with `kind` and FIELDS."""

    def __init__(self, torch):
        self.torch = torch
        self.events = []
        self.live = {}      # by address of the storage: (weak reference, event of the allocation)
        self.modules = []   # paths of those whose forward runs
        self.module_of = {}  # by the number of the node of autograd
        self.paths = {}

    @contextlib.contextmanager
    def mode(self):
        from torch.utils._python_dispatch import TorchDispatchMode

        recorder = self

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, op, types, args=(), kwargs=None):
                recorder.poll()
                result = op(*args, **(kwargs or {}))
                recorder.ran(op, (args, kwargs), result, sys._getframe(1))
                return result

        hooks = self.torch.nn.modules.module
        before = hooks.register_module_forward_pre_hook(
            lambda module, inputs: self.modules.append(self.paths.get(module, "")))
        after = hooks.register_module_forward_hook(self.leave, always_call=True)
        with Mode():
            yield
        before.remove()
        after.remove()
        self.poll()

    def leave(self, module, inputs, result):
        self.modules.pop()  # and returns nothing, which would replace the result

    def add(self, kind, **fields):
        self.events.append({"kind": kind, **fields})
        return self.events[-1]

    def phase(self, name):
        self.poll()
        self.add("phase", name=name)

    def poll(self):
        """Adds what has been freed. Weak references keep addresses from being taken again."""
        for key in [key for key, (weak, _) in self.live.items() if weak.expired()]:
            self.add("free", id=self.live.pop(key)[1]["id"])

    def tensors(self, tree):
        leaves = self.torch.utils._pytree.tree_leaves(tree)
        return [leaf for leaf in leaves if isinstance(leaf, self.torch.Tensor)]

    def module(self):
        """The path of the module whose forward runs, or ran when what runs now was recorded."""
        node = self.torch._C._current_autograd_node()
        if node is not None:
            return self.module_of.get(node._sequence_nr(), "")
        path = self.modules[-1] if self.modules else ""
        # The node of an op has been made before the op gets here.
        self.module_of[self.torch.autograd._get_sequence_nr() - 1] = path
        return path

    def event_of(self, tensor):
        found = self.live.get(tensor.untyped_storage()._cdata)
        return found and found[1]

    def allocated(self, tensor, name, frame, stream="compute"):
        from torch.multiprocessing.reductions import StorageWeakRef

        storage = tensor.untyped_storage()
        if not storage.nbytes() or storage._cdata in self.live:
            return
        element = str(tensor.dtype).replace("torch.", "").replace("float", "f").replace("int", "i")
        event = self.add("alloc", id=len(self.events), bytes=storage.nbytes(), name=name,
                         shape="x".join([*map(str, tensor.shape), element]), where=place(frame),
                         stream=stream)
        self.live[storage._cdata] = StorageWeakRef(storage), event

    def ran(self, op, arguments, result, frame):
        read, made = self.tensors(arguments), self.tensors(result)
        name = f"{self.module()} {op.overloadpacket.__name__}".strip()
        known = {id(event) for event in map(self.event_of, made) if event}
        for tensor in made:
            self.allocated(tensor, name, frame)
        written = [event for event in map(self.event_of, made)
                   if event and (op._schema.is_mutable or id(event) not in known)]
        if written:  # a view does nothing on the card
            self.add("op", reads=self.ids(map(self.event_of, read)), writes=self.ids(written))

    @staticmethod
    def ids(events):
        return list(dict.fromkeys(event["id"] for event in events if event))

    def upload(self, values, name, frame):
        """A copy of host memory on the card."""
        with self.torch.utils._python_dispatch._disable_current_modes():
            tensor = values.clone()
        self.poll()
        self.allocated(tensor, name, frame, "up")
        self.add("up", id=self.event_of(tensor)["id"])
        return tensor

    def download(self, tensor):
        """A copy in host memory."""
        self.add("down", id=self.event_of(tensor)["id"])
        with self.torch.utils._python_dispatch._disable_current_modes():
            return tensor.detach().clone()

    @contextlib.contextmanager
    def offload(self, model):
        """What backward needs is on the host meanwhile, except parameters and what is small."""
        kept = {parameter.untyped_storage()._cdata for parameter in model.parameters()}

        def pack(tensor):
            event = self.event_of(tensor)
            if tensor.untyped_storage()._cdata in kept or not event or event["bytes"] < MIB:
                return tensor
            return event["name"], self.download(tensor)

        def unpack(packed):
            if isinstance(packed, self.torch.Tensor):
                return packed
            return self.upload(packed[1], f"{packed[0]}, from the host", sys._getframe(1))

        with self.torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            yield

    def rename(self, tensor, name):
        if tensor is not None and self.event_of(tensor):
            self.event_of(tensor)["name"] = name

    def name_parameters(self, model, optimizer):
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            self.rename(tensor, name)
            self.rename(tensor.grad, f"{name}.grad")
            for key, value in (optimizer.state.get(tensor) or {}).items() if optimizer else ():
                if isinstance(value, self.torch.Tensor):
                    self.rename(value, f"{name}.{key}")


def place(frame):
    """ "train.py:31": the innermost line outside of PyTorch and of Python's own modules."""
    import torch

    folders = (os.path.dirname(torch.__file__), os.path.dirname(os.__file__))
    while frame.f_back and frame.f_code.co_filename.startswith(folders):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def record(make):
    """The events of STEPS training steps. make() gives (model, optimizer of parameters, batch(),
    loss(model, *batch), whether activations are offloaded)."""
    import torch

    torch.manual_seed(0)
    recorder = Recorder(torch)
    with recorder.mode():
        recorder.phase("parameters")
        model, optimizer_of, batch, loss_of, offloads = make(torch)
        recorder.name_parameters(model, None)
        recorder.paths = {module: name for name, module in model.named_modules()}
        optimizer = optimizer_of(model.parameters())
        for step in range(1, STEPS + 1):
            recorder.phase(f"{step} forward")
            with torch.utils._python_dispatch._disable_current_modes():
                values = batch()
            inputs = [recorder.upload(value, f"batch[{i}]", sys._getframe())
                      for i, value in enumerate(values)]
            with recorder.offload(model) if offloads else contextlib.nullcontext():
                loss = loss_of(model, *inputs)
            recorder.phase(f"{step} backward")
            loss.backward()
            del loss, inputs
            recorder.name_parameters(model, optimizer)
            recorder.phase(f"{step} optimizer")
            optimizer.step()
            recorder.name_parameters(model, optimizer)
            optimizer.zero_grad()
        recorder.poll()
        return recorder.events


# --- training steps


def cnn(torch):
    nn, functional = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self, inputs, outputs, stride):
            super().__init__()
            self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(outputs)
            self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(outputs)
            self.down = nn.Sequential() if stride == 1 else nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

        def forward(self, x):
            y = self.bn1(self.conv1(x)).relu()
            return (self.bn2(self.conv2(y)) + self.down(x)).relu()

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Conv2d(3, 32, 3, 1, 1, bias=False)
            widths = [(32, 32, 1), (32, 64, 2), (64, 128, 2), (128, 256, 2)]
            self.layers = nn.Sequential(*(nn.Sequential(Block(i, o, s), Block(o, o, 1))
                                          for i, o, s in widths))
            self.head = nn.Linear(256, 100)

        def forward(self, x):
            return self.head(self.layers(self.stem(x)).mean((2, 3)))

    return (Network(), lambda parameters: torch.optim.SGD(parameters, 0.1, momentum=0.9),
            lambda: (torch.randn(8, 3, 64, 64), torch.randint(100, (8,))),
            lambda model, x, y: functional.cross_entropy(model(x), y), False)


def encoder(torch):
    nn, functional = torch.nn, torch.nn.functional

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(30522, 128)
            self.positions = nn.Embedding(128, 128)
            self.norm = nn.LayerNorm(128)
            layer = nn.TransformerEncoderLayer(128, 2, 512, activation="gelu", batch_first=True)
            self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
            self.head = nn.Linear(128, 2)

        def forward(self, tokens):
            x = self.norm(self.words(tokens) + self.positions.weight)
            return self.head(self.layers(x)[:, 0].tanh())

    return (Network(), lambda parameters: torch.optim.AdamW(parameters, 1e-4),
            lambda: (torch.randint(30522, (8, 128)), torch.randint(2, (8,))),
            lambda model, x, y: functional.cross_entropy(model(x), y), False)


def decoder(torch):
    nn, functional = torch.nn, torch.nn.functional

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln_1, self.ln_2 = nn.LayerNorm(768), nn.LayerNorm(768)
            self.c_attn, self.c_proj = nn.Linear(768, 3 * 768), nn.Linear(768, 768)
            self.c_fc, self.mlp_proj = nn.Linear(768, 4 * 768), nn.Linear(4 * 768, 768)

        def forward(self, x):
            heads = (part.unflatten(-1, (12, 64)).transpose(1, 2)
                     for part in self.c_attn(self.ln_1(x)).chunk(3, -1))
            y = functional.scaled_dot_product_attention(*heads, is_causal=True)
            x = x + self.c_proj(y.transpose(1, 2).flatten(-2))
            return x + self.mlp_proj(functional.gelu(self.c_fc(self.ln_2(x)), approximate="tanh"))

    return (Layer(), lambda parameters: torch.optim.AdamW(parameters, 1e-4),
            lambda: (torch.randn(8, 256, 768), torch.randn(8, 256, 768)),
            lambda model, x, y: functional.mse_loss(model(x), y), True)


TITLES = {
    "cnn": (cnn, "ResNet-18 of a quarter of the width, 8 images of 64x64, SGD with momentum"),
    "encoder": (encoder, "BERT-tiny, 8 texts of 128 tokens, AdamW"),
    "decoder": (decoder, "one layer of GPT-2 small, 8 texts of 256 tokens, AdamW, activations "
                         "offloaded to the host"),
}


# --- play


def parse(lines):
    """Events of JSON lines; ValueError says what is wrong with which line."""
    events, live = [], set()
    for number, line in enumerate(lines, 1):
        def check(holds, what):
            if not holds:
                raise ValueError(f"line {number}: {what}")

        try:
            event = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {number}: no JSON: {error}") from None
        kind = event.get("kind") if isinstance(event, dict) else None
        check(kind in FIELDS, f"kind {kind!r} is none of {', '.join(FIELDS)}")
        for field, of in FIELDS[kind].items():
            check(isinstance(event.get(field), of), f"'{kind}' needs '{field}' of {of.__name__}")
        check(events or kind == "phase", "the first event begins a phase")
        if kind == "alloc":
            check(event["id"] not in live, f"storage {event['id']} is allocated already")
            check(event["bytes"] > 0, f"storage {event['id']} has {event['bytes']} bytes")
            check(event["stream"] in ("compute", "up"), f"no stream {event['stream']!r}")
            live.add(event["id"])
        for used in [*event.get("reads", ()), *event.get("writes", ()),
                     *([event["id"]] if "id" in event else ())]:
            check(used in live, f"storage {used} is not allocated")
        check(kind != "op" or event["writes"], "an op writes something")
        if kind == "free":
            live.remove(event["id"])
        events.append(event)
    return events


class Storage(cards.DeviceArray):
    """Memory of the card with the owner that a record names."""

    def __init__(self, device, event, stream):
        self.device, self.name, self.nbytes = device, event["name"], event["bytes"]
        self.shape, self.dtype, self._capture = (self.nbytes,), numpy.dtype(numpy.uint8), None
        self._memory = device._core.allocate(stream._core, self.nbytes, self.name, event["shape"],
                                             event["where"])


@dataclass
class Row:
    phase: str
    in_use: int = 0
    max_in_use: int = 0
    largest_run: int = 0
    fragmentation: float = 0
    worst: float = 0
    blocks: int = 0
    waits: int = 0
    moved: int = 0


class Play:
    """rows: of the phases, the last one as far as it got. error: of a full card, or None.

    Without `watches`, waits and moves of the rows are right, nothing else."""

    call_time = 500_000  # picoseconds of `Allocate`, see docs/device.md#clock

    def __init__(self, events, capacity, watches=True):
        self.rows, self.error, self.watches, self.defragmented = [], None, watches, 0
        with cards.open("gaudi2", capacity=capacity, threads=1) as self.device, \
                metric_localcontext("memory_defragmentation") as self.metric:
            self.storages = {}
            self.upload, self.download = self.device.stream("up"), self.device.stream("down")
            self.compute = self.device.default_stream
            largest = max((event.get("bytes", 0) for event in events), default=0)
            self.source, self.target = numpy.zeros((2, largest), numpy.uint8)
            try:
                for event in events:
                    getattr(self, event["kind"])(event)
            except DeviceMemoryError as error:
                self.error = str(error)
            self.storages.clear()

    def runs(self, climbs):
        """Whether it ended; without waits and moves, unless it may climb the ladder."""
        return not self.error and (climbs or not any(row.waits or row.moved for row in self.rows))

    def phase(self, event):
        self.rows.append(Row(event["name"]))
        self.device.reset_peak_memory()  # to 0, although the phase begins with what is in use
        self.look()

    def look(self):
        if not self.watches:
            return
        row, stats = self.rows[-1], self.device.memory_stats()
        row.in_use, row.largest_run = stats["InUse"], stats["max_cntgs_chunk"]
        row.max_in_use = max(row.max_in_use, row.in_use, stats["MaxInUse"])
        row.fragmentation = stats["fragmentation"]
        row.worst = max(row.worst, row.fragmentation)
        row.blocks = stats["TotalActiveAllocs"]

    def alloc(self, event):
        begin = self.device.clock().host_ps
        stream = self.upload if event["stream"] == "up" else self.compute
        try:
            self.storages[event["id"]] = Storage(self.device, event, stream)
        finally:
            before, self.defragmented = self.defragmented, dict(self.metric.stats())["TotalSuccessful"]
            self.rows[-1].moved += self.defragmented - before
            self.rows[-1].waits += self.device.clock().host_ps - begin > self.call_time
        self.look()

    def free(self, event):
        del self.storages[event["id"]]
        self.look()

    def op(self, event):
        first, *others = event["writes"]
        self.storages[first].fill(0)
        for other in {*others, *event["reads"]} - {first}:
            self.storages[other].record_stream(self.compute)

    def up(self, event):
        storage = self.storages[event["id"]]
        storage.copy_from(self.source[:storage.nbytes], self.upload)
        self.compute.wait(self.upload.record())

    def down(self, event):
        storage = self.storages[event["id"]]
        self.download.wait(self.compute.record())
        storage.copy_to(self.target[:storage.nbytes], self.download)


def peak_of(events):
    """Bytes of storages that live at most at once."""
    live, now, peak = {}, 0, 0
    for event in events:
        if event["kind"] == "alloc":
            live[event["id"]] = event["bytes"]
            now += event["bytes"]
            peak = max(peak, now)
        elif event["kind"] == "free":
            now -= live.pop(event["id"])
    return peak


def least(holds, low, high):
    """A multiple of GRAIN in (low, high] that holds while the one before does not: the least one,
    if what holds for a capacity holds for all that are larger."""
    low, high = low // GRAIN, math.ceil(high / GRAIN)
    while not holds(high * GRAIN):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle * GRAIN) else (middle, high)
    return high * GRAIN


def mib(size):
    return f"{size / MIB:.2f}"


def table_of(play):
    """Rows of phases; those of a step that is as the one before are one line."""
    header = ("phase", "InUse", "MaxInUse", "largest run", "fragmentation", "worst", "blocks",
              "waits", "moved")
    cells = [(row.phase, mib(row.in_use), mib(row.max_in_use), mib(row.largest_run),
              f"{row.fragmentation:.1f} %", f"{row.worst:.1f} %", str(row.blocks), str(row.waits),
              str(row.moved)) for row in play.rows]
    shown, before = [header], []
    for begin in [0, *range(1, len(cells), 3)]:
        step = cells[begin:begin + 3] if begin else cells[:1]
        values = [row[1:] for row in step]
        if values == before:
            number = step[0][0].split()[0]
            shown.append((f"{number} as {int(number) - 1}", *[""] * 8))
        else:
            shown.extend(step)
        before = values
    return table(shown, right=range(1, 9))


def report(title, events, capacity):
    """The text of one record."""
    allocations = [event for event in events if event["kind"] == "alloc"]
    peak = peak_of(events)
    lines = [title,
             f"{len(allocations)} allocations of {mib(sum(e['bytes'] for e in allocations))} MiB; "
             f"{mib(peak)} MiB live at most at once"]
    tight = least(lambda size: Play(events, size, False).runs(True), peak, 1.25 * peak + 8 * MIB)
    if capacity is None:
        capacity = least(lambda size: Play(events, size, False).runs(False), tight - GRAIN,
                         1.25 * tight)
    sizes = [(capacity, "")]
    if capacity != tight:
        sizes += [(tight, ", the least that it runs in"), (tight - GRAIN, "")]
    for size, why in sizes:
        play = Play(events, size)
        lines += ["", f"{mib(size)} MiB of memory{why}"]
        if play.error:
            lines += [f"ends in phase '{play.rows[-1].phase}':", "", play.error]
        else:
            lines += ["", table_of(play)]
    return "\n".join(lines)


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].replace("Usage: ", ""))
    parser.add_argument("steps", nargs="*", metavar="STEP")
    parser.add_argument("--capacity", type=float)
    parser.add_argument("--save")
    parser.add_argument("--play")
    parser.add_argument("--update-docs")
    args = parser.parse_args(arguments)
    names = args.steps or list(TITLES)
    for name in names:
        if name not in TITLES:
            parser.error(f"no step '{name}'; steps: {', '.join(TITLES)}")
    if args.save and len(names) != 1:
        parser.error("--save is for one step")
    capacity = args.capacity and int(args.capacity * MIB)
    parts = []
    if args.play:
        with open(args.play) as lines:
            try:
                records = [(args.play, parse(lines))]
            except ValueError as error:
                sys.exit(f"{args.play}: {error}")
    else:
        records = ((f"{name}: {TITLES[name][1]}", record(TITLES[name][0])) for name in names)
    for title, events in records:
        if args.save:
            with open(args.save, "w") as stream:
                stream.writelines(json.dumps(event) + "\n" for event in events)
        parts.append(report(title, events, capacity))
        print(parts[-1], end="\n\n", flush=True)
    if args.update_docs:
        with open(args.update_docs) as stream:
            text = stream.read()
        begin, end = "<!-- traces: begin -->\n", "<!-- traces: end -->"
        head, rest = text.split(begin)
        blocks = "\n".join(f"```text\n{part}\n```\n" for part in parts)
        with open(args.update_docs, "w") as stream:
            stream.write(head + begin + blocks + end + rest.split(end)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
