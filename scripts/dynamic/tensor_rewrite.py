# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes linalg, tensor and TOSA ops whose shapes are symbolic."""
from generic_form import Op
from hlo_rules import is_size, numbers_of
from sizes import Size, value
from tensor_rules import kept_dims, loop_of, maps_of

DYNAMIC = -9223372036854775808


def array(numbers, bits=64):
    return f"array<i{bits}: " + ", ".join(map(str, numbers)) + ">" if numbers else f"array<i{bits}>"


class TensorRewriter:
    def __init__(self, function, values, aliases):
        self.block, self.values, self.aliases = function.regions[0], values, aliases
        self.entry, self.memo, self.before = [], {}, []

    def make(self, name, operands, type_text, attributes=None, at_entry=False):
        op = Op(name, operands, [type_text], attributes)
        (self.entry if at_entry else self.before).append(op)
        return op.results[0]

    def index(self, size):
        """A value of type index at the entry of the function."""
        key = repr(size)
        if key in self.memo:
            return self.memo[key]
        constant = lambda n: self.make("arith.constant", [], "index", {"value": f"{n} : index"}, True)
        attributes = {"overflowFlags": "#arith.overflow<none>"}
        if not isinstance(size, Size):
            result = constant(size)
        elif size == Size.symbol(size.symbols()[0]):
            argument, dimension = self.block.dimension_of(size)
            result = self.make("tensor.dim", [argument, self.index(dimension)], "index", None, True)
        else:
            result = None
            for names, coefficient in sorted(size.terms.items(), reverse=True):
                parts = [self.index(Size.symbol(n)) for n in names]
                if coefficient != 1 or not parts:
                    parts.append(self.index(coefficient))
                term = parts[0]
                for part in parts[1:]:
                    term = self.make("arith.muli", [term, part], "index", attributes, True)
                result = term if result is None else self.make("arith.addi", [result, term], "index", attributes, True)
        self.memo[key] = result
        return result

    def run(self):
        self.rewrite(self.block)
        self.block.ops[:0] = self.entry

    def rewrite(self, block):
        ops, block.ops = block.ops, []
        for op in ops:
            self.before = []
            if any(is_size(v) for v in op.operands + op.results):
                if op.name.startswith("linalg."):
                    self.structured(op)
                getattr(self, op.name.replace(".", "_"), lambda op: None)(op)
            block.ops += self.before + [op]

    def number(self, d):
        """What an attribute says of a size, and whether an operand says it."""
        if isinstance(d, Size) and self.values is None:
            return DYNAMIC
        return value(d, self.values)

    def dynamic(self, sizes):
        return [self.index(d) for d in sizes if isinstance(d, Size)] if self.values is None else []

    def structured(self, op):
        maps, count = maps_of(op, self.aliases)
        if maps is None:
            return
        texts, changed = [], False
        for operand, exprs in zip(op.operands, maps):
            exprs = list(exprs)
            for i, e in enumerate(exprs):
                if e == "0" and operand.dims is not None and isinstance(operand.dims[i], Size):
                    exprs[i] = f"d{loop_of(e, i, exprs, count)}"
                    changed = True
            loops = ", ".join(f"d{k}" for k in range(count))
            texts.append(f"affine_map<({loops}) -> ({', '.join(exprs)})>")
        if changed:
            op.attributes["indexing_maps"] = "[" + ", ".join(texts) + "]"

    def tensor_empty(self, op):
        op.operands = self.dynamic(op.results[0].dims)

    def tensor_splat(self, op):
        op.operands = op.operands[:1] + self.dynamic(op.results[0].dims)

    def tensor_expand_shape(self, op):
        dims = op.results[0].dims
        op.operands = op.operands[:1] + self.dynamic(dims)
        op.attributes["static_output_shape"] = array([self.number(d) for d in dims])

    def window(self, op, inner, tensors):
        sizes = numbers_of(op, "static_sizes")
        for k, i in enumerate(kept_dims(sizes, inner.base)):
            sizes[i] = inner.dims[k]
        op.operands = op.operands[:tensors] + self.dynamic(sizes)
        op.attributes["static_sizes"] = array([self.number(d) for d in sizes])
        counts = [1] * tensors + [0, len(op.operands) - tensors, 0]
        op.attributes["operandSegmentSizes"] = array(counts, 32)

    def tensor_extract_slice(self, op):
        self.window(op, op.results[0], 1)

    def tensor_insert_slice(self, op):
        self.window(op, op.operands[0], 2)

    def arith_constant(self, op, key="value"):
        result = op.results[0]
        text = op.attributes[key]
        data = text[:text.rindex(" : tensor<")]
        if data.startswith("dense_resource"):
            raise SystemExit(f"a constant without data, {result.type()}, would depend on a chosen size")
        if "[" not in data and '"' not in data and self.values is not None:
            op.attributes[key] = f"{data} : {result.type(lambda d: str(value(d, self.values)))}"
        elif "[" not in data and '"' not in data:
            scalar = self.make("arith.constant", [], result.element, {"value": f"{data[6:-1]} : {result.element}"})
            op.name, op.operands = "tensor.splat", [scalar] + self.dynamic(result.dims)
            op.attributes.clear()
            op.properties.clear()
        else:
            whole = "tensor<" + "".join(f"{n}x" for n in result.base) + result.element + ">"
            made = self.make(op.name, [], whole, {key: text})
            rank = len(result.base)
            op.name, op.operands = "tensor.extract_slice", [made]
            op.attributes = {"static_offsets": array([0] * rank), "static_sizes": array(result.base),
                             "static_strides": array([1] * rank), "operandSegmentSizes": ""}
            op.properties = set(op.attributes)
            self.window(op, result, 1)

    def tosa_const(self, op):
        self.arith_constant(op, "values")

    def shape(self, numbers):
        rank = len(numbers)
        text = "dense<[" + ", ".join(map(str, numbers)) + f"]> : tensor<{rank}xindex>"
        return self.make("tosa.const_shape", [], f"!tosa.shape<{rank}>", {"values": text})

    def tosa_reshape(self, op):
        dims = op.results[0].dims
        symbolic = [d for d in dims if isinstance(d, Size)]
        if self.values is not None or len(symbolic) <= 1:
            sizes = [-1 if n == DYNAMIC else n for n in map(self.number, dims)]
            op.operands[1] = self.shape(sizes)
            return
        parts = [self.index(d) for d in dims]
        op.operands[1] = self.make("tensor.from_elements", parts, f"tensor<{len(parts)}xindex>")
        op.name = "tensor.reshape"

    def tosa_slice(self, op):
        sizes = list(op.results[0].dims)
        op.operands[2] = self.shape([-1 if n == DYNAMIC else n for n in map(self.number, sizes)])
