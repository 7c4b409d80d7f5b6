#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the decode step of a Llama as StableHLO, for any batch and length.

usage: decode-graph.py [--layers=32] [--hidden=4096] [--heads=32] [--inner=11008]
                       [--words=32000] [--type=bf16] [--batch=1..64]
                       [--seq=16..4096/16] [-o FILE]

The step reads one word per row of the batch, the keys and values of `seq`
positions and the number of positions that each row has, and gives the logits
and each layer's key and value of the new word. Weights are arguments, so that
all variants share them. A range as size makes a dynamic dimension with these
bounds (gaudi.dims), a number a static one.
"""

import argparse
import re
import sys


class Graph:
    """Lines of one function in the generic form. A size is a number, or a name."""

    def __init__(self, bounds):
        self.bounds = bounds
        self.arguments, self.lines, self.shapes = [], [], {}
        self.sizes = {}
        self.constants = {}
        self.count = 0

    def text(self, shape, element):
        sizes = "".join("?x" if isinstance(size, str) else f"{size}x" for size in shape)
        return f"tensor<{sizes}{element}>"

    def type_of(self, value):
        return self.text(*self.shapes[value])

    def argument(self, name, shape, element):
        value = f"%{name}"
        self.shapes[value] = (tuple(shape), element)
        dims = [self.bounds.get(size, "") if isinstance(size, str) else "" for size in shape]
        attributes = [f'gaudi.name = "{name}"']
        if any(dims):
            attributes.append("gaudi.dims = [" + ", ".join(f'"{dim}"' for dim in dims) + "]")
        self.arguments.append((value, "{" + ", ".join(attributes) + "}"))
        for dim, size in enumerate(shape):
            if isinstance(size, str) and size not in self.sizes:
                self.sizes[size] = (value, dim)
        return value

    def op(self, name, operands, shape, element, attributes="", region=""):
        value = f"%{self.count}"
        self.count += 1
        self.shapes[value] = (tuple(shape), element)
        types = ", ".join(self.type_of(operand) for operand in operands)
        properties = f" <{{{attributes}}}>" if attributes else ""
        body = f" ({{\n{region}    }})" if region else ""
        self.lines.append(f'    {value} = "stablehlo.{name}"({", ".join(operands)}){properties}'
                          f"{body} : ({types}) -> {self.type_of(value)}")
        return value

    def same(self, name, *operands, element=None, attributes=""):
        shape, own = self.shapes[operands[0]]
        return self.op(name, operands, shape, element or own, attributes)

    def scalar(self, number, element):
        key = (number, element)
        if key not in self.constants:
            kind = f"dense<{number}> : tensor<{element}>"
            self.constants[key] = self.op("constant", [], (), element, f"value = {kind}")
        return self.constants[key]

    def shape_operand(self, shape):
        """tensor<Nxi32> of the sizes, as jax.export writes it."""
        key = ("shape", tuple(shape))
        if key in self.constants:
            return self.constants[key]
        parts = []
        for size in shape:
            if isinstance(size, str):
                value, dim = self.sizes[size]
                one = self.op("get_dimension_size", [value], (), "i32", f"dimension = {dim} : i64")
            else:
                one = self.scalar(size, "i32")
            parts.append(self.op("reshape", [one], (1,), "i32"))
        whole = self.op("concatenate", parts, (len(parts),), "i32", "dimension = 0 : i64")
        self.constants[key] = whole
        return whole

    def broadcast(self, value, shape, dims):
        attribute = f"broadcast_dimensions = array<i64{': ' if dims else ''}{', '.join(map(str, dims))}>"
        element = self.shapes[value][1]
        if any(isinstance(size, str) for size in shape):
            return self.op("dynamic_broadcast_in_dim", [value, self.shape_operand(shape)], shape,
                           element, attribute)
        return self.op("broadcast_in_dim", [value], shape, element, attribute)

    def reshape(self, value, shape):
        element = self.shapes[value][1]
        if any(isinstance(size, str) for size in shape):
            return self.op("dynamic_reshape", [value, self.shape_operand(shape)], shape, element)
        return self.op("reshape", [value], shape, element)

    def cut(self, value, starts, limits):
        """The elements from `starts` to `limits`."""
        shape = tuple(limit if isinstance(limit, str) else limit - start
                      for start, limit in zip(starts, limits))
        element = self.shapes[value][1]
        if not any(isinstance(limit, str) for limit in limits):
            lists = dict(start_indices=starts, limit_indices=limits, strides=[1] * len(starts))
            attributes = ", ".join(f"{name} = array<i64: {', '.join(map(str, numbers))}>"
                                   for name, numbers in lists.items())
            return self.op("slice", [value], shape, element, attributes)
        operands = [value] + [self.shape_operand(list(numbers))
                              for numbers in (starts, limits, [1] * len(starts))]
        return self.op("real_dynamic_slice", operands, shape, element)

    def filled(self, number, shape, element):
        return self.broadcast(self.scalar(number, element), shape, [])

    def iota(self, shape, dim, element):
        attribute = f"iota_dimension = {dim} : i64"
        if any(isinstance(size, str) for size in shape):
            return self.op("dynamic_iota", [self.shape_operand(shape)], shape, element, attribute)
        return self.op("iota", [], shape, element, attribute)

    def reduce(self, name, value, initial, dim):
        shape, element = self.shapes[value]
        inner = f"tensor<{element}>"
        region = (f"    ^bb0(%l: {inner}, %r: {inner}):\n"
                  f'      %x = "stablehlo.{name}"(%l, %r) : ({inner}, {inner}) -> {inner}\n'
                  f'      "stablehlo.return"(%x) : ({inner}) -> ()\n')
        start = self.scalar(initial, element)
        return self.op("reduce", [value, start], shape[:dim] + shape[dim + 1:], element,
                       f"dimensions = array<i64: {dim}>", region)

    def dot(self, a, b, shape, batch_a=(), batch_b=(), contract_a=(1,), contract_b=(0,)):
        lists = [("lhs_batching_dimensions", batch_a), ("rhs_batching_dimensions", batch_b),
                 ("lhs_contracting_dimensions", contract_a),
                 ("rhs_contracting_dimensions", contract_b)]
        text = ", ".join(f"{name} = [{', '.join(map(str, dims))}]" for name, dims in lists if dims)
        return self.op("dot_general", [a, b], shape, self.shapes[a][1],
                       f"dot_dimension_numbers = #stablehlo.dot<{text}>")

    def function(self, name, results):
        types = ", ".join(self.type_of(value) for value, _ in self.arguments)
        out = ", ".join(self.type_of(value) for value in results)
        attributes = ", ".join(attribute for _, attribute in self.arguments)
        block = ", ".join(f"{value}: {self.type_of(value)}" for value, _ in self.arguments)
        return (f'  "func.func"() <{{arg_attrs = [{attributes}], '
                f'function_type = ({types}) -> ({out}), sym_name = "{name}"}}> ({{\n'
                f"  ^bb0({block}):\n" + "\n".join(self.lines) +
                f'\n    "func.return"({", ".join(results)}) : ({out}) -> ()\n  }}) : () -> ()\n')


def rms_norm(g, x, gain, batch, hidden):
    wide = g.same("convert", x, element="f32")
    squares = g.reduce("add", g.same("multiply", wide, wide), "0.0", 1)
    mean = g.same("divide", squares, g.filled(f"{hidden}.0", (batch,), "f32"))
    scale = g.same("rsqrt", g.same("add", mean, g.filled("1.0e-6", (batch,), "f32")))
    wide = g.same("multiply", wide, g.broadcast(scale, (batch, hidden), [0]))
    narrow = g.same("convert", wide, element=g.shapes[x][1])
    return g.same("multiply", narrow, g.broadcast(gain, (batch, hidden), [1]))


def rotate(g, x, cos, sin, batch, heads, head):
    """Rotary embedding of [batch, heads, head]."""
    element = g.shapes[x][1]
    half = head // 2
    full = (batch, heads, half)

    def part(start):
        limits = (batch, heads, start + half)
        return g.cut(x, (0, 0, start), limits)

    left, right = part(0), part(half)
    cos, sin = g.broadcast(cos, full, [0, 2]), g.broadcast(sin, full, [0, 2])
    first = g.same("subtract", g.same("multiply", left, cos), g.same("multiply", right, sin))
    second = g.same("add", g.same("multiply", right, cos), g.same("multiply", left, sin))
    return g.op("concatenate", [first, second], (batch, heads, head), element, "dimension = 2 : i64")


def attention(g, layer, x, at, sizes):
    batch, seq, heads, head = sizes
    hidden, element = heads * head, g.shapes[x][1]
    y = rms_norm(g, x, layer["norm1"], batch, hidden)
    split = (batch, heads, head)
    query, key, value = (g.reshape(g.dot(y, layer[name], (batch, hidden)), split)
                         for name in ("query", "key", "value"))
    query = rotate(g, query, at["cos"], at["sin"], *split)
    key = rotate(g, key, at["cos"], at["sin"], *split)
    # The new position is written over the one at `length` of each row.
    full = (batch, heads, seq, head)
    here = g.broadcast(at["here"], full, [0, 2])
    keys, values = (g.same("select", here, g.broadcast(new, full, [0, 1, 3]), old, element=element)
                    for new, old in ((key, layer["keys"]), (value, layer["values"])))
    scores = g.dot(query, keys, (batch, heads, seq), (0, 1), (0, 1), (2,), (3,))
    scores = g.same("convert", scores, element="f32")
    whole = (batch, heads, seq)
    scores = g.same("multiply", scores, g.filled(f"{head ** -0.5!r}", whole, "f32"))
    scores = g.op("select", [g.broadcast(at["known"], whole, [0, 2]), scores,
                             g.filled("-1.0e9", whole, "f32")], whole, "f32")
    most = g.reduce("maximum", scores, "0xFF800000", 2)
    powers = g.same("exponential", g.same("subtract", scores, g.broadcast(most, whole, [0, 1])))
    total = g.reduce("add", powers, "0.0", 2)
    share = g.same("divide", powers, g.broadcast(total, whole, [0, 1]))
    share = g.same("convert", share, element=element)
    mixed = g.dot(share, values, split, (0, 1), (0, 1), (2,), (2,))
    out = g.dot(g.reshape(mixed, (batch, hidden)), layer["out"], (batch, hidden))
    return g.same("add", x, out), key, value


def feed_forward(g, layer, x, batch, hidden, inner):
    y = rms_norm(g, x, layer["norm2"], batch, hidden)
    gate, up = (g.dot(y, layer[name], (batch, inner)) for name in ("gate", "up"))
    gated = g.same("multiply", g.same("multiply", gate, g.same("logistic", gate)), up)
    return g.same("add", x, g.dot(gated, layer["down"], (batch, hidden)))


def positions(g, length, batch, seq, head):
    """What all layers share: angles of the new position, and which are known."""
    half = head // 2
    wide = g.same("convert", length, element="f32")
    exponent = g.same("multiply", g.iota((half,), 0, "f32"), g.filled(f"{-1.0 / half!r}", (half,), "f32"))
    rates = g.same("power", g.filled("10000.0", (half,), "f32"), exponent)
    angles = g.same("multiply", g.broadcast(wide, (batch, half), [0]),
                    g.broadcast(rates, (batch, half), [1]))
    index = g.iota((batch, seq), 1, "i32")
    limit = g.broadcast(length, (batch, seq), [0])

    def compare(direction):
        return g.op("compare", [index, limit], (batch, seq), "i1",
                    "compare_type = #stablehlo<comparison_type SIGNED>, "
                    f"comparison_direction = #stablehlo<comparison_direction {direction}>")

    return dict(cos=g.same("cosine", angles), sin=g.same("sine", angles), here=compare("EQ"),
                known=compare("LE"))


def decode(options, batch, seq, name, bounds):
    g = Graph(bounds)
    hidden, heads, head = options.hidden, options.heads, options.hidden // options.heads
    element, inner = options.type, options.inner
    words = g.argument("words", (options.words, hidden), element)
    logits = g.argument("logits", (hidden, options.words), element)
    norm = g.argument("norm", (hidden,), element)
    tokens = g.argument("tokens", (batch,), "i32")
    length = g.argument("length", (batch,), "i32")
    layers = []
    for number in range(options.layers):
        shapes = dict(norm1=(hidden,), norm2=(hidden,), query=(hidden, hidden),
                      key=(hidden, hidden), value=(hidden, hidden), out=(hidden, hidden),
                      gate=(hidden, inner), up=(hidden, inner), down=(inner, hidden),
                      keys=(batch, heads, seq, head), values=(batch, heads, seq, head))
        layers.append({part: g.argument(f"{part}{number}", shape, element)
                       for part, shape in shapes.items()})
    at = positions(g, length, batch, seq, head)
    at["cos"], at["sin"] = (g.same("convert", at[key], element=element) for key in ("cos", "sin"))
    indices = g.reshape(tokens, (batch, 1))
    x = g.op("gather", [words, indices], (batch, hidden), element,
             "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
             "start_index_map = [0], index_vector_dim = 1>, "
             f"slice_sizes = array<i64: 1, {hidden}>")
    results = []
    for layer in layers:
        x, key, value = attention(g, layer, x, at, (batch, seq, heads, head))
        results += [key, value]
        x = feed_forward(g, layer, x, batch, hidden, inner)
    x = rms_norm(g, x, norm, batch, hidden)
    return g.function(name, [g.dot(x, logits, (batch, options.words))] + results)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in dict(layers=32, hidden=4096, heads=32, inner=11008, words=32000).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--type", default="bf16")
    parser.add_argument("--batch", default="1..64")
    parser.add_argument("--seq", default="16..4096/16")
    parser.add_argument("-o", dest="output", default="-")
    options = parser.parse_args()
    bounds, sizes = {}, []
    for name in ("batch", "seq"):
        text = getattr(options, name)
        if re.fullmatch(r"\d+", text):
            sizes.append(int(text))
        else:
            bounds[name] = f"{name}={text}"
            sizes.append(name)
    module = '"builtin.module"() ({\n' + decode(options, *sizes, "main", bounds) + "}) : () -> ()\n"
    if options.output == "-":
        sys.stdout.write(module)
    else:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(module)


if __name__ == "__main__":
    main()
