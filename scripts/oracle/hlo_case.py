# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One random StableHLO function: its text, its inputs, and what its ops need to be drawn."""
import ml_dtypes
import numpy as np

# Element type of StableHLO text -> NumPy type.
DTYPES = {
    "f32": np.dtype(np.float32), "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn), "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "f64": np.dtype(np.float64),
    "i8": np.dtype(np.int8), "i16": np.dtype(np.int16), "i32": np.dtype(np.int32), "i64": np.dtype(np.int64),
    "ui8": np.dtype(np.uint8), "ui16": np.dtype(np.uint16), "ui32": np.dtype(np.uint32),
    "ui64": np.dtype(np.uint64), "i1": np.dtype(np.bool_),
}
FLOATS = ["f32", "bf16", "f16"]
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["ui8", "ui16", "ui32", "ui64"]
INTS = SIGNED + UNSIGNED
NUMBERS = FLOATS + INTS
ANY = NUMBERS + ["i1"]
ALL = ANY + ["f8E4M3FN", "f8E5M2"]


def raw(array):
    """What NumPy can save: types of ml_dtypes as bytes."""
    return array if array.dtype.isbuiltin == 1 else array.view(f"V{array.dtype.itemsize}")


def is_float(element):
    return element[0] in "fb"


def spell(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def spelled_list(numbers):
    return "array<i64: " + ", ".join(map(str, numbers)) + ">" if len(numbers) else "array<i64>"


def padding_list(pairs):
    if not pairs:
        return "dense<> : tensor<0x2xi64>"
    return f"dense<[{', '.join(f'[{a}, {b}]' for a, b in pairs)}]> : tensor<{len(pairs)}x2xi64>"


class Draw:
    """Random choices, all from one seed."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def integer(self, low, high):
        """In [low, high]."""
        return int(self.rng.integers(low, high + 1))

    def integers(self, count, low, high):
        return [self.integer(low, high) for _ in range(count)]

    def chance(self, probability):
        return self.rng.random() < probability

    def choice(self, values):
        return values[self.integer(0, len(values) - 1)]

    def permutation(self, count):
        return [int(i) for i in self.rng.permutation(count)]

    def subset(self, count, least=0, most=None):
        """Distinct numbers in [0, count), ascending."""
        size = self.integer(least, count if most is None else min(most, count))
        return sorted(self.permutation(count)[:size])

    def shape(self, rank=None, low=0, high=4, most=7):
        rank = self.integer(low, high) if rank is None else rank
        return tuple(self.integer(1, most) for _ in range(rank))

    def element(self, elements):
        """One of the types; f32 and i32 more often, as in networks."""
        common = [e for e in elements if e in ("f32", "i32")]
        return self.choice(common) if common and self.chance(0.4) else self.choice(elements)

    def values(self, shape, element, low=-4.0, high=4.0, special=False):
        """Numbers in [low, high]; with `special` also infinities, NaN, signed zeros and the ends of integers."""
        dtype = DTYPES[element]
        if element == "i1":
            return self.rng.integers(0, 2, shape).astype(np.bool_)
        if is_float(element):
            array = self.rng.uniform(low, high, shape).astype(dtype)
            if special and self.chance(0.5):
                marks = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-30, 3e4, -1.0, 1.0, 0.5], np.float32)
                if element == "f8E4M3FN":
                    marks = marks[2:]
                hit = self.rng.random(shape) < 0.3
                array = np.where(hit, self.rng.choice(marks, shape).astype(dtype), array)
            return np.asarray(array, dtype)
        info = np.iinfo(dtype)
        array = self.rng.integers(max(int(low * 3), info.min), min(int(high * 3), info.max) + 1, shape)
        if special and self.chance(0.5):
            hit = self.rng.random(shape) < 0.3
            array = np.where(hit, self.rng.choice(np.array([info.min, info.max, 0, 1], object), shape), array)
        return np.asarray(array).astype(dtype)


class Case:
    """A straight-line function under construction. A value is its name; `types` has its shape and element type."""

    def __init__(self, draw, prefix):
        self.draw, self.prefix = draw, prefix
        self.inputs, self.lines, self.results, self.types = [], [], [], {}

    def _name(self, shape, element):
        name = f"%{self.prefix}_{len(self.types)}"
        self.types[name] = (tuple(shape), element)
        return name

    def shape(self, value):
        return self.types[value][0]

    def spelled(self, value):
        return spell(*self.types[value])

    def input(self, shape, element, **how):
        return self.given(self.draw.values(shape, element, **how), element)

    def given(self, array, element):
        name = self._name(np.shape(array), element)
        self.inputs.append((name, np.asarray(array, DTYPES[element])))
        return name

    def op(self, name, operands, results, attributes=None, regions=()):
        """Adds an op; `results` are (shape, element) pairs. Returns the name of the one result or all names."""
        names = [self._name(*result) for result in results]
        name = name if "." in name else "stablehlo." + name
        spelled = ", ".join(f"{key} = {value}" for key, value in (attributes or {}).items())
        # Attributes may be properties or not: both are the generic form.
        inside = f" <{{{spelled}}}>" if spelled else ""
        if spelled and self.draw.chance(0.2):
            inside, spelled = "", f" {{{spelled}}}"
        else:
            spelled = ""
        body = " (" + ", ".join(regions) + ")" if regions else ""
        left = ", ".join(names) + " = " if names else ""
        types = ", ".join(spell(*result) for result in results)
        types = types if len(results) == 1 else f"({types})"
        self.lines.append(f'{left}"{name}"({", ".join(operands)}){inside}{body}{spelled} : '
                          f'({", ".join(self.spelled(o) for o in operands)}) -> {types}')
        return names[0] if len(names) == 1 else names

    def constant(self, array, element):
        array = np.asarray(array)
        if array.ndim == 0:
            text = repr(float(array)) if is_float(element) else str(array).lower()
            if is_float(element) and "e" in text and "." not in text.split("e")[0]:
                text = text.replace("e", ".0e")
        else:
            text = np.array2string(array, separator=", ", threshold=10**6, formatter={"all": lambda x: str(x).lower()})
        return self.op("constant", [], [(array.shape, element)], {"value": f"dense<{text}> : {spell(array.shape, element)}"})

    def region(self, arguments, body):
        """A region of scalars (or of the given shapes); `body(region, names)` returns the names of what it returns."""
        inner = Case(self.draw, f"{self.prefix}_{len(self.types)}r{len(self.lines)}")
        arguments = [argument if isinstance(argument, tuple) else ((), argument) for argument in arguments]
        names = [inner._name(*argument) for argument in arguments]
        inner.types.update({n: t for n, t in self.types.items() if n not in inner.types})
        results = body(inner, names)
        head = "^bb0(" + ", ".join(f"{n}: {spell(*a)}" for n, a in zip(names, arguments)) + "):" if names else ""
        end = f'"stablehlo.return"({", ".join(results)}) : ({", ".join(inner.spelled(r) for r in results)}) -> ()'
        return "{\n" + "\n".join([head] * bool(head) + inner.lines + [end]) + "\n}"

    def combine(self, name, element):
        """The region op(a, b) on scalars."""
        return self.region([element, element], lambda r, x: [r.op(name, x, [((), element)])])

    def returns(self, values):
        self.results += [values] if isinstance(values, str) else list(values)


def module_of(cases):
    """One function whose arguments and results are those of the cases in order."""
    arguments = ", ".join(f"{name}: {case.spelled(name)}" for case in cases for name, _ in case.inputs)
    results = [(case, name) for case in cases for name in case.results]
    types = ", ".join(case.spelled(name) for case, name in results)
    lines = [line for case in cases for line in case.lines]
    return "\n".join([f"func.func @main({arguments}) -> ({types}) {{", *lines,
                      f'"func.return"({", ".join(name for _, name in results)}) : ({types}) -> ()', "}", ""])
