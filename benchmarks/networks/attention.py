# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scaled dot-product attention by itself: as our op, or decomposed as exporters
write it, and its gradients."""
import numpy as np

from . import layers
from .numbers import rng, rounded
from .tosa import Module, Value


def in_text(dialect):
    """Modules of `dialect` with our ops, which mlir-opt does not know."""
    class TextModule(dialect):
        def save(self, path, mlir_opt=None):
            with open(path, "w") as stream:
                self.write(stream)
    return TextModule


class Attention:
    """`causal`, `grad` and `whole` are 0 or 1; whole 0 is two products and a
    softmax. With grad the outputs are the gradients of query, key and value,
    and a launch is forward and backward."""

    def __init__(self, batch=1, heads=32, queries=8192, keys=8192, size=128, causal=0, grad=0, whole=1, dtype="f32"):
        self.batch, self.heads, self.queries, self.keys, self.size = batch, heads, queries, keys, size
        self.causal, self.grad, self.whole, self.dtype = causal, grad, whole, dtype
        self.is_text = bool(whole)  # mlir-opt does not know the op
        if grad and not whole:
            raise ValueError("'sdpa' has gradients in one op only; expected whole 1 with grad 1")

    def shapes(self):
        query, key = (self.queries, self.size), (self.keys, self.size)
        sizes = {"q": query, "k": key, "v": key}
        if self.grad:
            sizes["do"] = query
        return {name: (self.batch, self.heads) + size for name, size in sizes.items()}

    def inputs(self):
        return {name: rounded(rng("sdpa." + name).standard_normal(shape, dtype=np.float32), self.dtype)
                for name, shape in self.shapes().items()}

    def flops(self):
        """Two products forward, five backward; half of them under a causal mask."""
        product = 2 * self.batch * self.heads * self.queries * self.keys * self.size
        return product * (7 if self.grad else 2) / (2 if self.causal else 1)

    def module(self, dialect=Module):
        m = (in_text(dialect) if self.whole else dialect)("main")
        q, k, v, *gradient = (m.input(name, shape, self.dtype) for name, shape in self.shapes().items())
        if self.whole:
            self.ops(m, q, k, v, *gradient)
            return m
        scores = m.mul(layers.batch_matmul(m, q, m.transpose(k, (0, 1, 3, 2))), self.size ** -0.5)
        if self.causal:
            seen = np.tril(np.ones((self.queries, self.keys), bool)).reshape(1, 1, self.queries, self.keys)
            scores = m.select(m.constant(seen, "i1"), scores, m.scalar(-np.inf, 4, self.dtype))
        m.output(layers.batch_matmul(m, layers.softmax(m, scores), v))
        return m

    def ops(self, m, q, k, v, gradient=None):
        attributes = "scale %.9e%s" % (self.size ** -0.5, " causal" if self.causal else "")
        if gradient is None:
            m.lines.append("%%o = gaudi.sdpa %s, %s, %s %s : (%s, %s, %s) -> %s" % (
                q.name, k.name, v.name, attributes, q.type, k.type, v.type, q.type))
            m.output(Value("%o", q.shape, q.element))
            return
        row = q.shape[:3] + (1,)
        most, total = (Value("%o#" + number, row, element).type for number, element in (("1", q.element), ("2", "f32")))
        m.lines.append("%%o:3 = gaudi.sdpa %s, %s, %s %s saves <statistics> : (%s, %s, %s) -> (%s, %s, %s)" % (
            q.name, k.name, v.name, attributes, q.type, k.type, v.type, q.type, most, total))
        types = ", ".join((q.type, q.type, k.type, v.type, q.type, most, total))
        m.lines.append("%%g:3 = gaudi.sdpa_grad %s, %s, %s, %s output %%o#0 m %%o#1 linv %%o#2 %s : (%s) -> (%s, %s, %s)" % (
            gradient.name, q.name, k.name, v.name, attributes, types, q.type, k.type, v.type))
        for i, value in enumerate((q, k, v)):
            m.output(Value("%%g#%d" % i, value.shape, value.element))

    def eager(self, torch):
        def forward(q, k, v):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(self.causal))

        def backward(q, k, v, do):
            with torch.inference_mode(False), torch.enable_grad():
                leaves = [x.detach().requires_grad_() for x in (q, k, v)]
                return torch.autograd.grad(forward(*leaves), leaves, do)
        return backward if self.grad else lambda q, k, v: (forward(q, k, v),)
