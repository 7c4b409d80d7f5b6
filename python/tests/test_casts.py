# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every cast between two element types, bit by bit: all patterns of types up to 16 bits, and of
wider ones the values at which something changes, and random ones.

The expected values come from the definitions of the formats, written here once more, and between
floats also from ml_dtypes. What they are where formats leave it open is in
docs/kernel-semantics.md: integers of floats saturate and are 0 of NaN, and integers become narrow
floats through f32.
"""

from __future__ import annotations

import dataclasses

import gaudi_mlir
import ml_dtypes
import numpy as np
import pytest


@dataclasses.dataclass(frozen=True)
class Float:
    """A binary format: bits of the exponent and of the fraction; without infinities, the largest
    pattern is NaN, and those before it are numbers."""
    exponent: int
    fraction: int
    dtype: type
    has_infinity: bool = True

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    @property
    def bits(self) -> np.dtype:
        return np.dtype(f"u{(1 + self.exponent + self.fraction) // 8}")

    @property
    def largest(self) -> float:
        top = (1 << self.exponent) - 1 - self.has_infinity - self.bias
        steps = (2 << self.fraction) - 1 - (not self.has_infinity)
        return float(np.ldexp(steps, top - self.fraction))

    def values(self, patterns: np.ndarray) -> np.ndarray:
        """The numbers that bits stand for, in float64."""
        bits = patterns.astype(np.uint64).astype(np.int64)
        fraction = bits & ((1 << self.fraction) - 1)
        exponent = bits >> self.fraction & ((1 << self.exponent) - 1)
        sign = np.where(bits >> (self.fraction + self.exponent) & 1, -1.0, 1.0)
        steps = np.where(exponent > 0, fraction + (1 << self.fraction), fraction)
        scale = np.maximum(exponent, 1) - self.bias - self.fraction
        numbers = sign * np.ldexp(steps.astype(np.float64), scale)
        top = exponent == (1 << self.exponent) - 1
        if self.has_infinity:
            return np.where(top, np.where(fraction > 0, np.nan, sign * np.inf), numbers)
        return np.where(top & (fraction == (1 << self.fraction) - 1), np.nan, numbers)

    def rounded(self, x: np.ndarray) -> np.ndarray:
        """Numbers rounded to the nearest of this format, halves to even."""
        finite = np.where(np.isfinite(x), x, 0)
        _, power = np.frexp(finite)
        step = np.maximum(power - 1, 1 - self.bias) - self.fraction
        near = np.ldexp(np.rint(np.ldexp(finite, -step)), step)
        near = np.copysign(near, finite)
        over = np.abs(near) > self.largest
        beyond = np.copysign(np.inf, x) if self.has_infinity else np.full_like(x, np.nan)
        near = np.where(over | np.isinf(x), beyond, near)
        return np.where(np.isnan(x), np.nan, near)


@dataclasses.dataclass(frozen=True)
class Integer:
    width: int
    signed: bool
    dtype: type

    @property
    def limits(self) -> tuple[int, int]:
        if self.signed:
            return -(1 << (self.width - 1)), (1 << (self.width - 1)) - 1
        return 0, (1 << self.width) - 1


TYPES: dict[str, Float | Integer] = {
    "f32": Float(8, 23, np.float32), "bf16": Float(8, 7, ml_dtypes.bfloat16),
    "f16": Float(5, 10, np.float16),
    "f8E4M3FN": Float(4, 3, ml_dtypes.float8_e4m3fn, has_infinity=False),
    "f8E5M2": Float(5, 2, ml_dtypes.float8_e5m2),
    "i1": Integer(1, False, np.bool_),
    **{f"i{width}": Integer(width, True, np.dtype(f"i{width // 8}").type)
       for width in (8, 16, 32, 64)},
    **{f"ui{width}": Integer(width, False, np.dtype(f"u{width // 8}").type)
       for width in (8, 16, 32)},
}
RANDOM = np.random.default_rng(7)


def inputs_of(name: str) -> np.ndarray:
    """Patterns of a type, all of them up to 16 bits."""
    kind = TYPES[name]
    if name == "i1":
        return np.array([False, True])
    dtype = np.dtype(kind.dtype)
    if dtype.itemsize <= 2:
        return np.arange(1 << (8 * dtype.itemsize)).astype(f"u{dtype.itemsize}").view(dtype)
    unsigned = f"u{dtype.itemsize}"
    noise = RANDOM.integers(0, 1 << 63, 40000, np.uint64)
    if name == "f32":
        # Each exponent with fractions around those of the narrower formats and their halves.
        cuts = [1 << bit for bit in (0, 12, 13, 15, 16, 19, 20, 21, 22)]
        near = sorted({(base * cut + delta) % (1 << 23) for cut in cuts for base in (0, 1, 3, 5)
                       for delta in (-1, 0, 1)} | {(1 << 23) - 1, (1 << 23) - (1 << 15)})
        heads = np.arange(512, dtype=np.uint64)[:, None] << np.uint64(23)
        patterns = [(heads | np.array(near, np.uint64)).reshape(-1), noise % (1 << 32)]
        ends = [float(end) for one in TYPES.values() if isinstance(one, Integer)
                for end in one.limits]
        at = np.array(ends, np.float32).view(np.uint32).astype(np.int64)
        patterns.append((at[:, None] + np.arange(-3, 4)).reshape(-1).astype(np.uint64)
                        % (1 << 32))
    else:
        powers = [1 << bit for bit in range(8 * dtype.itemsize)]
        edges = [sign * (base * power + delta) for power in powers for base in (1, 3, 5)
                 for delta in (-2, -1, 0, 1, 2) for sign in (1, -1)]
        # Halves between neighbours of narrow floats, and what is a little more or less.
        edges += [((1 << bits) + 1 << shift) + delta for bits in (3, 4, 8, 11, 24)
                  for shift in range(8 * dtype.itemsize - bits - 1) for delta in (-1, 0, 1)]
        mask = (1 << (8 * dtype.itemsize)) - 1
        patterns = [np.array([edge & mask for edge in edges], np.uint64), noise & np.uint64(mask),
                    (noise >> (noise % np.uint64(60))) & np.uint64(mask)]
    return np.concatenate(patterns).astype(unsigned).view(dtype)


def f32_of(integers: np.ndarray) -> np.ndarray:
    """Integers rounded to f32 once, in float64. Those of 64 bits keep the bits that float64 holds,
    and one that stands for all that is cut off, so that halves stay halves."""
    large = integers.astype(object)
    exact = []
    for value in large:
        size = abs(int(value))
        shift = max(0, size.bit_length() - 50)
        kept = (size >> shift << shift) | (bool(size & ((1 << shift) - 1)) << shift)
        exact.append(-kept if value < 0 else kept)
    return TYPES["f32"].rounded(np.array(exact, np.float64))


def expected(x: np.ndarray, source: str, target: str, nearest: bool) -> np.ndarray:
    """Bits of the result. `nearest`: integers of floats are the nearest, not those toward zero."""
    read, write = TYPES[source], TYPES[target]
    if isinstance(read, Float):
        values = read.values(x.view(read.bits))
        if isinstance(write, Float):
            return write.rounded(values)
        if target == "i1":
            return np.isnan(values) | (values != 0)
        low, high = write.limits
        whole = np.rint(values) if nearest else np.trunc(values)
        result = np.zeros(x.shape, write.dtype)
        inside = np.isfinite(values) & (whole > low) & (whole < high)
        result[inside] = whole[inside].astype(np.int64).astype(write.dtype)
        result[~np.isnan(values) & (whole <= low)] = low
        result[~np.isnan(values) & (whole >= high)] = high
        return result
    if isinstance(write, Float):
        numbers = x.astype(np.float64) if np.dtype(read.dtype).itemsize < 4 else f32_of(x)
        return write.rounded(numbers)
    return x != 0 if target == "i1" else x.astype(write.dtype)


def check(source: str, targets: list[str], text: str, nearest: bool = False) -> None:
    x = inputs_of(source)
    results = gaudi_mlir.compile(text.replace("tensor<Nx", f"tensor<{x.size}x")).run([x])
    for target, got in zip(targets, results):
        want, kind = expected(x, source, target, nearest), TYPES[target]
        assert got.dtype == np.dtype(kind.dtype)
        if isinstance(kind, Float):
            assert np.array_equal(np.isnan(kind.values(got.view(kind.bits))), np.isnan(want))
            values = kind.values(got.view(kind.bits))
            same = (values == want) & (np.signbit(values) == np.signbit(want)) | np.isnan(want)
        else:
            same = got == want
        if not same.all():
            at = int(np.argmin(same))
            pytest.fail(f"{source} to {target}: {x[at]!r} becomes {got[at]!r} instead of "
                        f"{want[at]!r}, and {np.sum(~same) - 1} others")


def test_reference_of_floats() -> None:
    """The formats as ml_dtypes has them."""
    for name, kind in TYPES.items():
        if not isinstance(kind, Float) or name == "f32":
            continue
        patterns = np.arange(1 << (8 * kind.bits.itemsize)).astype(kind.bits)
        x = inputs_of("f32")
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(kind.values(patterns),
                                          patterns.view(kind.dtype).astype(np.float64))
            np.testing.assert_array_equal(
                kind.rounded(TYPES["f32"].values(x.view(np.uint32))),
                x.astype(kind.dtype).astype(np.float64))


@pytest.mark.parametrize("source", TYPES)
def test_stablehlo(source: str) -> None:
    targets = list(TYPES)
    lines = [f'  %{number} = "stablehlo.convert"(%x) : (tensor<Nx{source}>) -> tensor<Nx{target}>'
             for number, target in enumerate(targets)]
    check(source, targets, function(source, targets, lines))


def function(source: str, targets: list[str], lines: list[str]) -> str:
    kinds = ", ".join(f"tensor<Nx{target}>" for target in targets)
    values = ", ".join(f"%{number}" for number in range(len(targets)))
    body = "\n".join(lines)
    return (f"func.func @main(%x: tensor<Nx{source}>) -> ({kinds}) {{\n{body}\n"
            f"  return {values} : {kinds}\n}}\n")


TOSA = ["f32", "bf16", "f16", "f8E4M3FN", "f8E5M2", "i1", "i8", "i16", "i32"]


@pytest.mark.parametrize("source", TOSA)
def test_tosa(source: str) -> None:
    narrow = ("f8E4M3FN", "f8E5M2")
    of_narrow = {"f32", "bf16", "f16"}  # what the specification casts f8 to and from
    targets = [target for target in TOSA if target != source
               and (source not in narrow or target in of_narrow)
               and (target not in narrow or source in of_narrow)
               and not (target == "i1" and source.startswith(("f", "b")))
               and not (source == "i1" and target.startswith(("f", "b")))]
    lines = [f"  %{number} = tosa.cast %x : (tensor<Nx{source}>) -> tensor<Nx{target}>"
             for number, target in enumerate(targets)]
    check(source, targets, function(source, targets, lines), nearest=True)


def arith(source: str, target: str) -> str | None:
    """The op of arith between two types, signless integers read as signed unless they are i1."""
    read, write = TYPES[source], TYPES[target]
    if isinstance(read, Float) and isinstance(write, Float):
        sizes = [1 + kind.exponent + kind.fraction for kind in (read, write)]
        return None if sizes[0] == sizes[1] else "extf" if sizes[0] < sizes[1] else "truncf"
    if isinstance(read, Float):
        return None if target == "i1" else "fptosi" if write.signed else "fptoui"
    if isinstance(write, Float):
        return "sitofp" if read.signed else "uitofp"
    if read.width == write.width or target == "i1":
        return None
    if read.width > write.width:
        return "trunci"
    return "extsi" if read.signed else "extui"


@pytest.mark.parametrize("source", TYPES)
def test_linalg(source: str) -> None:
    """Integers without a sign; those of ui8 and its like are read and written by unsigned ops."""
    targets = [target for target in TYPES if arith(source, target)]

    def signless(name: str) -> str:
        return name.removeprefix("u")

    lines = ["  %in = tensor.bitcast %x : tensor<Nx{0}> to tensor<Nx{1}>".format(
        source, signless(source))] if source.startswith("u") else []
    operand = "%in" if lines else "%x"
    for number, target in enumerate(targets):
        kinds = [signless(source), signless(target)]
        result = f"%r{number}" if target.startswith("u") else f"%{number}"
        lines.append(f"""  %e{number} = tensor.empty() : tensor<Nx{kinds[1]}>
  {result} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}} ins({operand} : tensor<Nx{kinds[0]}>)
      outs(%e{number} : tensor<Nx{kinds[1]}>) {{
  ^bb0(%a: {kinds[0]}, %o: {kinds[1]}):
    %c = arith.{arith(source, target)} %a : {kinds[0]} to {kinds[1]}
    linalg.yield %c : {kinds[1]}
  }} -> tensor<Nx{kinds[1]}>""")
        if target.startswith("u"):
            lines.append(f"  %{number} = tensor.bitcast {result} : tensor<Nx{kinds[1]}> to "
                         f"tensor<Nx{target}>")
    check(source, targets, function(source, targets, lines))


RULES = ["nearest_even", "toward_zero", "upward", "downward", "nearest_away", "stochastic",
         "stochastic_normal"]


def by_rule(x: np.ndarray, kind: Float, rule: str, words: np.ndarray) -> np.ndarray:
    """Numbers rounded by a rule, from its definition."""
    if rule == "nearest_even":
        return kind.rounded(x)
    finite = np.where(np.isfinite(x), x, 0)
    magnitude = np.abs(finite)
    _, power = np.frexp(magnitude)
    step = np.maximum(power - 1, 1 - kind.bias) - kind.fraction
    quanta = np.ldexp(magnitude, -step)
    whole = np.floor(quanta)
    share, negative = quanta - whole, np.signbit(x)
    grows = {"upward": ~negative, "downward": negative}.get(rule, np.zeros_like(negative))
    if rule.startswith("stochastic"):
        up = words < np.floor(share * 2.0**32)
        if rule == "stochastic_normal":
            up = np.where(magnitude < 2.0**(1 - kind.bias), np.rint(quanta) > whole, up)
    else:
        up = share >= 0.5 if rule == "nearest_away" else grows & (share > 0)
    near = np.ldexp(whole + up, step)
    stays = ~grows & (rule in ("toward_zero", "upward", "downward"))
    beyond = np.inf if kind.has_infinity else np.nan
    near = np.where(near > kind.largest, np.where(stays, kind.largest, beyond), near)
    near = np.where(np.isinf(x), beyond, near)
    return np.where(np.isnan(x), np.nan, np.copysign(near, x))


@pytest.mark.parametrize("source", ["f32", "bf16"])
def test_rules(source: str) -> None:
    """gaudi.tpc.round_to, without and with a limit."""
    x = inputs_of(source)
    words = RANDOM.integers(0, 1 << 32, x.size, np.uint32)
    values = TYPES[source].values(x.view(TYPES[source].bits))
    narrow = [name for name in ("bf16", "f16", "f8E4M3FN", "f8E5M2") if name != source]
    cases = [(name, rule, saturates) for name in narrow for rule in RULES
             for saturates in (False, True)]
    lines, targets = [], [name for name, _, _ in cases]
    for number, (name, rule, saturates) in enumerate(cases):
        random = rule.startswith("stochastic")
        lines.append(f"  %{number} = gaudi.tpc.round_to %x{' random %w' if random else ''} <{rule}>"
                     + (f" saturate {TYPES[name].largest:.9e}" if saturates else "")
                     + f" : tensor<Nx{source}>{', tensor<Nxi32>' if random else ''}"
                     + f" -> tensor<Nx{name}>")
    text = function(source, targets, lines).replace("%x: ", "%w: tensor<Nxi32>, %x: ", 1)
    results = gaudi_mlir.compile(text.replace("tensor<Nx", f"tensor<{x.size}x")).run(
        [words.view(np.int32), x])
    for (name, rule, saturates), got in zip(cases, results):
        kind = TYPES[name]
        limit = kind.largest if saturates else np.inf
        want = by_rule(np.clip(values, -limit, limit), kind, rule, words)
        if rule == "nearest_even" and not saturates:
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(want, x.astype(kind.dtype).astype(np.float64))
        made = kind.values(got.view(kind.bits))
        same = (made == want) & (np.signbit(made) == np.signbit(want))
        same |= np.isnan(made) & np.isnan(want)
        assert same.all(), (name, rule, saturates, x[np.argmin(same)], made[np.argmin(same)],
                            want[np.argmin(same)])
