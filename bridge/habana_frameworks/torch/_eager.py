# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an op becomes that is met for the first time: a launch of a recipe that is compiled here.

The op is traced with tensors of the host that have the operands' sizes, and whose elements are in
the order of the operands' memory: an operand that is a view is read, and written, through what it
reaches of its storage.
"""

import contextlib
import functools
import logging
import math

import torch
import torch._dynamo
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import DynamicOutputShapeException, FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

from gaudi_mlir import _callers
from gaudi_mlir.torch import (decompositions, fallback, flags, fused, operands, partition, report,
                              sidebyside)
from gaudi_mlir.torch.launch import TensorSpec, order_of
from gaudi_mlir.torch.tracing import tracing

from . import _C, _observer, _ops, _sizes, _steps, _written
from ._cards import CardCompiler, kind
from ._device import STORED

log = logging.getLogger("habana_frameworks.torch.eager")

_STORED_NUMBERS = {7: 6, 10: 9}  # the types of STORED, as schemas number them
_KEY, _OFFSET, _NUMBER = -1, -2, -3  # Plan's
_LONG, _FLOAT = torch.iinfo(torch.int64), torch.finfo(torch.float32)

aten = torch.ops.aten


def _put(x, indices, values, accumulate=False, unsafe=False):
    return aten.index_put_.default(x, indices, values, accumulate)


def _histogram(x, bins=100, min=0, max=0):
    if x.dtype.is_floating_point:
        return aten.histc.default(x, bins, min, max)
    return aten.histc.default(x.float(), bins, min, max).to(x.dtype)


def _cumulative(op):
    def helper(x, values, indices, dim):
        for written, made in zip((values, indices), op(x, dim)):
            written.copy_(made)
    return helper


def _decomposed(op):
    return lambda *args, **named: decompositions.table()[op](*args, **named)


def _random_between(x, low, high, generator=None):
    # torch.fx cannot write the name of the op: "from" is a word of Python.
    return x.copy_(torch.randint(low, high, x.shape, dtype=torch.int64))


def _batch_norm(x, weight, bias, mean, variance, training, momentum, eps):
    if not training:
        return aten.native_batch_norm.default(x, weight, bias, mean, variance, training, momentum,
                                              eps)
    if mean is None:
        return aten._native_batch_norm_legit.no_stats(x, weight, bias, training, momentum, eps)
    return aten._native_batch_norm_legit.default(x, weight, bias, mean, variance, training,
                                                 momentum, eps)


def _update_statistics(x, mean, variance, momentum):
    count = x.numel() // x.shape[1]
    over = [dim for dim in range(x.dim()) if dim != 1]
    values = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    spread, middle = torch.var_mean(values, over, correction=0)
    if mean is not None:
        mean.lerp_(middle.to(mean.dtype), momentum)
    if variance is not None:
        variance.lerp_((spread * (count / max(count - 1, 1))).to(variance.dtype), momentum)
    return middle, spread


def _unscale(grads, found, inverse):
    """Of a loss scaler: gradients times the inverse of the scale, and whether one is not finite."""
    bad = torch.stack([~torch.isfinite(each).all() for each in grads]).any()
    found.copy_(torch.maximum(found, bad.to(found.dtype)))
    for each in grads:
        each.copy_(each.float() * inverse)


def _update_scale(scale, count, found, growth, backoff, interval):
    """Of a loss scaler: less after a step that was not finite, more after `interval` that were."""
    is_bad, grown = found != 0, scale * growth
    is_full = count + 1 == interval
    kept = torch.where(is_full & torch.isfinite(grown), grown, scale)
    count.copy_(torch.where(is_bad | is_full, 0, count + 1))
    return scale.copy_(torch.where(is_bad, scale * backoff, kept))


# Ops that write what their schemas do not say: numbers of arguments, if another one is true.
_WRITES = {
    aten.native_batch_norm.default: ((3, 4), 5),
    aten.batch_norm_update_stats.default: ((1, 2), None),
}

# Ops that only other ops call, and what PyTorch has for accelerators alone, by others.
_SAME = {
    aten._index_put_impl_.default: _put,
    aten.histc.default: _histogram,
    aten._amp_foreach_non_finite_check_and_unscale_.default: _unscale,
    aten._amp_update_scale_.default: _update_scale,
    aten.native_batch_norm.default: _batch_norm,
    aten.batch_norm_update_stats.default: _update_statistics,
    aten._logcumsumexp.default: aten.logcumsumexp.default,
    aten._cholesky_solve_helper.default: aten.cholesky_solve.default,
    aten._cummax_helper.default: _cumulative(aten.cummax.default),
    aten._cummin_helper.default: _cumulative(aten.cummin.default),
    getattr(aten.random_, "from"): _random_between,
    # PyTorch has no rule of its own for the sizes of the results, or asks the CPU's kernel.
    aten.multilabel_margin_loss_forward.default:
        _decomposed(aten.multilabel_margin_loss_forward.default),
    aten.multilabel_margin_loss_backward.default:
        _decomposed(aten.multilabel_margin_loss_backward.default),
    aten._ctc_loss.default: _decomposed(aten._ctc_loss.default),
    aten._ctc_loss.Tensor: _decomposed(aten._ctc_loss.Tensor),
    # Types that the CPU does not take.
    aten.take.default: lambda x, index: aten.take.default(x, index.long()),
    aten.trunc.default: lambda x: x.clone() if x.dtype is torch.bool else aten.trunc.default(x),
    # torch.optim with fused=True, which Trainers choose.
    **{getattr(getattr(aten, step.__name__), overload): written
       for step, written in fused.IN_PLACE.items() if step.__name__.startswith("_fused_")
       for overload in getattr(aten, step.__name__).overloads() if overload != "out"},
}


@functools.cache
def _table() -> dict:
    """Decompositions, also of copies of views, which are what functionalization makes of views: the
    trace has no mutations left that could tell one from the other."""
    copies = {
        aten._conj_copy.default: aten._conj_physical.default,
        aten._neg_view_copy.default: aten.neg.default,
        aten._reshape_alias_copy.default: aten._reshape_alias.default,
        aten._reshape_copy.default: aten.reshape.default,
        aten.select_copy.int: aten.select.int,
        aten.slice_copy.Tensor: aten.slice.Tensor,
        aten.split_copy.Tensor: aten.split.Tensor,
        aten.view_as_complex_copy.default: aten.view_as_complex.default,
        aten.view_as_real_copy.default: aten.view_as_real.default,
    }
    return {**copies, **decompositions.table()}


@torch.compiler.disable  # an op may be called between the graphs of torch.compile
def decide(name: str, overload: str, args: list, with_numbers: bool) -> "_C.Decision | None":
    """What the op does with such arguments; numbers stand for tensors that wrap them. With numbers:
    what it does whatever numbers it is given, None if that is no single launch."""
    namespace, packet = name.split("::")
    op = getattr(getattr(getattr(torch.ops, namespace), packet), overload or "default")
    if ops_on_cpu() and _is_for_cpu(op):
        return None if with_numbers else _C.Decision(reason="GAUDI_OPS_ON_CPU is set",
                                                     is_error=False)
    if op in _steps.COMPOSED:
        return _C.Decision(torch.compiler.disable(_steps.COMPOSED[op]))
    if with_numbers:
        return _with_numbers(op, args)
    call = _Call(op, args)
    if not _observer.is_watched() and (plan := _sizes.plan_of(call)):
        return _C.Decision(plan)
    try:
        with tracing(), torch.no_grad():
            with _quiet():
                graph = _written.graph_of(call, _table) if op not in _SAME else None
            if graph is None:
                call.run()
                graph = call.trace()
            if not call.holds_numbers() or call.narrows():
                call.ask_pytorch()
    except DynamicOutputShapeException:
        return _in_steps(call, "the size of a result depends on values")
    except Exception as error:  # PyTorch's CPU says it, or can do it
        log.debug("%s.%s cannot be traced", name, overload, exc_info=True)
        return _C.Decision(reason=f"cannot be traced: {error}", is_error=True,
                           is_kept=not isinstance(error, (MemoryError, OSError)))
    if any(isinstance(each, int) and each > _LONG.max for each in call.numbers()):
        return _on_cpu(call, "a number is beyond int64")
    if call.has_doubles() and any(math.isfinite(each) and abs(each) > _FLOAT.max
                                  for each in call.numbers()):
        return _on_cpu(call, "a number is beyond float32, in which doubles are stored")
    if any(isinstance(each, int) and abs(each) > 2**53 for each in call.numbers()):
        exact = _with_numbers(op, args)  # attributes of ops may be floats
        if exact is not None:
            return exact
    try:
        with tracing(), torch.no_grad():
            plan = call.plan(graph)
            if not _observer.is_watched():  # whose graphs keep their sizes
                _sizes.learn(call)
            return _C.Decision(plan)
    except _OnCpu as error:
        return _in_steps(call, str(error))


def ops_on_cpu() -> bool:
    """Whether ops are computed by PyTorch's CPU, so that a script can be compared with it."""
    return flags.enabled("GAUDI_OPS_ON_CPU")


def _is_for_cpu(op) -> bool:
    """Random numbers stay those of the card, and copies are no computation."""
    if op is aten.copy_.default or torch.Tag.nondeterministic_seeded in op.tags:
        return False
    has_kernel = torch._C._dispatch_has_computed_kernel_for_dispatch_key(op.name(), "CPU")
    if not has_kernel:
        sidebyside.ON_CARD[f"{op._schema.name}: PyTorch's CPU does not have it"] += 1
    return has_kernel


def _in_steps(call: "_Call", reason: str) -> "_C.Decision":
    """Several launches; the CPU, for the reason, if the device does not take one."""
    try:
        with tracing(), torch.no_grad():
            return _C.Decision(torch.compiler.disable(_steps.function(call, _table())))
    except _steps.Refused as error:
        reason = str(error)
    except Exception:
        log.debug("%s in steps", call.op, exc_info=True)
    return _on_cpu(call, reason)


def _on_cpu(call: "_Call", reason: str) -> "_C.Decision":
    fallback.note_silently(call.op._schema.name, reason, *_callers.line_of_program())
    return _C.Decision(reason=reason, is_error=False)


def _with_numbers(op, args: list) -> "_C.Decision | None":
    try:
        with tracing(), torch.no_grad(), _quiet("torch.fx.experimental.symbolic_shapes"):
            call = _Call(op, args)
            call.run()
            if call.narrows():
                call.ask_pytorch()
            graph = call.trace(with_numbers=True)
            found = operands.find(graph)
            # A guard: what was traced holds for some numbers only.
            if found is None or found.constants or call.environment.guards:
                return None
            return _C.Decision(call.plan(call.again(found), found))
    except Exception:  # each call is tried by itself
        log.debug("%s with numbers as operands", op, exc_info=True)
        return None


@contextlib.contextmanager
def _quiet(name: str = "torch._subclasses.fake_tensor"):
    """Wrong operands are PyTorch's to name, by the error that it raises on the CPU; numbers that
    cannot change are no error."""
    logger = logging.getLogger(name)
    logger.disabled, before = True, logger.disabled
    try:
        yield
    finally:
        logger.disabled = before


class _OnCpu(Exception):
    pass


def _takes_number(parameter) -> bool:
    return str(parameter.real_type).replace("Optional", "").strip("[]") in ("number", "Tensor")


def _kind(dtype: torch.dtype) -> int:
    """Booleans, integers, floats, complex numbers: those before become those after."""
    return 3 if dtype.is_complex else 2 if dtype.is_floating_point else dtype is not torch.bool


def _is_operand(parameter, arg) -> bool:
    """Whether an argument is a number that may be an operand, as the extension module counts them.
    Powers by whole numbers are products, and exact: those are constants, as is what is left
    out."""
    if parameter.has_default_value() and type(arg) is type(parameter.default_value) and \
            arg == parameter.default_value:
        return False
    return type(arg) in (int, float) and _takes_number(parameter) and (
        parameter.name != "exponent" or
        type(arg) is float and not (math.isfinite(arg) and arg.is_integer()))


def _changing(environment: ShapeEnv, number: int | float, place: int):
    """A number that the trace must not take for a constant."""
    source = ConstantSource(f"number_{place}")
    symbol = environment.create_unspecified_symbol(number, source, DimDynamic.DYNAMIC)
    create = environment.create_symfloatnode if type(number) is float else \
        environment.create_symintnode
    return create(symbol, hint=number, source=source)


class _Operand:
    """A tensor of the call, and what stands for it in the trace."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.sizes, self.strides = tuple(tensor.shape), tuple(tensor.stride())
        self.dtype = tensor.dtype
        self.stored = STORED.get(tensor.dtype, tensor.dtype)
        self.order = order_of(self.strides)
        self.is_contiguous = tensor.is_contiguous()
        # No elements twice and none left out: a permutation of the dimensions.
        self.is_permuted = tensor.permute(self.order).is_contiguous()
        self.reach = 0 if 0 in self.sizes else 1 + sum(
            (size - 1) * stride for size, stride in zip(self.sizes, self.strides))

    def memory(self) -> torch.Tensor:
        """What is read and written: dense, row-major."""
        if self.is_contiguous:
            return torch.empty(self.sizes, dtype=self.stored)
        if self.is_permuted:
            return torch.empty([self.sizes[dim] for dim in self.order], dtype=self.stored)
        return torch.empty([self.reach], dtype=self.stored)

    def view(self, memory: torch.Tensor) -> torch.Tensor:
        if self.is_contiguous:
            return memory
        if self.is_permuted:
            return memory.permute([self.order.index(dim) for dim in range(len(self.order))])
        return memory.as_strided(self.sizes, self.strides, 0)


class _Call:
    def __init__(self, op, args: list) -> None:
        self.op = op
        self.schema = op._schema.arguments
        if op is aten.convolution_backward.default:  # PyTorch's rule believes what it is told
            weight, groups = args[2], args[9]
            args = [*args[:3], [weight.shape[1] * groups if args[7] else weight.shape[0]],
                    *args[4:]]
        self.args = args
        self.operands: list[_Operand] = []
        self.node: torch.fx.Node | None = None  # of an op that needs no trace
        self.written: list[int] = []
        self._number(args)

    def _number(self, args) -> None:
        """Operands in the order in which the extension module counts them."""
        hidden, condition = _WRITES.get(self.op, ((), None))
        if condition is not None and not args[condition]:
            hidden = ()
        for place, (parameter, arg) in enumerate(zip(self.schema, args)):
            is_written = place in hidden or \
                parameter.alias_info is not None and parameter.alias_info.is_write
            for each in arg if isinstance(arg, (list, tuple)) else [arg]:
                if isinstance(each, torch.Tensor):
                    if is_written:
                        self.written.append(len(self.operands))
                    self.operands.append(_Operand(each))

    def numbers(self) -> list[int | float]:
        return [arg for parameter, arg in zip(self.schema, self.args)
                if type(arg) in (int, float) and _takes_number(parameter)]

    def _changing_numbers(self) -> list[int | float]:
        """Those that may be operands, in the order in which the extension module counts them."""
        return [arg for parameter, arg in zip(self.schema, self.args)
                if _is_operand(parameter, arg)]

    def _types(self) -> set[torch.dtype]:
        results = [each for result in self.results
                   for each in (result if isinstance(result, (list, tuple)) else [result])]
        return {each.dtype for each in [*self.operands, *results] if hasattr(each, "dtype")}

    def has_doubles(self) -> bool:
        return not self._types().isdisjoint(STORED)

    def limits(self) -> tuple[int, int, float]:
        """The least and the greatest integer, and the greatest float, that all types of operands
        and results have; 0 for that: none is a float."""
        types = self._types()
        floats = [torch.finfo(STORED.get(each, each)).max for each in types
                  if each.is_floating_point or each.is_complex]
        wholes = [torch.iinfo(each) for each in types - {torch.bool}
                  if not (each.is_floating_point or each.is_complex)] + [_LONG]
        largest = min(floats, default=0.0)
        whole = int(min(largest or _LONG.max, _LONG.max))
        return (max(-whole - 1, *(each.min for each in wholes)),
                min(whole, *(each.max for each in wholes)), largest)

    def holds_numbers(self) -> bool:
        """Whether no type of the call is too narrow for a number of it."""
        numbers = self.numbers()
        if not numbers:
            return True
        least, most, largest = self.limits()
        return all(least <= each <= most if isinstance(each, int) else
                   largest > 0 and (not math.isfinite(each) or abs(each) <= largest)
                   for each in numbers)

    def narrows(self) -> bool:
        """Whether an operand is written to that is, say, of integers where others are floats: for
        some ops that refuse it, PyTorch's rules for fake tensors do not."""
        kinds = [_kind(each.dtype) for each in self.operands]
        given = max([*kinds, *(1 + (type(each) is float) for each in self.numbers())], default=0)
        return any(kinds[each] < given for each in self.written)

    def ask_pytorch(self) -> None:
        """Raises what PyTorch's kernel for the CPU raises, which may refuse such operands."""
        with torch.random.fork_rng(devices=[]):
            self.with_operands([torch.zeros(each.sizes, dtype=each.dtype)
                                for each in self.operands], stored=False)

    def with_operands(self, tensors, stored: bool, numbers=None):
        """The result of the op for these operands."""
        left, changing = iter(tensors), iter(numbers or ())

        def given(arg, is_type=False):
            if is_type and stored:
                return _STORED_NUMBERS.get(arg, arg)
            if isinstance(arg, torch.Tensor):
                return next(left)
            if isinstance(arg, (list, tuple)):
                return [given(each) for each in arg]
            if isinstance(arg, torch.device):
                return torch.device("cpu")
            if isinstance(arg, torch.Generator):
                return None
            return arg
        positional, named = [], {}
        for parameter, arg in zip(self.schema, self.args):
            if parameter.name == "pin_memory":
                continue
            value = next(changing) if numbers and _is_operand(parameter, arg) else \
                given(arg, "ScalarType" in str(parameter.real_type))
            if parameter.kwarg_only:
                named[parameter.name] = value
            else:
                positional.append(value)
        if "device" in [each.name for each in self.schema]:
            named["device"] = torch.device("cpu")
        if stored and "dtype" in named and named["dtype"] is None and \
                torch.get_default_dtype() is torch.float64 and not tensors:
            named["dtype"] = torch.float32
        function = _SAME.get(self.op) or _ops.WRITING.get(self.op, self.op)
        if function is self.op and self.wraps_number():
            function = self.op.overloadpacket  # the overload that takes it
        return function(*positional, **named)

    def wraps_number(self) -> bool:
        """Whether a number stands for a tensor, for which PyTorch calls no such overload."""
        return not torch._C._should_allow_numbers_as_tensors(self.op.overloadpacket.__name__) and \
            any(isinstance(arg, (int, float, complex)) and str(parameter.real_type) == "Tensor"
                for parameter, arg in zip(self.schema, self.args))

    def run(self, fakes: FakeTensorMode | None = None) -> None:
        """The types, sizes and strides of results."""
        with _quiet(), fakes or FakeTensorMode():
            operands = [torch.empty_strided(each.sizes, each.strides, dtype=each.dtype)
                        for each in self.operands]
            made = self.with_operands(operands, stored=False)
        self.results = self.parts(made)

    def parts(self, made) -> list:
        return list(made) if len(self.op._schema.returns) > 1 else [made]

    def new(self, results: list) -> list[torch.Tensor]:
        """The tensors among results that are no operands."""
        return [each for (_, argument, _), result in zip(self.places(), results)
                if argument is None
                for each in (result if isinstance(result, (list, tuple)) else [result])
                if isinstance(each, torch.Tensor)]

    def places(self):
        """For each result of the op: the number of an argument that it is, or the new tensors of
        it, each with its place."""
        for which, (returned, result) in enumerate(zip(self.op._schema.returns, self.results)):
            alias = returned.alias_info
            if alias is not None and alias.is_write:
                names = [each.name for each in self.schema if each.alias_info is not None and
                         each.alias_info.before_set == alias.before_set]
                yield which, [each.name for each in self.schema].index(names[0]), []
            elif isinstance(result, (list, tuple)):
                yield which, None, list(result)
            else:
                yield which, None, [result]

    def numbered_results(self) -> tuple[list[list[int]], list[bool]]:
        """For each result of the op the numbers of its new tensors, -1 for an undefined one, and
        -2 - p for argument p, as plans and sketches have them; and which results are lists."""
        returns, lists, count = [], [], 0
        for which, argument, tensors in self.places():
            lists.append(argument is None and isinstance(self.results[which], (list, tuple)))
            row = [] if argument is None else [-2 - argument]
            for each in tensors:
                if isinstance(each, torch.Tensor):
                    row.append(count)
                    count += 1
                elif each is None:
                    row.append(-1)
                else:
                    raise _OnCpu(f"a result is of type {type(each).__name__}")
            returns.append(row)
        return returns, lists

    def number_operands(self, found: operands.Operands) -> list[tuple[int, torch.dtype]]:
        """Of the numbers that a trace has tensors for: which of the call's, and the type that it is
        converted to."""
        places = {node: place for place, node in enumerate(found._placeholders)}
        if not all(node in places for node, _ in found._tensors):
            raise _OnCpu("it computes with a number")
        return [(places[node] - len(self.operands), STORED.get(dtype, dtype))
                for node, dtype in found._tensors]

    def arrange(self, new: list[torch.Tensor]) -> list[list[int]]:
        """The orders in which new tensors have their dimensions in memory."""
        self.specs = [TensorSpec.of(_Node(each)) for each in new]
        return [order_of(each.stride()) for each in new]

    def trace(self, with_numbers: bool = False,
              fakes: FakeTensorMode | None = None) -> torch.fx.GraphModule:
        orders = self.arrange(self.new(self.results))

        def computed(*inputs):
            numbers = inputs[len(self.operands):]
            memories = [each.clone() for each in inputs[:len(self.operands)]]
            views = [operand.view(memory) for operand, memory in zip(self.operands, memories)]
            made = self.with_operands(views, stored=True, numbers=numbers)
            flat = [each if order == list(range(each.dim())) else each.permute(order)
                    for each, order in zip(self.new(self.parts(made)), orders)]
            return (*flat, *(memories[number] for number in self.written))

        self.environment = environment = ShapeEnv() if with_numbers else None
        with fakes or FakeTensorMode(shape_env=environment):
            memories = [each.memory() for each in self.operands]
        numbers = [_changing(environment, number, place)
                   for place, number in enumerate(self._changing_numbers())] \
            if with_numbers else []
        return make_fx(torch.func.functionalize(computed, remove="mutations_and_views"),
                       decomposition_table=_table(),
                       tracing_mode="fake")(*memories, *numbers)

    def again(self, found: operands.Operands,
              fakes: FakeTensorMode | None = None) -> torch.fx.GraphModule:
        """The graph with tensors for its numbers, traced: it has types and sizes again."""
        with fakes or FakeTensorMode():
            inputs = [each.memory() for each in self.operands]
            inputs += [None] * len(self._changing_numbers())
            inputs += [torch.empty((), dtype=STORED.get(dtype, dtype))
                       for _, dtype in found._tensors]
        graph = make_fx(found.graph, decomposition_table=_table(),
                        tracing_mode="fake")(*inputs)
        for node in graph.graph.find_nodes(op="placeholder"):
            node.meta.setdefault("val", None)
        return graph

    def plan(self, graph: torch.fx.GraphModule,
             found: "operands.Operands | None" = None) -> "_C.Plan":
        count = len(self.operands)
        given = graph.graph.find_nodes(op="placeholder")
        compiler = _OpCompiler(graph, kind(), set(), report.Graph(self.op._schema.name, "eager"))
        compiler.compile()
        self.compiler = compiler
        launch, slots, wanted = compiler.direct
        extra, numbers = {}, []
        if found:
            first = count + len(self._changing_numbers())
            numbers = self.number_operands(found)
            extra = {first + number: _NUMBER - number for number in range(len(numbers))}
        extra[len(given)], extra[len(given) + 1] = _KEY, _OFFSET
        numbered = [slot if slot < count else extra[slot] for slot in slots]
        return self.planned(launch, numbered, wanted, numbers)

    def planned(self, launch: "_Recipe", numbered: list[int], wanted: list[int],
                numbers: list) -> "_C.Plan":
        """The plan of a launch: the operands that it reads, and which of its outputs the new
        tensors are, and what is written."""
        outputs = [None] * len(launch.outputs)
        new = self.new(self.results)
        for each, wish, output in zip(new, self.specs, wanted):
            if outputs[output] is not None:
                raise _OnCpu("two results are one tensor")
            if math.prod(launch.outputs[output].shape) != math.prod(wish.shape):
                raise _OnCpu("PyTorch's kernel for the CPU makes a result of another size")
            _check_type(launch.outputs[output], each.dtype)
            outputs[output] = (list(each.shape), wish, each.dtype)
        numbered_results, lists = self.numbered_results()
        returns = [[wanted[each] if each >= 0 else each for each in row]
                   for row in numbered_results]
        writes = list(zip(wanted[len(new):], self.written))
        for output, number in writes:
            _check_type(launch.outputs[output], self.operands[number].dtype)
        results = []
        for output, spec in zip(outputs, launch.outputs):
            if output is None:
                # What is written back to an operand's memory.
                results.append((list(spec.shape), _row_major(spec.shape), spec.dtype))
            else:
                sizes, wish, dtype = output
                strides = list(wish.strides)
                if wish.is_complex:
                    strides = [each // 2 for each in strides[:-1]]
                results.append((sizes, strides, dtype))
        program = _C.Program(launch.recipe._core.handle, self.op._schema.name, results)
        _observer.know(program, launch, "eager")
        return _C.Plan(program, numbered, returns, lists, writes, numbers, self.limits())


def _check_type(spec: TensorSpec, dtype: torch.dtype) -> None:
    stored = STORED.get(dtype, dtype)
    if spec.dtype is not (stored.to_real() if spec.is_complex else stored):
        raise _OnCpu("PyTorch's trace has a result of another type")


def _row_major(shape) -> list[int]:
    return [math.prod(max(size, 1) for size in shape[dim + 1:]) for dim in range(len(shape))]


class _Node:
    """What TensorSpec.of takes."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.name, self.meta = "result", {"val": tensor}


class _Recipe:
    def __init__(self, recipe, inputs, outputs) -> None:
        self.recipe, self.inputs, self.outputs, self.count = recipe, inputs, outputs, [0]


class _OpCompiler(CardCompiler):
    """One launch, or nothing."""

    def arrange(self, graph, results):
        self.extracted = graph  # the trace has arranged it

    def make_launch(self, recipe, inputs, outputs, numbers):
        return _Recipe(recipe, inputs, outputs)

    def _to_host(self, node, reason):
        raise _OnCpu(reason)

    def _assemble(self):
        launches = [self._launches[frozenset(nodes)] for color, nodes in self.order
                    if color != partition.HOST and frozenset(nodes) in self._launches]
        host = [node for color, nodes in self.order if color == partition.HOST for node in nodes]
        if len(launches) != 1 or host:
            raise _OnCpu("it is no single launch")
        launch, inputs, outputs = launches[0]
        placeholders = self.gm.graph.find_nodes(op="placeholder")
        results = next(iter(self.gm.graph.find_nodes(op="output"))).args[0]
        if any(each not in outputs for each in results):
            raise _OnCpu("a result is an operand")
        self.direct = (launch, [placeholders.index(each) for each in inputs],
                       [outputs.index(each) for each in results])
        return None
