# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of the elementwise ops, and of those that change shapes and orders."""
import numpy as np

from hlo_case import ALL, ANY, DTYPES, FLOATS, INTS, NUMBERS, SIGNED, UNSIGNED, is_float, spelled_list

UNARY = {
    "abs": FLOATS + SIGNED, "cbrt": FLOATS, "ceil": FLOATS, "cosine": FLOATS, "count_leading_zeros": INTS,
    "exponential": FLOATS, "exponential_minus_one": FLOATS, "floor": FLOATS, "is_finite": FLOATS, "log": FLOATS,
    "log_plus_one": FLOATS, "logistic": FLOATS, "negate": NUMBERS, "not": INTS + ["i1"], "popcnt": INTS,
    "round_nearest_afz": FLOATS, "round_nearest_even": FLOATS, "rsqrt": FLOATS, "sign": FLOATS + SIGNED,
    "sine": FLOATS, "sqrt": FLOATS, "tan": FLOATS, "tanh": FLOATS,
    "chlo.acos": FLOATS, "chlo.acosh": FLOATS, "chlo.asin": FLOATS, "chlo.asinh": FLOATS, "chlo.atan": FLOATS,
    "chlo.atanh": FLOATS, "chlo.bessel_i1e": FLOATS, "chlo.cosh": FLOATS, "chlo.digamma": FLOATS, "chlo.erf": FLOATS,
    "chlo.erf_inv": FLOATS, "chlo.erfc": FLOATS, "chlo.is_inf": FLOATS, "chlo.is_neg_inf": FLOATS,
    "chlo.is_pos_inf": FLOATS, "chlo.lgamma": FLOATS, "chlo.sinh": FLOATS, "chlo.square": FLOATS, "chlo.tan": FLOATS,
}
# Whose result is i1.
PREDICATES = {"is_finite", "chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf"}
# Defined between -1 and 1.
UNIT = {"chlo.acos", "chlo.asin", "chlo.atanh", "chlo.erf_inv"}
BINARY = {
    "add": ANY, "and": INTS + ["i1"], "atan2": FLOATS, "divide": NUMBERS, "maximum": ANY, "minimum": ANY,
    "multiply": ANY, "or": INTS + ["i1"], "power": NUMBERS, "remainder": NUMBERS, "shift_left": INTS,
    "shift_right_arithmetic": INTS, "shift_right_logical": INTS, "subtract": NUMBERS, "xor": INTS + ["i1"],
    "chlo.next_after": ["f32"], "chlo.polygamma": ["f32"], "chlo.zeta": ["f32"],
}


def unary(c, name):
    element = c.draw.element(UNARY[name])
    shape = c.draw.shape()
    if name in UNIT:
        x = c.input(shape, element, low=-0.99, high=0.99)
    else:
        x = c.input(shape, element, special=True)
    c.returns(c.op(name, [x], [(shape, "i1" if name in PREDICATES else element)]))


def binary(c, name):
    element = c.draw.element(BINARY[name])
    shape = c.draw.shape()
    x = c.input(shape, element, special=name not in ("chlo.polygamma", "chlo.zeta"))
    y = c.draw.values(shape, element, special=name not in ("chlo.polygamma", "chlo.zeta"))
    if name.startswith("shift"):
        y = c.draw.values(shape, element, 0, 2) % np.array(DTYPES[element].itemsize * 8, DTYPES[element])
    elif name in ("divide", "remainder") and not is_float(element):
        # What a division by zero gives is not defined; nor is -2^31 / -1.
        y = np.where((y == 0) | (y == np.array(-1).astype(y.dtype)), np.array(3, y.dtype), y)
    elif name == "power" and not is_float(element):
        y = np.where(y < 0, -y, y) % np.array(6, y.dtype)
        y = np.where(c.draw.rng.random(shape) < 0.2, np.array(7, y.dtype), y)
    elif name in ("chlo.polygamma", "chlo.zeta"):
        y = np.abs(y) + 1
        if name == "chlo.polygamma" and c.draw.chance(0.7):
            x = c.given(c.draw.rng.integers(0, 6, shape), element)
    c.returns(c.op(name, [x, c.given(y, element)], [(shape, element)]))


def compare(c):
    element = c.draw.element(ANY)
    shape = c.draw.shape()
    x, y = (c.input(shape, element, low=-1.3, high=1.3, special=True) for _ in range(2))
    attributes = {"comparison_direction": f"#stablehlo<comparison_direction {c.draw.choice('EQ NE LT LE GT GE'.split())}>"}
    kind = "FLOAT" if is_float(element) else "UNSIGNED" if element in UNSIGNED + ["i1"] else "SIGNED"
    if c.draw.chance(0.6):
        kind = "TOTALORDER" if kind == "FLOAT" and c.draw.chance(0.3) else kind
        attributes["compare_type"] = f"#stablehlo<comparison_type {kind}>"
    c.returns(c.op("compare", [x, y], [(shape, "i1")], attributes))


def select(c):
    element = c.draw.element(ANY)
    shape = c.draw.shape()
    condition = c.input(() if c.draw.chance(0.3) else shape, "i1")
    c.returns(c.op("select", [condition, c.input(shape, element, special=True), c.input(shape, element)],
                   [(shape, element)]))


def clamp(c):
    element = c.draw.element(NUMBERS)
    shape = c.draw.shape()
    low, high = (c.input(() if c.draw.chance(0.5) else shape, element, special=True) for _ in range(2))
    c.returns(c.op("clamp", [low, c.input(shape, element, special=True), high], [(shape, element)]))


def convert(c):
    source, target = c.draw.choice(ALL), c.draw.choice(ALL)
    # What a float outside an integer type becomes is not defined.
    low = 0 if target in UNSIGNED else -4
    special = is_float(target) or not is_float(source)
    x = c.input(c.draw.shape(), source, low=low, special=special)
    c.returns(c.op("convert", [x], [(c.shape(x), target)]))


def bitcast_convert(c):
    source = c.draw.choice(NUMBERS)
    width = DTYPES[source].itemsize
    target = c.draw.choice([e for e in NUMBERS if c.draw.chance(0.3) or DTYPES[e].itemsize == width])
    other = DTYPES[target].itemsize
    shape = list(c.draw.shape(high=3))
    if other < width:
        result = shape + [width // other]
    else:
        result, shape = shape, shape + [other // width] * (other > width)
    c.returns(c.op("bitcast_convert", [c.input(shape, source, special=not is_float(source))], [(result, target)]))


def reduce_precision(c):
    element = c.draw.element(FLOATS)
    exponent, mantissa = c.draw.choice([(8, 7), (5, 10), (8, 23), (8, 7), (5, 2), (4, 3), (6, 9)])
    x = c.input(c.draw.shape(), element, special=True)
    c.returns(c.op("reduce_precision", [x], [c.types[x]],
                   {"exponent_bits": f"{exponent} : i32", "mantissa_bits": f"{mantissa} : i32"}))


def constant(c):
    element = c.draw.choice([e for e in ANY if e not in ("bf16", "f16")])
    array = c.draw.values(c.draw.shape(), element)
    c.returns(c.constant(array, element))


def iota(c):
    shape, element = c.draw.shape(low=1), c.draw.choice(NUMBERS)
    dim = c.draw.integer(0, len(shape) - 1)
    c.returns(c.op("iota", [], [(shape, element)], {"iota_dimension": f"{dim} : i64"}))


def transpose(c):
    shape, element = c.draw.shape(high=5), c.draw.choice(ALL)
    order = c.draw.permutation(len(shape))
    c.returns(c.op("transpose", [c.input(shape, element)], [([shape[i] for i in order], element)],
                   {"permutation": spelled_list(order)}))


def reshape(c):
    shape, element = c.draw.shape(), c.draw.choice(ALL)
    sizes, left = [], int(np.prod(shape))
    while left > 1 and len(sizes) < 4:
        sizes.append(c.draw.choice([d for d in range(1, left + 1) if left % d == 0]))
        left //= sizes[-1]
    result = sizes + [left] * (left > 1) + [1] * c.draw.integer(0, 1)
    c.returns(c.op("reshape", [c.input(shape, element)], [(result[:5] if np.prod(result[:5]) == np.prod(shape)
                                                           else [int(np.prod(shape))], element)]))


def reverse(c):
    shape, element = c.draw.shape(low=1, high=5), c.draw.choice(ALL)
    c.returns(c.op("reverse", [c.input(shape, element)], [(shape, element)],
                   {"dimensions": spelled_list(c.draw.permutation(len(shape))[:c.draw.integer(0, len(shape))])}))


def concatenate(c):
    shape, element = list(c.draw.shape(low=1)), c.draw.choice(ALL)
    axis = c.draw.integer(0, len(shape) - 1)
    sizes = [c.draw.integer(0 if c.draw.chance(0.1) else 1, 5) for _ in range(c.draw.integer(1, 4))]
    sizes[0] = max(sizes[0], 1)
    parts = [c.input(shape[:axis] + [size] + shape[axis + 1:], element) for size in sizes]
    c.returns(c.op("concatenate", parts, [(shape[:axis] + [sum(sizes)] + shape[axis + 1:], element)],
                   {"dimension": f"{axis} : i64"}))


def slice_(c):
    shape, element = c.draw.shape(high=5), c.draw.choice(ALL)
    start = [c.draw.integer(0, size - 1) for size in shape]
    limit = [c.draw.integer(low + 1, size) for low, size in zip(start, shape)]
    steps = [c.draw.integer(1, 3) for _ in shape]
    result = [-(-(b - a) // s) for a, b, s in zip(start, limit, steps)]
    c.returns(c.op("slice", [c.input(shape, element)], [(result, element)], {
        "start_indices": spelled_list(start), "limit_indices": spelled_list(limit), "strides": spelled_list(steps)}))


def broadcast_in_dim(c):
    result, element = c.draw.shape(high=5), c.draw.choice(ALL)
    dims = c.draw.permutation(len(result))[:c.draw.integer(0, len(result))]
    if c.draw.chance(0.7):
        dims.sort()
    shape = [1 if c.draw.chance(0.3) else result[dim] for dim in dims]
    c.returns(c.op("broadcast_in_dim", [c.input(shape, element)], [(result, element)],
                   {"broadcast_dimensions": spelled_list(dims)}))


def pad(c):
    shape, element = c.draw.shape(), c.draw.choice(ANY)
    low, high = (c.draw.integers(len(shape), -3, 4) for _ in range(2))
    interior = [c.draw.integer(0, 3) if c.draw.chance(0.4) else 0 for _ in shape]
    if c.draw.chance(0.3):
        interior = [0] * len(shape)
    result = []
    for i, size in enumerate(shape):
        inner = size + (size - 1) * interior[i]
        if inner + low[i] + high[i] < 1:
            low[i] = high[i] = 0
        result.append(inner + low[i] + high[i])
    value = c.constant(np.asarray(c.draw.values((), element)).astype(DTYPES[element]), element) \
        if element not in ("bf16", "f16") and c.draw.chance(0.5) else c.input((), element)
    c.returns(c.op("pad", [c.input(shape, element), value], [(result, element)], {
        "edge_padding_low": spelled_list(low), "edge_padding_high": spelled_list(high),
        "interior_padding": spelled_list(interior)}))


def get_dimension_size(c):
    shape = c.draw.shape(low=1)
    x = c.input(shape, c.draw.choice(ANY))
    c.returns(c.op("get_dimension_size", [x], [((), "i32")],
                   {"dimension": f"{c.draw.integer(0, len(shape) - 1)} : i64"}))


def optimization_barrier(c):
    values = [c.input(c.draw.shape(), c.draw.choice(ANY)) for _ in range(c.draw.integer(1, 3))]
    c.returns(c.op("optimization_barrier", values, [c.types[v] for v in values]))


GENERATORS = {
    **{name: (lambda c, name=name: unary(c, name)) for name in UNARY},
    **{name: (lambda c, name=name: binary(c, name)) for name in BINARY},
    "compare": compare, "select": select, "clamp": clamp, "convert": convert, "bitcast_convert": bitcast_convert,
    "reduce_precision": reduce_precision, "constant": constant, "iota": iota, "transpose": transpose,
    "reshape": reshape, "reverse": reverse, "concatenate": concatenate, "slice": slice_,
    "broadcast_in_dim": broadcast_in_dim, "pad": pad, "get_dimension_size": get_dimension_size,
    "optimization_barrier": optimization_barrier,
}
