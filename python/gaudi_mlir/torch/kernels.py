# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TPC kernels of a user's own as ops of PyTorch.

    @kernels.op("mine::squares(Tensor x, float factor) -> Tensor")
    def squares(k, x, y, factor):
        y[k.indices] = x[k.indices] * x[k.indices] * factor

A kernel is text of the kernel language (gaudi.tpc.kernel), or a function that is called once for
each combination of sizes, types and numbers and writes that text by what it does to its arguments.
docs/custom-ops.md describes both."""
import dataclasses
import math
import operator
import os
import re
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy
import torch
from torch.fx import Graph, GraphModule

from gaudi_mlir import _callers

from .errors import LoweringError

# What the compiler says of a line of a kernel, and the line; the input that it reads.
_SAID = re.compile(r"^[^\n:]*:\d+:\d+: error: (?:'gaudi[.\w]*' op )?(.*)\n(.*)$", re.M)
_NAMED = re.compile(r"gaudi\.kernel\.load %x(\d+)\[")

OPS: dict[torch._ops.OpOverload, "Op"] = {}
"""What the writer of graphs asks."""


class KernelError(LoweringError):
    """A kernel that cannot be written, or that gives other numbers than its reference."""


# --- text ----------------------------------------------------------------------------------------

_ELEMENTS = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16",
             torch.float8_e4m3fn: "f8E4M3FN", torch.float8_e5m2: "f8E5M2", torch.bool: "i1",
             torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
             torch.uint8: "ui8", torch.uint16: "ui16", torch.uint32: "ui32"}
# Numbers of a kernel are signed: these have all values of an unsigned type.
_WIDER = {torch.uint8: "i32", torch.uint16: "i32", torch.uint32: "i64"}


@dataclasses.dataclass(frozen=True)
class TensorType:
    """Of an operand or a result; as text "tensor<4x8xf32>"."""
    shape: tuple[int, ...]
    dtype: torch.dtype

    def __str__(self) -> str:
        if self.dtype not in _ELEMENTS:
            raise KernelError(f"a kernel has no tensors of {self.dtype}; cast them before the call to one "
                              f"of {', '.join(str(each).removeprefix('torch.') for each in _ELEMENTS)}")
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{_ELEMENTS[self.dtype]}>"

    @property
    def scalar(self) -> str:
        """The type that an element has in a kernel's loads and stores."""
        if self.dtype.is_floating_point:
            return "f32"
        return _ELEMENTS.get(self.dtype, str(self)).removeprefix("u")

    @staticmethod
    def of(tensor: torch.Tensor) -> "TensorType":
        if not all(isinstance(size, int) for size in tensor.shape):
            raise KernelError("a kernel has sizes that are known; these are dynamic: compile with "
                              "dynamic=False, or pad inputs to one size")
        return TensorType(tuple(tensor.shape), tensor.dtype)


def _number(value: float | bool, kind: str) -> str:
    if kind == "f32":
        try:
            bits = struct.unpack("<I", struct.pack("<f", float(value)))[0]
        except OverflowError:
            raise KernelError(f"{value} is beyond float32") from None
        return f"0x{bits:08X}"
    if kind == "i1":
        return str(bool(value)).lower()
    if int(value) != value:
        raise KernelError(f"{value} is no {kind}; give a whole number, or compute in float32")
    return str(int(value))


# --- functions -----------------------------------------------------------------------------------


_NO_BRANCHES = ("a kernel has no branches on its numbers; k.where(condition, a, b) chooses between "
                "two")


def _operator(name: str, is_reversed: bool = False) -> Callable:
    def apply(self, other):
        kernel = self._kernel
        return kernel._binary(name, other, self) if is_reversed else \
            kernel._binary(name, self, other)
    return apply


class Index:
    """A dimension of the index space, or a sum of some times constants."""

    def __init__(self, kernel: "Kernel", factors: dict[int, int], offset: int = 0) -> None:
        self._kernel, self._factors, self._offset = kernel, factors, offset

    def _sum(self, other, sign: int):
        if isinstance(other, int):
            return Index(self._kernel, self._factors, self._offset + sign * other)
        if not isinstance(other, Index):
            return self._kernel._binary("add" if sign > 0 else "sub", self, other)
        factors = dict(self._factors)
        for dim, factor in other._factors.items():
            factors[dim] = factors.get(dim, 0) + sign * factor
        return Index(self._kernel, factors, self._offset + sign * other._offset)

    def __add__(self, other):
        return self._sum(other, 1)

    __radd__ = __add__

    def __sub__(self, other):
        return self._sum(other, -1)

    def __rsub__(self, other):
        return (self * -1)._sum(other, 1)

    def __mul__(self, other):
        if not isinstance(other, int):
            return self._kernel._binary("mul", self, other)
        return Index(self._kernel, {dim: each * other for dim, each in self._factors.items()},
                     self._offset * other)

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    __lt__, __le__ = _operator("lt"), _operator("le")
    __gt__, __ge__ = _operator("gt"), _operator("ge")
    __eq__, __ne__ = _operator("eq"), _operator("ne")  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise KernelError(_NO_BRANCHES)

    def __str__(self) -> str:
        terms = [f"d{dim} * {factor}" if factor != 1 else f"d{dim}"
                 for dim, factor in self._factors.items() if factor]
        return " + ".join(terms + ([str(self._offset)] if self._offset or not terms else []))

    def value(self) -> "Value":
        """As a number of 64 bits."""
        total = self._kernel.constant(self._offset, "i64") if self._offset else None
        for dim, factor in self._factors.items():
            each = self._kernel._line(f"gaudi.kernel.index {dim}", "i64")
            each = each * factor if factor != 1 else each
            total = each if total is None else total + each
        return total if total is not None else self._kernel.constant(0, "i64")


class _Line(str):
    """A line of a kernel, and the line of the program that asked for it."""
    place: str

    def __new__(cls, text: str) -> "_Line":
        made = super().__new__(cls, text)
        file, number, _ = _callers.line()
        made.place = f"{os.path.basename(file)}:{number}"
        return made


class Value:
    """A number of a kernel: f32, i64, i32, i16, i8 or i1. Python's numbers beside it take its
    type; an integer beside a float becomes one."""

    def __init__(self, kernel: "Kernel", name: str, kind: str) -> None:
        self._kernel, self._name, self.kind = kernel, name, kind

    __add__, __radd__ = _operator("add"), _operator("add", True)
    __sub__, __rsub__ = _operator("sub"), _operator("sub", True)
    __mul__, __rmul__ = _operator("mul"), _operator("mul", True)
    __truediv__, __rtruediv__ = _operator("div"), _operator("div", True)
    __pow__, __rpow__ = _operator("pow"), _operator("pow", True)
    __and__, __rand__ = _operator("and"), _operator("and", True)
    __or__, __ror__ = _operator("or"), _operator("or", True)
    __xor__, __rxor__ = _operator("xor"), _operator("xor", True)
    __lt__, __le__ = _operator("lt"), _operator("le")
    __gt__, __ge__ = _operator("gt"), _operator("ge")
    __eq__, __ne__ = _operator("eq"), _operator("ne")  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self):
        return 0 - self if self.kind != "f32" else self._kernel._unary("arith.negf", self)

    def __bool__(self) -> bool:
        raise KernelError(_NO_BRANCHES)

    def to(self, kind: str) -> "Value":
        return self._kernel._converted(self, kind)


class Operand:
    def __init__(self, kernel: "Kernel", name: str, type: TensorType) -> None:
        self._kernel, self._name, self.type = kernel, name, type
        self.shape, self.dtype = type.shape, type.dtype

    def _position(self, position) -> list:
        position = list(position) if isinstance(position, (tuple, list)) else [position]
        if len(position) != len(self.shape):
            raise KernelError(f"{len(position)} indices of a tensor of {len(self.shape)} "
                              "dimensions; give one for each")
        return position


class Input(Operand):
    def __getitem__(self, position) -> Value:
        return self.load(position)

    def load(self, position, boundary: str | None = None, pad: float = 0) -> Value:
        """One element. `boundary` is "clamp", "pad" (which gives `pad`), or "checked" (the launch
        stops); without it sums of indices must be inside, and computed ones are checked."""
        places, rules = [], []
        for each in self._position(position):
            is_computed = isinstance(each, Value)
            places.append(each.to("i64")._name if is_computed else str(each))
            rules.append(boundary or ("checked" if is_computed else "inside"))
        text = f"gaudi.kernel.load {self._name}[{', '.join(places)}]"
        if any(each != "inside" for each in rules):
            text += " boundary [" + ", ".join(f"#gaudi.boundary<{each}>" for each in rules) + "]"
        kind = self.type.scalar
        if boundary == "pad":
            text += f" pad {_number(pad, kind)}" + ("" if kind == "i1" else f" : {kind}")
        loaded = self._kernel._line(f"{text} : {self.type}", kind)
        wider = _WIDER.get(self.dtype)
        return self._kernel._extended(loaded, wider) if wider else loaded


class Output(Operand):
    is_written = False

    def __setitem__(self, position, value) -> None:
        if self.is_written:
            raise KernelError("a kernel writes each result at one place of its text; choose the value "
                              "by k.where(condition, a, b)")
        self.is_written = True
        places = ", ".join(str(each) for each in self._position(position))
        kind = _WIDER.get(self.dtype, self.type.scalar)
        value = self._kernel._value(value, kind).to(kind).to(self.type.scalar)
        self._kernel._lines.append(_Line(
            f"gaudi.kernel.store {value._name}, {self._name}[{places}] : {self.type}"))


_FLOAT = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf",
          "pow": "math.powf", "max": "arith.maximumf", "min": "arith.minimumf",
          "atan2": "math.atan2"}
_INTEGER = {"add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli", "and": "arith.andi",
            "or": "arith.ori", "xor": "arith.xori", "max": "arith.maxsi", "min": "arith.minsi"}
_ARITHMETIC = {"add", "sub", "mul", "max", "min"}
_COMPARED = {"lt", "le", "gt", "ge", "eq", "ne"}
_RANK = ["i1", "i8", "i16", "i32", "i64", "f32"]
_UNARY = {"exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log1p": "log1p",
          "log2": "log2", "log10": "log10", "sqrt": "sqrt", "rsqrt": "rsqrt", "cbrt": "cbrt",
          "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan",
          "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "erf": "erf", "erfc": "erfc",
          "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "roundeven",
          "abs": "absf"}
_RULES = ["nearest_even", "toward_zero", "upward", "downward", "nearest_away", "stochastic",
          "stochastic_normal"]
_INITIAL = {"add": 0, "mul": 1, "max": -math.inf, "min": math.inf, "argmax": -math.inf,
            "argmin": math.inf}


class Kernel:
    """What a function of a kernel is given first. `indices`: of the parallel dimensions, which are
    those of the first result unless the op says otherwise."""

    def __init__(self, index_space: Sequence[int]) -> None:
        self._sizes, self._parallel = list(index_space), [True] * len(index_space)
        self._lines: list[str] = []
        self._count = 0
        self._is_in_loop = False
        self.indices = tuple(Index(self, {dim: 1}) for dim in range(len(index_space)))

    # --- numbers --------------------------------------------------------------------------

    def _line(self, text: str, kind: str) -> Value:
        self._count += 1
        self._lines.append(_Line(f"%v{self._count} = {text}"))
        return Value(self, f"%v{self._count}", kind)

    def constant(self, value, kind: str) -> Value:
        text = _number(value, kind)
        return self._line(f"arith.constant {text}" + ("" if kind == "i1" else f" : {kind}"), kind)

    def _value(self, given, kind: str) -> Value:
        """A value; a number of Python's has the type `kind`, or is a float."""
        if isinstance(given, Value):
            return given
        if isinstance(given, Index):
            return given.value()
        if isinstance(given, (int, float)):
            is_whole = isinstance(given, int) and kind != "f32"
            return self.constant(given, kind if is_whole else "f32")
        raise KernelError(f"a kernel computes with numbers, not with {type(given).__name__}")

    def _converted(self, value: Value, kind: str) -> Value:
        if value.kind == kind:
            return value
        if kind not in _RANK:
            raise KernelError(f"a kernel has no numbers of the type {kind!r}; it has "
                              f"{', '.join(_RANK)}")
        if kind == "i1":  # Python's: true unless it is 0
            return self._binary("ne", value, 0)
        if kind == "f32":
            op = "arith.uitofp" if value.kind == "i1" else "arith.sitofp"
        elif value.kind == "f32":
            op = "arith.fptosi"
        elif _RANK.index(value.kind) < _RANK.index(kind):
            op = "arith.extui" if value.kind == "i1" else "arith.extsi"
        else:
            op = "arith.trunci"
        return self._line(f"{op} {value._name} : {value.kind} to {kind}", kind)

    def _extended(self, value: Value, kind: str) -> Value:
        """Of unsigned bits."""
        return self._line(f"arith.extui {value._name} : {value.kind} to {kind}", kind)

    def _pair(self, a, b) -> tuple[Value, Value, str]:
        kinds = [each.kind for each in (a, b) if isinstance(each, Value)] + \
            ["i64" for each in (a, b) if isinstance(each, Index)]
        kind = max(kinds, key=_RANK.index) if kinds else "f32"
        if kind == "i1" and any(type(each) is int for each in (a, b)):
            kind = "i32"
        values = [self._value(each, kind) for each in (a, b)]
        kind = max((each.kind for each in values), key=_RANK.index)
        left, right = (each.to(kind) for each in values)
        return left, right, kind

    def _binary(self, name: str, a, b) -> Value:
        left, right, kind = self._pair(a, b)
        if name == "div" or name == "pow" or name == "atan2":
            left, right, kind = left.to("f32"), right.to("f32"), "f32"
        if kind == "i1" and name in _ARITHMETIC:  # True + True is 2
            left, right, kind = left.to("i32"), right.to("i32"), "i32"
        names = f"{left._name}, {right._name}"
        if name in _COMPARED:
            if kind == "f32":  # Python's: != is true of a NaN, all others are false
                predicate = "une" if name == "ne" else f"o{name}"
                return self._line(f"arith.cmpf {predicate}, {names} : f32", "i1")
            signed = "" if name in ("eq", "ne") else "u" if kind == "i1" else "s"
            return self._line(f"arith.cmpi {signed}{name}, {names} : {kind}", "i1")
        table = _FLOAT if kind == "f32" else _INTEGER
        if name not in table:
            raise KernelError(f"'{name}' is no op of {kind}")
        return self._line(f"{table[name]} {names} : {kind}", kind)

    def _unary(self, op: str, value) -> Value:
        given = self._value(value, "f32").to("f32")
        return self._line(f"{op} {given._name} : f32", "f32")

    def __getattr__(self, name: str) -> Callable:
        if name not in _UNARY:
            raise AttributeError(f"a kernel has no function {name!r}; it has "
                                 f"{', '.join(sorted(_UNARY))}, maximum, minimum, atan2, where, "
                                 "round_to, loop and constant")
        return lambda value: self._unary(f"math.{_UNARY[name]}", value)

    def maximum(self, a, b) -> Value:
        return self._binary("max", a, b)

    def minimum(self, a, b) -> Value:
        return self._binary("min", a, b)

    def atan2(self, a, b) -> Value:
        return self._binary("atan2", a, b)

    def where(self, condition: Value, a, b) -> Value:
        left, right, kind = self._pair(a, b)
        return self._line(f"arith.select {condition.to('i1')._name}, {left._name}, {right._name} "
                          f": {kind}", kind)

    def round_to(self, value, dtype: torch.dtype, rule: str = "nearest_even",
                 word: Value | None = None, flush: bool = False) -> Value:
        """A float rounded to a narrow type, by the rules of gaudi.kernel.round_to. `word`: 32
        random bits, which the stochastic ones read."""
        if rule not in _RULES:
            raise KernelError(f"no rule {rule!r}; expected one of {', '.join(_RULES)}")
        if dtype not in _ELEMENTS or not dtype.is_floating_point or dtype == torch.float32:
            raise KernelError(f"a kernel rounds to bfloat16, float16, float8_e4m3fn and "
                              f"float8_e5m2, not to {dtype}")
        if rule.startswith("stochastic") != (word is not None):
            raise KernelError(f"{rule!r} {'needs a' if word is None else 'reads no'} random word")
        random = f" random {word.to('i32')._name}" if word is not None else ""
        given = self._value(value, "f32").to("f32")
        return self._line(f"gaudi.kernel.round_to {given._name}{random} {_ELEMENTS[dtype]} <{rule}>"
                          f"{' flush' if flush else ''}", "f32")

    # --- loops ----------------------------------------------------------------------------

    def loop(self, sizes: int | Sequence[int], body: Callable, kind: str = "add", init=None):
        """Combines what `body(*indices)` gives over further dimensions, the first outermost:
        "add", "mul", "max", "min", "and", "or", "xor"; "argmax" and "argmin" give the value and
        its first position in the last dimension. "custom": `body(*indices, before)` gives what
        follows `before`, which is `init` at first."""
        if self._is_in_loop:
            raise KernelError("loops of a kernel do not nest: one loop has several sizes")
        sizes = [sizes] if isinstance(sizes, int) else list(sizes)
        first = len(self._sizes)
        self._sizes += sizes
        self._parallel += [False] * len(sizes)
        indices = [Index(self, {first + place: 1}) for place in range(len(sizes))]
        outside, self._lines, self._is_in_loop = self._lines, [], True
        before = Value(self, f"%before{first}", init.kind if isinstance(init, Value) else "f32")
        made = self._value(body(*indices, *([before] if kind == "custom" else [])), "f32")
        if kind == "custom":
            made = made.to(before.kind)
        elif made.kind == "i1" and kind not in ("and", "or", "xor"):
            made = made.to("i32")
        yielded, kinds = [made._name], [made.kind]
        if kind.startswith("arg"):
            yielded.append(indices[-1].value()._name)
            kinds.append("i64")
        inside, self._lines, self._is_in_loop = self._lines, outside, False
        if init is None:
            if kind not in _INITIAL:
                raise KernelError(f"a loop of the kind {kind!r} needs what it begins with: init=")
            init = _INITIAL[kind]
            if made.kind != "f32" and math.isinf(init):
                bits = int(made.kind[1:]) - 1
                init = -2**bits if init < 0 else 2**bits - 1
        begin = self._value(init, made.kind).to(made.kind)
        names = self._line("", made.kind)
        self._lines[-1] = _Line(
            f"{names._name}{':2' if len(kinds) == 2 else ''} = gaudi.kernel.loop "
            f"[{', '.join(str(first + place) for place in range(len(sizes)))}] reduce "
            f"[#gaudi.reduce<{kind}>] init({begin._name}) : {', '.join(kinds)} {{")
        self._lines += [f"^bb0({before._name}: {made.kind}):", *inside,
                        f"gaudi.kernel.yield {', '.join(yielded)} : {', '.join(kinds)}", "}"]
        if len(kinds) == 1:
            return names
        return (Value(self, f"{names._name}#0", made.kind), Value(self, f"{names._name}#1", "i64"))


# --- ops -----------------------------------------------------------------------------------------

_HEAD = re.compile(r'\s*gaudi\.tpc\.kernel(\s+label\s+"[^"]*")?\s*\([^)]*\)')


class Op:
    """An op of PyTorch that is a kernel: calls are those of torch.ops. `function` writes it, or
    gives its text."""

    def __init__(self, schema: str, function: Callable, is_text: bool, results, index_space,
                 reference, gradient) -> None:
        self.name, _, rest = schema.partition("(")
        if "::" not in self.name:
            raise KernelError(f"the name of an op has a namespace, as mine::{self.name}")
        if "!" in rest:
            raise KernelError(f"{self.name}: a kernel writes results, not operands; leave '(a!)' out of "
                              "the schema, and return what is written")
        namespace, short = self.name.split("::")
        self._function, self._is_text = function, is_text
        self._results, self._index_space = results, index_space
        self.reference, self._gradient = reference, gradient
        self._places: dict[str, str] = {}  # of the lines of its text
        if "->" not in rest:
            raise KernelError(f"{self.name}: '{schema}' is no schema; write the types of what it takes and "
                              f"gives: '{self.name}(Tensor x, float factor) -> Tensor'")
        self._library = torch.library.Library(namespace, "FRAGMENT")
        self._library.define(f"{short}({rest}")
        self.op = getattr(getattr(torch.ops, namespace), short).default
        for each in self.op._schema.arguments:
            if each.kwarg_only or str(each.real_type) not in ("Tensor", "number", "float", "int",
                                                              "bool"):
                raise KernelError(f"{self.name}: a kernel takes tensors and numbers by their "
                                  f"places, not '{each.name}'")
        for each in self.op._schema.returns:
            if str(each.real_type) != "Tensor":
                raise KernelError(f"{self.name}: a kernel gives tensors, and its schema has a result of "
                                  f"type {each.real_type}")
        torch.library.register_fake(self.name, self._fake, lib=self._library)
        self._library.impl(short, self._on_cpu, "CPU")
        torch.library.register_autograd(self.name, self._backward, setup_context=self._save,
                                        lib=self._library)
        self.__doc__, self.__name__ = function.__doc__, short
        OPS[self.op] = self

    def __call__(self, *args, **named):
        return self.op(*args, **named)

    def _fake(self, *args):
        if self._results is not None:
            return self._results(*self._all(args))
        first = next(each for each in args if isinstance(each, torch.Tensor))
        made = tuple(torch.empty_like(first, memory_format=torch.contiguous_format)
                     for _ in self.op._schema.returns)
        return made[0] if len(made) == 1 else made

    def _on_cpu(self, *args):
        """Also of a card for which the kernel cannot be compiled."""
        if self.reference is not None:
            return self.reference(*self._all(args))
        try:
            self.recipe(*args)
        except Exception as error:
            raise KernelError(f"{self.name} cannot be compiled: {self._said(error)}") from None
        raise KernelError(f"{self.name} has no reference, by which it would run on the CPU; move its "
                          'operands, .to("hpu"), or register it with reference=')

    def _said(self, error: Exception) -> str:
        """What the compiler says of the text of a kernel, in the words of the function."""
        found = _SAID.search(getattr(error, "details", ""))
        place = self._places.get(found[2].strip()) if found else None
        if not found or place is None:
            return str(error)
        name = _NAMED.search(found[2])
        text = found[1]
        if name:
            tensors = [each.name for each in self.op._schema.arguments
                       if str(each.real_type) == "Tensor"]
            text = text.replace("of the input", f"of '{tensors[int(name[1])]}'")
            if "outside [" in text:
                text += '; read what may be outside by load(position, "clamp"), "pad" or "checked", ' \
                    "or give fewer results, or a smaller index_space="
        return f"{place}: {text}"

    # --- gradients ------------------------------------------------------------------------

    def _save(self, ctx, inputs, output) -> None:
        ctx.save_for_backward(*[each for each in inputs if isinstance(each, torch.Tensor)])
        ctx.others = [None if isinstance(each, torch.Tensor) else each for each in inputs]
        ctx.are_tensors = [isinstance(each, torch.Tensor) for each in inputs]

    def _backward(self, ctx, *grads):
        if self._gradient is None:
            raise NotImplementedError(f"{self.name} was registered without a gradient; give "
                                      "gradient=, or detach its operands")
        saved = iter(ctx.saved_tensors)
        inputs = [next(saved) if is_tensor else other
                  for is_tensor, other in zip(ctx.are_tensors, ctx.others)]
        made = self._gradient(*grads, *self._all(inputs))
        made = list(made) if isinstance(made, (tuple, list)) else [made]
        if len(made) > len(self.op._schema.arguments):
            raise KernelError(f"the gradient of {self.name} gives {len(made)} values for "
                              f"{len(self.op._schema.arguments)} arguments; return one for each")
        return tuple((made + [None] * len(inputs))[:len(inputs)])

    # --- text -----------------------------------------------------------------------------

    def lines(self, args: Sequence[Any], results: Sequence[torch.Tensor],
              names: Sequence[str] = ()) -> list[str]:
        """The text of the kernel for such arguments, whose tensors have the names."""
        types = [TensorType.of(each) for each in args if isinstance(each, torch.Tensor)]
        outputs = [TensorType.of(each) for each in results]
        names = list(names) or [f"%in{place}" for place in range(len(types))]
        if self._is_text:
            left = iter(types)
            given = [next(left) if isinstance(each, torch.Tensor) else each for each in args]
            text = self._function if isinstance(self._function, str) else \
                self._function(*given, *outputs)
            head = _HEAD.match(text)
            if not head:
                raise KernelError(f"{self.name}: the text of a kernel begins with "
                                  "'gaudi.tpc.kernel (operands)'")
            return [f'gaudi.tpc.kernel label "{self.name}" ({", ".join(names)})'
                    + line if not place else line
                    for place, line in enumerate(text[head.end():].rstrip().splitlines())]
        return self._traced(args, types, outputs, names)

    def _traced(self, args, types, outputs, names) -> list[str]:
        space = outputs[0].shape if self._index_space is None else self._index_space(*args)
        kernel = Kernel(space)
        tensors = [Input(kernel, f"%x{place}", each) for place, each in enumerate(types)]
        others = [each for each in args if not isinstance(each, torch.Tensor)]
        written = [Output(kernel, f"%y{place}", each) for place, each in enumerate(outputs)]
        self._function(kernel, *tensors, *written, *others)
        if not all(each.is_written for each in written):
            place = next(place for place, each in enumerate(written) if not each.is_written)
            raise KernelError(f"{self.name}: result {place} is not written; the function assigns it: "
                              "y[k.indices] = ...")
        self._places = {line.strip(): line.place for line in kernel._lines
                        if isinstance(line, _Line)}
        body = [f"{each._name}: {each.type}" for each in [*tensors, *written]]
        result = ", ".join(map(str, outputs))
        head = (f'gaudi.tpc.kernel label "{self.name}" ({", ".join(names)}) index_space '
                f"[{', '.join(map(str, kernel._sizes))}] parallel "
                f"[{', '.join(str(each).lower() for each in kernel._parallel)}] : "
                f"({', '.join(map(str, types))}) -> "
                + (result if len(outputs) == 1 else f"({result})") + " {")
        return [head, f"^bb0({', '.join(body)}):", *kernel._lines, "}"]

    def _all(self, args: Sequence[Any]) -> list[Any]:
        """The arguments with those that PyTorch leaves out, which are their defaults."""
        return [*args, *[each.default_value for each in self.op._schema.arguments[len(args):]]]

    def text(self, *args) -> str:
        """The kernel for such arguments, which may be tensors of the device "meta"."""
        args = self._all(args)
        made = self._made(args)
        return "\n".join(self.lines(args, made))

    def _made(self, args) -> list[torch.Tensor]:
        fakes = [torch.empty_like(each, device="meta") if isinstance(each, torch.Tensor) else each
                 for each in args]
        made = self._fake(*fakes)
        return [made] if isinstance(made, torch.Tensor) else list(made)

    def recipe(self, *args, device: str = "gaudi2"):
        """The op alone, compiled for such arguments: `recipe(...).predict()` is its time."""
        from . import writer
        args, graph = self._all(args), Graph()
        inputs = []
        for place, each in enumerate(args):
            if isinstance(each, torch.Tensor):
                node = graph.placeholder(f"arg{place}_1")
                node.meta = {"val": torch.empty_like(each, device="meta")}
                each = node
            inputs.append(each)
        call = graph.call_function(self.op, tuple(inputs))
        made = self._made(args)
        call.meta = {"val": made[0] if len(made) == 1 else tuple(made)}
        if len(made) == 1:
            graph.output((call,))
        else:
            parts = [graph.call_function(operator.getitem, (call, place))
                     for place in range(len(made))]
            for part, value in zip(parts, made):
                part.meta = {"val": value}
            graph.output(tuple(parts))
        GraphModule(torch.nn.Module(), graph)
        text, _ = writer.write(graph)
        return text.compile(device=device)

    # --- samples --------------------------------------------------------------------------

    def check(self, *args, rtol: float | None = None, atol: float | None = None) -> None:
        """Raises KernelError where the kernel's numbers are not those of the reference."""
        if self.reference is None:
            raise KernelError(f"{self.name} has no reference to check it by; register it with "
                              "reference=")
        tensors = [each.contiguous() for each in args if isinstance(each, torch.Tensor)]
        wanted = self.reference(*self._all(args))
        wanted = [wanted] if isinstance(wanted, torch.Tensor) else list(wanted)
        types = [TensorType.of(each) for each in self._made(self._all(args))]
        if types != (theirs := [TensorType.of(each) for each in wanted]):
            raise KernelError(f"{self.name}: the results are {', '.join(map(str, types))}, those "
                              f"of the reference {', '.join(map(str, theirs))}")
        got = self.recipe(*args).run([each.detach() for each in tensors])
        for place, (mine, other) in enumerate(zip(got, wanted)):
            mine = _tensor(mine, other.dtype).reshape(other.shape)
            try:
                torch.testing.assert_close(mine, other, rtol=rtol, atol=atol, equal_nan=True)
            except AssertionError as error:
                raise KernelError(f"{self.name}: result {place} of the kernel is not that of its "
                                  f"reference for arguments "
                                  f"{', '.join(map(_spelled, args))}:\n{error}") from None


def _tensor(array, dtype: torch.dtype) -> torch.Tensor:
    """An array of NumPy whose type NumPy may not know."""
    array = numpy.array(array)
    bits = {1: numpy.uint8, 2: numpy.uint16}.get(dtype.itemsize)
    if bits is None:
        return torch.from_numpy(array)
    return torch.from_numpy(array.view(bits)).view(dtype)


def _spelled(value) -> str:
    if isinstance(value, torch.Tensor):
        return f"{tuple(value.shape)} of {value.dtype}"
    return repr(value)


def op(schema: str, *, text: str | Callable | None = None, results: Callable | None = None,
       index_space: Callable | None = None, reference: Callable | None = None,
       samples: Sequence[tuple] = (), gradient: Callable | None = None):
    """Registers an op of PyTorch. Without `text` it decorates a function of a kernel.

    schema: as torch.library has it, "mine::squares(Tensor x, float factor) -> Tensor"
    text: the kernel as text, or what gives it for the TensorTypes and numbers of a call, which are
        followed by the TensorTypes of its results
    results: empty tensors like the results, for the arguments of a call; without it each is like
        the first tensor
    index_space: sizes of the parallel dimensions, for the arguments; without it those of the first
        result
    reference: what computes the same with PyTorch on the CPU, where the op then also runs
    samples: arguments to compare the kernel with the reference on, now
    gradient: gradients of the inputs by those of the results, followed by the inputs
    """
    def register(function) -> Op:
        made = Op(schema, function, text is not None, results, index_space, reference, gradient)
        for each in samples:
            made.check(*each)
        return made
    return register if text is None else register(text)
