# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers as exporters decompose them. bf16 graphs compute in f32 exactly where
PyTorch does inside one op: linear with bias, softmax, normalisations, GELU."""
import math

import numpy as np


def linear(m, x, weight, bias=None, transposed=True):
    """x[..., in] by weight[out, in] (or [in, out] when not transposed)."""
    rows = int(np.prod(x.shape[:-1]))
    w = m.constant(weight, x.element)
    if transposed:
        w = m.transpose(w, (1, 0))
    outputs = w.shape[1]
    y = m.matmul(m.reshape(x, (1, rows, x.shape[-1])), m.reshape(w, (1,) + w.shape))
    y = m.reshape(y, x.shape[:-1] + (outputs,))
    if bias is not None:
        y = m.add(y, m.cast(m.constant(bias, x.element), "f32"))
    return m.cast(y, x.element)


def batch_matmul(m, a, b):
    """Rank 4: the leading two dimensions are the batch."""
    def flat(v):
        return m.reshape(v, (v.shape[0] * v.shape[1],) + v.shape[2:])
    y = m.matmul(flat(a), flat(b))
    return m.cast(m.reshape(y, a.shape[:2] + (a.shape[2], b.shape[3])), a.element)


def layer_norm(m, x, gamma, beta, epsilon):
    axis = len(x.shape) - 1
    y = m.cast(x, "f32")
    centred = m.sub(y, m.mean(y, axis))
    variance = m.mean(m.mul(centred, centred), axis)
    y = m.mul(centred, m.unary("rsqrt", m.add(variance, epsilon)))
    y = m.mul(y, m.cast(m.constant(gamma, x.element), "f32"))
    y = m.add(y, m.cast(m.constant(beta, x.element), "f32"))
    return m.cast(y, x.element)


def rms_norm(m, x, gamma, epsilon):
    """As Llama writes it: rounded before the weight is multiplied in."""
    axis = len(x.shape) - 1
    y = m.cast(x, "f32")
    square = m.mean(m.binary("pow", y, 2.0), axis)
    y = m.mul(y, m.unary("rsqrt", m.add(square, epsilon)))
    return m.mul(m.cast(y, x.element), m.constant(gamma, x.element))


def softmax(m, x):
    axis = len(x.shape) - 1
    y = m.cast(x, "f32")
    e = m.unary("exp", m.sub(y, m.reduce("max", y, axis)))
    y = m.mul(e, m.unary("reciprocal", m.reduce("sum", e, axis)))
    return m.cast(y, x.element)


def gelu_erf(m, x):
    y = m.cast(x, "f32")
    e = m.unary("erf", m.mul(y, math.sqrt(0.5)))
    return m.cast(m.mul(m.mul(y, 0.5), m.add(e, 1.0)), x.element)


def gelu_tanh(m, x):
    y = m.cast(x, "f32")
    cube = m.mul(m.mul(y, y), y)
    inner = m.mul(m.add(y, m.mul(cube, 0.044715)), math.sqrt(2 / math.pi))
    return m.cast(m.mul(m.mul(y, 0.5), m.add(m.unary("tanh", inner), 1.0)), x.element)


def silu(m, x):
    y = m.cast(x, "f32")
    return m.cast(m.mul(y, m.unary("sigmoid", y)), x.element)


def split_heads(m, x, heads):
    """[B, S, H*D] -> [B, H, S, D]"""
    b, s, d = x.shape
    return m.transpose(m.reshape(x, (b, s, heads, d // heads)), (0, 2, 1, 3))


def merge_heads(m, x):
    b, h, s, d = x.shape
    return m.reshape(m.transpose(x, (0, 2, 1, 3)), (b, s, h * d))
