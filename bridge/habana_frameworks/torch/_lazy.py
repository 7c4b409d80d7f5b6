# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lazy mode: what an op becomes as a step of a graph, and what a graph of steps becomes.

An op is traced once for each kind of operands, on values whose elements are in the order of their
dimensions. A graph puts the traces of its steps together. What a storage holds is a value; a step
that writes to it makes the next one, in which what it writes is replaced, and steps read the newest.
"""
import dataclasses
import logging
import math
import time

import torch
from torch._subclasses.fake_tensor import DynamicOutputShapeException, FakeTensorMode
from torch.fx import Graph, GraphModule, Node

from gaudi_mlir.torch import (distributions, draws, fallback, operands, partition, places, report,
                              writer)
from gaudi_mlir.torch.tracing import tracing

from . import _C, _eager, _observer, _script, _views, _written
from ._cards import CardCompiler, kind
from ._device import STORED

log = logging.getLogger("habana_frameworks.torch.lazy")

aten = torch.ops.aten

# Traces are put together, so that all of their values are of one mode, which one thread may use:
# the one that holds the lock of traces.
_fakes = FakeTensorMode()


# --- steps -----------------------------------------------------------------------------------


@dataclasses.dataclass
class Sketch:
    """The trace of an op: of its operands, then of the numbers that are operands, the new tensors,
    then what it writes."""
    graph: GraphModule
    operands: list  # sizes, strides, type
    results: list  # of new tensors
    text: str  # the call without its tensors
    written: list[int]
    numbers: list[tuple[int, torch.dtype]]


@torch.compiler.disable
def decide(name: str, overload: str, args: list, with_numbers: bool) -> "_C.Decision | None":
    """As decide() of eager mode: the op as a step, or why it is none."""
    namespace, packet = name.split("::")
    op = getattr(getattr(getattr(torch.ops, namespace), packet), overload or "default")
    if op in _eager._steps.COMPOSED:
        return _C.Decision(reason="composed of others", is_error=False)
    try:
        with tracing(), torch.no_grad(), _eager._quiet():
            return _sketch(op, args, with_numbers)
    except DynamicOutputShapeException:
        reason = "the size of a result depends on values"
    except _eager._OnCpu as error:
        reason = str(error)
    except Exception as error:  # eager mode says it
        log.debug("%s as a step", op, exc_info=True)
        reason = str(error)
    return None if with_numbers else _C.Decision(reason=reason, is_error=False)


class _Dense:
    """An operand as a trace has it: its elements in the order of its dimensions."""

    def __init__(self, operand) -> None:
        self.sizes, self.dtype, self.stored = operand.sizes, operand.dtype, operand.stored
        self.strides = _eager._row_major(self.sizes)
        self.is_contiguous, self.is_permuted = True, False
        self.order = list(range(len(self.sizes)))

    def memory(self) -> torch.Tensor:
        return torch.empty(self.sizes, dtype=self.stored)

    def view(self, memory: torch.Tensor) -> torch.Tensor:
        return memory


class _Call(_eager._Call):
    def arrange(self, new):
        """A graph writes to memory; here the results are values."""
        return [list(range(each.dim())) for each in new]


def _sketch(op, args: list, with_numbers: bool) -> "_C.Decision | None":
    call = _Call(op, args)
    given = call.operands
    call.run(_fakes)
    if not call.holds_numbers() or any(isinstance(each, int) and abs(each) > 2**53
                                       for each in call.numbers()):
        raise _eager._OnCpu("a type has not got a number of it")
    if call.narrows():
        call.ask_pytorch()
    new = call.new(call.results)
    returns, are_lists = call.numbered_results()
    if any(each.dtype.is_complex for each in call.operands):
        call.ask_pytorch()  # it refuses some that have shapes
    limits = call.limits()
    call.operands = [_Dense(each) for each in given]
    numbers = []
    if with_numbers:
        call.run(_fakes)
        with _eager._quiet("torch.fx.experimental.symbolic_shapes"):  # of sizes that are numbers
            graph = call.trace(with_numbers=True)
        found = operands.find(graph)
        if found is None or found.constants or call.environment.guards:
            return None
        graph, numbers = call.again(found, _fakes), call.number_operands(found)
    else:
        graph = _written.graph_of(call, _eager._table, _fakes) if op not in _eager._SAME else None
        if graph is None:
            call.run(_fakes)
            graph = call.trace(fakes=_fakes)
    _check(graph)
    for each in new:
        if each.numel() == 0 or _views.order_in_memory(each.shape, each.stride()) is None:
            raise _eager._OnCpu("a result is empty, or not dense")
    for each, node in zip(new, next(iter(graph.graph.find_nodes(op="output"))).args[0]):
        if node.meta["val"].shape != each.shape:
            raise _eager._OnCpu("PyTorch's kernel for the CPU makes a result of another size")
    sketch = Sketch(graph, [(each.sizes, each.strides, each.stored) for each in given],
                    [(tuple(each.shape), each.stride(), each.dtype) for each in new],
                    _text(call, with_numbers), call.written, numbers)
    does_draw = any(draws.draws_numbers(node) for node in graph.graph.nodes
                    if partition.is_op(node))
    specs = [(list(each.shape), list(each.stride()), each.dtype) for each in new]
    return _C.Decision(_C.Sketch(sketch, specs, returns, are_lists, call.written, numbers,
                                  limits, does_draw))


def _text(call: _Call, with_numbers: bool) -> str:
    """What a call has besides tensors: "alpha=2"."""
    def value(arg):
        if isinstance(arg, torch.Tensor):
            return "tensor"
        if isinstance(arg, (list, tuple)):
            return f"[{', '.join(map(value, arg))}]"
        return repr(arg)
    return ", ".join(f"{parameter.name}={value(arg)}"
                     for parameter, arg in zip(call.schema, call.args)
                     if not isinstance(arg, torch.Tensor) and
                     not (with_numbers and _eager._is_operand(parameter, arg)) and
                     arg != parameter.default_value)


def _check(graph: GraphModule) -> None:
    """Raises if the compiler does not take an op of the trace."""
    from gaudi_mlir.torch.compiler import clean
    clean(graph.graph)
    nodes = graph.graph.nodes
    if any(draws.draws_numbers(node) for node in nodes if partition.is_op(node)):
        drawn = Graph()
        drawn.output(drawn.graph_copy(graph.graph, {}))
        distributions.rewrite(GraphModule(graph, drawn), lambda node: False)
        nodes = drawn.nodes
    known: dict = {}
    for node in nodes:
        if not partition.is_op(node):
            continue
        if draws.draws_numbers(node):
            raise _eager._OnCpu("its random numbers are not drawn by one launch")
        if node.target in _eager._steps.COMPOSED:
            raise _eager._OnCpu("the host checks what it computes")
        reason = partition.host_reason(node, known)
        if reason is None:
            reason = writer.why_unknown(node) or None
        if reason:
            raise _eager._OnCpu(reason)


# --- graphs ----------------------------------------------------------------------------------


class _Memory:
    """What a storage holds while a graph is put together."""

    def __init__(self, place: int, count: int, dtype: torch.dtype) -> None:
        self.place, self.count, self.dtype = place, count, dtype
        self.sizes: tuple | None = None  # of the value
        self.value: Node | None = None


class _Builder:
    """Puts the traces of steps together. `wanted`: places whose values the graph gives."""

    def __init__(self, steps: list, held: list, first: int) -> None:
        self.root, self.graph = torch.nn.Module(), Graph()
        self.steps, self.first = steps, first
        self.memories = [_Memory(place, count, STORED.get(dtype, dtype))
                         for place, (count, dtype, _) in enumerate(held)]
        self.inputs: list[Node] = []
        self.slots: list[int] = []
        self.numbers: list[tuple[int, torch.dtype]] = []
        self._choose_sizes()

    def _choose_sizes(self) -> None:
        """The dimensions of each memory: those of a tensor that has all of it."""
        for sketch, _, uses, results, *_ in self.steps:
            for (place, offset), (sizes, strides, _) in zip(uses, sketch.operands):
                self._choose(self.memories[place], offset, sizes, strides)
            for place, (sizes, strides, _) in zip(results, sketch.results):
                self._choose(self.memories[place], 0, sizes, strides)
        for memory in self.memories:
            memory.sizes = memory.sizes or (memory.count,)

    @staticmethod
    def _choose(memory: _Memory, offset: int, sizes, strides) -> None:
        if memory.sizes is None and offset == 0 and math.prod(sizes) == memory.count:
            order = _views.order_in_memory(sizes, strides)
            if order is not None:
                memory.sizes = tuple(sizes[dim] for dim in order)

    def build(self, wanted: list[int]) -> GraphModule:
        """Gives the values of `places`; what other wanted places have is in `copies`: from which
        place, and whether before or after the launch."""
        with _fakes:
            for number, step in enumerate(self.steps):
                self._add(self.first + number, *step)
        self.copies: list[tuple[int, int, bool]] = []
        values: dict[Node, int] = {}
        for place in wanted:
            value = self.memories[place].value
            if value in self.inputs:
                self.copies.append((self.slots[self.inputs.index(value)], place, True))
            elif value in values:
                self.copies.append((values[value], place, False))
            else:
                values[value] = place
        self.places = list(values.values())
        self.graph.output(tuple(values))
        self.graph.eliminate_dead_code()
        return GraphModule(self.root, self.graph)

    def _placeholder(self, slot: int, sizes, dtype: torch.dtype) -> Node:
        before = next(iter(self.graph.nodes), None) if not self.inputs else self.inputs[-1].next
        with self.graph.inserting_before(before):
            node = self.graph.placeholder(f"arg{len(self.inputs)}_1")
        node.meta = {"val": torch.empty(sizes, dtype=dtype)}
        self.inputs.append(node)
        self.slots.append(slot)
        return node

    def _value(self, memory: _Memory) -> Node:
        if memory.value is None:
            memory.value = self._placeholder(memory.place, memory.sizes, memory.dtype)
        return memory.value

    def _add(self, number: int, sketch: Sketch, name: str, uses, results, file, line, module,
             is_backward) -> None:
        inner = sketch.graph.graph
        placeholders = inner.find_nodes(op="placeholder")
        views = [_views.View(self.memories[place].count, sizes, strides, offset)
                 for (place, offset), (sizes, strides, _) in zip(uses, sketch.operands)]
        copies: dict[Node, Node] = {}
        first_number = len(placeholders) - len(sketch.numbers)
        for position, node in enumerate(placeholders):
            if not node.users:
                continue
            if position < len(uses):
                copies[node] = views[position].read(
                    self.graph, self._value(self.memories[uses[position][0]]))
            else:
                which, dtype = sketch.numbers[position - first_number]
                self.numbers.append((number << 16 | which, dtype))
                copies[node] = self._placeholder(-2 - len(self.numbers), (), dtype)
        made = self._inline(sketch, inner, copies)
        for place, (sizes, strides, _), value in zip(results, sketch.results, made):
            memory = self.memories[place]
            order = _views.order_in_memory(sizes, strides)
            value = _views._permuted(self.graph, value, order)
            memory.value = _views.reshape(self.graph, value, memory.sizes)
        for operand, value in zip(sketch.written, made[len(results):]):
            memory = self.memories[uses[operand][0]]
            view = views[operand]
            memory.value = _views.reshape(self.graph, value, memory.sizes) if view.is_whole else \
                view.write(self.graph, self._value(memory), value)
        place = places.Place(module, is_backward, file or "", line)
        for node in reversed(self.graph.nodes):
            if node.op == "placeholder" or "place" in node.meta:
                break
            node.meta["place"], node.meta["called"] = place, name

    def _inline(self, sketch: Sketch, inner: Graph, copies: dict) -> list[Node]:
        for node in inner.nodes:
            if node.op == "placeholder" or node.op == "output":
                continue
            if node.op == "get_attr":
                name = f"constant_{len(self.root.__dict__) + len(self.root._buffers)}"
                setattr(self.root, name, getattr(sketch.graph, node.target))
                copies[node] = self.graph.get_attr(name)
            else:
                copies[node] = self.graph.node_copy(node, lambda each: copies[each])
            copies[node].meta = {key: value for key, value in node.meta.items()
                                 if key != "stack_trace"}  # of the trace, not of the script
        return [copies[each] for each in next(iter(inner.find_nodes(op="output"))).args[0]]


class _Compiler(CardCompiler):
    """One launch, or nothing."""

    make_launch = _eager._OpCompiler.make_launch
    arrange = _eager._OpCompiler.arrange
    _to_host = _eager._OpCompiler._to_host
    _assemble = _eager._OpCompiler._assemble


def compile(steps: list, held: list, number: int, reason: str, file: str, line: int) -> list:
    """The launches of a graph: each a program, its inputs with their sizes, its numbers, and the
    places that it writes."""
    began = time.perf_counter()
    with tracing(), torch.no_grad():
        wanted = [place for place, (_, _, is_wanted) in enumerate(held) if is_wanted]
        recipes: list = []
        parts = _parts(steps, held, 0, wanted, f"lazy graph {number}", recipes)
    _script.compiled(_script.Compiled(
        number, reason, (file, line), [_script.Step.of(*each) for each in steps], set(wanted),
        recipes, time.perf_counter() - began))
    return parts


def _parts(steps: list, held: list, first: int, wanted: list[int], name: str,
           recipes: list) -> list:
    try:
        return [_part(steps, held, first, wanted, name, recipes)]
    except _eager._OnCpu as error:
        if len(steps) == 1:
            return [_on_cpu(steps, held, first, wanted, str(error))]
        log.info("%s: %d steps are no single launch: %s", name, len(steps), error)
    middle = len(steps) // 2
    later = {place for _, _, uses, *_ in steps[middle:] for place, _ in uses}
    early = [place for place in range(len(held))
             if (place in later or place in wanted) and _writes(steps[:middle], place)]
    late = [place for place in wanted if _writes(steps[middle:], place)]
    return _parts(steps[:middle], held, first, early, name, recipes) + \
        _parts(steps[middle:], held, first + middle, late, name, recipes)


def _writes(steps: list, place: int) -> bool:
    return any(place in results or any(uses[each][0] == place for each in sketch.written)
               for sketch, _, uses, results, *_ in steps)


def _part(steps: list, held: list, first: int, wanted: list[int], name: str,
          recipes: list) -> tuple:
    builder = _Builder(steps, held, first)
    gm = builder.build(wanted)
    if not builder.places:
        return None, [], [], [], [], builder.copies
    record = report.Graph(name, "lazy")
    compiler = _Compiler(gm, kind(), set(), record)
    compiler.compile()
    launch, slots, outputs = compiler.direct
    recipes.append(launch.compiled)
    count = len(builder.inputs)
    extra = {count: _eager._KEY, count + 1: _eager._OFFSET}
    inputs = [builder.slots[slot] if slot < count else extra[slot] for slot in slots]
    sizes = [list(builder.memories[slot].sizes) if slot >= 0 else [] for slot in inputs]
    # A launch writes each of its outputs once.
    order, copies = [None] * len(launch.outputs), list(builder.copies)
    for place, output in zip(builder.places, outputs):
        if order[output] is None:
            order[output] = place
        else:
            copies.append((order[output], place, False))
    results = [([held[place][0]], [1], held[place][1]) for place in order]
    program = _C.Program(launch.recipe._core.handle, name, results)
    _observer.know(program, launch, "lazy")
    return program, inputs, sizes, builder.numbers, order, copies


def _on_cpu(steps: list, held: list, first: int, wanted: list[int], reason: str) -> tuple:
    """A step that the compiler does not take: its trace is computed by the host."""
    builder = _Builder(steps, held, first)
    gm = builder.build(wanted)
    (sketch, name, _, _, file, line, *_), = steps
    if any(draws.draws_numbers(node) for node in sketch.graph.graph.nodes
           if partition.is_op(node)):
        raise RuntimeError(f"{name} is compiled by no launch, and its random numbers are not "
                           f"those of the CPU: {reason}; draw them on the CPU, and move them: "
                           '.to("hpu")')
    op = name.partition(".")[0]
    if not all(torch._C._dispatch_has_computed_kernel_for_dispatch_key(node.target.name(), "CPU")
               for node in gm.graph.nodes if isinstance(node.target, torch._ops.OpOverload)):
        raise NotImplementedError(f"{op} does not run on the card with such operands, and "
                                  f"PyTorch's CPU does not have it: {reason}; give it operands of "
                                  "another type or size, or write it by other ops")
    fallback.note_silently(op, reason, file or "", line)
    call = op, ", ".join(f"{dtype}{list(sizes)}" for sizes, _, dtype in sketch.operands)

    def run(inputs: list) -> list:
        fallback.executed({call: 1})
        if _C.keeps_notes():
            _script.note("op on the CPU", f"{op}: {reason}", file or "", line)
        with torch.no_grad():
            made = gm(*[each.cpu() for each in inputs])
            return [each.contiguous().reshape(-1).to("hpu") for each in made]
    sizes = [list(builder.memories[slot].sizes) if slot >= 0 else [] for slot in builder.slots]
    run = _observer.observed_on_cpu(op, "lazy", gm, run)
    return run, builder.slots, sizes, builder.numbers, builder.places, builder.copies
