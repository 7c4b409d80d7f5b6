# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same modules as linalg on tensors, the way torch-mlir lowers them."""
import numpy as np

from .tosa import Module, Value, literal

FLOAT = ("f32", "bf16", "f16", "f8E4M3FN")
BINARY = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "pow": "math.powf"}
UNARY = {"exp": "math.exp", "rsqrt": "math.rsqrt", "erf": "math.erf", "tanh": "math.tanh", "negate": "arith.negf"}
PARALLEL, REDUCTION = '"parallel"', '"reduction"'


def identity(rank):
    return ["d%d" % i for i in range(rank)]


def affine_map(rank, results):
    return "affine_map<(%s) -> (%s)>" % (", ".join(identity(rank)), ", ".join(results))


def groups(source, target):
    """Cuts both shapes into the smallest pieces of equal size."""
    pieces, i, j = [], 0, 0
    while i < len(source) or j < len(target):
        a, b, left, right = 1, 1, [], []
        while not left or not right or a != b:
            if i < len(source) and (not left or a < b or j == len(target)):
                a, left, i = a * source[i], left + [i], i + 1
            elif j < len(target):
                b, right, j = b * target[j], right + [j], j + 1
            else:
                break
        if not left or not right:
            # Ones at the end belong to the piece before.
            pieces[-1][0].extend(left)
            pieces[-1][1].extend(right)
        else:
            pieces.append((left, right))
    return pieces


class LinalgModule(Module):
    orders = ("nhwc", "nchw")

    def line(self, text):
        """`%s` in the text is the name of the new value."""
        name = "%%%d" % len(self.lines)
        self.lines.append(name + " = " + text)
        return name

    def count(self):
        return sum(" = linalg." in line for line in self.lines)

    def emit_constant(self, text, kind, shape, element):
        return Value(self.line("arith.constant %s : %s" % (text, kind)), shape, element)

    def number(self, value, element):
        """A scalar for use inside bodies."""
        key = ("scalar", float(value), element)
        if key not in self.known:
            self.known[key] = self.line("arith.constant %s : %s" % (literal(value, element), element))
        return self.known[key]

    def empty(self, shape, element):
        kind = Value("", shape, element).type
        return Value(self.line("tensor.empty() : %s" % kind), shape, element)

    def filled(self, value, shape, element):
        target = self.empty(shape, element)
        name = self.line("linalg.fill ins(%s : %s) outs(%s : %s) -> %s" % (
            self.number(value, element), element, target.name, target.type, target.type))
        return Value(name, shape, element)

    def generic(self, operands, maps, target, target_map, body, loops=None):
        """body: lines that use %a0, %a1, ..., %o; the last one is what to yield."""
        rank = len(loops) if loops else len(target.shape)
        loops = loops or [PARALLEL] * rank
        names = ["%%a%d: %s" % (i, v.element) for i, v in enumerate(operands)] + ["%o: " + target.element]
        *lines, result = body
        ins = "ins(%s : %s) " % (", ".join(v.name for v in operands), ", ".join(v.type for v in operands)
                                 ) if operands else ""
        text = ("linalg.generic {indexing_maps = [%s], iterator_types = [%s]} %souts(%s : %s) {\n"
                "    ^bb0(%s):\n%s      linalg.yield %s : %s\n    } -> %s" % (
                    ", ".join(affine_map(rank, m) for m in maps + [target_map]), ", ".join(loops), ins,
                    target.name, target.type, ", ".join(names), "".join("      " + line + "\n" for line in lines),
                    result, target.element, target.type))
        return Value(self.line(text), target.shape, target.element)

    def elementwise(self, operands, shape, element, body):
        maps = [[("d%d" % i if n == shape[i] else "0") for i, n in enumerate(v.shape)] for v in operands]
        return self.generic(operands, maps, self.empty(shape, element), identity(len(shape)), body)

    # -- elementwise ------------------------------------------------------
    def binary(self, name, a, b, element=None):
        if not isinstance(b, Value):
            scalar = self.number(b, a.element)
            return self.elementwise([a], a.shape, a.element, [
                "%%r = %s %%a0, %s : %s" % (BINARY[name], scalar, a.element), "%r"])
        if len(b.shape) < len(a.shape):
            b = self.reshape(b, (1,) * (len(a.shape) - len(b.shape)) + b.shape)
        shape = tuple(max(x, y) for x, y in zip(a.shape, b.shape))
        return self.elementwise([a, b], shape, a.element, [
            "%%r = %s %%a0, %%a1 : %s" % (BINARY[name], a.element), "%r"])

    def unary(self, name, a):
        t = a.element
        if name == "reciprocal":
            body = ["%%r = arith.divf %s, %%a0 : %s" % (self.number(1, t), t), "%r"]
        elif name == "sigmoid":
            one = self.number(1, t)
            body = ["%%n = arith.negf %%a0 : %s" % t, "%%e = math.exp %%n : %s" % t,
                    "%%s = arith.addf %%e, %s : %s" % (one, t), "%%r = arith.divf %s, %%s : %s" % (one, t), "%r"]
        else:
            body = ["%%r = %s %%a0 : %s" % (UNARY[name], t), "%r"]
        return self.elementwise([a], a.shape, t, body)

    def clamp(self, a, low, high):
        t = a.element
        return self.elementwise([a], a.shape, t, [
            "%%l = arith.maximumf %%a0, %s : %s" % (self.number(low, t), t),
            "%%r = arith.minimumf %%l, %s : %s" % (self.number(high, t), t), "%r"])

    def cast(self, a, element):
        if a.element == element:
            return a
        if a.element in FLOAT:
            op = "arith.extf" if element == "f32" else "arith.truncf"
        else:
            op = "arith.sitofp"
        return self.elementwise([a], a.shape, element, [
            "%%r = %s %%a0 : %s to %s" % (op, a.element, element), "%r"])

    def select(self, condition, a, b):
        shape = tuple(max(sizes) for sizes in zip(condition.shape, a.shape, b.shape))
        return self.elementwise([condition, a, b], shape, a.element, [
            "%%r = arith.select %%a0, %%a1, %%a2 : %s" % a.element, "%r"])

    # -- reductions -------------------------------------------------------
    def reduce(self, name, a, axis):
        rank, axis = len(a.shape), axis % len(a.shape)
        shape = a.shape[:axis] + (1,) + a.shape[axis + 1:]
        op, start = ("arith.addf", 0.0) if name == "sum" else ("arith.maximumf", -np.inf)
        loops = [REDUCTION if i == axis else PARALLEL for i in range(rank)]
        results = ["0" if i == axis else "d%d" % i for i in range(rank)]
        return self.generic([a], [identity(rank)], self.filled(start, shape, a.element), results,
                            ["%%r = %s %%a0, %%o : %s" % (op, a.element), "%r"], loops)

    def mean(self, a, axis):
        total = self.reduce("sum", a, axis)
        size = self.number(a.shape[axis], a.element)
        return self.elementwise([total], total.shape, a.element, [
            "%%r = arith.divf %%a0, %s : %s" % (size, a.element), "%r"])

    # -- shapes -----------------------------------------------------------
    def reshape(self, a, shape):
        shape = tuple(shape)
        if shape == a.shape:
            return a
        pieces = groups(a.shape, shape)

        def indices(side):
            return "[" + ", ".join("[%s]" % ", ".join(map(str, piece[side])) for piece in pieces) + "]"

        if any(len(left) > 1 for left, _ in pieces):
            middle = [int(np.prod([a.shape[i] for i in left])) for left, _ in pieces]
            kind = Value("", middle, a.element).type
            a = Value(self.line("tensor.collapse_shape %s %s : %s into %s" % (
                a.name, indices(0), a.type, kind)), middle, a.element)
        if a.shape == shape:
            return a
        kind = Value("", shape, a.element).type
        return Value(self.line("tensor.expand_shape %s %s output_shape [%s] : %s into %s" % (
            a.name, indices(1), ", ".join(map(str, shape)), a.type, kind)), shape, a.element)

    def transpose(self, a, order):
        target = self.empty([a.shape[i] for i in order], a.element)
        name = self.line("linalg.transpose ins(%s : %s) outs(%s : %s) permutation = [%s]" % (
            a.name, a.type, target.name, target.type, ", ".join(map(str, order))))
        return Value(name, target.shape, a.element)

    def slice(self, a, start, size):
        kind = Value("", size, a.element).type
        text = "tensor.extract_slice %s[%s] [%s] [%s] : %s to %s" % (
            a.name, ", ".join(map(str, start)), ", ".join(map(str, size)), ", ".join("1" * len(size)), a.type, kind)
        return Value(self.line(text), size, a.element)

    def concat(self, values, axis):
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        result, at = self.empty(shape, values[0].element), 0
        for v in values:
            start = [at if i == axis else 0 for i in range(len(shape))]
            at += v.shape[axis]
            result = Value(self.line("tensor.insert_slice %s into %s[%s] [%s] [%s] : %s into %s" % (
                v.name, result.name, ", ".join(map(str, start)), ", ".join(map(str, v.shape)),
                ", ".join("1" * len(shape)), v.type, result.type)), shape, v.element)
        return result

    def tile(self, a, times):
        """Only dimensions of one element are repeated here."""
        shape = tuple(n * t for n, t in zip(a.shape, times))
        return self.elementwise([a], shape, a.element, ["%a0"])

    def gather(self, table, indices):
        n, rows, width = indices.shape + table.shape[2:]
        body = ["%n = linalg.index 0 : index", "%c = linalg.index 2 : index",
                "%k = arith.index_cast %a0 : i32 to index",
                "%%r = tensor.extract %s[%%n, %%k, %%c] : %s" % (table.name, table.type), "%r"]
        return self.generic([indices], [["d0", "d1"]], self.empty((n, rows, width), table.element),
                            identity(3), body)

    # -- matrix engine ----------------------------------------------------
    def named(self, op, operands, target, attributes=""):
        name = self.line("linalg.%s%s ins(%s : %s) outs(%s : %s) -> %s" % (
            op, attributes, ", ".join(v.name for v in operands), ", ".join(v.type for v in operands),
            target.name, target.type, target.type))
        return Value(name, target.shape, target.element)

    def matmul(self, a, b):
        target = self.filled(0.0, (a.shape[0], a.shape[1], b.shape[2]), "f32")
        return self.named("batch_matmul", [a, b], target)

    def padded(self, x, pad, value, at=1):
        """Rows are dimension `at`, columns the next one."""
        if not any(pad):
            return x
        low, high = ([0] * 4 for _ in range(2))
        low[at:at + 2], high[at:at + 2] = pad[0::2], pad[1::2]
        shape = [n + before + after for n, before, after in zip(x.shape, low, high)]
        text = ("tensor.pad %s low[%s] high[%s] {\n    ^bb0(%s):\n      tensor.yield %s : %s\n"
                "    } : %s to %s" % (x.name, ", ".join(map(str, low)), ", ".join(map(str, high)),
                                      ", ".join("%%i%d: index" % i for i in range(4)),
                                      self.number(value, x.element), x.element, x.type,
                                      Value("", shape, x.element).type))
        return Value(self.line(text), shape, x.element)

    def conv2d(self, x, weights, bias, stride, pad):
        """The bias of these networks is in the norm that follows, so it is 0."""
        x = self.padded(x, pad, 0.0)
        o, kh, kw, _ = weights.shape
        shape = (x.shape[0], (x.shape[1] - kh) // stride + 1, (x.shape[2] - kw) // stride + 1, o)
        y = self.named("conv_2d_nhwc_fhwc", [x, weights], self.filled(0.0, shape, "f32"),
                       " {dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}" % stride)
        return self.cast(y, x.element)

    def convolution(self, x, weights, stride, pad, order, depthwise=False):
        """Weights as PyTorch has them, outputs first; no bias."""
        at = order.index("h")
        x = self.padded(x, pad, 0.0, at)
        outputs, _, kernel, _ = weights.shape
        shape = [(n - kernel) // stride + 1 for n in x.shape]
        shape[0], shape[order.index("c")] = x.shape[0], outputs
        if depthwise:
            weights, op = weights[:, 0], "depthwise_conv_2d_%s_%s" % (order, order[1:])
        else:
            op = "conv_2d_%s_%s" % (order, {"nchw": "fchw", "nhwc": "fhwc"}[order])
        if order == "nhwc":
            weights = np.moveaxis(weights, 0, -1) if depthwise else np.moveaxis(weights, 1, -1)
        y = self.named(op, [x, self.constant(np.ascontiguousarray(weights), x.element)],
                       self.filled(0.0, shape, "f32"),
                       " {dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}" % stride)
        return self.cast(y, x.element)

    def up_convolution(self, x, weights, order):
        """As torch-mlir has it: zeros between the pixels and around them, then a
        convolution with the turned window; weights[in, out, 2, 2]."""
        at = order.index("h")
        wide = [2 * n + 1 if at <= i < at + 2 else n for i, n in enumerate(x.shape)]
        zeros = self.filled(0.0, wide, x.element)
        start, step = ([value if at <= i < at + 2 else other for i in range(4)] for value, other in ((1, 0), (2, 1)))
        text = "tensor.insert_slice %s into %s[%s] [%s] [%s] : %s into %s" % (
            x.name, zeros.name, *(", ".join(map(str, v)) for v in (start, x.shape, step)), x.type, zeros.type)
        turned = np.ascontiguousarray(weights.transpose(1, 0, 2, 3)[:, :, ::-1, ::-1])
        return self.convolution(Value(self.line(text), wide, x.element), turned, 1, (0, 0, 0, 0), order)

    def pool(self, name, x, kernel, stride, pad):
        low = -np.inf if name == "max" else 0.0
        y = self.padded(self.cast(x, "f32") if name == "avg" else x, pad, low)
        shape = (y.shape[0], (y.shape[1] - kernel) // stride + 1, (y.shape[2] - kernel) // stride + 1, y.shape[3])
        op = {"max": "pooling_nhwc_max", "avg": "pooling_nhwc_sum"}[name]
        window = self.empty((kernel, kernel), y.element)
        y = self.named(op, [y, window], self.filled(low, shape, y.element),
                       " {dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}" % stride)
        if name == "avg":
            y = self.cast(self.mul(y, 1.0 / (kernel * kernel)), x.element)
        return y
