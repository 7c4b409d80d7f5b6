# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same modules as StableHLO in generic form, the way JAX lowers them."""
import numpy as np

from .tosa import Module, Value

BINARY = {"add": "add", "sub": "subtract", "mul": "multiply", "pow": "power"}
UNARY = {"exp": "exponential", "rsqrt": "rsqrt", "tanh": "tanh", "negate": "negate", "sigmoid": "logistic"}


def array(numbers):
    return "array<i64: %s>" % ", ".join(map(str, numbers)) if len(numbers) else "array<i64>"


def padding(pairs):
    return "dense<[%s]> : tensor<%dx2xi64>" % (", ".join("[%d, %d]" % pair for pair in pairs), len(pairs))


class StablehloModule(Module):
    parser_options = ["--allow-unregistered-dialect"]
    orders = ("nhwc", "nchw")

    def emit_constant(self, text, kind, shape, element):
        return self.op("stablehlo.constant", [], shape, element, "value = %s : %s" % (text, kind))

    def count(self):
        return sum(' = "stablehlo.' in line and "stablehlo.constant" not in line for line in self.lines)

    def number(self, value, element):
        return self.constant(np.asarray(value), element)

    def broadcast(self, a, shape, dims=None):
        """Dimension i of `a` becomes dims[i], by default the last ones."""
        shape = tuple(shape)
        if a.shape == shape:
            return a
        dims = dims or range(len(shape) - len(a.shape), len(shape))
        return self.op("stablehlo.broadcast_in_dim", [a], shape, a.element,
                       "broadcast_dimensions = " + array(list(dims)))

    # -- elementwise ------------------------------------------------------
    def binary(self, name, a, b, element=None):
        if not isinstance(b, Value):
            b = self.number(b, a.element)
        rank = max(len(a.shape), len(b.shape))
        sizes = [(1,) * (rank - len(v.shape)) + v.shape for v in (a, b)]
        shape = [max(pair) for pair in zip(*sizes)]
        operands = [self.broadcast(v, shape) for v in (a, b)]
        return self.op("stablehlo." + BINARY[name], operands, shape, element or a.element)

    def unary(self, name, a):
        if name == "reciprocal":
            one = self.broadcast(self.number(1, a.element), a.shape)
            return self.op("stablehlo.divide", [one, a], a.shape, a.element)
        op = "chlo.erf" if name == "erf" else "stablehlo." + UNARY[name]
        return self.op(op, [a], a.shape, a.element)

    def clamp(self, a, low, high):
        return self.op("stablehlo.clamp", [self.number(low, a.element), a, self.number(high, a.element)],
                       a.shape, a.element)

    def cast(self, a, element):
        return a if a.element == element else self.op("stablehlo.convert", [a], a.shape, element)

    def select(self, condition, a, b):
        shape = [max(sizes) for sizes in zip(condition.shape, a.shape, b.shape)]
        return self.op("stablehlo.select", [self.broadcast(v, shape) for v in (condition, a, b)], shape, a.element)

    # -- reductions -------------------------------------------------------
    def folded(self, op, a, start, combiner, shape, attributes):
        """An op whose region combines two scalars."""
        scalar = "tensor<%s>" % a.element
        init = self.number(start, a.element)
        result = Value("%%%d" % len(self.lines), shape, a.element)
        self.lines.append(
            '%s = "%s"(%s, %s) <{%s}> ({\n    ^bb0(%%l: %s, %%r: %s):\n'
            '      %%c = "stablehlo.%s"(%%l, %%r) : (%s, %s) -> %s\n'
            '      "stablehlo.return"(%%c) : (%s) -> ()\n    }) : (%s, %s) -> %s' % (
                result.name, op, a.name, init.name, attributes, scalar, scalar, combiner, scalar, scalar, scalar,
                scalar, a.type, scalar, result.type))
        return result

    def reduce(self, name, a, axis):
        axis %= len(a.shape)
        combiner, start = {"sum": ("add", 0.0), "max": ("maximum", -np.inf)}[name]
        rest = a.shape[:axis] + a.shape[axis + 1:]
        found = self.folded("stablehlo.reduce", a, start, combiner, rest, "dimensions = " + array([axis]))
        return self.broadcast(found, a.shape[:axis] + (1,) + a.shape[axis + 1:],
                              [i for i in range(len(a.shape)) if i != axis])

    # -- shapes -----------------------------------------------------------
    def reshape(self, a, shape):
        return a if tuple(shape) == a.shape else self.op("stablehlo.reshape", [a], shape, a.element)

    def transpose(self, a, order):
        return self.op("stablehlo.transpose", [a], [a.shape[i] for i in order], a.element,
                       "permutation = " + array(order))

    def slice(self, a, start, size):
        return self.op("stablehlo.slice", [a], size, a.element,
                       "limit_indices = %s, start_indices = %s, strides = %s" % (
                           array([s + n for s, n in zip(start, size)]), array(start), array([1] * len(size))))

    def concat(self, values, axis):
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        return self.op("stablehlo.concatenate", values, shape, values[0].element, "dimension = %d : i64" % axis)

    def tile(self, a, times):
        """Only dimensions of one element are repeated here."""
        return self.broadcast(a, [n * t for n, t in zip(a.shape, times)])

    def gather(self, table, indices):
        """Rows of table[1,K,C] named by indices[1,W]."""
        width = table.shape[2]
        rows = self.reshape(table, table.shape[1:])
        return self.op(
            "stablehlo.gather", [rows, indices], indices.shape + (width,), table.element,
            "dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], "
            "start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = "
            + array([1, width]))

    # -- matrix engine ----------------------------------------------------
    def matmul(self, a, b):
        return self.op("stablehlo.dot_general", [a, b], (a.shape[0], a.shape[1], b.shape[2]), "f32",
                       "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], "
                       "rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], "
                       "rhs_contracting_dimensions = [1]>")

    def conv2d(self, x, weights, bias, stride, pad):
        """The bias of these networks is in the norm that follows, so it is 0."""
        o, kh, kw, _ = weights.shape
        n, h, w, _ = x.shape
        shape = (n, (h + pad[0] + pad[1] - kh) // stride + 1, (w + pad[2] + pad[3] - kw) // stride + 1, o)
        return self.op(
            "stablehlo.convolution", [x, weights], shape, x.element,
            "batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[o, 0, 1, i]->"
            "[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = %s, window_strides = %s" % (
                padding([(pad[0], pad[1]), (pad[2], pad[3])]), array([stride, stride])))

    def convolution(self, x, weights, stride, pad, order, depthwise=False, filters="o, i, 0, 1", dilation=1):
        """Weights as PyTorch has them, outputs first; no bias."""
        at, outputs, kernel = order.index("h"), weights.shape[filters.split(", ").index("o")], weights.shape[2]
        shape = list(x.shape)
        for i in range(2):
            size = (x.shape[at + i] - 1) * dilation + 1
            shape[at + i] = (size + pad[2 * i] + pad[2 * i + 1] - kernel) // stride + 1
        shape[order.index("c")] = outputs
        image = {"nhwc": "b, 0, 1, f", "nchw": "b, f, 0, 1"}[order]
        return self.op(
            "stablehlo.convolution", [x, self.constant(weights, x.element)], shape, x.element,
            "batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[%s]x[%s]->[%s]>, "
            "feature_group_count = %d : i64, lhs_dilation = %s, padding = %s, window_strides = %s" % (
                image, filters, image, outputs if depthwise else 1, array([dilation] * 2),
                padding([(pad[0], pad[1]), (pad[2], pad[3])]), array([stride] * 2)))

    def up_convolution(self, x, weights, order):
        """Windows of 2 x 2 that do not overlap, turned; weights[in, out, 2, 2]."""
        turned = np.ascontiguousarray(weights[:, :, ::-1, ::-1])
        return self.convolution(x, turned, 1, (1, 1, 1, 1), order, filters="i, o, 0, 1", dilation=2)

    def pool(self, name, x, kernel, stride, pad):
        n, h, w, c = x.shape
        shape = (n, (h + pad[0] + pad[1] - kernel) // stride + 1, (w + pad[2] + pad[3] - kernel) // stride + 1, c)
        combiner, start = ("maximum", -np.inf) if name == "max" else ("add", 0.0)
        y = x if name == "max" else self.cast(x, "f32")
        y = self.folded("stablehlo.reduce_window", y, start, combiner, shape,
                        "padding = %s, window_dimensions = %s, window_strides = %s" % (
                            padding([(0, 0), (pad[0], pad[1]), (pad[2], pad[3]), (0, 0)]),
                            array([1, kernel, kernel, 1]), array([1, stride, stride, 1])))
        return y if name == "max" else self.cast(self.mul(y, 1.0 / (kernel * kernel)), x.element)

    def weights_to_arguments(self):
        """The same graph without its large constants: they become inputs."""
        kept = []
        for line in self.lines:
            if "dense_resource<" not in line:
                kept.append(line)
                continue
            kind = "tensor<" + line.rsplit("tensor<", 1)[1]
            label = line.split("dense_resource<")[1].split(">")[0]
            shape, _, element = kind[len("tensor<"):-1].rpartition("x")
            # The reshape to its own shape is free, and keeps the value's name.
            self.input(label, [int(n) for n in shape.split("x")], element)
            kept.append('%s = "stablehlo.reshape"(%%%s) : (%s) -> %s' % (line.split(" = ")[0], label, kind, kind))
        self.lines, self.blobs = kept, []
