# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random cases of products, convolutions, reductions, windows, indexing, sorting, control flow and normalisation."""
import re

import numpy as np

from hlo_case import ANY, DTYPES, FLOATS, INTS, NUMBERS, SIGNED, is_float, padding_list, spelled_list

COMBINERS = {"add": NUMBERS, "multiply": NUMBERS, "maximum": NUMBERS, "minimum": NUMBERS,
             "and": INTS + ["i1"], "or": INTS + ["i1"], "xor": INTS + ["i1"]}


def identity(name, element):
    dtype = DTYPES[element]
    if name in ("add", "or", "xor"):
        return np.zeros((), dtype)
    if name == "multiply":
        return np.ones((), dtype)
    if name == "and":
        return np.array(True) if element == "i1" else np.array(-1).astype(dtype)
    if is_float(element):
        return np.array(-np.inf if name == "maximum" else np.inf, dtype)
    return np.array(np.iinfo(dtype).min if name == "maximum" else np.iinfo(dtype).max, dtype)


def factors(c, shape, element, name):
    """Numbers whose sums and products are exact in narrow types, where the order and the type of sums would show."""
    if element in ("bf16", "f16") and name in ("add", "multiply"):
        return c.given(c.draw.rng.integers(-2, 3, shape), element)
    return c.input(shape, element, low=-2, high=2)


def initial(c, name, element, padded=False):
    """The combiner's identity as a constant, mostly; else any number. What padding adds is XLA's choice unless it is
    the identity or may be added again."""
    value = identity(name, element)
    if c.draw.chance(0.6) and element in ("f32", "i32", "i1", "i64", "i8", "ui8") and np.isfinite(float(value)):
        return c.constant(value, element)
    if c.draw.chance(0.5) or padded and name in ("add", "multiply", "xor"):
        return c.given(value, element)
    return factors(c, (), element, name)


def dot_general(c):
    element = c.draw.element(FLOATS + ["i32", "i8", "ui8", "i16", "i64"])
    result = element if is_float(element) and c.draw.chance(0.7) else "f32" if is_float(element) else \
        "ui32" if element == "ui8" else "i64" if element == "i64" else "i32"
    batch, depth = c.draw.shape(high=2, most=4), c.draw.shape(high=2)
    if c.draw.chance(0.5):
        batch, depth = batch[:1], (c.draw.integer(1, 40),)
    sides, dims = [], []
    for _ in range(2):
        free = c.draw.shape(high=max(0, min(2, 5 - len(batch) - len(depth))))
        sizes = list(batch) + list(depth) + list(free)
        order = c.draw.permutation(len(sizes)) if c.draw.chance(0.6) else list(range(len(sizes)))
        free = tuple(sizes[i] for i in order if i >= len(batch) + len(depth))
        sides.append(c.input([sizes[i] for i in order], element))
        dims.append(([order.index(i) for i in range(len(batch))],
                     [order.index(len(batch) + i) for i in range(len(depth))], free))
    fields = []
    for prefix, (batches, contracting, _) in zip(("lhs", "rhs"), dims):
        if batches or c.draw.chance(0.3):
            fields.append(f"{prefix}_batching_dimensions = [{', '.join(map(str, batches))}]")
        if contracting or c.draw.chance(0.3):
            fields.append(f"{prefix}_contracting_dimensions = [{', '.join(map(str, contracting))}]")
    fields.sort(key=lambda f: ("contracting" in f, f))
    attributes = {"dot_dimension_numbers": "#stablehlo.dot<" + ", ".join(fields) + ">"}
    if c.draw.chance(0.5):
        attributes["precision_config"] = "[#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]"
    c.returns(c.op("dot_general", sides, [(batch + dims[0][2] + dims[1][2], result)], attributes))


def letters_of(order, first, second):
    return "[" + ", ".join({0: first, 1: second}.get(i, str(i - 2)) for i in order) + "]"


def convolution(c):
    d = c.draw
    rank = d.choice([1, 2, 2, 2, 3])
    element = d.element(FLOATS) if d.chance(0.85) else d.choice(INTS)
    result = d.choice([element, "i32"]) if element in ("i8", "i16", "i32") else element
    feature_groups, batch_groups = d.choice([(1, 1), (1, 1), (d.integer(2, 3), 1), (1, d.integer(2, 3))])
    batch, channels, outputs = batch_groups * d.integer(1, 3), d.integer(1, 4), d.integer(1, 4)
    outputs *= feature_groups * batch_groups
    plain = d.chance(0.4)
    pick = lambda high: [1] * rank if plain and d.chance(0.6) else d.integers(rank, 1, high)
    strides, lhs_dilation, rhs_dilation = pick(3), pick(3), pick(2)
    kernel = d.integers(rank, 1, 4)
    padding = [(d.integer(-2, 4), d.integer(-2, 4)) for _ in range(rank)]
    if d.chance(0.3):
        padding = [(0, 0)] * rank
    spatial, positions = [], []
    for i in range(rank):
        size = d.integer(1, 8)
        reach = (kernel[i] - 1) * rhs_dilation[i] + 1
        room = lambda: (size - 1) * lhs_dilation[i] + 1 + sum(padding[i]) - reach
        if room() < 0:
            padding[i] = (reach, reach)
        spatial.append(size)
        positions.append(room() // strides[i] + 1)
    shapes = ([batch, channels * feature_groups] + spatial, [channels, outputs] + kernel,
              [batch // batch_groups, outputs] + positions)
    orders = [d.permutation(rank + 2) for _ in shapes]
    shapes = [[shape[i] for i in order] for shape, order in zip(shapes, orders)]
    numbers = (letters_of(orders[0], "b", "f") + "x" + letters_of(orders[1], "i", "o") + "->" +
               letters_of(orders[2], "b", "f"))
    attributes = {"batch_group_count": f"{batch_groups} : i64", "feature_group_count": f"{feature_groups} : i64",
                  "dimension_numbers": f"#stablehlo.conv<{numbers}>", "window_strides": spelled_list(strides),
                  "padding": padding_list(padding), "lhs_dilation": spelled_list(lhs_dilation),
                  "rhs_dilation": spelled_list(rhs_dilation)}
    if d.chance(0.4):
        reversal = [d.chance(0.7) for _ in range(rank)]
        attributes["window_reversal"] = "array<i1: " + ", ".join(str(r).lower() for r in reversal) + ">"
    x, w = (c.input(shape, element) for shape in shapes[:2])
    c.returns(c.op("convolution", [x, w], [(shapes[2], result)], attributes))


def combiner_region(c, element):
    """(name, region): one op, or several that are associative together."""
    if c.draw.chance(0.15) and element in ("f32", "i32"):
        def larger(r, x):
            sizes = [r.op("abs", [v], [((), element)]) for v in x]
            return [r.op("maximum", sizes, [((), element)])]
        return "add", c.region([element, element], larger)
    name = c.draw.choice([n for n, types in COMBINERS.items() if element in types])
    return name, c.combine(name, element)


def argument_of_maximum(c, shape, dims):
    """The variadic reduction that JAX writes for argmax."""
    index = c.op("iota", [], [(shape, "i32")], {"iota_dimension": f"{dims[0]} : i64"})
    x = c.given(c.draw.rng.permutation(int(np.prod(shape))).reshape(shape).astype(np.float32), "f32")

    def step(r, a):
        way = lambda d: {"comparison_direction": f"#stablehlo<comparison_direction {d}>"}
        above = r.op("compare", [a[0], a[2]], [((), "i1")], way("GT"))
        equal = r.op("compare", [a[0], a[2]], [((), "i1")], way("EQ"))
        first = r.op("compare", [a[1], a[3]], [((), "i1")], way("LT"))
        first = r.op("or", [above, r.op("and", [equal, first], [((), "i1")])], [((), "i1")])
        return [r.op("select", [above, a[0], a[2]], [((), "f32")]), r.op("select", [first, a[1], a[3]], [((), "i32")])]
    kept = [size for i, size in enumerate(shape) if i not in dims]
    inits = [c.constant(np.float32(-1), "f32"), c.constant(np.int32(0), "i32")]
    return c.op("reduce", [x, index, *inits], [(kept, "f32"), (kept, "i32")],
                {"dimensions": spelled_list(dims)}, [c.region(["f32", "i32"] * 2, step)])


def reduce(c):
    shape = c.draw.shape(low=1)
    if c.draw.chance(0.15):
        return c.returns(argument_of_maximum(c, shape, c.draw.subset(len(shape), 1, 1)))
    element = c.draw.element(ANY)
    dims = c.draw.subset(len(shape), 0 if c.draw.chance(0.1) else 1)
    name, region = combiner_region(c, element)
    x = factors(c, shape, element, name)
    c.returns(c.op("reduce", [x, initial(c, name, element) if dims else c.given(identity(name, element), element)],
                   [([s for i, s in enumerate(shape) if i not in dims], element)],
                   {"dimensions": spelled_list(c.draw.choice([dims, dims[::-1]]))}, [region]))


def window_of(c, shape, gradient=False):
    """(attributes, number of positions) of a random window. That of a gradient has no dilation, and no position at
    which all is padding: what such a window selects is not defined."""
    dilated = not gradient
    d, rank = c.draw, len(shape)
    sizes = [d.integer(1, 3) if d.chance(0.7) else 1 for _ in range(rank)]
    strides = [d.integer(1, 3) if d.chance(0.5) else 1 for _ in range(rank)]
    dilations = [d.integer(1, 2) if dilated and d.chance(0.4) else 1 for _ in range(rank)]
    base = [d.integer(1, 3) if dilated and d.chance(0.1) else 1 for _ in range(rank)]
    edge = lambda i: d.integer(0, min(2, sizes[i] - 1)) if gradient else d.integer(-1, 2)
    padding = [(edge(i), edge(i)) if d.chance(0.5) else (0, 0) for i in range(rank)]
    positions = []
    for i, size in enumerate(shape):
        reach = (sizes[i] - 1) * dilations[i] + 1
        room = lambda: (size - 1) * base[i] + 1 + sum(padding[i]) - reach
        if room() < 0:
            padding[i] = (reach - 1, reach - 1)
        positions.append(room() // strides[i] + 1)
    attributes = {"window_dimensions": spelled_list(sizes), "window_strides": spelled_list(strides),
                  "padding": padding_list(padding)}
    if dilated:
        attributes |= {"window_dilations": spelled_list(dilations), "base_dilations": spelled_list(base)}
    return attributes, positions


def reduce_window(c):
    element = c.draw.element(NUMBERS + ["i1"])
    shape = c.draw.shape(low=1, high=4, most=8)
    attributes, positions = window_of(c, shape)
    if c.draw.chance(0.15):
        # As JAX writes a running sum.
        axis = c.draw.integer(0, len(shape) - 1)
        edge = (shape[axis] - 1, 0) if c.draw.chance(0.5) else (0, shape[axis] - 1)
        attributes = {"window_dimensions": spelled_list([s if i == axis else 1 for i, s in enumerate(shape)]),
                      "padding": padding_list([edge if i == axis else (0, 0) for i in range(len(shape))])}
        positions = shape
    name, region = combiner_region(c, element)
    x = factors(c, shape, element, name)
    c.returns(c.op("reduce_window", [x, initial(c, name, element, padded=True)], [(positions, element)], attributes, [region]))


def select_and_scatter(c):
    element = c.draw.element(["f32", "bf16", "i32"])
    shape = c.draw.shape(low=1, high=4, most=8)
    attributes, positions = window_of(c, shape, gradient=True)
    way = c.draw.choice(["GE", "GT", "LE", "LT"])
    wide = [int(n) for n in re.findall(r"[ ,](\d+)", attributes["window_dimensions"]) if int(n) > 1]
    if way in ("GT", "LT") or len(wide) > 1:
        # Equal elements would be selected in the order of their visit, which is that of XLA's choice.
        order = c.draw.rng.permutation(int(np.prod(shape))).reshape(shape)
        # Bit patterns of bf16 from 1 on are in order, and none is twice.
        x = c.given((order + 0x3F80).astype(np.uint16).view(DTYPES["bf16"]) if element == "bf16" else order, element)
    else:
        x = c.input(shape, element, low=-2, high=2)
    direction = {"comparison_direction": f"#stablehlo<comparison_direction {way}>"}
    pick = c.region([element, element], lambda r, a: [r.op("compare", a, [((), "i1")], direction)])
    init = c.constant(np.zeros((), DTYPES[element]), element) if element != "bf16" else c.given(0, element)
    # Small integers, whose sums are exact in any order.
    source = c.given(c.draw.values(positions, "i32"), element)
    c.returns(c.op("select_and_scatter", [x, source, init], [(shape, element)], attributes,
                   [pick, c.combine("add", element)]))


class Indexing:
    """Dimension numbers that gather and scatter share, with the shapes that follow from them."""

    def __init__(self, c, batching=True):
        d = c.draw
        self.shape = d.shape(low=1, high=4)
        rank = len(self.shape)
        dims = d.permutation(rank)
        self.batching = sorted(dims[:d.integer(0, 1) if batching and d.chance(0.3) else 0])
        rest = [i for i in dims if i not in self.batching]
        self.collapsed = sorted(i for i in rest if d.chance(0.4))
        self.indexed = [i for i in rest if d.chance(0.6)] or rest[:1]
        if not rest:
            self.batching, self.indexed = [], dims[:1]
        kept = [i for i in range(rank) if i not in self.collapsed + self.batching]
        self.sizes = [1 if i not in kept else d.integer(1, s) for i, s in enumerate(self.shape)]
        positions = [self.shape[i] for i in self.batching] + list(d.shape(high=2))
        self.indices_batching = list(range(len(self.batching)))
        self.vector = d.integer(0, len(positions)) if d.chance(0.4) else len(positions)
        self.index_shape = positions[:self.vector] + [len(self.indexed)] + positions[self.vector:]
        self.indices_batching = [i + (i >= self.vector) for i in self.indices_batching]
        total = len(positions) + len(kept)
        self.window = sorted(d.permutation(total)[:len(kept)])
        self.result = [0] * total
        for dim, size in zip(self.window, (self.sizes[i] for i in kept)):
            self.result[dim] = size
        for dim, size in zip([i for i in range(total) if i not in self.window], positions):
            self.result[dim] = size

    def indices(self, c, inside=False):
        element = c.draw.choice(["i32", "i32", "i64", "ui32", "i8"])
        array = np.zeros(self.index_shape, np.int64)
        for n, dim in enumerate(self.indexed):
            at = tuple(n if i == self.vector else slice(None) for i in range(len(self.index_shape)))
            last = self.shape[dim] - self.sizes[dim]
            low, high = (0, last) if inside or element[0] == "u" else (-2, last + 3)
            array[at] = c.draw.rng.integers(low, high + 1, array[at].shape)
        return c.given(array.astype(DTYPES[element]), element)

    def numbers(self, kind, names):
        text = lambda values: "[" + ", ".join(map(str, values)) + "]"
        fields = [f"{name} = {text(values)}" for name, values in zip(names, (
            self.window, self.collapsed, self.batching, self.indices_batching, self.indexed)) if values]
        return f"#stablehlo.{kind}<{', '.join(fields + [f'index_vector_dim = {self.vector}'])}>"


def gather(c):
    element, form = c.draw.choice(ANY), Indexing(c)
    x, at = c.input(form.shape, element), form.indices(c)
    names = ("offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
             "start_index_map")
    c.returns(c.op("gather", [x, at], [(form.result, element)], {
        "dimension_numbers": form.numbers("gather", names), "slice_sizes": spelled_list(form.sizes),
        "indices_are_sorted": "false"}))


def scatter(c):
    form = Indexing(c)
    element = c.draw.element(NUMBERS)
    name = c.draw.choice(["add", "add", "update", "multiply", "maximum", "minimum"])
    if name == "update":
        # Which of several updates stays is not defined: there is one.
        form.index_shape = [len(form.indexed) if i == form.vector else 1 for i in range(len(form.index_shape))]
        if form.batching:
            form = Indexing(c, batching=False)
            form.index_shape = [len(form.indexed) if i == form.vector else 1 for i in range(len(form.index_shape))]
        form.result = [size if i in form.window else 1 for i, size in enumerate(form.result)]
        region = c.region([element, element], lambda r, x: [x[1]])
    else:
        region = c.combine(name, element)
    x, at = c.input(form.shape, element), form.indices(c)
    names = ("update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
             "scatter_dims_to_operand_dims")
    c.returns(c.op("scatter", [x, at, c.input(form.result, element)], [(form.shape, element)], {
        "scatter_dimension_numbers": form.numbers("scatter", names), "indices_are_sorted": "false",
        "unique_indices": "false"}, [region]))


def starts(c, shape, window):
    element = c.draw.choice(["i32", "i32", "i64", "ui32", "i8"])
    numbers = [c.draw.integer(-3 if element[0] == "i" else 0, size + 2) for size in shape]
    place = c.constant if c.draw.chance(0.3) else c.given
    return [place(np.array(n, DTYPES[element]), element) for n in numbers]


def dynamic_slice(c):
    shape, element = c.draw.shape(), c.draw.choice(ANY)
    window = [c.draw.integer(1, size) for size in shape]
    c.returns(c.op("dynamic_slice", [c.input(shape, element), *starts(c, shape, window)], [(window, element)],
                   {"slice_sizes": spelled_list(window)}))


def dynamic_update_slice(c):
    shape, element = c.draw.shape(), c.draw.choice(ANY)
    window = [c.draw.integer(1, size) for size in shape]
    c.returns(c.op("dynamic_update_slice", [c.input(shape, element), c.input(window, element),
                                            *starts(c, shape, window)], [(shape, element)]))


def sort(c):
    """By one key, by several, or by a function of the elements; each in either direction."""
    shape = c.draw.shape(low=1, most=c.draw.choice([7, 7, 40]), high=3)
    count = c.draw.integer(1, 3)
    elements = [c.draw.element(ANY) for _ in range(count)]
    keys = c.draw.permutation(count)[:c.draw.integer(1, count)]
    kinds = ["TOTALORDER" if is_float(e) and c.draw.chance(0.5) else "FLOAT" if is_float(e)
             else "SIGNED" if e in SIGNED else "UNSIGNED" for e in elements]
    operands = [c.input(shape, e, low=-1, high=1, special=kind == "TOTALORDER") for e, kind in zip(elements, kinds)]
    ways, measured = [c.draw.choice(["LT", "GT"]) for _ in elements], c.draw.chance(0.3)

    def compare(r, a, key, way):
        pair = [a[2 * key], a[2 * key + 1]]
        if measured and elements[key] != "i1":
            pair = [r.op("multiply", [x, x], [((), elements[key])]) for x in pair]
        return r.op("compare", pair, [((), "i1")], {"comparison_direction": f"#stablehlo<comparison_direction {way}>",
                                                     "compare_type": f"#stablehlo<comparison_type {kinds[key]}>"})

    def comparator(r, a):
        value = compare(r, a, keys[-1], ways[keys[-1]])
        for key in keys[-2::-1]:
            both = [compare(r, a, key, "EQ"), value]
            both = r.op("and", both if c.draw.chance(0.7) else both[::-1], [((), "i1")])
            either = [compare(r, a, key, ways[key]), both]
            value = r.op("or", either if c.draw.chance(0.7) else either[::-1], [((), "i1")])
        return [value]
    c.returns(c.op("sort", operands, [(shape, e) for e in elements],
                   {"dimension": f"{c.draw.integer(0, len(shape) - 1)} : i64", "is_stable": "true"},
                   [c.region([e for e in elements for _ in range(2)], comparator)]))


def top_k(c):
    shape, element = c.draw.shape(low=1), c.draw.element(["f32", "bf16", "i32"])
    k = c.draw.integer(1, shape[-1])
    result = (*shape[:-1], k)
    c.returns(c.op("chlo.top_k", [c.input(shape, element)], [(result, element), (result, "i32")], {"k": f"{k} : i64"}))


def map_(c):
    element, shape = c.draw.element(NUMBERS), c.draw.shape()

    def body(r, x):
        total = r.op("add", x, [((), element)])
        return [r.op("multiply", [total, r.op("maximum", x, [((), element)])], [((), element)])]
    c.returns(c.op("map", [c.input(shape, element), c.input(shape, element)], [(shape, element)],
                   {"dimensions": spelled_list(range(len(shape)))}, [c.region([element, element], body)]))


def batch_norm(c, kind):
    shape = c.draw.shape(low=2)
    axis = c.draw.integer(0, len(shape) - 1)
    feature = (shape[axis],)
    # XLA's variance of one element is a difference of rounded squares.
    shape = tuple(size if i == axis else max(size, 2) for i, size in enumerate(shape))
    x, scale = c.input(shape, "f32"), c.input(feature, "f32")
    attributes = {"epsilon": "1.0e-3 : f32", "feature_index": f"{axis} : i64"}
    if kind == "training":
        c.returns(c.op("batch_norm_training", [x, scale, c.input(feature, "f32")],
                       [(shape, "f32"), (feature, "f32"), (feature, "f32")], attributes))
        return
    mean, variance = c.input(feature, "f32"), c.input(feature, "f32", low=0.5, high=2)
    if kind == "inference":
        c.returns(c.op("batch_norm_inference", [x, scale, c.input(feature, "f32"), mean, variance], [(shape, "f32")],
                       attributes))
    else:
        c.returns(c.op("batch_norm_grad", [x, scale, mean, variance, c.input(shape, "f32")],
                       [(shape, "f32"), (feature, "f32"), (feature, "f32")], attributes))


def branches(c, count, element, shape, x):
    ops = ["add", "multiply", "maximum", "subtract"]
    return [c.region([], lambda r, _, op=op: [r.op(op, [x, x], [(shape, element)])]) for op in ops[:count]]


def if_(c):
    element, shape = c.draw.element(NUMBERS), c.draw.shape()
    condition, x = c.input((), "i1"), c.input(shape, element)
    c.returns(c.op("if", [condition], [(shape, element)], None, branches(c, 2, element, shape, x)))


def case(c):
    element, shape = c.draw.element(NUMBERS), c.draw.shape()
    count = c.draw.integer(1, 4)
    index, x = c.given(np.int32(c.draw.integer(-1, count + 1)), "i32"), c.input(shape, element)
    c.returns(c.op("case", [index], [(shape, element)], None, branches(c, count, element, shape, x)))


def while_(c):
    element, shape = c.draw.element(["f32", "i32"]), c.draw.shape()
    first, limit = c.constant(np.int32(0), "i32"), c.draw.integer(0, 5)
    x = c.input(shape, element, low=-1, high=1)
    arguments = [((), "i32"), (shape, element)]
    # The host runs a loop whose bound is an input.
    bound = c.given(np.int32(limit), "i32") if c.draw.integer(0, 2) else None

    def condition(r, a):
        return [r.op("compare", [a[0], bound or r.constant(np.int32(limit), "i32")], [((), "i1")],
                     {"comparison_direction": "#stablehlo<comparison_direction LT>"})]

    def body(r, a):
        return [r.op("add", [a[0], r.constant(np.int32(1), "i32")], [((), "i32")]),
                r.op("add", [a[1], r.op("multiply", [a[1], a[1]], [(shape, element)])], [(shape, element)])]
    c.returns(c.op("while", [first, x], arguments, None, [c.region(arguments, condition), c.region(arguments, body)]))


GENERATORS = {
    "dot_general": dot_general, "convolution": convolution, "reduce": reduce, "reduce_window": reduce_window,
    "select_and_scatter": select_and_scatter, "gather": gather, "scatter": scatter, "dynamic_slice": dynamic_slice,
    "dynamic_update_slice": dynamic_update_slice, "sort": sort, "chlo.top_k": top_k, "map": map_,
    **{f"batch_norm_{kind}": (lambda c, kind=kind: batch_norm(c, kind)) for kind in ("training", "inference", "grad")},
    "if": if_, "case": case, "while": while_,
}
