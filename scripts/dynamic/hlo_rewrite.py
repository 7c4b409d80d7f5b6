# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes StableHLO ops whose shapes are symbolic: dynamic forms, or the same
forms at given sizes."""
import re

from generic_form import Op
from hlo_rules import field, is_size, name_of, numbers_of, slice_bounds
from sizes import Size, add, value


def array(numbers):
    return "array<i64: " + ", ".join(map(str, numbers)) + ">" if numbers else "array<i64>"


class HloRewriter:
    """One function. With `values` sizes become numbers, else values at run time."""

    def __init__(self, function, values, prefix, scales=()):
        self.block, self.values, self.prefix, self.scales = function.regions[0], values, prefix, scales
        self.entry, self.memo, self.before = [], {}, []

    def make(self, name, operands, type_text, attributes=None, at_entry=False):
        op = Op(self.prefix + name, operands, [type_text], attributes)
        (self.entry if at_entry else self.before).append(op)
        return op.results[0]

    def scalar(self, size, element):
        """A 0-d tensor at the entry of the function."""
        key = (repr(size), element)
        if key in self.memo:
            return self.memo[key]
        make = lambda *a: self.make(*a, at_entry=True)
        text = f"tensor<{element}>"
        if not isinstance(size, Size) or self.values is not None:
            size = value(size, self.values)
            result = make("constant", [], text, {"value": f"dense<{size}> : {text}"})
        elif element != "i32":
            result = make("convert", [self.scalar(size, "i32")], text)
        elif len(size.terms) == 1 and list(size.terms.values()) == [1] and len(size.symbols()) == 1 and len(
                next(iter(size.terms))) == 1:
            argument, dimension = self.block.dimension_of(size)
            result = make("get_dimension_size", [argument], text, {"dimension": f"{dimension} : i64"})
        else:
            result = None
            for names, coefficient in sorted(size.terms.items(), reverse=True):
                term = None if coefficient != 1 or not names else self.scalar(Size.symbol(names[0]), "i32")
                rest = names[1:] if term else names
                term = term or self.scalar(coefficient, "i32")
                for name in rest:
                    term = make("multiply", [term, self.scalar(Size.symbol(name), "i32")], text)
                result = term if result is None else make("add", [result, term], text)
        self.memo[key] = result
        return result

    def vector(self, sizes, element="i32"):
        key = (repr(sizes), element, "vector")
        if key not in self.memo:
            one = f"tensor<1x{element}>"
            parts = [self.make("reshape", [self.scalar(s, element)], one, at_entry=True) for s in sizes]
            self.memo[key] = parts[0] if len(parts) == 1 else self.make(
                "concatenate", parts, f"tensor<{len(parts)}x{element}>", {"dimension": "0 : i64"}, at_entry=True)
        return self.memo[key]

    def run(self):
        self.rewrite(self.block)
        self.block.ops[:0] = self.entry

    def rewrite(self, block):
        ops, block.ops = block.ops, []
        for op in ops:
            for region in op.regions:
                self.rewrite(region)
            self.before = []
            name = name_of(op)
            if name == "constant" and self.scale_of(op):
                self.scaled(op, self.scale_of(op))
            elif name and any(is_size(v) for v in op.operands + op.results):
                getattr(self, name, lambda op: None)(op)
            block.ops += self.before + [op]

    def rename(self, op, name, operands=(), drop=()):
        op.name = self.prefix + name
        op.operands += operands
        for key in drop:
            op.attributes.pop(key)
            op.properties.discard(key)

    def scale_of(self, op):
        match = re.match(r"dense<([-+.\de]*)> : tensor<.*f\d+>$", op.attributes["value"])
        for constant, *scale in self.scales if match else ():
            if float(match[1]) == constant:
                return scale
        return None

    def scaled(self, op, scale):
        """A constant of the graph that is a multiple of a size, or of its inverse."""
        size, inverse, factor = scale
        result = op.results[0]
        text = f"tensor<{result.element}>"
        number = self.make("constant", [], text, {"value": f"dense<{factor:.9e}> : {text}"})
        real = self.make("convert", [self.scalar(size, "i32")], text)
        scalar = self.make("divide" if inverse else "multiply", [number, real], text)
        dynamic = is_size(result) and self.values is None
        op.attributes, op.properties = {"broadcast_dimensions": "array<i64>"}, {"broadcast_dimensions"}
        op.operands = [scalar]
        self.rename(op, "dynamic_broadcast_in_dim" if dynamic else "broadcast_in_dim",
                    [self.vector(result.dims)] if dynamic else [])

    def constant(self, op):
        result = op.results[0]
        text = op.attributes["value"]
        data = text[:text.rindex(" : tensor<")]
        if data.startswith("dense_resource"):
            raise SystemExit(f"a constant without data, {result.type()}, would depend on a chosen size")
        if data == "dense<>":
            zeros = {"i1": "dense<false>", "f": "dense<0.0>", "b": "dense<0.0>"}
            data = zeros.get(result.element) or zeros.get(result.element[0], "dense<0>")
        splat = "[" not in data and '"' not in data
        if splat and self.values is None:
            scalar = f"tensor<{result.element}>"
            made = self.make("constant", [], scalar, {"value": f"{data} : {scalar}"})
            self.rename(op, "dynamic_broadcast_in_dim", [made, self.vector(result.dims)], ["value"])
            op.attributes["broadcast_dimensions"] = "array<i64>"
            op.properties.add("broadcast_dimensions")
        elif splat:
            op.attributes["value"] = f"{data} : {result.type(self.size)}"
        else:
            whole = "tensor<" + "".join(f"{n}x" for n in result.base) + result.element + ">"
            made = self.make("constant", [], whole, {"value": text})
            self.rename(op, "slice", [made], ["value"])
            zeros, ones = [0] * len(result.base), [1] * len(result.base)
            op.attributes.update(start_indices=array(zeros), limit_indices=array(result.base), strides=array(ones))
            op.properties.update(("start_indices", "limit_indices", "strides"))
            self.slice(op, result.dims)

    def size(self, d):
        return str(d.at(self.values)) if isinstance(d, Size) else str(d)

    def iota(self, op):
        if self.values is None:
            self.rename(op, "dynamic_iota", [self.vector(op.results[0].dims)])

    def broadcast_in_dim(self, op):
        if self.values is None and is_size(op.results[0]):
            op.attributes["broadcast_dimensions"] = array(numbers_of(op, "broadcast_dimensions"))
            self.rename(op, "dynamic_broadcast_in_dim", [self.vector(op.results[0].dims)])

    def reshape(self, op):
        if self.values is None and is_size(op.results[0]):
            self.rename(op, "dynamic_reshape", [self.vector(op.results[0].dims)])

    def slice(self, op, limits=None):
        starts, old, strides = slice_bounds(op)
        if limits is None:
            limits = []
            for i, limit in enumerate(old):
                size = op.results[0].dims[i]
                if isinstance(size, Size):
                    limit = add(size, starts[i])
                limits.append(limit)
        if self.values is not None:
            op.attributes["limit_indices"] = array([value(n, self.values) for n in limits])
        elif any(isinstance(n, Size) for n in limits):
            self.rename(op, "real_dynamic_slice", [self.vector(starts), self.vector(limits), self.vector(strides)],
                        ["start_indices", "limit_indices", "strides"])

    def dynamic_slice(self, op):
        result = op.results[0]
        if self.values is not None:
            op.attributes["slice_sizes"] = array([value(d, self.values) for d in result.dims])
            return
        if not is_size(result):
            return
        operand, starts = op.operands[0], op.operands[1:]
        element, rank = starts[0].element, len(starts)
        text = f"tensor<{rank}x{element}>"
        vector = lambda sizes: self.vector(sizes, element)
        parts = [self.make("reshape", [start], f"tensor<1x{element}>") for start in starts]
        start = parts[0] if rank == 1 else self.make("concatenate", parts, text, {"dimension": "0 : i64"})
        # Starts of a dynamic slice are clamped, those of a real one are not.
        room = self.make("subtract", [vector(operand.dims), vector(result.dims)], text)
        start = self.make("clamp", [vector([0] * rank), start, room], text)
        end = self.make("add", [start, vector(result.dims)], text)
        del op.operands[1:]
        self.rename(op, "real_dynamic_slice", [start, end, vector([1] * rank)], ["slice_sizes"])

    def gather(self, op):
        sizes = numbers_of(op, "slice_sizes")
        operand = op.operands[0]
        collapsed = field(op.attributes["dimension_numbers"], "collapsed_slice_dims")
        full = [operand.dims[i] if n == operand.base[i] and i not in collapsed else n for i, n in enumerate(sizes)]
        if self.values is not None:
            op.attributes["slice_sizes"] = array([value(n, self.values) for n in full])
        elif any(isinstance(n, Size) for n in full):
            self.rename(op, "dynamic_gather", [self.vector(full)], ["slice_sizes"])
