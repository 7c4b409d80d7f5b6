# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes TOSA modules as text, constants as resources, the way front ends do."""
import subprocess

import numpy as np

from .numbers import stored

NUMPY = {"i32": np.int32, "i8": np.int8, "i1": np.bool_}
# Smaller constants stay in the text.
INLINE = 64


class Value:
    def __init__(self, name, shape, element):
        self.name, self.shape, self.element = name, tuple(shape), element

    @property
    def type(self):
        return "tensor<%s>" % "x".join([str(n) for n in self.shape] + [self.element])


def bytes_of(array, element):
    if element not in NUMPY:
        return stored(np.asarray(array, np.float32), element).tobytes()
    return np.ascontiguousarray(array, dtype=NUMPY[element]).tobytes()


def literal(value, element):
    if np.isinf(value):
        # MLIR wants infinities as bits.
        return "0x" + bytes_of(np.array(value, np.float32), element)[::-1].hex().upper()
    if element not in NUMPY:
        return "%.9e" % value
    if element == "i1":
        return "true" if value else "false"
    return str(int(value))


class Module:
    """One function. Methods append an op and give its result."""

    parser_options = []  # of mlir-opt
    orders = ("nhwc",)  # of convolutions

    def __init__(self, name):
        self.name = name
        self.inputs, self.outputs, self.lines, self.blobs = [], [], [], []
        self.known = {}

    # -- values -----------------------------------------------------------
    def input(self, name, shape, element):
        value = Value("%" + name, shape, element)
        self.inputs.append(value)
        return value

    def output(self, value):
        self.outputs.append(value)

    def op(self, name, operands, shape, element, attributes=""):
        result = Value("%%%d" % len(self.lines), shape, element)
        if attributes:
            attributes = " <{" + attributes + "}>"
        self.lines.append('%s = "%s"(%s)%s : (%s) -> %s' % (
            result.name, name, ", ".join(v.name for v in operands), attributes,
            ", ".join(v.type for v in operands), result.type))
        return result

    def constant(self, array, element):
        array = np.asarray(array)
        small = array.size <= INLINE
        key = (array.tobytes(), array.shape, element) if small else None
        if small and key in self.known:
            return self.known[key]
        kind = Value("", array.shape, element).type
        if small:
            numbers = [literal(v, element) for v in array.ravel()]
            text = "dense<%s>" % numbers[0]
            if array.size > 1:
                # Nested brackets follow the shape.
                for extent in reversed(array.shape):
                    numbers = ["[" + ", ".join(numbers[i:i + extent]) + "]"
                               for i in range(0, len(numbers), extent)]
                text = "dense<%s>" % numbers[0]
        else:
            label = "w%d" % len(self.blobs)
            self.blobs.append((label, bytes_of(array, element)))
            text = "dense_resource<%s>" % label
        result = self.emit_constant(text, kind, array.shape, element)
        if small:
            self.known[key] = result
        return result

    def emit_constant(self, text, kind, shape, element):
        return self.op("tosa.const", [], shape, element, "values = %s : %s" % (text, kind))

    def scalar(self, value, rank, element):
        return self.constant(np.full((1,) * rank, value), element)

    def shape_constant(self, extents):
        name = "%%%d" % len(self.lines)
        kind = "!tosa.shape<%d>" % len(extents)
        self.lines.append(
            '%s = "tosa.const_shape"() <{values = dense<[%s]> : tensor<%dxindex>}> : () -> %s' % (
                name, ", ".join(map(str, extents)), len(extents), kind))
        result = Value(name, (), "")
        result.__class__ = type("Shape", (Value,), {"type": kind})
        return result

    def count(self):
        """Ops so far, constants left out."""
        return sum(' = "tosa.const' not in line for line in self.lines)

    # -- elementwise ------------------------------------------------------
    def binary(self, name, a, b, element=None):
        """Operands of one rank; sizes of 1 broadcast."""
        if not isinstance(b, Value):
            b = self.scalar(b, len(a.shape), a.element)
        if len(b.shape) < len(a.shape):
            b = self.reshape(b, (1,) * (len(a.shape) - len(b.shape)) + b.shape)
        shape = [max(x, y) for x, y in zip(a.shape, b.shape)]
        operands = [a, b]
        if name == "mul":
            operands.append(self.constant(np.zeros(1), "i8"))
        return self.op("tosa." + name, operands, shape, element or a.element)

    def add(self, a, b):
        return self.binary("add", a, b)

    def sub(self, a, b):
        return self.binary("sub", a, b)

    def mul(self, a, b):
        return self.binary("mul", a, b)

    def unary(self, name, a):
        if name == "negate":
            zero = self.constant(np.zeros(1), a.element)
            return self.op("tosa.negate", [a, zero, zero], a.shape, a.element)
        return self.op("tosa." + name, [a], a.shape, a.element)

    def clamp(self, a, low, high):
        return self.op("tosa.clamp", [a], a.shape, a.element,
                       "min_val = %s : %s, max_val = %s : %s" % (
                           literal(low, a.element), a.element, literal(high, a.element), a.element))

    def cast(self, a, element):
        if a.element == element:
            return a
        return self.op("tosa.cast", [a], a.shape, element)

    def select(self, condition, a, b):
        shape = [max(sizes) for sizes in zip(condition.shape, a.shape, b.shape)]
        return self.op("tosa.select", [condition, a, b], shape, a.element)

    # -- reductions -------------------------------------------------------
    def reduce(self, name, a, axis):
        axis %= len(a.shape)
        shape = list(a.shape)
        shape[axis] = 1
        return self.op("tosa.reduce_" + name, [a], shape, a.element, "axis = %d : i32" % axis)

    def mean(self, a, axis):
        return self.mul(self.reduce("sum", a, axis), 1.0 / a.shape[axis])

    # -- shapes -----------------------------------------------------------
    def reshape(self, a, shape):
        if tuple(shape) == a.shape:
            return a
        return self.op("tosa.reshape", [a, self.shape_constant(shape)], shape, a.element)

    def transpose(self, a, order):
        return self.op("tosa.transpose", [a], [a.shape[i] for i in order], a.element,
                       "perms = array<i32: %s>" % ", ".join(map(str, order)))

    def slice(self, a, start, size):
        return self.op("tosa.slice", [a, self.shape_constant(start), self.shape_constant(size)],
                       size, a.element)

    def concat(self, values, axis):
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        return self.op("tosa.concat", values, shape, values[0].element, "axis = %d : i32" % axis)

    def tile(self, a, times):
        shape = [n * t for n, t in zip(a.shape, times)]
        return self.op("tosa.tile", [a, self.shape_constant(times)], shape, a.element)

    def gather(self, table, indices):
        """Rows of table[N,K,C] named by indices[N,W]."""
        return self.op("tosa.gather", [table, indices], indices.shape + table.shape[2:], table.element)

    # -- matrix engine ----------------------------------------------------
    def matmul(self, a, b):
        """Rank 3. TOSA accumulates and returns f32, for bf16 as well."""
        zero = self.constant(np.zeros(1), a.element)
        return self.op("tosa.matmul", [a, b, zero, zero],
                       (a.shape[0], a.shape[1], b.shape[2]), "f32")

    def conv2d(self, x, weights, bias, stride, pad):
        """NHWC by OHWI; pad is top, bottom, left, right."""
        zero = self.constant(np.zeros(1), x.element)
        n, h, w, _ = x.shape
        o, kh, kw, _ = weights.shape
        size = [n, (h + pad[0] + pad[1] - kh) // stride + 1, (w + pad[2] + pad[3] - kw) // stride + 1, o]
        return self.op("tosa.conv2d", [x, weights, bias, zero, zero], size, x.element,
                       "acc_type = f32, pad = array<i64: %s>, stride = array<i64: %d, %d>, "
                       "dilation = array<i64: 1, 1>" % (", ".join(map(str, pad)), stride, stride))

    def convolution(self, x, weights, stride, pad, order, depthwise=False):
        """Weights as PyTorch has them, outputs first; no bias."""
        assert order in self.orders
        if not depthwise:
            return self.conv2d(x, self.transpose(self.constant(weights, x.element), (0, 2, 3, 1)),
                               self.constant(np.zeros(weights.shape[0]), x.element), stride, pad)
        zero = self.constant(np.zeros(1), x.element)
        n, h, w, c = x.shape
        kernel = weights.shape[2]
        size = [n, (h + pad[0] + pad[1] - kernel) // stride + 1, (w + pad[2] + pad[3] - kernel) // stride + 1, c]
        filters = self.transpose(self.constant(weights, x.element), (2, 3, 0, 1))
        return self.op("tosa.depthwise_conv2d", [x, filters, self.constant(np.zeros(c), x.element), zero, zero],
                       size, x.element, "acc_type = f32, pad = array<i64: %s>, stride = array<i64: %d, %d>, "
                       "dilation = array<i64: 1, 1>" % (", ".join(map(str, pad)), stride, stride))

    def up_convolution(self, x, weights, order):
        """Windows of 2 x 2 that do not overlap; weights[in, out, 2, 2]."""
        assert order in self.orders
        zero, (n, h, w, _), outputs = self.constant(np.zeros(1), x.element), x.shape, weights.shape[1]
        filters = self.transpose(self.constant(weights, x.element), (1, 2, 3, 0))
        return self.op("tosa.transpose_conv2d",
                       [x, filters, self.constant(np.zeros(outputs), x.element), zero, zero],
                       (n, 2 * h, 2 * w, outputs), x.element,
                       "acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>")

    def pool(self, name, x, kernel, stride, pad):
        n, h, w, c = x.shape
        size = [n, (h + pad[0] + pad[1] - kernel) // stride + 1,
                (w + pad[2] + pad[3] - kernel) // stride + 1, c]
        attributes = ("kernel = array<i64: %d, %d>, pad = array<i64: %s>, stride = array<i64: %d, %d>" % (
            kernel, kernel, ", ".join(map(str, pad)), stride, stride))
        operands = [x]
        if name == "avg":
            zero = self.constant(np.zeros(1), x.element)
            operands += [zero, zero]
            attributes += ", acc_type = f32"
        return self.op("tosa.%s_pool2d" % name, operands, size, x.element, attributes)

    def weights_to_arguments(self):
        """The same graph without its large constants: they become inputs."""
        for i, line in enumerate(self.lines):
            if "dense_resource<" not in line:
                continue
            name, kind = line.split(" = ")[0], "tensor<" + line.rsplit("tensor<", 1)[1]
            label = line.split("dense_resource<")[1].split(">")[0]
            shape, _, element = kind[len("tensor<"):-1].rpartition("x")
            self.input(label, [int(n) for n in shape.split("x")], element)
            self.lines[i] = "%s = tensor.cast %%%s : %s to %s" % (name, label, kind, kind)
        self.blobs = []

    # -- text -------------------------------------------------------------
    def write(self, stream):
        results = ", ".join(v.type for v in self.outputs)
        stream.write("module {\n  func.func @%s(%s) -> (%s) {\n" % (
            self.name,
            ", ".join('%s: %s {gaudi.name = "%s"}' % (v.name, v.type, v.name[1:]) for v in self.inputs),
            results))
        for line in self.lines:
            stream.write("    " + line + "\n")
        stream.write("    return %s : %s\n  }\n}\n" % (", ".join(v.name for v in self.outputs), results))
        if not self.blobs:
            return
        stream.write("{-#\n  dialect_resources: {\n    builtin: {\n")
        for i, (label, data) in enumerate(self.blobs):
            # The first four bytes are the alignment.
            stream.write('      %s: "0x40000000' % label)
            stream.write(data.hex())
            stream.write('"%s\n' % ("," if i + 1 < len(self.blobs) else ""))
        stream.write("    }\n  }\n#-}\n")

    def save(self, path, mlir_opt=None):
        """Text for *.mlir; anything else is bytecode, made by mlir-opt."""
        if str(path).endswith(".mlir"):
            with open(path, "w") as stream:
                self.write(stream)
            return
        process = subprocess.Popen([mlir_opt, *self.parser_options, "--emit-bytecode", "-o", str(path), "-"],
                                   stdin=subprocess.PIPE, text=True)
        self.write(process.stdin)
        process.stdin.close()
        if process.wait():
            raise SystemExit("error: %s cannot convert '%s' to bytecode" % (mlir_opt, self.name))
